"""What every game must do, checked on games played by chance: ``conformance.check(game)`` is a new game's first test.

Each check raises ConformanceError that says what was promised, where it did not hold and with which seed, so that the
fault can be played again.

What is secret only the game knows.  Where it imagines states, they are put in the place of the true one, and whatever
a seat or the public sees must stay the same.  Where it does not, what a prompt offers is checked to follow from what
its seat observes; whether an observation itself shows too much cannot be seen from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, cycle
from math import comb
from typing import Final

from rivalry_engine import record
from rivalry_engine.chance import Stream, luck
from rivalry_engine.error import NotationError
from rivalry_engine.event import Event, seen
from rivalry_engine.game import PUBLIC, Action, Choice, Game, Objection, State
from rivalry_engine.playout import picked, uniform
from rivalry_engine.prompt import Answer, StatePrompt, judged
from rivalry_engine.viewing import MOST

SPELLED_OUT: Final = 300
"""A decision with more ways than this to fill its choices is checked by samples instead of whole."""

OPENING: Final = 40
STRIDE: Final = 10
"""What is slow to check (JSON, positions) is checked at the first decisions of a game and then at every tenth."""

DECISIONS: Final = 100_000
"""A game that takes more decisions than this is held to be endless."""


_Offered = dict[tuple[int, str], tuple[str, list[Choice]]]
"""By seat and what it observes, as JSON: the question it was asked and what it was offered."""


class ConformanceError(AssertionError):
    """A promise of the interface that a game does not keep."""


def check(game: Game, *, games: int = 20, seed: bytes = b"conformance") -> None:
    """Plays ``games`` whole games by chance and checks every promise of the interface on the way."""
    _check_seats(game)
    _check_notation(game)
    _check_told(game)
    offered: _Offered = {}
    for number in range(games):
        _Trial(game, seed + f"/{number}".encode(), offered).run()


def _check_seats(game: Game) -> None:
    name = getattr(game, "name", None)
    if not (isinstance(name, str) and name and _is_line(name)):
        raise ConformanceError(f"{type(game).__name__}: name is {name!r}; expected the game's name, as it is asked for")
    counts, usual = game.seat_counts, game.usual_seats
    if not counts or min(counts) < 1:
        raise ConformanceError(f"{game.name}: seat_counts is {counts!r}; expected one count or more, each at least 1")
    if usual not in counts:
        raise ConformanceError(f"{game.name}: usual_seats is {usual!r}; expected one of seat_counts, {counts!r}")
    if game.seats not in counts:
        raise ConformanceError(f"{game.name}: has {game.seats!r} seats; expected one of seat_counts, {counts!r}")


def _check_notation(game: Game) -> None:
    for text in ("", "no such action", "\x00"):
        try:
            game.action(text)
        except NotationError:
            continue
        raise ConformanceError(f"{game.name}: {text!r} was read as an action; expected a NotationError")


def _check_told(game: Game) -> None:
    """What people and language models are told of the game."""
    if not isinstance(game.primer, str) or not _encodable(game.primer):
        raise ConformanceError(f"{game.name}: primer is {game.primer!r:.80}; expected a text")
    for word, meaning in game.glossary.items():
        if not (_is_line(word) and _is_line(meaning)):
            raise ConformanceError(f"{game.name}: glossary has {word!r}: {meaning!r}; expected two texts of one line")
    for option in game.options_declared():
        if not _is_line(option.meaning):
            raise ConformanceError(f"{game.name}: option {option.name} has no meaning of one line")


def _is_line(text: object) -> bool:
    return isinstance(text, str) and bool(text.strip()) and "\n" not in text and _encodable(text)


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_fact(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_fact, value))
    return isinstance(value, int | str)


class _Trial:
    """One game, checked at every decision."""

    def __init__(self, game: Game, seed: bytes, offered: _Offered) -> None:
        self.game = game
        self.seed = seed
        self.offered = offered
        self.rng = Stream(seed, "conformance")
        self.decisions = 0
        self.moves: list[tuple[int, Action]] = []
        self.audiences = cycle((PUBLIC, *range(game.seats)))

    def run(self) -> None:
        """Plays the game; whatever else the game raises leaves with a note of where that was."""
        try:
            self._played()
        except ConformanceError:
            raise
        except Exception as error:
            error.add_note(f"{self._where()}: raised by the game or what it was asked to do")
            raise

    def _where(self) -> str:
        return f"{self.game.name}, seed 0x{self.seed.hex()}, decision {self.decisions}"

    def _played(self) -> None:
        state = self.game.new_state(self.seed)
        self._is(state.observe(0).json() == self.game.new_state(self.seed).observe(0).json(), "equal seeds start equal")
        log: list[Event] = []
        state.log = log
        lucks = [luck(self.seed, seat) for seat in range(self.game.seats)]
        movers = tuple(state.movers())
        while movers:
            self._is(self.decisions < DECISIONS, f"the game ends within {DECISIONS} decisions")
            self._is(list(movers) == sorted(set(movers)), "movers are ascending seats, none twice")
            self._is(all(0 <= seat < self.game.seats for seat in movers), "movers are seats of the game")
            closely = self.decisions < OPENING or self.decisions % STRIDE == 0
            self._check_views(state, closely=closely)
            answered = []
            for seat in movers:
                self.decisions += 1
                prompt = StatePrompt(state, seat, number=self.decisions, luck=lucks[seat])
                self._check_choices(state, seat, prompt.choices)
                if self.game.imagines:
                    self._check_imagine(state, seat)
                elif closely:
                    self._check_offered(prompt)
                action = judged(state, seat, prompt.choices, uniform(prompt))
                assert not isinstance(action, Objection)
                answered.append((seat, action))
            self._check_clone(state, answered, closely=closely)
            for seat, action in answered:
                self._is(
                    seat in state.movers(), "simultaneous movers stay to be asked until their own action is applied"
                )
                state.apply(seat, action)
                self.moves.append((seat, action))
            movers = tuple(state.movers())
        self._check_views(state, closely=True)
        self._check_end(state)
        self._check_record(state)
        for event in log:
            for audience in (PUBLIC, *range(self.game.seats)):
                facts = seen(event, audience).facts
                self._is(set(event.facts) <= set(facts), "every audience sees an event's facts")
                self._is(
                    all(map(_is_fact, facts.values())),
                    f"an event's facts are integers, texts, flags or tuples of them; {event.kind} has {facts!r:.80}",
                )

    def _is(self, holds: bool, promise: str) -> None:
        if not holds:
            raise ConformanceError(f"{self._where()}: expected that {promise}")

    def _check_views(self, state: State, *, closely: bool) -> None:
        for audience in (PUBLIC, *range(self.game.seats)):
            observation = state.observe(audience)
            self._is(observation.seat == audience, "an observation names its audience")
            if closely:
                record.canonical(observation.json())
            self._is(observation == state.observe(audience), "observing twice gives equal observations")
        if closely:
            self._check_view(state)
        record.canonical(state.setup().json())
        scores = state.scores()
        self._is(
            isinstance(scores, tuple) and all(isinstance(score, int) for score in scores),
            f"scores are a tuple of integers; they are {scores!r:.80}",
        )
        self._is(len(scores) == self.game.seats, "there is a score for each seat at every moment")
        ranks = state.ranks()
        self._is(
            len(ranks) == self.game.seats and all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks),
            "ranks start from 1 and equals share",
        )
        if closely and self.game.has_positions:
            position = state.position()
            record.canonical(position)
            again = self.game.state_at(position)
            self._is(again.position() == position, "a position gives a state with the same position")
            self._same(state, again, "a state and the state of its position")

    def _check_view(self, state: State) -> None:
        """The text view of one audience, another each time, since it takes long."""
        audience = next(self.audiences)
        view = self.game.view(state.observe(audience))
        self._is(isinstance(view, str) and view.strip() != "", f"a view is a text; it is {view!r:.80}")
        self._is(_encodable(view), "a view can be encoded")
        self._is(len(view) <= MOST, f"a view has at most {MOST} characters; it has {len(view)}")
        self._is(self.game.view(state.observe(audience)) == view, "an observation has one view")
        self._is(self.game.view(state.clone().observe(audience)) == view, "a state and its clone have the same views")

    def _check_choices(self, state: State, seat: int, choices: Sequence[Choice]) -> None:
        kind = state.question(seat)
        self._is(isinstance(kind, str) and kind != "", "a mover's question has a kind")
        self._is(len(choices) > 0, "a mover has a choice")
        said: set[Action] = set()
        whole = True
        for index, choice in enumerate(choices):
            parts = len(choice.parts)
            self._is(0 <= choice.least <= choice.usual <= choice.most <= parts, "least <= usual <= most <= parts")
            usual = judged(state, seat, choices, Answer(index=index))
            filled = judged(state, seat, choices, Answer(index=index, parts=tuple(range(choice.usual))))
            self._is(usual == filled, "a choice's number alone takes its first usual parts")
            self._is(_is_line(self.game.text(choice.action)), "a choice has a text of one line")
            for part in choice.parts:
                self._is(_is_line(self.game.part_text(part)), "a part has a text of one line")
            fillings, complete = self._fillings(choice)
            whole = whole and complete
            for chosen in fillings:
                action = judged(state, seat, choices, Answer(index=index, parts=chosen))
                self._is(not isinstance(action, Objection), f"parts {chosen} of choice {index} are an answer")
                assert isinstance(action, int)
                said.add(action)
        for action in said:
            text = self.game.text(action)
            self._is(self.game.action(text) == action, f"{text!r} is read as the action it was written from")
            self._is(state.objection(seat, action) is None, f"there is no objection to the choice {text!r}")
        if whole:
            legal = list(state.legal_actions(seat))
            self._is(len(set(legal)) == len(legal), "no legal action is listed twice")
            self._is(set(legal) == said, "choices with their parts say just the legal actions")
        for other in range(self.game.seats):
            if other not in state.movers():
                self._is(
                    state.objection(other, choices[0].action) is not None, "a seat that is not asked may do nothing"
                )

    def _fillings(self, choice: Choice) -> tuple[list[tuple[int, ...]], bool]:
        """Sets of parts to try, and whether they are all there are."""
        parts = len(choice.parts)
        sizes = range(choice.least, choice.most + 1)
        if sum(comb(parts, size) for size in sizes) <= SPELLED_OUT:
            return [chosen for size in sizes for chosen in combinations(range(parts), size)], True
        shape = (parts, choice.least, choice.most, choice.usual)
        return [picked([shape], self.rng).parts or () for _ in range(10)], False

    def _check_offered(self, prompt: StatePrompt) -> None:
        """The same seat, seeing the same in this game or in one before, was asked and offered the same."""
        now = prompt.kind, list(prompt.choices)
        seen = prompt.seat, record.canonical(prompt.observation.json()).decode()
        self._is(
            self.offered.setdefault(seen, now) == now,
            f"seat {prompt.seat} is asked and offered the same whenever it observes the same",
        )

    def _check_imagine(self, state: State, seat: int) -> None:
        observation = state.observe(seat)
        imagined = self.game.imagine(seat, observation, self.rng)
        self._is(imagined.log is None, "an imagined state has no log")
        self._is(imagined.observe(seat) == observation, "an imagined state looks the same to its seat")
        self._is(tuple(imagined.movers()) == tuple(state.movers()), "an imagined state asks the same seats")
        self._is(list(imagined.choices(seat)) == list(state.choices(seat)), "an imagined state offers the same choices")
        self._is(
            imagined.observe(PUBLIC) == state.observe(PUBLIC), "an imagined state is the same to those without a seat"
        )

    def _check_clone(self, state: State, answered: Sequence[tuple[int, Action]], *, closely: bool) -> None:
        before = self._seen(state, closely)
        twin = state.clone()
        self._is(twin.log is None, "a clone has no log")
        self._same(state, twin, "a state and its clone")
        for seat, action in answered:
            twin.apply(seat, action)
        self._is(before == self._seen(state, closely), "playing on in a clone leaves the state alone")

    def _seen(self, state: State, closely: bool) -> list[object]:
        """What everybody observes; as JSON, which shares nothing with the state, where it is looked at closely."""
        observations = [state.observe(audience) for audience in (PUBLIC, *range(self.game.seats))]
        return [observation.json() for observation in observations] if closely else list(observations)

    def _same(self, one: State, other: State, which: str) -> None:
        self._is(tuple(one.movers()) == tuple(other.movers()), f"{which} ask the same seats")
        for audience in (PUBLIC, *range(self.game.seats)):
            self._is(one.observe(audience) == other.observe(audience), f"{which} look the same")
        for seat in one.movers():
            self._is(one.question(seat) == other.question(seat), f"{which} ask the same question")
            self._is(list(one.choices(seat)) == list(other.choices(seat)), f"{which} offer the same choices")

    def _check_end(self, state: State) -> None:
        for seat in range(self.game.seats):
            self._is(state.objection(seat, self.moves[-1][1]) is not None, "nothing may be done when the game is over")

    def _check_record(self, state: State) -> None:
        recorder = record.Recorder(
            self.game,
            self.seed,
            "0" * 32,
            seats=[{"name": "uniform", "version": ""}] * self.game.seats,
            time="untimed",
            policies={},
            package="",
            protocol=0,
        )
        for seat, action in self.moves:
            recorder.act(seat, self.game.text(action), 0)
        normal: list[int | None] = [None] * self.game.seats
        recorder.end(scores=state.scores(), ranks=state.ranks(), ends=["normal"] * self.game.seats, fell=normal)
        again = record.verified(record.read(recorder.text()), self.game)
        self._same(state, again, "a state and its record played again")
