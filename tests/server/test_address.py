from __future__ import annotations

import socket

import pytest

from rivalry_server.address import NOT_OURS, AddressError, _free_port


@pytest.mark.parametrize("port", [0, 7777])
def test_a_host_that_is_not_of_this_machine_is_told_as_such(port):
    with pytest.raises(AddressError) as refused:
        _free_port(f"192.0.2.1:{port}")

    assert str(refused.value) == f"cannot listen on 192.0.2.1:{port}: {NOT_OURS}"


def test_one_address_of_a_host_s_several_is_enough(monkeypatch):
    found = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (host, 0)) for host in ("192.0.2.1", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)

    _free_port("several:0")
