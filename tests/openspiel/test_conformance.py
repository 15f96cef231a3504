"""OpenSpiel's games keep every promise of a game of ours, and travel over the wire."""

from __future__ import annotations

import pytest

from rivalry_engine import catalog, conformance
from rivalry_wire import conformance as wire

pytest.importorskip("pyspiel")


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "matrix_rps", "kuhn_poker(players=3)"])
def test_a_game_of_openspiel_conforms(name: str) -> None:
    game = catalog.game(f"openspiel:{name}")

    conformance.check(game, games=1)
    wire.check(game, games=1)
