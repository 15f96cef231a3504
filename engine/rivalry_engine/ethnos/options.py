"""The options of both editions: presets are resolved, and those of the other edition are refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rivalry_engine.error import OptionError
from rivalry_engine.ethnos.data import FAIRIES, TRIBES_IN_PLAY, is_small
from rivalry_engine.ethnos.edition import EDITIONS, FIRST, FIRST_GAME, SECOND, Edition
from rivalry_engine.option import Option, OptionValue

DECLARED: Final[tuple[Option, ...]] = (
    Option("edition", "word", "first", tuple(EDITIONS), "which edition's rules are played"),
    Option(
        "ruleset",
        "word",
        "standard",
        ("standard", "bga", "literal"),
        "first edition, bga: ties look at the single largest Band only (E11);"
        " second edition, literal: dragons_to_end=literal, small_game_tokens=3, two_player_exceptions=false (N5)",
    ),
    Option("fairies", "flag", False, (), "first edition: whether Fairies may be drawn or named (E7)"),
    Option(
        "tribes",
        "words",
        None,
        tuple(FIRST.tribe_words.values()),
        "first edition: the Tribes in play, 6 of them, 5 with 2 or 3 seats; without it they are drawn (E2.2)",
    ),
    Option(
        "centaurs_need_marker",
        "flag",
        True,
        (),
        "first edition: a Centaur Band needs its marker placed for a further Band (E6.1)",
    ),
    Option(
        "dragons_to_end",
        "word",
        "3",
        ("3", "literal"),
        "second edition, literal: with 2 or 3 seats every age ends on its second dragon (N5)",
    ),
    Option(
        "small_game_tokens",
        "integer",
        2,
        (2, 3),
        "second edition: prestige tokens in each region with 2 or 3 seats (N2.2, N2.5)",
    ),
    Option(
        "two_player_exceptions",
        "flag",
        True,
        (),
        "second edition: with 2 seats a party outnumbers both players' markers, and the second in a region earns"
        " nothing in age II (N4.1)",
    ),
    Option(
        "clans",
        "words",
        None,
        (*SECOND.tribe_words.values(), "first-game"),
        "second edition: the clans in play, 6 of them, 5 with 2 or 3 seats, or first-game; without it they are drawn"
        " (N2.3, N2.7)",
    ),
)
"""All options but ``seats``."""

OF_AN_EDITION: Final[Mapping[str, Edition]] = {
    "fairies": FIRST,
    "tribes": FIRST,
    "centaurs_need_marker": FIRST,
    "dragons_to_end": SECOND,
    "small_game_tokens": SECOND,
    "two_player_exceptions": SECOND,
    "clans": SECOND,
}
"""The options that one edition alone has."""
TRIBES: Final[Mapping[str, str]] = {"first": "tribes", "second": "clans"}
"""By edition, the option that names its Tribes."""
LITERAL: Final[Mapping[str, OptionValue]] = {
    "dragons_to_end": "literal",
    "small_game_tokens": 3,
    "two_player_exceptions": False,
}
"""What ``ruleset=literal`` stands for (N5)."""
_RULESETS: Final[Mapping[str, tuple[str, ...]]] = {"first": ("standard", "bga"), "second": ("standard", "literal")}


def spelled(given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """``given`` with what people and JSON write in another type put right."""
    plain = dict(given)
    if plain.get("clans") == "first-game":
        plain["clans"] = ["first-game"]
    if type(plain.get("dragons_to_end")) is int:
        plain["dragons_to_end"] = str(plain["dragons_to_end"])
    return plain


def settled(given: Mapping[str, OptionValue], checked: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """The options that the game has: ``checked`` ones of its edition, presets resolved; raises OptionError.

    In the second edition ``ruleset`` is a preset: it is gone, and what it stands for is there, save where ``given``
    says otherwise.
    """
    edition = EDITIONS[str(checked["edition"])]
    for name, owner in OF_AN_EDITION.items():
        if owner is not edition and given.get(name) is not None:
            raise OptionError(
                f"option {name}: it is one of the {owner.name} edition; this is edition={edition.name}, which has"
                f" {', '.join(option for option, its in OF_AN_EDITION.items() if its is edition)}"
            )
    ruleset = str(checked["ruleset"])
    if ruleset not in _RULESETS[edition.name]:
        expected = " or ".join(_RULESETS[edition.name])
        raise OptionError(f"option ruleset: {ruleset!r} is not one of edition={edition.name}; expected {expected}")
    own = {name: value for name, value in checked.items() if OF_AN_EDITION.get(name, edition) is edition}
    if edition is SECOND:
        del own["ruleset"]
        if ruleset == "literal":
            own.update({name: value for name, value in LITERAL.items() if name not in given})
    name = TRIBES[edition.name]
    own[name] = _tribes(name, own[name], edition, int(own["seats"]), fairies=own.get("fairies") is True)
    return own


def _tribes(name: str, words: OptionValue, edition: Edition, seats: int, *, fairies: bool) -> tuple[str, ...] | None:
    """The words of the Tribes in the order of their types; raises OptionError unless they are those of a game."""
    if words is None:
        return None
    if tuple(words) == ("first-game",):
        words = [edition.tribe_words[tribe] for tribe in FIRST_GAME[is_small(seats)]]
    expected = TRIBES_IN_PLAY[seats]
    allowed = [word for tribe, word in edition.tribe_words.items() if fairies or tribe != FAIRIES]
    if len(words) != expected or not set(words) <= {*allowed}:
        told = "fairies need fairies=true" if "fairies" in words and not fairies else f"{len(words)} were given"
        raise OptionError(
            f"option {name}: {told}; with {seats} seats expected {expected} different words out of {', '.join(allowed)}"
            + (", or first-game" if edition is SECOND else "")
        )
    return tuple([word for word in edition.tribe_words.values() if word in words])
