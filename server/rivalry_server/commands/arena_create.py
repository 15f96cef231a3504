"""``rivalry arena create``: matches made at a running arena, and followed if asked to."""

from __future__ import annotations

import asyncio
import json
import secrets
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import click

from rivalry_server.commands import arena_facts, given, output, plan
from rivalry_server.commands.arena_calls import AWAY, CallError, Calls, asked
from rivalry_server.commands.arena_course import Following, Making, Order, tokens
from rivalry_server.commands.arena_where import Where, where_options
from rivalry_server.commands.failure import FailedError, StoppedError
from rivalry_server.commands.match import policy_options
from rivalry_server.commands.request import POLICIES

if TYPE_CHECKING:
    from rivalry.arena.v1 import match_pb2, play_pb2

FORMS: Final = "open, the name of a built-in bot, or registered:NAME"


@click.command(
    short_help="Make a match, or many.",
    epilog=f"SPEC is {FORMS}; settings follow a built-in bot as NAME?key=value&key=value."
    " POLICY, and T of --time and --grace, are those of `rivalry match`."
    " Whoever has a request id can ask for the tokens of its seats: choose one that nobody guesses.",
)
@click.option("--game", "game_name", required=True, metavar="GAME", help="The game; `rivalry arena games` lists them.")
@click.option("--seat", "bots", multiple=True, required=True, metavar="SPEC", help="Who plays; once for each seat.")
@given.option_option
@click.option("--seed", "seed_given", metavar="TEXT", help="Text, or 0x and hex; by chance where not given.")
@click.option("--time", "time_given", metavar="T", help="Time for a prompt; the arena's usual where not given.")
@click.option("--wait", metavar="T", help="How long a seat may stay empty; the arena's usual where not given.")
@policy_options
@click.option(
    "--count", type=click.IntRange(1, 1_000_000), metavar="N", help="Make N matches: seeds and ids end in /k."
)
@click.option("--request-id", metavar="ID", help="The same ID makes no second match; by chance where not given.")
@click.option("--follow", is_flag=True, help="Wait until all have ended, and print their outcome.")
@where_options
def command(where: Where, as_json: bool, follow: bool, count: int | None, **arguments: Any) -> int:
    """Make a match at a running arena; print its id, and for each open seat what the author of a bot runs.

    With --follow it goes on until the match has ended: exit status 1 when it is void.
    """
    wanted = _Wanted(count=count, **arguments)
    asking = wanted.checked()
    course = _Course(where, as_json=as_json, follow=follow)
    try:
        asked(where, lambda calls: course.run(calls, wanted, asking))
    except KeyboardInterrupt as stopped:
        course.show()
        raise StoppedError(stopped, f"when {course.going_on()}") from None
    except CallError as error:
        course.show()
        if not course.made and not (error.heard and error.code in AWAY):
            raise  # surely nothing was made
        raise FailedError(f"{error}; {course.going_on()}", status=error.status) from error
    course.show()
    return course.status()


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What was asked for, as it was given."""

    game_name: str
    bots: tuple[str, ...]
    pairs: tuple[str, ...]
    seed_given: str | None
    time_given: str | None
    wait: str | None
    on_illegal: str
    on_timeout: str
    on_disconnect: str
    on_crash: str
    on_no_show: str
    grace: str
    count: int | None
    request_id: str | None

    def checked(self) -> Order:
        """The order but for the game's options, which the arena knows; raises UsageError and RivalryError."""
        from rivalry.arena.v1 import play_pb2
        from rivalry_server.creation import REQUEST_ID_MOST

        request = play_pb2.CreateMatchRequest(
            game=given.utf8("--game", self.game_name), seats=[_seat(bot) for bot in self.bots]
        )
        if self.time_given is not None:
            request.time_control.CopyFrom(plan.time_control("--time", self.time_given).message())
        if self.wait is not None:
            request.wait_us = round(plan.seconds("--wait", self.wait) * 1e6)
        request.policies.CopyFrom(plan.policies({name: getattr(self, name) for name in POLICIES}).message())
        request_id = given.utf8("--request-id", self.request_id or secrets.token_urlsafe(24))
        longest = len(request_id) + (0 if self.count is None else len(f"/{self.count}"))
        if longest > REQUEST_ID_MOST:
            raise click.UsageError(
                f"--request-id has {len(request_id)} characters; expected at most {REQUEST_ID_MOST}"
                f"{'' if self.count is None else ', the number of the match included'}"
            )
        seed = None if self.seed_given is None else given.seed(self.seed_given)
        return Order(request, self.bots, seed, request_id, self.count)


@dataclass(slots=True)
class _Course:
    """One run of the command."""

    where: Where
    as_json: bool
    follow: bool
    order: Order | None = None
    made: int = 0
    lost: list[int] = field(default_factory=list)
    ended: dict[int, dict[str, Any]] = field(default_factory=dict)

    async def run(self, calls: Calls, wanted: _Wanted, order: Order) -> None:
        """Makes the matches, and follows them if asked to; raises CallError and UsageError."""
        if wanted.pairs:
            order = replace(order, request=await _with_options(calls, order.request, wanted.pairs))
        self.order = order
        following = Following(calls, len(order.numbers), self._ended)

        def told(number: int, response: play_pb2.CreateMatchResponse) -> None:
            self.made = number
            self._made(number, response)
            following.add(number, response.match.match_id)
            if watching is not None and watching.done():
                watching.result()

        watching = asyncio.ensure_future(following.all()) if self.follow else None
        try:
            await Making(order, calls, told).all()
            if watching is not None:
                await watching
        finally:
            self.lost = following.lost
            if watching is not None and not watching.cancel() and not watching.cancelled():
                watching.exception()  # what it failed with was raised, or came second

    def going_on(self) -> str:
        """What was made, and how to go on without making anything twice."""
        order = self.order
        if order is None:
            return "no match was asked for"
        made = f"{self.made} of {len(order.numbers)} matches were made"
        return f"{made}; to go on give the same options and --request-id {order.request_id}"

    def show(self) -> None:
        """What matches came to that were followed, for a person; a program has it already."""
        if self.as_json or not self.ended or self.order is None:
            return
        if self.order.count is None:
            arena_facts.table(self.ended[1])
            return
        from rivalry_server.commands.many import Tally

        tally = Tally()
        for number in sorted(self.ended):
            tally.add(self.ended[number])
        tally.table()

    def status(self) -> int:
        """1 if a match is void; raises FailedError for matches whose ends are not known."""
        if self.lost:
            raise FailedError(
                f"the arena knows {len(self.lost)} of the matches no more, such as match {self.lost[0]}: "
                "without --data it forgets the oldest that have ended, and all when it is started again"
            )
        return int(any(match["void"] for match in self.ended.values()))

    def _made(self, number: int, response: play_pb2.CreateMatchResponse) -> None:
        """Tells of a match that is made: on stderr where its end is followed, as `rivalry match` does."""
        order = self.order
        assert order is not None
        seats = dict(tokens(order, response))
        match_id = response.match.match_id
        if self.as_json and not self.follow:
            match = arena_facts.facts(response.match, order.bots)
            for seat, token in seats.items():
                match["seats"][seat] |= {"token": token, "command": self.where.bot_command(token)}
            output.emit(self._numbered(number, {**match, "request_id": order.numbered(number).request_id}))
            return
        say = output.tell if self.follow else output.say
        say(f"match {match_id}" if order.count is None else f"match {match_id}, {number} of {order.count}")
        for seat, token in seats.items():
            say(f"seat {seat} waits for a bot: {self.where.bot_command(token)}")

    def _ended(self, number: int, match: match_pb2.Match) -> None:
        assert self.order is not None
        self.ended[number] = arena_facts.facts(match, self.order.bots)
        if self.as_json:
            output.emit(self._numbered(number, self.ended[number]))

    def _numbered(self, number: int, match: dict[str, Any]) -> dict[str, Any]:
        assert self.order is not None
        return match if self.order.count is None else {"number": number, **match}


def _seat(text: str) -> match_pb2.SeatSpec:
    """Who is to sit on a seat; raises UsageError."""
    from rivalry.arena.v1 import match_pb2

    kind, colon, rest = given.utf8("--seat", text).partition(":")
    if text == "open":
        return match_pb2.SeatSpec(open=match_pb2.OpenSeat())
    if kind == "registered" and rest:
        return match_pb2.SeatSpec(registered=rest)
    if kind == "listen":
        raise click.UsageError(f"--seat {text}: expected {FORMS}; a seat for whoever dials in is `open`")
    if not text or (colon and "?" not in kind):
        raise click.UsageError(
            f"--seat {text}: expected {FORMS}; commands and addresses are given to `rivalry serve --register NAME=SPEC`"
        )
    return match_pb2.SeatSpec(built_in=text)


async def _with_options(
    calls: Calls, request: play_pb2.CreateMatchRequest, pairs: tuple[str, ...]
) -> play_pb2.CreateMatchRequest:
    """The request with the options ``k=v`` as the arena's game reads them; raises UsageError and OptionError."""
    from rivalry.arena.v1 import play_pb2

    game = (await calls.game(request.game)).game
    declared = {each.name: arena_facts.option(each) for each in game.options}
    made = play_pb2.CreateMatchRequest()
    made.CopyFrom(request)
    made.options_json = json.dumps(given.values(request.game, pairs, declared))
    return made
