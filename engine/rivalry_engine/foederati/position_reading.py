"""Reading a position: the board, the seats and the question; the cards are read in ``position_cards``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from rivalry_engine.chance import seed_from_text
from rivalry_engine.error import OptionError, PositionError, RivalryError
from rivalry_engine.foederati import battle, founding, position_cards, position_checks, question, rounds, squares
from rivalry_engine.foederati.sight import Founding
from rivalry_engine.foederati.squares import BIT
from rivalry_engine.foederati.state import NOBODY, FoederatiState
from rivalry_engine.foederati.values import Checks
from rivalry_engine.prompt import shown

if TYPE_CHECKING:
    from rivalry_engine.foederati.game import Foederati

CHECKS: Final = Checks("position key", PositionError)
KEYS: Final = (
    "game", "options", "seed", "round", "first_player", "question", "movers", "over", "founded", "passed", "stall",
    "stirred", "triggers", "turn", "battle", "draw_pile", "discard", "reshuffles", "pool", "seats",
)  # fmt: skip
SEAT_KEYS: Final = ("position", "supply", "lost", "shields", "hand", "kept", "since")
MOST: Final = 1_000_000
"""No number of a position is larger: scores that follow from it can be sent and recorded."""


class Reading:
    """One position being read."""

    def __init__(self, game: Foederati, position: Mapping[str, Any]) -> None:
        self.game = game
        self.board = game.board
        self.given = CHECKS.an_object(position, "", (), KEYS)
        self.seats = game.seats
        self.made = FoederatiState(game)
        self.players = self._players()
        self.over = CHECKS.a_flag(self.given.get("over", False), "over")

    def state(self) -> FoederatiState:
        made = self.made
        self._begin()
        made.round = CHECKS.whole(self.given.get("round", 1 if self.over else 0), "round", 0, MOST)
        made.first = self._seat_number(self.given.get("first_player", made.first), "first_player")
        self._shields()
        self._foundings()
        self._positions()
        made.settle()
        self._end()
        self._question()
        self._turn()
        position_cards.read(self.made, self.given, self.players)
        self._battle()
        made.settle()
        position_checks.check(made)
        return made

    def _players(self) -> list[Mapping[str, Any]]:
        listed = CHECKS.a_list(self.given.get("seats", []), "seats", most=self.seats)
        players = [CHECKS.an_object(player, f"seats[{seat}]", (), SEAT_KEYS) for seat, player in enumerate(listed)]
        return players + [{}] * (self.seats - len(players))

    def _begin(self) -> None:
        """Sets up the game as if nothing were stated but the seed."""
        name = self.given.get("game", self.game.name)
        if name != self.game.name:
            raise CHECKS.refused("game", shown(name), self.game.name)
        self._options()
        text = self.given.get("seed", "")
        if not isinstance(text, str):
            raise CHECKS.refused("seed", shown(text), "a text")
        try:
            seed = seed_from_text(text)
        except RivalryError as error:
            raise PositionError(f"position key seed: {error}") from error
        self.made.begin(seed)

    def _options(self) -> None:
        """The options must be those of the game."""
        given = CHECKS.any_object(self.given.get("options", {}), "options")
        if not given:
            return
        try:
            options = type(self.game)(given).options
        except OptionError as error:
            raise PositionError(f"position key options: {error}") from error
        for name, value in self.game.options.items():
            if options[name] != value:
                raise CHECKS.refused(f"options.{name}", shown(options[name]), shown(value))

    def _seat_number(self, value: Any, path: str) -> int:
        return CHECKS.whole(value, path, 0, self.seats - 1)

    def _square(self, word: Any, path: str) -> int:
        square = squares.numbered(word) if isinstance(word, str) else -1
        if square < 0:
            raise CHECKS.refused(path, shown(word), "a square, A1 to J10")
        return square

    def _squares(self, value: Any, path: str) -> int:
        mask = 0
        for place, word in enumerate(CHECKS.a_list(value, path)):
            bit = BIT[self._square(word, f"{path}[{place}]")]
            if mask & bit:
                raise CHECKS.refused(f"{path}[{place}]", f"{word} twice", "each square once")
            mask |= bit
        return mask

    def _seat_mask(self, value: Any, path: str) -> int:
        mask = 0
        for place, seat in enumerate(CHECKS.a_list(value, path)):
            mask |= 1 << self._seat_number(seat, f"{path}[{place}]")
        return mask

    def _shields(self) -> None:
        """Shields on the board, in the supply and lost: together what a seat has at the start (FO5)."""
        made, taken, whole = self.made, 0, self.board.shields[self.seats]
        for seat, player in enumerate(self.players):
            path = f"seats[{seat}]"
            mask = self._squares(player.get("shields", []), f"{path}.shields")
            if mask & taken:
                twice = squares.names(mask & taken)[0]
                raise CHECKS.refused(f"{path}.shields", f"a second shield on {twice}", "one shield a square")
            taken |= mask
            rest = whole - mask.bit_count()
            lost = player.get("lost", rest - player["supply"] if type(player.get("supply")) is int else 0)
            made.lost[seat] = CHECKS.whole(lost, f"{path}.lost")
            made.supply[seat] = CHECKS.whole(player.get("supply", rest - made.lost[seat]), f"{path}.supply")
            made.shields[seat] = mask
            if made.supply[seat] + made.lost[seat] != rest:
                told = f"{made.supply[seat]} with {mask.bit_count()} on the board and {made.lost[seat]} lost"
                raise CHECKS.refused(f"{path}.supply", told, f"{whole} together")

    def _foundings(self) -> None:
        made, last = self.made, 1
        for order, each in enumerate(
            CHECKS.a_list(self.given.get("founded", []), "founded", most=len(self.board.track))
        ):
            path = f"founded[{order}]"
            entry = CHECKS.an_object(each, path, ("country", "seat"), ("round",))
            if entry["country"] not in self.board.countries:
                expected = "one of " + ", ".join(self.board.countries)
                raise CHECKS.refused(f"{path}.country", shown(entry["country"]), expected)
            country = self.board.countries.index(entry["country"])
            if founding.mask_of(made.foundings) >> country & 1:
                raise CHECKS.refused(f"{path}.country", f"{entry['country']} twice", "each country once")
            last = CHECKS.whole(entry.get("round", last), f"{path}.round", last, made.round)
            seat = self._seat_number(entry["seat"], f"{path}.seat")
            made.foundings.append(Founding(country, seat, order, last))

    def _positions(self) -> None:
        made, start = self.made, self.game.start_space
        for seat, player in enumerate(self.players):
            usual = (seat - made.first) % self.seats + start
            made.positions[seat] = CHECKS.whole(player.get("position", usual), f"seats[{seat}].position", 0, MOST)
        for seat, position in enumerate(made.positions):
            if made.positions.index(position) != seat:
                expected = "a space of its own for each leader"
                raise CHECKS.refused(f"seats[{seat}].position", f"{position} twice", expected)

    def _end(self) -> None:
        """Passes, stall count and triggers (FO8.2)."""
        made, given = self.made, self.given
        most = self.game.stall_rounds - (0 if self.over else 1)
        made.stall = CHECKS.whole(given.get("stall", 0), "stall", 0, most)
        now = any(each.round == made.round for each in made.foundings)
        made.stirred = CHECKS.a_flag(given.get("stirred", now), "stirred")
        made.passed = self._seat_mask(given.get("passed", []), "passed")
        must = position_checks.triggers(made)
        listed = CHECKS.a_list(given.get("triggers", must), "triggers", most=4)
        for place, each in enumerate(listed):
            number = CHECKS.whole(each, f"triggers[{place}]", 1, 4)
            made.triggers |= 1 << number
            made.end_trigger = made.end_trigger or number
        for number in must:
            if not made.triggers >> number & 1:
                raise CHECKS.refused("triggers", shown(listed), f"{number} among them")

    def _question(self) -> None:
        made, given = self.made, self.given
        usual = None if self.over else question.TURN if made.round else question.PLACEMENT
        kind = given.get("question", usual)
        if kind is not None and kind not in question.KINDS:
            raise CHECKS.refused("question", shown(kind), "one of " + ", ".join(question.KINDS) + ", or null")
        if (kind is None) is not self.over:
            raise CHECKS.refused("question", shown(kind), "null just when the game is over")
        made.kind = kind or question.OVER
        usual_movers = [] if self.over else [made.first]
        if kind == question.FIRST:
            usual_movers = [rounds.last_place(made)]
        movers = CHECKS.a_list(given.get("movers", usual_movers), "movers", most=self.seats)
        if len(movers) != (0 if self.over else 1):
            raise CHECKS.refused("movers", shown(movers), "one seat, or none when the game is over")
        made.seat = NOBODY if self.over else self._seat_number(movers[0], "movers[0]")
        made.active = made.seat if kind in (question.PLACEMENT, question.TURN) else NOBODY

    def _turn(self) -> None:
        made = self.made
        turn = CHECKS.an_object(
            self.given.get("turn", {}), "turn", (), ("used", "moved_once", "moved", "acted", "attacked")
        )
        made.used = CHECKS.whole(turn.get("used", 0), "turn.used", 0, self.board.actions)
        made.moved_once = CHECKS.a_flag(turn.get("moved_once", False), "turn.moved_once")
        made.moved = self._squares(turn.get("moved", []), "turn.moved")
        made.attacked = self._seat_mask(turn.get("attacked", []), "turn.attacked")
        did = bool(made.used or made.moved_once or made.moved or made.attacked)
        made.acted = CHECKS.a_flag(turn.get("acted", did), "turn.acted")
        if did is not made.acted:
            raise CHECKS.refused("turn.acted", shown(made.acted), f"{str(did).lower()}, as the rest of the turn says")

    def _battle(self) -> None:
        """The battle that is on; its strengths follow from the board and the cards played (FO7)."""
        made, given = self.made, self.given.get("battle")
        if made.kind != question.BATTLE:
            if given is not None:
                raise CHECKS.refused("battle", shown(given), "null without the question battle")
            return
        entry = CHECKS.an_object(given, "battle", ("target",), ("attacker", "played"))
        made.active = self._seat_number(entry.get("attacker", made.seat), "battle.attacker")
        made.target = self._square(entry["target"], "battle.target")
        owners = [seat for seat, mask in enumerate(made.shields) if mask & BIT[made.target]]
        if not owners or owners[0] == made.active:
            raise CHECKS.refused("battle.target", shown(entry["target"]), "a square with an opponent's shield")
        made.defender = owners[0]
        position_cards.played(made, CHECKS.a_list(entry.get("played", []), "battle.played"))
        near = squares.NEIGHBOURS[made.target]
        bonus = self.board.battle_bonus
        own = sum(1 for seat, _ in made.played if seat == made.active)
        made.attack = (made.shields[made.active] & near).bit_count() + bonus * own
        made.defence = 1 + (made.shields[made.defender] & near).bit_count() + bonus * (len(made.played) - own)
        asked = made.seat
        battle.ask(made)
        if "movers" in self.given and made.seat != asked:
            told = f"seat {made.seat}, who would lose with {made.attack} against {made.defence}"
            raise CHECKS.refused("movers", f"seat {asked}", told)
