"""A cluster bootstrap: whole blocks are drawn again, with all their matches.

Matches of a block share their seed and sit in each other's seats, so they are not independent, and a bootstrap of
matches would give intervals that are too narrow (Davison and Hinkley, Bootstrap Methods and their Application, 1997,
section 3.8; Field and Welsh, Bootstrapping clustered data, 2007).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from rivalry_evaluation import plackett_luce
from rivalry_evaluation.terms import Array, Terms

CHUNK: Final = 250
"""Resamples fitted at once: bounds the memory."""
WEIGHT: Final = 3.0
"""The ghost's weight where data are separated: with it the interval of the difference of two bots, of which one won all
blocks, is that of Jeffreys' prior for a share (Brown, Cai and DasGupta 2001), within 35 units for 5 to 60 blocks."""


def draws(blocks: int, resamples: int, seed: bytes) -> Array:
    """Resample by block: how often each block was drawn, ``blocks`` times in all.

    The generator is numpy's PCG64, seeded with SHA-256 of ``seed``.
    """
    generator = generator_of(seed, "blocks")
    shares = np.full(blocks, 1.0 / blocks)
    return generator.multinomial(blocks, shares, size=resamples).astype(np.float64)


def generator_of(seed: bytes, label: str) -> np.random.Generator:
    """A generator of its own for ``label``."""
    digest = hashlib.sha256(label.encode() + b"\0" + seed).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "big")))


def table(values: Mapping[str, Mapping[str, float]], columns: Sequence[str], blocks: Sequence[str]) -> Array:
    """Block by column: the values, not a number where a block has none."""
    found = np.full((len(blocks), len(columns)), np.nan)
    place = {block: at for at, block in enumerate(blocks)}
    for at, column in enumerate(columns):
        for block, value in values.get(column, {}).items():
            found[place[block], at] = value
    return found


def means(weights: Array, values: Array) -> Array:
    """Resample by column: the mean over the blocks drawn that have a value; not a number where none has."""
    there = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        whole: Array = (weights @ np.where(there, values, 0.0)) / (weights @ there)
    return whole


def ratings(terms: Terms, worth: Array, weights: Array, seed: bytes, *, ghost_blocks: bool) -> Array:
    """Resample by bot: the ratings of the blocks drawn; ``worth`` is what the blocks as they are come to.

    The ghost's wins and losses are drawn, too, from a gamma distribution of shape 1/2 and mean GHOST each: against data
    that leave a rating open above or below it acts as the prior of Jeffreys does for a share.  With ``ghost_blocks`` it
    counts in blocks instead of matches, WEIGHT of them, which is what to take where the data are separated: what is not
    known then is how a further block ends.  Bots whose results are the same in every block have met the same ghost, so
    that their figures are the same.
    """
    resamples, bots = len(weights), len(terms.bots)
    generator = generator_of(seed, "ghost")
    ghosts = generator.gamma(0.5, 1.0, size=(2, resamples, bots)) * (plackett_luce.GHOST / 0.5)
    if ghost_blocks:
        there = (terms.wins > 0).sum(axis=0)
        ghosts = ghosts * WEIGHT * (terms.wins.sum(axis=0) / np.maximum(there, 1))
    ghosts = np.maximum(ghosts, 1e-12)[:, :, _first_alike(terms, worth)]
    found = np.empty((resamples, bots))
    for at in range(0, resamples, CHUNK):
        part = slice(at, at + CHUNK)
        wins, counts = weights[part] @ terms.wins, weights[part] @ terms.counts
        found[part] = plackett_luce.fit(wins, terms.seats, counts, ghosts[0, part], ghosts[1, part], worth)
    return plackett_luce.ratings(found, terms.matches)


def _first_alike(terms: Terms, worth: Array) -> list[int]:
    """By bot the first that has its worth and did as well in every block, measured by what was to be expected."""
    worths = np.exp(worth)
    left = terms.seats @ worths
    residual = terms.wins - (terms.counts / left) @ terms.seats * worths
    kinds = np.round(np.vstack((worth, residual)), 6) + 0.0
    first: dict[bytes, int] = {}
    return [first.setdefault(kinds[:, at].tobytes(), at) for at in range(len(worth))]


def errors(resampled: Array, blocks: Array) -> Array:
    """By column the standard error from its resamples, with the correction for ``blocks`` being few (n / (n - 1))."""
    spread: Array = np.nanstd(resampled, axis=0)
    return spread * np.sqrt(blocks / np.maximum(blocks - 1.0, 1.0))
