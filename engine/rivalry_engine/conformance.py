"""What every game must do, checked on games played by chance: ``conformance.check(game)`` is a new game's first test.

Each check raises ConformanceError that says what was promised, where it did not hold and with which seed, so that the
fault can be played again.

What is secret only the game knows.  Where it imagines states, they are put in the place of the true one, and whatever
a seat or the public sees, is asked and is told must stay the same.  Where it does not, what a prompt offers is checked
to follow from what its seat observes; whether an observation itself shows too much cannot be seen from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, cycle
from math import comb
from typing import Final

from rivalry_engine import conformance_worlds as worlds
from rivalry_engine import record
from rivalry_engine.chance import Stream, luck
from rivalry_engine.conformance_values import FRAME, MOST_EVENT, MOST_PROMPT, is_encodable, is_facts, unlike_json
from rivalry_engine.error import NotationError, RivalryError
from rivalry_engine.event import Event, seen
from rivalry_engine.formed import MOST_SCORE, is_line, is_number, is_plain, trouble
from rivalry_engine.game import PUBLIC, Action, Choice, Game, Objection, Observation, State, View
from rivalry_engine.loading import fault
from rivalry_engine.playout import picked, uniform
from rivalry_engine.prompt import ACTION_BITS, Answer, StatePrompt, judged
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
    _check_formed(game)
    _check_notation(game)
    offered: _Offered = {}
    for number in range(games):
        _Trial(game, seed + f"/{number}".encode(), offered).run()


def _check_formed(game: Game) -> None:
    """What the game says of itself, as it is looked at when it is loaded."""
    wrong = trouble(type(game))
    name = getattr(game, "name", "")
    if wrong:
        raise ConformanceError(f"{name if is_line(name) else type(game).__name__}: {wrong}")
    counts = game.seat_counts
    if game.seats not in counts:
        raise ConformanceError(f"{name}: has {game.seats!r} seats; expected one of seat_counts, {counts!r}")


def _check_notation(game: Game) -> None:
    for text in ("", "no such action", "\x00"):
        try:
            game.action(text)
        except NotationError:
            continue
        except Exception as error:
            kind = type(error).__name__
            raise ConformanceError(
                f"{game.name}: {text!r} as an action raised {kind}; expected a NotationError"
            ) from error
        raise ConformanceError(f"{game.name}: {text!r} was read as an action; expected a NotationError")


class _Trial:
    """One game, checked at every decision."""

    def __init__(self, game: Game, seed: bytes, offered: _Offered) -> None:
        self.game = game
        self.seed = seed
        self.offered = offered
        self.rng = Stream(seed, "conformance")
        self.decisions = 0
        self.moves: list[tuple[int, Action]] = []
        self.setup = b""
        """As JSON; it stays what it is at first."""
        self.audiences = cycle((PUBLIC, *range(game.seats)))

    def run(self) -> None:
        """Plays the game; whatever else the game raises leaves with a note of where that was."""
        try:
            self._played()
        except ConformanceError:
            raise
        except SystemExit as error:
            promise = "the game does not end the program that plays it"
            raise ConformanceError(f"{self._where()}: expected that {promise}; {fault(error)}") from error
        except Exception as error:
            error.add_note(f"{self._where()}: raised by the game or what it was asked to do")
            raise

    def _where(self) -> str:
        return f"{self.game.name}, seed 0x{self.seed.hex()}, decision {self.decisions}"

    def _played(self) -> None:
        state, log = self._begun(), list[Event]()
        state.log = log
        movers = self._movers(state)
        self._is(bool(movers), "somebody is asked before the game is over")
        while movers:
            self._is(self.decisions < DECISIONS, f"the game ends within {DECISIONS} decisions")
            closely = self.decisions < OPENING or self.decisions % STRIDE == 0
            for seat in movers:
                self._check_question(state, seat)
            self._check_views(state, closely=closely)
            answered = [(seat, self._answered(state, seat, closely=closely)) for seat in movers]
            twin = self._check_clone(state, answered, closely=closely)
            self._check_worlds(state, answered, closely=closely)
            for seat, action in answered:
                self._is(
                    seat in state.movers(), "simultaneous movers stay to be asked until their own action is applied"
                )
                state.apply(seat, action)
                self.moves.append((seat, action))
            self._same(state, twin, "a state and its clone after the same actions", closely=closely)
            movers = self._movers(state)
        self._check_views(state, closely=True)
        self._check_end(state)
        self._check_again(state)
        self._check_record(state)
        for event in log:
            self._check_event(event)

    def _begun(self) -> State:
        state = self.game.new_state(self.seed)
        self._is(isinstance(state, State), f"new_state gives a state; it gave {state!r:.80}")
        self._is(getattr(state, "game", None) is not None, "a state has the game that it is of")
        first, second = (self._observed(each, 0).json() for each in (state, self.game.new_state(self.seed)))
        self._is(first == second, "equal seeds start equal")
        self.setup = record.canonical(self._json("a setup", state.setup()))
        return state

    def _clone(self, state: State) -> State:
        twin = state.clone()
        self._is(isinstance(twin, State), f"a clone is a state; it is {twin!r:.80}")
        return twin

    def _observed(self, state: State, audience: int) -> Observation:
        observation = state.observe(audience)
        self._is(isinstance(observation, Observation), f"observe gives an Observation; it gave {observation!r:.80}")
        return observation

    def _movers(self, state: State) -> tuple[int, ...]:
        movers = state.movers()
        self._is(
            isinstance(movers, Sequence) and all(is_number(seat, 0, self.game.seats - 1) for seat in movers),
            f"movers are seats of the game, 0 to {self.game.seats - 1}, as a tuple; they are {movers!r:.80}",
        )
        self._is(
            list(movers) == sorted(set(movers)), f"movers are ascending seats, none twice; they are {movers!r:.80}"
        )
        return tuple(movers)

    def _answered(self, state: State, seat: int, *, closely: bool) -> Action:
        """What the seat does, by chance, of the choices that were checked."""
        self.decisions += 1
        prompt = StatePrompt(state, seat, number=self.decisions, luck=luck(self.seed, seat))
        self._check_choices(state, seat, prompt.choices)
        if closely:
            self._check_size(prompt)
            if not self.game.imagines:
                self._check_offered(prompt)
        action = judged(state, seat, prompt.choices, uniform(prompt))
        assert not isinstance(action, Objection)
        return action

    def _json(self, what: str, view: View) -> dict[str, object]:
        """The JSON of an observation or a setup, checked."""
        self._is(isinstance(view, View), f"{what} is a View; it is {view!r:.80}")
        value = view.json()
        self._is(isinstance(value, dict), f"{what} is a JSON object; it is {value!r:.80}")
        wrong = unlike_json(value)
        self._is(
            not wrong, f"{what} is JSON: objects with keys of text, lists, texts, whole numbers, flags, null; {wrong}"
        )
        return value

    def _check_event(self, event: Event) -> None:
        self._is(
            isinstance(event, Event) and is_line(event.kind), f"an event has a kind of one line; it is {event!r:.80}"
        )
        seats = range(self.game.seats)
        self._is(all(seat in seats for seat in event.secrets), f"the secrets of {event.kind} are those of seats")
        for audience in (PUBLIC, *seats):
            of = seen(event, audience)
            self._is(set(event.facts) <= set(of.facts), "every audience sees an event's facts")
            self._is(
                is_facts(of.facts),
                f"an event's facts are integers, texts, flags or tuples of them; {event.kind} has {of.facts!r:.80}",
            )
            size = len(record.canonical(dict(of.facts)))
            self._is(size <= MOST_EVENT, f"an event has at most {MOST_EVENT} bytes as JSON; {event.kind} has {size}")
            text = self.game.event_text(of)
            self._is(is_line(text), f"event_text gives a text of one line; of {event.kind} it is {text!r:.80}")
            echo = self.game.is_echo(of)
            self._is(isinstance(echo, bool), f"is_echo gives True or False; of {event.kind} it is {echo!r:.80}")

    def _check_size(self, prompt: StatePrompt) -> None:
        seen = len(record.canonical(prompt.observation.json()))
        texts = [*prompt.texts(), *(text for at in range(len(prompt.choices)) for text in prompt.part_texts(at))]
        words = sum(len(text.encode()) for text in texts)
        self._is(
            seen + words <= MOST_PROMPT,
            f"an observation and its choices take at most {MOST_PROMPT} bytes, half a frame of {FRAME}; the observation"
            f" of seat {prompt.seat} has {seen}, its choices in words have {words}",
        )

    def _is(self, holds: bool, promise: str) -> None:
        if not holds:
            raise ConformanceError(f"{self._where()}: expected that {promise}")

    def _check_views(self, state: State, *, closely: bool) -> None:
        for audience in (PUBLIC, *range(self.game.seats)):
            observation = self._observed(state, audience)
            self._is(observation.seat == audience, "an observation names its audience")
            if closely:
                self._json("an observation", observation)
            self._is(observation == state.observe(audience), "observing twice gives equal observations")
        if closely:
            self._check_view(state)
        setup = record.canonical(self._json("a setup", state.setup()))
        self._is(setup == self.setup, "the setup stays the same for the whole match, however often it is asked for")
        self._is(len(setup) <= MOST_PROMPT, f"a setup has at most {MOST_PROMPT} bytes as JSON; it has {len(setup)}")
        scores = state.scores()
        self._is(
            isinstance(scores, tuple) and all(is_number(score, -MOST_SCORE - 1, MOST_SCORE) for score in scores),
            f"scores are a tuple of integers of 64 bits; they are {scores!r:.80}",
        )
        self._is(len(scores) == self.game.seats, "there is a score for each seat at every moment")
        ranks = state.ranks()
        self._is(
            isinstance(ranks, tuple)
            and len(ranks) == self.game.seats
            and all(is_number(rank, 1, len(ranks)) for rank in ranks)
            and all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks),
            f"ranks are a tuple of integers, one a seat; ranks start from 1 and equals share; they are {ranks!r:.80}",
        )
        if closely and self.game.has_positions:
            position = state.position()
            wrong = unlike_json(position)
            self._is(
                isinstance(position, dict) and not wrong, f"a position is a JSON object; {wrong or repr(position)}"
            )
            again = self.game.state_at(position)
            self._is(again.position() == position, "a position gives a state with the same position")
            self._same(state, again, "a state and the state of its position")

    def _check_view(self, state: State) -> None:
        """The text view of one audience, another each time, since it takes long."""
        audience = next(self.audiences)
        view = self.game.view(state.observe(audience))
        self._is(isinstance(view, str) and view.strip() != "", f"a view is a text; it is {view!r:.80}")
        self._is(is_encodable(view), "a view can be encoded")
        self._is(is_plain(view, among="\n\t"), "a view has no control characters but the ends of its lines")
        self._is(len(view) <= MOST, f"a view has at most {MOST} characters; it has {len(view)}")
        self._is(self.game.view(state.observe(audience)) == view, "an observation has one view")
        self._is(
            self.game.view(self._clone(state).observe(audience)) == view, "a state and its clone have the same views"
        )

    def _check_question(self, state: State, seat: int) -> None:
        kind, choices = state.question(seat), state.choices(seat)
        self._is(is_line(kind), f"a mover's question has a kind, a text of one line; it is {kind!r:.80}")
        self._is(
            isinstance(choices, Sequence) and all(isinstance(choice, Choice) for choice in choices),
            f"choices are a tuple of Choices; they are {choices!r:.80}",
        )
        for choice in choices:
            number = choice.action
            self._is(
                isinstance(number, int) and not isinstance(number, bool) and number.bit_length() <= ACTION_BITS,
                f"an action is an integer of at most {ACTION_BITS} bits; it is {number!r:.80}",
            )

    def _check_choices(self, state: State, seat: int, choices: Sequence[Choice]) -> None:
        self._is(len(choices) > 0, "a mover has a choice")
        said: set[Action] = set()
        whole = True
        for index, choice in enumerate(choices):
            parts = len(choice.parts)
            self._is(0 <= choice.least <= choice.usual <= choice.most <= parts, "least <= usual <= most <= parts")
            usual = judged(state, seat, choices, Answer(index=index))
            filled = judged(state, seat, choices, Answer(index=index, parts=tuple(range(choice.usual))))
            self._is(usual == filled, "a choice's number alone takes its first usual parts")
            self._is(is_line(self.game.text(choice.action)), "a choice has a text of one line")
            for part in choice.parts:
                self._is(is_line(self.game.part_text(part)), "a part has a text of one line")
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
            objection = state.objection(seat, action)
            self._is(
                objection is None or isinstance(objection, Objection),
                f"an objection is an Objection or None; it is {objection!r:.80}",
            )
            self._is(objection is None, f"there is no objection to the choice {text!r:.80}; {objection!r:.200}")
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

    def _check_worlds(self, state: State, answered: Sequence[tuple[int, Action]], *, closely: bool) -> None:
        """Other states that a seat may take for the true one: where the game imagines them, and after other answers."""
        movers = [seat for seat, _ in answered]
        if self.game.imagines:
            for seat in range(self.game.seats) if closely else movers:
                other = worlds.imagined(self._is, self.game, state, seat, self.rng, closely=closely)
                if closely:
                    worlds.check_told(self._is, state, other, seat, answered)
        if closely:
            worlds.check_hidden(self._is, state, answered)

    def _check_clone(self, state: State, answered: Sequence[tuple[int, Action]], *, closely: bool) -> State:
        """A clone in which the actions were done, which leaves the state alone."""
        before = self._seen(state, closely)
        twin = self._clone(state)
        self._is(twin.log is None, "a clone has no log")
        self._same(state, twin, "a state and its clone", closely=closely)
        for seat, action in answered:
            twin.apply(seat, action)
        self._is(before == self._seen(state, closely), "playing on in a clone leaves the state alone")
        return twin

    def _seen(self, state: State, closely: bool) -> list[object]:
        """What everybody observes; as JSON, which shares nothing with the state, where it is looked at closely."""
        observations = [state.observe(audience) for audience in (PUBLIC, *range(self.game.seats))]
        return [observation.json() for observation in observations] if closely else list(observations)

    def _same(self, one: State, other: State, which: str, *, closely: bool = False) -> None:
        self._is(tuple(one.movers()) == tuple(other.movers()), f"{which} ask the same seats")
        self._is(
            (one.scores(), one.ranks()) == (other.scores(), other.ranks()), f"{which} have the same scores and ranks"
        )
        if closely and self.game.has_positions:
            self._is(one.position() == other.position(), f"{which} have the same position")
        for audience in (PUBLIC, *range(self.game.seats)):
            self._is(one.observe(audience) == other.observe(audience), f"{which} look the same")
        for seat in one.movers():
            self._is(one.question(seat) == other.question(seat), f"{which} ask the same question")
            self._is(list(one.choices(seat)) == list(other.choices(seat)), f"{which} offer the same choices")

    def _check_end(self, state: State) -> None:
        for seat in range(self.game.seats):
            self._is(state.objection(seat, self.moves[-1][1]) is not None, "nothing may be done when the game is over")

    def _check_again(self, state: State) -> None:
        """The same seed and the same actions give the same game."""
        again = self.game.new_state(self.seed)
        promise = "equal seeds and equal actions give equal games"
        for number, (seat, action) in enumerate(self.moves, start=1):
            self._is(seat in again.movers(), f"{promise}; played again, seat {seat} is not asked at action {number}")
            objection = again.objection(seat, action)
            self._is(
                objection is None,
                f"{promise}; played again, seat {seat} may not {self.game.text(action)!r:.80} at action {number},"
                f" {'' if objection is None else objection.text!r:.200}",
            )
            again.apply(seat, action)
        self._same(state, again, "a game and the same seed and actions played again", closely=True)

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
        try:
            again = record.verified(record.read(recorder.text()), self.game)
        except RivalryError as error:
            raise ConformanceError(f"{self._where()}: expected that a record of the game is true; {error}") from error
        self._same(state, again, "a state and its record played again")
