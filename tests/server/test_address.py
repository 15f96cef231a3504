from __future__ import annotations

import pytest

from rivalry_server.address import NOT_OURS, AddressError, _free_port


@pytest.mark.parametrize("port", [0, 7777])
def test_a_host_that_is_not_of_this_machine_is_told_as_such(port):
    with pytest.raises(AddressError) as refused:
        _free_port(f"192.0.2.1:{port}")

    assert str(refused.value) == f"cannot listen on 192.0.2.1:{port}: {NOT_OURS}"
