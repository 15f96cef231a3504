"""The family ``openspiel:NAME``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rivalry_engine.catalog import KEPT, Family
from rivalry_engine.error import OptionError, RivalryError, UnknownGameError
from rivalry_engine.game import Game
from rivalry_openspiel import known, parameters
from rivalry_openspiel.game import OpenSpielGame
from rivalry_openspiel.library import loaded, pyspiel, registered

PRIMER = """{title}, a game of OpenSpiel's ({short}): {information}, {dynamics}.

The rules are OpenSpiel's; they stand in its sources and documentation under the name {short}.
A turn is one action out of a list.  An action is written as OpenSpiel words it, then # and OpenSpiel's number of it,
such as {example}: answer with both, or with the number of the choice.
Chance is drawn between the turns.  Scores are OpenSpiel's returns, in millionths of a point; more is better.
"""


class OpenSpielFamily(Family):
    """The games of OpenSpiel; nothing of it is imported before one is asked for."""

    title = "any game of OpenSpiel"

    def names(self) -> Sequence[str]:
        """Those that need no parameters and can be played here, sorted."""
        return sorted(
            short
            for short, kind in registered().items()
            if kind.default_loadable and short not in known.IMPOSSIBLE and parameters.refusal(short, kind) is None
        )

    def rules(self, name: str) -> type[Game]:
        return _rules(name)


@lru_cache(maxsize=KEPT)
def _rules(name: str) -> type[OpenSpielGame]:
    pyspiel()
    short = parameters.short_name(name)
    kind = registered().get(short)
    if kind is None:
        raise UnknownGameError(f"OpenSpiel has no game {short!r}; `rivalry games openspiel` lists those it has")
    refusal = parameters.refusal(short, kind)
    if refusal is None and short in known.IMPOSSIBLE:
        refusal = RivalryError(f"openspiel:{short} cannot be played here: {known.IMPOSSIBLE[short]}")
    if refusal is not None:
        raise refusal
    fixed, heavy = parameters.pinned(name, kind)
    if not kind.default_loadable and not fixed:
        needed = ", ".join(kind.parameter_specification)
        raise OptionError(
            f"openspiel:{short} needs parameters out of {needed}; name them, as {short}(game=tic_tac_toe())"
        )
    return made(name, short, fixed, heavy=heavy)


def made(name: str, short: str, fixed: dict[str, object], *, heavy: bool) -> type[OpenSpielGame]:
    """The class of a game with the parameters ``fixed``, which were tried; ``heavy``: that was found out meanwhile."""
    core = loaded(short, fixed)
    kind = core.get_type()
    spiel = pyspiel()
    specification = dict(registered()[short].parameter_specification)  # not that of a game within it
    open_to_all = kind.information != spiel.GameType.Information.IMPERFECT_INFORMATION
    sampled = kind.chance_mode == spiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
    if sampled and parameters.SEEDS not in specification:
        raise RivalryError(
            f"openspiel:{name} draws chance that follows from no seed, so that no match could be replayed"
        )
    if not (open_to_all or kind.provides_observation_string or kind.provides_information_state_string):
        raise RivalryError(f"openspiel:{name} does not say in words what a player sees")
    seats_key = parameters.seats_key(specification, fixed)
    seats = core.num_players()
    counts = range(seats, seats + 1)
    if seats_key is not None:
        counts = range(max(1, kind.min_num_players), kind.max_num_players + 1)
    return type(
        "OpenSpielGame_" + short,
        (OpenSpielGame,),
        {
            "__module__": OpenSpielGame.__module__,
            "name": f"openspiel:{name}",
            "title": kind.long_name,
            "primer": PRIMER.format(
                title=kind.long_name,
                short=short,
                information="everybody sees everything" if open_to_all else "some things are hidden",
                dynamics="the players move at the same time"
                if kind.dynamics == spiel.GameType.Dynamics.SIMULTANEOUS
                else "the players move in turn",
                example="x(0,1) #1",
            ),
            "seat_counts": counts,
            "usual_seats": seats,
            "declared": parameters.declared(specification, fixed),
            "imagines": not sampled and (open_to_all or short in known.RESAMPLED),
            "has_positions": True,
            "heavy": heavy or short in known.HEAVY or short.startswith("python_"),
            "short": short,
            "fixed": fixed,
            "specification": specification,
            "seats_key": seats_key,
        },
    )
