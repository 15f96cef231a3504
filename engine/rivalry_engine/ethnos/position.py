"""Positions: a state as JSON that people write by hand, every key optional.

``written`` shows every key; ``state`` reads what is stated and settles the rest: stated pieces are taken out first, and
what is left is dealt from ``seed`` as at the start of the Age.  The keys are told in ``RULES.md``, "Positions".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rivalry_engine.chance import Stream, seed_from_text, seed_text
from rivalry_engine.error import OptionError, PositionError, RivalryError
from rivalry_engine.ethnos import ages, cards
from rivalry_engine.ethnos.cards import DRAGON, SKELETON
from rivalry_engine.ethnos.data import (
    AGES,
    CENTAURS,
    COLOUR_WORDS,
    COLOURS,
    DRAGON_COPIES,
    ELVES,
    GIANTS,
    HALFLINGS,
    HAND_LIMIT,
    KINGDOMS,
    MERFOLK,
    MERFOLK_LAST,
    MERFOLK_SYMBOLS,
    ORCS,
    TRIBE_WORDS,
    TROLL_TOKENS,
    TROLLS,
    WIZARDS,
    glory_tokens,
)
from rivalry_engine.ethnos.state import NOBODY, EthnosState

if TYPE_CHECKING:
    from rivalry_engine.ethnos.game import Ethnos

KEYS: Final = (
    "game",
    "options",
    "seed",
    "age",
    "movers",
    "first_player",
    "dragons",
    "third_dragon",
    "deck",
    "safe",
    "face_up",
    "glory_tokens",
    "pending",
    "over",
    "seats",
)
SEAT_KEYS: Final = (
    "hand",
    "known",
    "glory",
    "markers",
    "bands",
    "merfolk",
    "orc_board",
    "troll_tokens",
    "giant_token",
)
LEADERS: Final[dict[str, int]] = {
    "marker": 0,
    "advance": MERFOLK,
    "bonus": MERFOLK,
    "horde": ORCS,
    "token": TROLLS,
    "further": CENTAURS,
    "keep": ELVES,
    "draw": WIZARDS,
}
"""The questions about a Band, with the Tribe that must lead it; 0 for any."""

CARDS: Final[dict[str, int]] = {cards.name(card): card for card in (*cards.ALLIES, DRAGON)}


# --- a state as a position


def written(state: EthnosState) -> dict[str, Any]:
    """The position of a state, every key shown; ``state`` is its inverse."""
    over = state.seat == NOBODY
    tribes = [TRIBE_WORDS[tribe] for tribe in state.tribes]
    pending: dict[str, Any] | None = None
    if not over and state.kind != "turn":
        pending = {"kind": state.kind, "seat": state.seat}
        if state.kind in LEADERS:
            pending["band"] = len(state.bands[state.seat]) - 1
        if state.kind == "bonus":
            pending["symbols"] = state.bonus
    return {
        "game": state.game.name,
        "options": {**state.game.options_given(), "tribes": tribes},
        "seed": seed_text(state.seed),
        "age": state.age,
        "movers": list(state.movers()),
        "first_player": state.first,
        "dragons": state.dragons,
        "third_dragon": None if state.drawer == NOBODY else state.drawer,
        "deck": [cards.name(card) for card in reversed(state.deck)],
        "safe": state.safe,
        "face_up": _names(state.row),
        "glory_tokens": {KINGDOMS[colour]: list(state.tokens[colour - 1]) for colour in COLOURS},
        "pending": pending,
        "over": over,
        "seats": [_seat_written(state, seat) for seat in range(state.game.seats)],
    }


def _seat_written(state: EthnosState, seat: int) -> dict[str, Any]:
    return {
        "hand": _names(state.hands[seat]),
        "known": _names(state.known[seat]),
        "glory": state.glory[seat],
        "markers": {KINGDOMS[colour]: state.markers[6 * seat + colour - 1] for colour in COLOURS},
        "bands": [{"leader": cards.name(band & 255), "cards": _names(band >> 8)} for band in state.bands[seat]],
        "merfolk": state.merfolk[seat],
        "orc_board": [COLOUR_WORDS[colour] for colour in COLOURS if state.hordes[seat] >> colour & 1],
        "troll_tokens": [value for value in TROLL_TOKENS if state.trolls[seat] >> value & 1],
        "giant_token": state.giant == seat,
    }


def _names(pack: int) -> list[str]:
    return [cards.name(card) for card in cards.listed(pack)]


# --- a position as a state


def state(game: Ethnos, position: Mapping[str, Any]) -> EthnosState:
    """The state of a position; raises PositionError that names the path of the key that is impossible."""
    return _Reading(game, position).state()


class _Reading:
    """One position being read: the state so far, and the cards that nothing has claimed yet."""

    def __init__(self, game: Ethnos, position: Mapping[str, Any]) -> None:
        self.game = game
        self.given = _object(position, "", KEYS)
        self.players = self._players()
        self.over = _flag(self.given, "over", "over")
        self.age = _integer(self.given, "age", "age", AGES[game.seats] if self.over else 1, 1, AGES[game.seats])
        self.made = EthnosState(game)
        self._begin()
        self.left = {card: cards.copies(card) for tribe in self.made.tribes for card in cards.faces_of(tribe)}
        self.pending = self._pending()
        self.ended = self.over or self.pending.get("kind") == "empty"

    def state(self) -> EthnosState:
        made = self.made
        dealt = [cards.listed(hand) for hand in made.hands]
        pool = [*(card for hand in dealt for card in hand), *cards.listed(made.row), *reversed(made.deck)]
        self._tokens()
        for seat, player in enumerate(self.players):
            self._player(seat, player)
        self._supply()
        hands = self._hands()
        row = self._row()
        deck = self._deck()
        self._deal([card for card in pool if card != DRAGON], hands, row, deck)
        self._known()
        self._turn()
        made.settle()
        self._check_pending()
        return made

    def _players(self) -> list[Mapping[str, Any]]:
        listed = _list(self.given.get("seats", []), "seats")
        if len(listed) > self.game.seats:
            raise _error(f"seats[{self.game.seats}]", "a seat", f"{self.game.seats} seats at the most")
        players = [_object(player, f"seats[{seat}]", SEAT_KEYS) for seat, player in enumerate(listed)]
        return players + [{}] * (self.game.seats - len(players))

    def _begin(self) -> None:
        """Sets up the game and deals the Age, as if nothing were stated but seed, Tribes and Age."""
        name = self.given.get("game", self.game.name)
        if name != self.game.name:
            raise _error("game", repr(name), self.game.name)
        try:
            seed = seed_from_text(_text(self.given.get("seed", ""), "seed"))
        except PositionError:
            raise
        except RivalryError as error:
            raise PositionError(f"position key seed: {error}") from error
        self.made.begin(seed)
        tribes = self._options()
        if tribes is not None:
            self.made.tribes = tribes
            self.made.supply = [self.game.supply(tribes)] * self.game.seats
        first = self.made.first
        self.made.age = self.age - 1
        ages.begin(self.made)
        self.made.first = first

    def _options(self) -> tuple[int, ...] | None:
        """The Tribes that the options name, if they do; the options must be those of the game."""
        given = self.given.get("options", {})
        if not isinstance(given, Mapping):
            raise _error("options", repr(given), "an object")
        try:
            options = dict(type(self.game)(given).options) if given else dict(self.game.options)
        except OptionError as error:
            raise PositionError(f"position key options: {error}") from error
        for name, value in self.game.options.items():
            if options[name] != value and not (name == "tribes" and None in (value, options[name])):
                raise _error(f"options.{name}", repr(options[name]), repr(value))
        words = options["tribes"]
        if words is None:
            return None
        return tuple(sorted(tribe for tribe, word in TRIBE_WORDS.items() if word in words))

    def _tokens(self) -> None:
        """Glory tokens: those stated, and in the other Kingdoms what is left, in the order of the deal (E2.1)."""
        given = _object(self.given.get("glory_tokens", {}), "glory_tokens", KINGDOMS[1:])
        left = glory_tokens(self.game.seats)
        count = len(left) // 6
        rows = [list(row) for row in self.made.tokens]
        for name, values in given.items():
            path = f"glory_tokens.{name}"
            row = [_whole(value, f"{path}[{place}]") for place, value in enumerate(_list(values, path))]
            if len(row) != count or row != sorted(row):
                raise _error(path, repr(row), f"{count} tokens in ascending order")
            for place, value in enumerate(row):
                if value not in left:
                    raise _error(f"{path}[{place}]", f"a {value} too many", "tokens that there are")
                left.remove(value)
            rows[KINGDOMS.index(name) - 1] = row
        if given:
            order = [value for row in self.made.tokens for value in row]
            rest: list[int] = []
            for value in order:
                if value in left:
                    left.remove(value)
                    rest.append(value)
            for colour in COLOURS:
                if KINGDOMS[colour] not in given:
                    rows[colour - 1] = sorted(rest[:count])
                    rest = rest[count:]
        self.made.tokens = tuple(tuple(row) for row in rows)

    def _player(self, seat: int, player: Mapping[str, Any]) -> None:
        """Everything of one seat but its cards in hand."""
        made, path = self.made, f"seats[{seat}]"
        made.glory[seat] = _integer(player, "glory", f"{path}.glory", 0, 0)
        for name, count in _object(player.get("markers", {}), f"{path}.markers", KINGDOMS[1:]).items():
            made.markers[6 * seat + KINGDOMS.index(name) - 1] = _whole(count, f"{path}.markers.{name}", 0)
        made.bands[seat] = [
            self._band(band, f"{path}.bands[{number}]")
            for number, band in enumerate(_list(player.get("bands", []), f"{path}.bands"))
        ]
        made.merfolk[seat] = _integer(player, "merfolk", f"{path}.merfolk", 0, 0, MERFOLK_LAST)
        self._needs(MERFOLK, made.merfolk[seat], f"{path}.merfolk")
        for place, word in enumerate(_list(player.get("orc_board", []), f"{path}.orc_board")):
            if word not in COLOUR_WORDS[1:]:
                raise _error(f"{path}.orc_board[{place}]", repr(word), "one of " + ", ".join(COLOUR_WORDS[1:]))
            bit = 1 << COLOUR_WORDS.index(word)
            if made.hordes[seat] & bit:
                raise _error(f"{path}.orc_board[{place}]", f"{word} twice", "one marker a colour")
            made.hordes[seat] |= bit
        self._needs(ORCS, made.hordes[seat], f"{path}.orc_board")
        for place, value in enumerate(_list(player.get("troll_tokens", []), f"{path}.troll_tokens")):
            where = f"{path}.troll_tokens[{place}]"
            bit = 1 << _whole(value, where, TROLL_TOKENS.start, TROLL_TOKENS.stop - 1)
            if any(held & bit for held in made.trolls):
                raise _error(where, f"token {value} twice", "each Troll token once")
            made.trolls[seat] |= bit
        self._needs(TROLLS, made.trolls[seat], f"{path}.troll_tokens")
        if _flag(player, "giant_token", f"{path}.giant_token"):
            self._needs(GIANTS, 1, f"{path}.giant_token")
            if made.giant != NOBODY:
                raise _error(f"{path}.giant_token", f"held by seat {made.giant} too", "one Giant token")
            made.giant = seat

    def _needs(self, tribe: int, value: int, path: str) -> None:
        if value and tribe not in self.made.tribes:
            raise _error(path, "a piece of a Tribe that is not in play", f"none without {TRIBE_WORDS[tribe]}")

    def _supply(self) -> None:
        for seat in range(self.game.seats):
            placed = sum(self.made.markers[6 * seat : 6 * seat + 6]) + self.made.hordes[seat].bit_count()
            if placed > self.made.supply[seat]:
                raise _error(f"seats[{seat}].markers", f"{placed} placed", f"{self.made.supply[seat]} at the most")
            self.made.supply[seat] -= placed

    def _claimed(self, names: Any, path: str) -> list[int]:
        """The cards of a list of names, taken out of what is left."""
        return [self._claim(name, f"{path}[{place}]") for place, name in enumerate(_list(names, path))]

    def _claim(self, name: Any, path: str) -> int:
        card = _card(name, path)
        if card not in self.left:
            raise _error(path, repr(name), "a card of the Tribes in play")
        if not self.left[card]:
            raise _error(path, f"one {name} too many", f"{cards.copies(card)} of them in all")
        self.left[card] -= 1
        return card

    def _band(self, given: Any, path: str) -> int:
        band = _object(given, path, ("leader", "cards"))
        if "leader" not in band:
            raise _error(f"{path}.leader", "nothing", "the card that leads the Band")
        leader = _card(band["leader"], f"{path}.leader")
        listed = self._claimed(band.get("cards", [band["leader"]]), f"{path}.cards")
        if leader not in listed or leader == SKELETON:
            raise _error(f"{path}.leader", repr(band["leader"]), "a card of the Band that is no Skeleton")
        if len(listed) > HAND_LIMIT:
            raise _error(f"{path}.cards", f"{len(listed)} cards", f"{HAND_LIMIT} at the most")
        if self.ended_skeleton(listed):
            raise _error(f"{path}.cards", "a Skeleton", "none, since the Age has ended")
        plain = [card for card in listed if card != SKELETON]
        tribes, colours = {card >> 3 for card in plain}, {card & 7 for card in plain}
        if len(tribes) > 1 and len(colours) > 1:
            raise _error(f"{path}.cards", repr(band.get("cards")), "cards of one Tribe or of one colour")
        return leader | cards.packed(listed) << 8

    def ended_skeleton(self, listed: Iterable[int]) -> bool:
        return self.ended and SKELETON in listed

    def _hands(self) -> list[list[int] | None]:
        """By seat, the cards stated; None for a hand that is dealt."""
        hands: list[list[int] | None] = []
        for seat, player in enumerate(self.players):
            path = f"seats[{seat}].hand"
            gone = self.ended or (self.pending.get("kind") == "draw" and self.pending["seat"] == seat)
            hand = self._claimed(player["hand"], path) if "hand" in player else [] if gone else None
            if hand and gone:
                raise _error(path, f"{len(hand)} cards", "none, since they have been discarded")
            if hand and len(hand) > HAND_LIMIT:
                raise _error(path, f"{len(hand)} cards", f"{HAND_LIMIT} at the most")
            hands.append(hand)
        return hands

    def _row(self) -> list[int] | None:
        row = self._claimed(self.given["face_up"], "face_up") if "face_up" in self.given else [] if self.ended else None
        if row and self.ended:
            raise _error("face_up", f"{len(row)} cards", "none, since the Age has ended")
        return row

    def _deck(self) -> list[int] | None:
        """The cards of the deck from the top if they are stated, and how many Dragons are out."""
        deck: list[int] | None = None
        if "deck" in self.given:
            deck = []
            for place, name in enumerate(_list(self.given["deck"], "deck")):
                card = _card(name, f"deck[{place}]")
                deck.append(card if card == DRAGON else self._claim(name, f"deck[{place}]"))
        if self.ended:
            if deck:
                raise _error("deck", f"{len(deck)} cards", "none, since the Age has ended")
            self.made.dragons = _integer(self.given, "dragons", "dragons", DRAGON_COPIES, 0, DRAGON_COPIES)
            return []
        inside = DRAGON_COPIES if deck is None else deck.count(DRAGON)
        out = max(0, min(DRAGON_COPIES - inside, DRAGON_COPIES - 1))
        self.made.dragons = _integer(self.given, "dragons", "dragons", out, 0, DRAGON_COPIES - 1)
        if deck and inside != DRAGON_COPIES - self.made.dragons:
            expected = f"{DRAGON_COPIES - self.made.dragons} in the deck with {self.made.dragons} out"
            raise _error("deck", f"{inside} Dragons", expected)
        return deck

    def _deal(
        self, pool: Sequence[int], hands: Sequence[list[int] | None], row: list[int] | None, deck: list[int] | None
    ) -> None:
        """Deals what is not stated out of ``pool``, in its order."""
        made, left = self.made, dict(self.left)
        rest: list[int] = []
        for card in pool:
            if left[card]:
                left[card] -= 1
                rest.append(card)
        for seat, hand in enumerate(hands):
            cut = 1 if hand is None else 0
            made.hands[seat] = cards.packed(rest[:cut] if hand is None else hand)
            rest = rest[cut:]
        cut = 2 * self.game.seats if row is None else 0
        made.row = cards.packed(rest[:cut] if row is None else row)
        rest = rest[cut:]
        safe = 0
        if deck is None:
            half = len(rest) // 2
            deck, dealt = rest, made.deck[::-1]
            if made.dragons or [card for card in dealt if card != DRAGON] != rest:
                bottom = rest[half:] + [DRAGON] * (DRAGON_COPIES - made.dragons)
                Stream(made.seed, f"position/{made.age}/deck").shuffle(bottom)
                deck = rest[:half] + bottom
            else:
                deck = dealt
            safe = 0 if made.dragons else half
        made.deck = deck[::-1]
        made.safe = _integer(self.given, "safe", "safe", safe, 0, len(deck))
        if DRAGON in deck[: made.safe]:
            raise _error("safe", str(made.safe), f"{deck.index(DRAGON)} at the most, for a Dragon lies below")

    def _known(self) -> None:
        for seat, player in enumerate(self.players):
            path = f"seats[{seat}].known"
            known = 0
            for place, name in enumerate(_list(player.get("known", []), path)):
                card = _card(name, f"{path}[{place}]")
                known += cards.UNIT[card]
                if card == DRAGON or not cards.holds(self.made.hands[seat], known):
                    raise _error(f"{path}[{place}]", repr(name), "a card of the hand")
            self.made.known[seat] = known

    def _turn(self) -> None:
        """Who is asked what."""
        made, last = self.made, self.game.seats - 1
        made.kind = "" if self.over else self.pending["kind"]
        made.seat = NOBODY if self.over else self.pending["seat"]
        made.bonus = self.pending.get("symbols", 0)
        usual = made.first if made.seat == NOBODY else made.seat
        made.first = _integer(self.given, "first_player", "first_player", usual, 0, last)
        drawer = self.given.get("third_dragon")
        made.drawer = NOBODY
        if self.ended:
            made.drawer = max(made.seat, 0) if drawer is None else _whole(drawer, "third_dragon", 0, last)
        elif drawer is not None:
            raise _error("third_dragon", repr(drawer), "null, since the Age has not ended")

    def _pending(self) -> dict[str, Any]:
        """The open question: kind, seat, and what else it has."""
        movers = [
            _whole(seat, f"movers[{place}]", 0, self.game.seats - 1)
            for place, seat in enumerate(_list(self.given.get("movers", []), "movers"))
        ]
        given = self.given.get("pending")
        if self.over:
            if movers:
                raise _error("movers", repr(movers), "none, since the game is over")
            if given is not None:
                raise _error("pending", repr(given), "null, since the game is over")
            return {}
        if "movers" in self.given and len(movers) != 1:
            raise _error("movers", repr(movers), "one seat")
        seat = movers[0] if movers else self.made.first
        if given is None:
            return {"kind": "turn", "seat": seat}
        pending = dict(_object(given, "pending", ("kind", "seat", "band", "symbols")))
        kinds = ("turn", *LEADERS, "empty")
        kind = pending.get("kind")
        if kind not in kinds:
            raise _error("pending.kind", repr(kind), "one of " + ", ".join(kinds))
        asked = _integer(pending, "seat", "pending.seat", seat, 0, self.game.seats - 1)
        if movers and movers[0] != asked:
            raise _error("pending.seat", str(asked), f"{movers[0]}, who is in movers")
        if "symbols" in pending and kind != "bonus":
            raise _error("pending.symbols", repr(pending["symbols"]), "only with the question bonus")
        if "band" in pending and kind not in LEADERS:
            raise _error("pending.band", repr(pending["band"]), "only with a question about a Band")
        return {**pending, "kind": kind, "seat": asked, **({"symbols": _symbols(pending)} if kind == "bonus" else {})}

    def _check_pending(self) -> None:
        """Refuses a question that cannot be open in what is stated."""
        made, kind = self.made, self.made.kind
        if kind in LEADERS:
            self._check_band(made.bands[made.seat])
        elif kind == "empty" and (not made.hordes[made.seat] or made.age == AGES[self.game.seats]):
            raise _error("pending.kind", "empty", "a seat with markers on its Orc board, before the last Age")

    def _check_band(self, played: Sequence[int]) -> None:
        made, seat, kind = self.made, self.made.seat, self.made.kind
        last = len(played) - 1
        if last < 0:
            raise _error("pending.kind", kind, f"a Band of seat {seat} that it is about")
        _integer(self.pending, "band", "pending.band", last, last, last)
        leader, size = played[-1] & 255, cards.size(played[-1] >> 8)
        if LEADERS[kind] not in (0, leader >> 3) or (kind == "marker" and leader >> 3 == HALFLINGS):
            raise _error("pending.kind", kind, f"a question that a Band led by {cards.name(leader)} asks")
        space = made.merfolk[seat]
        passed = [symbol for symbol in MERFOLK_SYMBOLS if space - size < symbol <= space]
        placed = made.markers[6 * seat + (leader & 7) - 1]
        possible = {
            "marker": made.supply[seat] > 0,
            "advance": space < MERFOLK_LAST,
            "bonus": 0 < made.bonus <= len(passed) and made.supply[seat] >= 1,
            "horde": made.supply[seat] > 0 and not made.hordes[seat] >> (leader & 7) & 1,
            "token": True,
            "further": made.hands[seat] > 0 and (placed > 0 or not self.game.options["centaurs_need_marker"]),
            "keep": made.hands[seat] > 0,
            "draw": True,
        }
        if not possible[kind] or (kind in ("marker", "token") and len(made.choices(seat)) < 2):
            raise _error("pending.kind", kind, "a question that leaves something to decide here")


def _symbols(pending: Mapping[str, Any]) -> int:
    return _integer(pending, "symbols", "pending.symbols", 1, 1, len(MERFOLK_SYMBOLS))


# --- values of JSON


def _error(path: str, given: str, expected: str) -> PositionError:
    return PositionError(f"position key {path}: {given}; expected {expected}")


def _object(value: Any, path: str, keys: Sequence[str]) -> Mapping[str, Any]:
    """An object with no other keys than ``keys``."""
    if not isinstance(value, Mapping):
        raise _error(path or "(whole)", repr(value), "an object")
    for key in value:
        if key not in keys:
            raise _error(f"{path}.{key}" if path else str(key), "no such key", "one of " + ", ".join(keys))
    return value


def _list(value: Any, path: str) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise _error(path, repr(value), "a list")
    return value


def _text(value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise _error(path, repr(value), "a text")
    return value


def _flag(holder: Mapping[str, Any], key: str, path: str) -> bool:
    value = holder.get(key, False)
    if not isinstance(value, bool):
        raise _error(path, repr(value), "true or false")
    return value


def _whole(value: Any, path: str, least: int = 0, most: int | None = None) -> int:
    """An integer from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least or (most is not None and value > most):
        raise _error(path, repr(value), f"an integer from {least} up" if most is None else f"{least} to {most}")
    return value


def _integer(
    holder: Mapping[str, Any], key: str, path: str, usual: int, least: int = 0, most: int | None = None
) -> int:
    return _whole(holder[key], path, least, most) if key in holder else usual


def _card(name: Any, path: str) -> int:
    card = CARDS.get(name) if isinstance(name, str) else None
    if card is None:
        raise _error(path, repr(name), "a card such as 'red elf' or 'skeleton'")
    return card
