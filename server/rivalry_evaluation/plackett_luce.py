"""Ratings: a Plackett-Luce fit to all matches at once, ties and several seats of one bot included.

A bot has a *worth*; who comes first at a table is drawn in proportion to the worths, then who comes second among the
rest, and so on (Luce 1959; Plackett 1975).  At tables of two that is the model of Bradley and Terry (1952).

- **Ties.** Equal ranks are an order that is not known: the log likelihood is averaged over all orders of those who
  share a rank.  At tables of two a draw then is half a win for each, as in Elo's system.  The Davidson-Luce model
  (Firth, Kosmidis and Turner 2019; Turner et al., below) gives ties of each size a parameter of their own; it answers
  how often bots tie as well, at the price of worths that no longer follow from who finished above whom.
- **Several seats of one bot** are as many competitors with the same worth.
- **Separated data.** Where someone always wins, or some never met, the likelihood has no greatest value (Ford 1957;
  Hunter 2004, assumption 1).  As in Turner, van Etten, Firth and Kosmidis, Modelling rankings in R: the PlackettLuce
  package (Computational Statistics 35, 2020), every bot has also met a *ghost* of worth 1, with GHOST wins and GHOST
  losses, always: so the fit is finite and unique, and what the ghost does fades with the matches played.

With the ghost the log likelihood is strictly concave in log worth.  It is maximised by steps of the
minorise-maximise kind (Hunter, MM algorithms for generalized Bradley-Terry models, Annals of Statistics 32, 2004),
which never go wrong, and from there by Newton's method.
"""

from __future__ import annotations

from math import log
from typing import Final

import numpy as np

from rivalry_evaluation.terms import Array, Terms

GHOST: Final = 0.5
"""Wins of every bot against the ghost, and losses, in matches of two."""
ELO: Final = 400 / log(10)
"""Elo-like units a unit of log worth: at a table of two, 400 units are odds of 10 to 1."""
STEPS_MM: Final = 5
STEPS: Final = 200
STEP_MOST: Final = 1.5
"""One step of Newton's changes no log worth by more: far from the maximum the second derivative says little."""
CLOSE: Final = 1e-9
"""The derivative at the maximum is at most so many of a bot's matches."""


def fit(
    wins: Array, seats: Array, counts: Array, ghost_wins: Array, ghost_losses: Array, start: Array | None = None
) -> Array:
    """Log worths, by sample and bot; the ghost's is 0.

    ``wins`` sample by bot, ``seats`` term by bot, ``counts`` sample by term, as in Terms; the ghost's by sample and
    bot, seen from the bot, above 0; ``start`` is where the steps begin.
    Raises ArithmeticError when it does not converge.
    """
    worth = np.zeros_like(wins) if start is None else np.broadcast_to(start, wins.shape)
    met = ghost_wins + ghost_losses
    won = wins + ghost_wins
    scale = won + met + 1.0
    for _ in range(STEPS_MM):
        a = np.exp(worth)
        worth = np.log(won / ((counts / (a @ seats.T)) @ seats + met / (a + 1.0)))
    pairs = (seats[:, :, None] * seats[:, None, :]).reshape(len(seats), -1)
    diagonal = np.arange(wins.shape[1])
    for _ in range(STEPS):
        a = np.exp(worth)
        left = a @ seats.T
        expected = a * ((counts / left) @ seats)
        beside = a / (a + 1.0)
        slope = won - expected - met * beside
        if np.all(np.abs(slope) <= CLOSE * scale):
            return worth
        curve = -((counts / left**2) @ pairs).reshape(len(a), a.shape[1], a.shape[1]) * a[:, :, None] * a[:, None, :]
        curve[:, diagonal, diagonal] += expected + met * beside * (1.0 - beside)
        step = np.linalg.solve(curve, slope[:, :, None])[:, :, 0]
        most = np.max(np.abs(step), axis=1, keepdims=True)
        worth = worth + step * np.minimum(1.0, STEP_MOST / np.maximum(most, STEP_MOST))
    raise ArithmeticError(f"the Plackett-Luce fit did not converge in {STEPS} steps")


def ratings(worth: Array, matches: Array) -> Array:
    """Log worths in Elo-like units, mean 0 over the bots (the last axis), each as often as it has ``matches``.

    Were each counted once, what is not known of a newcomer with five matches would be in the ratings of all others.
    """
    if np.all(matches == matches[0]):
        mean = worth.mean(axis=-1, keepdims=True)
    else:
        mean = (worth * (matches / matches.sum())).sum(axis=-1, keepdims=True)
    centred: Array = (worth - mean) * ELO
    return centred


def fitted(terms: Terms, ghost: float = GHOST) -> Array:
    """The log worth of each bot, whose ghost has 0; ``ratings`` shows them."""
    ghosts = np.full((1, len(terms.bots)), ghost)
    whole = fit(terms.wins.sum(axis=0)[None], terms.seats, terms.counts.sum(axis=0)[None], ghosts, ghosts)
    worth: Array = whole[0]
    return worth
