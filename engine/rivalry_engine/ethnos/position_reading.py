"""Reading a position: what is stated is taken out first, and the rest is dealt from what is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rivalry_engine.chance import Stream, seed_from_text
from rivalry_engine.error import OptionError, PositionError, RivalryError
from rivalry_engine.ethnos import ages, cards, position_pending
from rivalry_engine.ethnos.cards import DRAGON, SKELETON
from rivalry_engine.ethnos.data import (
    AGES,
    COLOURS,
    DRAGON_COPIES,
    GIANTS,
    HAND_LIMIT,
    MERFOLK,
    ORCS,
    RACCOONS,
    TROLL_TOKENS,
    TROLLS,
)
from rivalry_engine.ethnos.edition import COINS
from rivalry_engine.ethnos.extra import NO_COINS, NOTHING, Extra
from rivalry_engine.ethnos.options import TRIBES
from rivalry_engine.ethnos.position_values import (
    a_flag,
    a_list,
    a_text,
    an_object,
    card_named,
    impossible,
    integer,
    whole,
)
from rivalry_engine.ethnos.state import NOBODY, SEVERAL, EthnosState

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
    "coins",
    "coins_left",
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
    "giant_band",
)


class Reading:
    """One position being read: the state so far, and the cards that nothing has claimed yet."""

    def __init__(self, game: Ethnos, position: Mapping[str, Any]) -> None:
        self.game = game
        self.edition = game.edition
        self.given = an_object(position, "", KEYS)
        self.players = self._players()
        self.over = a_flag(self.given, "over", "over")
        last = AGES[game.seats]
        self.age = integer(self.given, "age", "age", last if self.over else 1, last if self.over else 1, last)
        self.made = EthnosState(game)
        self._begin()
        self.left = {card: cards.copies(card) for tribe in self.made.tribes for card in cards.faces_of(tribe)}
        self.pending = position_pending.stated(self.given, game, over=self.over, first=self.made.first)
        self.ended = self.over or self.pending.get("kind") == "empty"

    def state(self) -> EthnosState:
        made = self.made
        dealt = [cards.listed(hand) for hand in made.hands]
        pool = [*(card for hand in dealt for card in hand), *cards.listed(made.row), *reversed(made.deck)]
        self._tokens()
        for seat, player in enumerate(self.players):
            self._player(seat, player)
        self._supply()
        self._coins()
        hands = self._hands()
        row = self._row()
        deck = self._deck()
        self._deal([card for card in pool if card != DRAGON], hands, row, deck)
        self._known()
        self._turn()
        made.extra = made.extra._replace(
            given=position_pending.given_away(made, self.pending), giant_band=self._giant_band()
        )
        made.settle()
        position_pending.check(made, self.pending)
        return made

    def _players(self) -> list[Mapping[str, Any]]:
        listed = a_list(self.given.get("seats", []), "seats")
        if len(listed) > self.game.seats:
            raise impossible(f"seats[{self.game.seats}]", "a seat", f"{self.game.seats} seats at the most")
        players = [an_object(player, f"seats[{seat}]", SEAT_KEYS) for seat, player in enumerate(listed)]
        return players + [{}] * (self.game.seats - len(players))

    def _begin(self) -> None:
        """Sets up the game and deals the Age, as if nothing were stated but seed, Tribes and Age."""
        name = self.given.get("game", self.game.name)
        if name != self.game.name:
            raise impossible("game", repr(name), self.game.name)
        text = a_text(self.given.get("seed", ""), "seed")
        try:
            seed = seed_from_text(text)
        except (RivalryError, UnicodeEncodeError) as error:
            raise PositionError(f"position key seed: {error}") from error
        self.made.begin(seed)
        tribes = self._options()
        if tribes is not None:
            self.made.tribes = tribes
            self.made.supply = [self.game.supply(tribes)] * self.game.seats
            self.made.extra = Extra(NO_COINS, len(COINS)) if RACCOONS in tribes else NOTHING
        first = self.made.first
        self.made.age = self.age - 1
        ages.begin(self.made)
        self.made.first = first

    def _options(self) -> tuple[int, ...] | None:
        """The Tribes that the options name, if they do; the options must be those of the game."""
        given = self.given.get("options", {})
        if not isinstance(given, Mapping):
            raise impossible("options", repr(given), "an object")
        try:
            options = dict(type(self.game)(given).options) if given else dict(self.game.options)
        except OptionError as error:
            raise PositionError(f"position key options: {error}") from error
        naming = TRIBES[self.edition.name]
        for name, value in self.game.options.items():
            stated = options.get(name)
            if stated != value and not (name == naming and None in (value, stated)):
                raise impossible(f"options.{name}", repr(stated), repr(value))
        words = options[naming]
        if words is None:
            return None
        return tuple(sorted(tribe for tribe, word in self.edition.tribe_words.items() if word in words))

    def _tokens(self) -> None:
        """Glory tokens: those stated, and in the other Kingdoms what is left, in the order of the deal (E2.1)."""
        kingdoms = self.edition.kingdoms
        given = an_object(self.given.get("glory_tokens", {}), "glory_tokens", kingdoms[1:])
        left = list(self.game.figures.glory_tokens)
        count = self.game.figures.tokens_a_kingdom
        rows = [list(row) for row in self.made.tokens]
        for name, values in given.items():
            path = f"glory_tokens.{name}"
            row = [whole(value, f"{path}[{place}]") for place, value in enumerate(a_list(values, path))]
            if len(row) != count or row != sorted(row):
                raise impossible(path, repr(row), f"{count} tokens in ascending order")
            for place, value in enumerate(row):
                if value not in left:
                    raise impossible(f"{path}[{place}]", f"a {value} too many", "tokens that there are")
                left.remove(value)
            rows[kingdoms.index(name) - 1] = row
        if given:
            order = [value for row in self.made.tokens for value in row]
            rest: list[int] = []
            for value in order:
                if value in left:
                    left.remove(value)
                    rest.append(value)
            for colour in COLOURS:
                if kingdoms[colour] not in given:
                    rows[colour - 1] = sorted(rest[:count])
                    rest = rest[count:]
        self.made.tokens = tuple(tuple(row) for row in rows)

    def _player(self, seat: int, player: Mapping[str, Any]) -> None:
        """Everything of one seat but its cards in hand."""
        made, path = self.made, f"seats[{seat}]"
        kingdoms, colours = self.edition.kingdoms, self.edition.colour_words
        made.glory[seat] = integer(player, "glory", f"{path}.glory", 0, 0)
        for name, count in an_object(player.get("markers", {}), f"{path}.markers", kingdoms[1:]).items():
            made.markers[6 * seat + kingdoms.index(name) - 1] = whole(count, f"{path}.markers.{name}", 0)
        made.bands[seat] = [
            self._band(band, f"{path}.bands[{number}]")
            for number, band in enumerate(a_list(player.get("bands", []), f"{path}.bands"))
        ]
        made.merfolk[seat] = integer(player, "merfolk", f"{path}.merfolk", 0, 0, self.edition.merfolk_last)
        self._needs(MERFOLK, made.merfolk[seat], f"{path}.merfolk")
        for place, word in enumerate(a_list(player.get("orc_board", []), f"{path}.orc_board")):
            if word not in colours[1:]:
                raise impossible(f"{path}.orc_board[{place}]", repr(word), "one of " + ", ".join(colours[1:]))
            bit = 1 << colours.index(word)
            if made.hordes[seat] & bit:
                raise impossible(f"{path}.orc_board[{place}]", f"{word} twice", "one marker a colour")
            made.hordes[seat] |= bit
        self._needs(ORCS, made.hordes[seat], f"{path}.orc_board")
        for place, value in enumerate(a_list(player.get("troll_tokens", []), f"{path}.troll_tokens")):
            where = f"{path}.troll_tokens[{place}]"
            bit = 1 << whole(value, where, TROLL_TOKENS.start, TROLL_TOKENS.stop - 1)
            if any(held & bit for held in made.trolls):
                raise impossible(where, f"token {value} twice", "each Troll token once")
            made.trolls[seat] |= bit
        self._needs(TROLLS, made.trolls[seat], f"{path}.troll_tokens")
        if a_flag(player, "giant_token", f"{path}.giant_token"):
            self._needs(GIANTS, 1, f"{path}.giant_token")
            if made.giant != NOBODY:
                raise impossible(f"{path}.giant_token", f"held by seat {made.giant} too", "one Giant token")
            made.giant = seat

    def _needs(self, tribe: int, value: int, path: str) -> None:
        if value and tribe not in self.made.tribes:
            word = self.edition.tribe_words.get(tribe, "raccoons, which the second edition has")
            raise impossible(path, "a piece of a Tribe that is not in play", f"none without {word}")

    def _supply(self) -> None:
        for seat in range(self.game.seats):
            placed = sum(self.made.markers[6 * seat : 6 * seat + 6]) + self.made.hordes[seat].bit_count()
            if placed > self.made.supply[seat]:
                raise impossible(f"seats[{seat}].markers", f"{placed} placed", f"{self.made.supply[seat]} at the most")
            self.made.supply[seat] -= placed

    def _coins(self) -> None:
        """Coins on the slots, and how many are left; the highest of the box, unless it is stated (N3.4)."""
        kingdoms, made = self.edition.kingdoms, self.made
        given = an_object(self.given.get("coins", {}), "coins", kingdoms[1:])
        placed = [*NO_COINS]
        for name, values in given.items():
            path = f"coins.{name}"
            listed = [whole(value, f"{path}[{place}]", 1, 3) for place, value in enumerate(a_list(values, path))]
            placed[kingdoms.index(name) - 1] = tuple(sorted(listed))
        out = [value for row in placed for value in row]
        self._needs(RACCOONS, len(out), "coins")
        left = integer(self.given, "coins_left", "coins_left", self._coins_at_most(out), 0, len(COINS))
        if RACCOONS not in made.tribes:
            self._needs(RACCOONS, left, "coins_left")
            return
        if out and self.ended:
            raise impossible("coins", f"{len(out)} on slots", "none, since they leave when an Age ends")
        if left > self._coins_at_most(out):
            raise impossible("coins_left", str(left), f"{self._coins_at_most(out)} at the most, the highest ones")
        made.extra = made.extra._replace(coins=tuple(placed), coins_left=left)

    def _coins_at_most(self, out: Sequence[int]) -> int:
        """How many coins the supply may hold when those of ``out`` are on slots: it holds the highest ones."""
        if RACCOONS not in self.made.tribes:
            return 0
        for left in range(len(COINS), -1, -1):
            gone = list(COINS[: len(COINS) - left])
            if all(out.count(value) <= gone.count(value) for value in out):
                return left
        raise impossible("coins", repr(list(out)), f"coins that there are: {', '.join(map(str, COINS))}")

    def _giant_band(self) -> int:
        """With Fairies, the Band that carries the Giant token; the holder's first largest unless stated (E7.3)."""
        made, holder = self.made, self.made.giant
        for seat, player in enumerate(self.players):
            if "giant_band" in player and (seat != holder or not self.game.fairies):
                raise impossible(f"seats[{seat}].giant_band", "a Band", "none, without Fairies and the Giant token")
        if holder == NOBODY or not self.game.fairies:
            return -1
        led = [cards.size(band >> 8) if band >> 3 & 31 == GIANTS else 0 for band in made.bands[holder]]
        usual = led.index(max(led)) if any(led) else -1
        number = integer(self.players[holder], "giant_band", f"seats[{holder}].giant_band", usual, -1, len(led) - 1)
        if number >= 0 and not led[number]:
            raise impossible(f"seats[{holder}].giant_band", str(number), "a Giant-led Band")
        return number

    def _claimed(self, names: Any, path: str) -> list[int]:
        """The cards of a list of names, taken out of what is left."""
        return [self._claim(name, f"{path}[{place}]") for place, name in enumerate(a_list(names, path))]

    def _claim(self, name: Any, path: str) -> int:
        card = card_named(name, path, self.edition)
        if card not in self.left:
            raise impossible(path, repr(name), "a card of the Tribes in play")
        if not self.left[card]:
            raise impossible(path, f"one {name} too many", f"{cards.copies(card)} of them in all")
        self.left[card] -= 1
        return card

    def _band(self, given: Any, path: str) -> int:
        band = an_object(given, path, ("leader", "cards"))
        if "leader" not in band:
            raise impossible(f"{path}.leader", "nothing", "the card that leads the Band")
        leader = card_named(band["leader"], f"{path}.leader", self.edition)
        listed = self._claimed(band.get("cards", [band["leader"]]), f"{path}.cards")
        if leader not in listed or leader == SKELETON:
            raise impossible(f"{path}.leader", repr(band["leader"]), "a card of the Band that is no Skeleton")
        if len(listed) > HAND_LIMIT:
            raise impossible(f"{path}.cards", f"{len(listed)} cards", f"{HAND_LIMIT} at the most")
        if self.ended and SKELETON in listed:
            raise impossible(f"{path}.cards", "a Skeleton", "none, since the Age has ended")
        plain = [card for card in listed if card != SKELETON]
        tribes, colours = {card >> 3 for card in plain}, {card & 7 for card in plain}
        if len(tribes) > 1 and len(colours) > 1:
            raise impossible(f"{path}.cards", repr(band.get("cards")), "cards of one Tribe or of one colour")
        return leader | cards.packed(listed) << 8

    def _hands(self) -> list[list[int] | None]:
        """By seat, the cards stated; None for a hand that is dealt."""
        hands: list[list[int] | None] = []
        for seat, player in enumerate(self.players):
            path = f"seats[{seat}].hand"
            gone = self.ended or (self.pending.get("kind") == "draw" and self.pending["seat"] == seat)
            hand = self._claimed(player["hand"], path) if "hand" in player else [] if gone else None
            if hand and gone:
                raise impossible(path, f"{len(hand)} cards", "none, since they have been discarded")
            if hand and len(hand) > HAND_LIMIT:
                raise impossible(path, f"{len(hand)} cards", f"{HAND_LIMIT} at the most")
            hands.append(hand)
        return hands

    def _row(self) -> list[int] | None:
        row = self._claimed(self.given["face_up"], "face_up") if "face_up" in self.given else [] if self.ended else None
        if row and self.ended:
            raise impossible("face_up", f"{len(row)} cards", "none, since the Age has ended")
        return row

    def _deck(self) -> list[int] | None:
        """The cards of the deck from the top if they are stated, and how many Dragons are out."""
        last = self.game.figures.dragons_to_end
        deck: list[int] | None = None
        if "deck" in self.given:
            deck = []
            for place, name in enumerate(a_list(self.given["deck"], "deck")):
                card = card_named(name, f"deck[{place}]", self.edition)
                deck.append(card if card == DRAGON else self._claim(name, f"deck[{place}]"))
        if self.ended:
            if deck:
                raise impossible("deck", f"{len(deck)} cards", "none, since the Age has ended")
            self.made.dragons = integer(self.given, "dragons", "dragons", last, 0, last)
            return []
        inside = DRAGON_COPIES if deck is None else deck.count(DRAGON)
        out = max(0, min(DRAGON_COPIES - inside, last - 1))
        self.made.dragons = integer(self.given, "dragons", "dragons", out, 0, last - 1)
        if deck and inside != DRAGON_COPIES - self.made.dragons:
            expected = f"{DRAGON_COPIES - self.made.dragons} in the deck with {self.made.dragons} out"
            raise impossible("deck", f"{inside} Dragons", expected)
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
            half = (len(rest) + self.edition.odd_card_on_top) // 2
            deck, dealt = rest, made.deck[::-1]
            if made.dragons or [card for card in dealt if card != DRAGON] != rest:
                bottom = rest[half:] + [DRAGON] * (DRAGON_COPIES - made.dragons)
                Stream(made.seed, f"position/{made.age}/deck").shuffle(bottom)
                deck = rest[:half] + bottom
            else:
                deck = dealt
            safe = 0 if made.dragons else half
        made.deck = deck[::-1]
        made.safe = integer(self.given, "safe", "safe", safe, 0, len(deck))
        if DRAGON in deck[: made.safe]:
            raise impossible("safe", str(made.safe), f"{deck.index(DRAGON)} at the most, for a Dragon lies below")

    def _known(self) -> None:
        for seat, player in enumerate(self.players):
            path = f"seats[{seat}].known"
            known = 0
            for place, name in enumerate(a_list(player.get("known", []), path)):
                card = card_named(name, f"{path}[{place}]", self.edition)
                known += cards.UNIT[card]
                if card == DRAGON or not cards.holds(self.made.hands[seat], known):
                    raise impossible(f"{path}[{place}]", repr(name), "a card of the hand")
            self.made.known[seat] = known

    def _turn(self) -> None:
        """Who is asked what."""
        made, last = self.made, self.game.seats - 1
        made.kind = "" if self.over else self.pending["kind"]
        made.seat = NOBODY if self.over else self.pending["seat"]
        made.bonus = self.pending.get("symbols", 0)
        asked = made.owners()[0] if made.seat == SEVERAL and any(made.hordes) else made.seat
        usual = made.first if asked == NOBODY else max(asked, 0)
        made.first = integer(self.given, "first_player", "first_player", usual, 0, last)
        drawer = self.given.get("third_dragon")
        made.drawer = NOBODY
        if self.ended:
            made.drawer = max(asked, 0) if drawer is None else whole(drawer, "third_dragon", 0, last)
        elif drawer is not None:
            raise impossible("third_dragon", repr(drawer), "null, since the Age has not ended")
