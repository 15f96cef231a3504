"""What makes a match again after a restart."""

from __future__ import annotations

import pytest

from rivalry_engine import catalog
from rivalry_server.journal.opening import Opening, read
from rivalry_server.match_spec import MatchSpec
from rivalry_server.seating import Listen
from server.journal.house import built_in


@pytest.mark.parametrize("walk_in", [True, False])
def test_an_open_seat_is_for_the_same_bots_after_a_restart(walk_in: bool) -> None:
    seats = (Listen(token="a seat's own", walk_in=walk_in), built_in("first", "kuhn"))
    opening = Opening(MatchSpec(catalog.game("kuhn"), b"seed"), seats)

    kept = read(opening.text()).occupants(built_in=built_in, registered=lambda name: pytest.fail(name))

    assert kept[0] == Listen(fingerprint=seats[0].fingerprint, walk_in=walk_in)
