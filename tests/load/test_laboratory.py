"""The fault laboratory and the cuts, some of each; `make proof` does many."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from load import cutting
from load.cutting import differences, played
from load.laboratory import tried
from rivalry_client.session import Session as ClientSession
from rivalry_engine import catalog
from rivalry_engine.game import Game
from rivalry_server.session_seat import SessionSeat
from server.tally import Tally

KUHN = catalog.game("kuhn")
GAMES = {
    "kuhn": (KUHN, 40),
    "simultaneous": (Tally({"seats": 4, "rounds": 3}), 12),
    "ethnos": (catalog.game("ethnos", {"seats": 3}), 3),
}


@pytest.mark.parametrize(("game", "matches"), GAMES.values(), ids=GAMES)
def test_no_honest_bot_is_wronged_whatever_fails_around_it(game: Game, matches: int) -> None:
    faults = 0
    for number in range(matches):
        faults += sum(tried(game, f"suite/{number}".encode()).faults.values())

    assert faults > matches


def test_the_client_plays_on_whatever_moment_its_stream_is_cut_at() -> None:
    whole = played(KUHN, {0: ()}, client=(0, 1))

    for at in range(1, whole.moments[0] + 1):
        assert not differences(played(KUHN, {0: (at,)}, client=(0, 1)), whole), f"cut at moment {at}"


@pytest.mark.parametrize("at", range(11, 900, 149))
def test_the_client_plays_on_in_a_long_match(at: int) -> None:
    game = catalog.game("ethnos", {"seats": 3})
    whole = played(game, {0: (), 1: ()}, client=(0,))

    cut = played(game, {0: (at, at + 7), 1: (at + 20,)}, client=(0,))

    assert cut.cuts == 3
    assert not differences(cut, whole)


def _begun(seat: SessionSeat, ack: object) -> None:
    seat._back()
    if seat.begun:
        seat._tell_start(resumed=True)


BROKEN: dict[str, tuple[type, str, Any]] = {
    "an arena that does not ask again": (SessionSeat, "resumed", _begun),
    "a client that asks its bot again": (ClientSession, "_asked_before", lambda *given: False),
    "a client that sends no answer again": (ClientSession, "_asked_before", lambda *given: True),
}


@pytest.mark.parametrize(("kind", "method", "instead"), BROKEN.values(), ids=BROKEN)
def test_the_cuts_show_what_is_broken(kind: type, method: str, instead: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = played(KUHN, {0: ()}, client=(0,))
    monkeypatch.setattr(kind, method, instead)

    def differs(at: int) -> bool:
        try:
            return bool(differences(played(KUHN, {0: (at,)}, client=(0,)), whole))
        except (TimeoutError, asyncio.CancelledError, AssertionError):
            return True

    assert any(differs(at) for at in range(1, whole.moments[0]))


def test_the_laboratory_shows_a_seat_that_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SessionSeat, "kept_without_stream", lambda seat, text: False)

    with pytest.raises((AssertionError, TimeoutError)):
        for number in range(40):
            tried(KUHN, f"suite/{number}".encode())


def test_a_knife_cuts_each_stream_once() -> None:
    knife, cuts = cutting.Blades((2, 3)), []
    knife.cut = lambda: cuts.append(knife.moments)

    for _ in range(4):
        knife.passes()

    assert (cuts, knife.cuts) == ([2], 1)
