"""OpenSpiel's games keep every promise of a game of ours, and travel over the wire.

Short ones of every kind; ``make openspiel`` takes all of them.
"""

from __future__ import annotations

import pytest

from rivalry_engine import catalog, conformance
from rivalry_wire import conformance as wire

pytest.importorskip("pyspiel")

# fmt: off
GAMES = [
    "tic_tac_toe", "nim", "connect_four", "clobber", "dots_and_boxes", "mancala", "cliff_walking",
    "einstein_wurfelt_nicht", "catch", "matrix_rps", "matrix_pd", "matrix_bos", "matrix_cd", "matrix_mp",
    "matching_pennies_3p", "blotto", "goofspiel", "oshi_zumo", "kuhn_poker", "kuhn_poker(players=3)",
    "leduc_poker", "repeated_leduc_poker", "universal_poker", "liars_dice", "liars_dice_ir", "tiny_hanabi",
    "tiny_bridge_4p", "trade_comm", "lewis_signaling", "first_sealed_auction", "coordinated_mp", "bargaining",
    "sheriff", "dark_hex", "phantom_ttt", "latent_ttt", "hearts", "euchre", "oh_hell", "go_fish", "blackjack",
    "deep_sea", "hanabi", "skat", "cursor_go", "negotiation", "tarok", "python_kuhn_poker",
    "python_tic_tac_toe", "python_iterated_prisoners_dilemma", "misere(game=kuhn_poker())", "python_block_dominoes",
]
# fmt: on


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_openspiel_conforms(name: str) -> None:
    game = catalog.game(f"openspiel:{name}")

    conformance.check(game, games=1)
    wire.check(game, games=1)


def test_at_least_forty_games_are_looked_at() -> None:
    assert len(set(GAMES)) >= 40


@pytest.mark.parametrize("name", ["kuhn_poker(players=3)", "leduc_poker", "universal_poker"])
def test_a_game_that_is_resampled_looks_the_same_in_every_state_that_was_imagined(name: str) -> None:
    game = catalog.game(f"openspiel:{name}")

    assert game.imagines
    conformance.check(game, games=5, seed=b"resampled")
    wire.check(game, games=5, seed=b"resampled")
