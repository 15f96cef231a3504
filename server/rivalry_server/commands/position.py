"""``rivalry position``: positions as JSON, from a seed or a file, looked at and played on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_engine.error import GameFailedError, IllegalActionError
from rivalry_engine.game import PUBLIC, State
from rivalry_server.commands import given, output
from rivalry_server.commands.asking import asked

file_argument = click.argument("file", metavar="FILE")


@click.group()
def command() -> None:
    """Make a position, look at it, play on from it; FILE is a position or - for stdin, and JSON is printed."""


@command.command(short_help="Print the position before the first decision.")
@given.game_option
@given.option_option
@click.option("--seed", metavar="TEXT", help="Text, or 0x and hex; by chance where not given.")
def new(game_name: str, pairs: tuple[str, ...], seed: str | None) -> None:
    """Print the position before the first decision; --option seats=N says how many play."""
    game = catalog.game(game_name, given.options(game_name, pairs))
    with asked(game):
        _print(game.new_state(given.seed(seed)))


@command.command()
@file_argument
def show(file: str) -> None:
    """Print every key of the position, those the file leaves out too."""
    state = given.state(file)
    with asked(state.game):
        _print(state)


@command.command()
@file_argument
@click.option("--seat", "audience", default="public", show_default=True, metavar="N|public", help="Who looks.")
@click.option("--text", "as_text", is_flag=True, help="As text, from which a person can play, and not as JSON.")
def observe(file: str, audience: str, as_text: bool) -> None:
    """Print what a seat, or somebody without one, may know."""
    state = given.state(file)
    with asked(state.game):
        seen = state.observe(PUBLIC if audience == "public" else _seat(state, audience))
        if as_text:
            output.say(state.game.view(seen))
        else:
            output.show(seen.json())


@command.command()
@file_argument
@click.option("--seat", metavar="N", help="Who is asked; the first mover where not given.")
def legal(file: str, seat: str | None) -> None:
    """Print who moves, what is asked, and the choices with their parts."""
    state = given.state(file)
    with asked(state.game):
        output.show(_question(state, seat))


@command.command(short_help="Do actions and print the position after them.")
@file_argument
@click.argument("actions", nargs=-1, required=True, metavar="ACTION…")
@click.option("--seat", metavar="N", help="Who acts; the first mover where not given.")
def apply(file: str, actions: tuple[str, ...], seat: str | None) -> None:
    """Do actions in their notation, each one word of the shell ('bid 3'), and print the position after them.

    Where several are asked at once, give the actions of all, without --seat and in the order of the movers that
    `rivalry position legal` lists: a position holds none that is not shown yet.
    """
    state = given.state(file)
    with asked(state.game):
        for number, text in enumerate(actions, start=1):
            _do(state, number, text, seat)
        _refuse_half(state)
        _print(state)


@command.command()
@file_argument
@click.option("--seat", required=True, metavar="N", help="Whose knowledge it starts from.")
@click.option("--seed", metavar="TEXT", help="Text, or 0x and hex; by chance where not given.")
def imagine(file: str, seat: str, seed: str | None) -> None:
    """Print some position that the seat may be in for all it knows."""
    state = given.state(file)
    stream = Stream(given.seed(seed), "imagine")
    with asked(state.game):
        _print(_imagined(state, _seat(state, seat), stream))


def _do(state: State, number: int, text: str, seat: str | None) -> None:
    """Does action ``number`` of those that were given."""
    if not state.movers():
        raise IllegalActionError(f"action {number}, {text!r}: the game is over")
    actor = _mover(state, seat)
    action = state.game.action(text)
    objection = state.objection(actor, action)
    if objection is not None:
        raise IllegalActionError(
            f"action {number}: seat {actor} may not {text!r}: {objection.text} ({objection.code});"
            " `rivalry position legal` lists what it may"
        )
    state.apply(actor, action)


def _imagined(state: State, seat: int, stream: Stream) -> State:
    """A state that the seat may be in; raises GameFailedError where its position is one of another state."""
    game, observation = state.game, state.observe(seat)
    imagined = game.imagine(seat, observation, stream)
    if game.state_at(imagined.position()).observe(seat) != observation:
        raise GameFailedError(
            f"the game {game.name} failed: the position of the state that it imagined is one of another state, in which"
            f" seat {seat} observes something else"
        )
    return imagined


def _refuse_half(state: State) -> None:
    """Raises UsageError if only some of those asked at once have acted: the position would not hold what they did."""
    missing, asked = state.movers(), asked_at_once(state)
    if len(asked) > len(missing):
        one = f"the action of {_seats(missing)} is"
        raise click.UsageError(
            f"{one if len(missing) == 1 else f'the actions of {_seats(missing)} are'} missing:"
            f" {_seats(asked)} are asked at once, and a position holds no answer before all are in"
        )


def asked_at_once(state: State) -> Sequence[int]:
    """The seats that are asked now, with those that have answered already, which ``movers`` has no more."""
    movers = state.movers()
    asked = state.game.state_at(state.position()).movers() if movers else ()
    return asked if set(asked) > set(movers) else movers


def _seats(seats: Sequence[int]) -> str:
    *first, last = map(str, seats)
    return f"seats {', '.join(first)} and {last}" if first else f"seat {last}"


def _print(state: State) -> None:
    output.show(state.position())


def _seat(state: State, text: str) -> int:
    if not text.isdecimal() or int(text) >= state.game.seats:
        raise click.UsageError(f"--seat {text}: expected a seat from 0 to {state.game.seats - 1}")
    return int(text)


def _mover(state: State, text: str | None) -> int:
    movers = state.movers()
    if text is None:
        return movers[0]
    seat = _seat(state, text)
    if seat not in movers:
        raise click.UsageError(f"--seat {seat}: not asked now; expected one of {', '.join(map(str, movers))}")
    return seat


def _question(state: State, text: str | None) -> dict[str, Any]:
    if not state.movers():
        return {"movers": [], "prompt": None, "choices": []}
    seat = _mover(state, text)
    game = state.game
    return {
        "movers": list(state.movers()),
        "prompt": state.question(seat),
        "choices": [
            {
                "index": index,
                "text": game.text(choice.action),
                "parts": [game.part_text(part) for part in choice.parts],
                "least": choice.least,
                "most": choice.most,
                "usual": choice.usual,
            }
            for index, choice in enumerate(state.choices(seat))
        ],
    }
