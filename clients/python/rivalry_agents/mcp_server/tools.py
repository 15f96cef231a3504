"""The tools, resources and prompts that a chat agent gets."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from time import monotonic
from typing import Annotated, Any, Final, ParamSpec

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from rivalry_agents.mcp_server import telling
from rivalry_agents.mcp_server.arguments import NO_BOOLEAN, CheckedPrompt, CheckedTool, Number, Whole
from rivalry_agents.mcp_server.chair import Chair
from rivalry_agents.mcp_server.desk import Desk, opponents_of
from rivalry_engine.error import RivalryError
from rivalry_engine.prompt import Answer, shown

P = ParamSpec("P")

WAIT_S: Final = 20.0
"""How long a call waits for news where it is not told; hosts give up on calls after a minute or so."""
WAIT_MOST_S: Final = 50.0
PROMPT_S: Final = 300.0
"""Time for a prompt where none is given: a chat agent is slow, and still it must not keep others for ever."""
ENDED_S: Final = 1.0
"""How long a match that may end with a resignation is waited for."""
NUMBER_MOST: Final = 2**31 - 1
TEXT_MOST: Final = 4_096

READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ACTS: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
ENDS: Final = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)

INSTRUCTIONS: Final = (
    "You play games here, against bots or against others, under a clock. Call list_games and read_rules, then "
    "new_match, or join_match where somebody gave you a token. Both return `seat`, the key of your seat, and, once "
    "you are asked, what you see and your numbered choices. Call answer until the match is over; each answer "
    "returns the next question. The clock of an open prompt runs while you think and is never stopped. Call look "
    "when nothing is asked of you yet. Keep the key: every call needs it as `seat`, and it is known to nobody else."
)

Seat = Annotated[str, Field(description="The key of your seat: what new_match or join_match returned as seat.")]
Game = Annotated[str, Field(description="The game's name, as list_games shows it.")]
Wait = Annotated[
    float,
    Field(ge=0, le=WAIT_MOST_S, description="How long to wait for a question or an end, in seconds."),
    NO_BOOLEAN,
]
Name = Annotated[str, Field(description="Your name in the tables and records of the match.")]


def server(desk: Desk, *, version: str, name: str = "chat agent") -> MCPServer[Any]:
    """The server whose tools take their seats at ``desk``; ``name`` is what an agent is called that gives none."""
    tools = Tools(desk, name)
    made: MCPServer[Any] = MCPServer(
        "rivalry",
        version=version,
        instructions=INSTRUCTIONS,
        log_level="WARNING",
        tools=[
            CheckedTool.of(_told(tool), hints)
            for tool, hints in (
                (tools.list_games, READS),
                (tools.read_rules, READS),
                (tools.new_match, ACTS),
                (tools.join_match, ACTS),
                (tools.look, READS),
                (tools.answer, ACTS),
                (tools.history, READS),
                (tools.resign, ENDS),
            )
        ],
    )

    @made.resource("rivalry://rules/{game}", title="The rules of a game in short", mime_type="text/plain")
    async def rules(game: str) -> str:
        """The rules, options and words of a game, as read_rules tells them."""
        try:
            return await tools.read_rules(game)
        except RivalryError as error:
            raise ResourceError(str(error)) from error

    def play(game: str, opponent: str = "") -> str:
        """Asks the agent to play a whole match of a game."""
        against = f" against {opponent}" if opponent else ""
        return (
            f"Play a match of {game}{against} with the tools of rivalry: read the rules, begin a match, answer each "
            "prompt in time, and tell me at the end how it went and why."
        )

    made.add_prompt(CheckedPrompt.from_function(play, title="Play a game"))
    return made


class Tools:
    """One method a tool; its docstring is what the agent reads.  Each raises RivalryError with a sentence."""

    def __init__(self, desk: Desk, name: str) -> None:
        self._desk = desk
        self._name = name

    async def list_games(self) -> str:
        """Lists the games that can be played here."""
        return telling.games(await self._desk.arena.games())

    async def read_rules(self, game: Game) -> str:
        """Tells a game's rules in short, its words and notation, its options, the built-in opponents, and how to
        answer. Read this before you play."""
        return telling.rules(await self._desk.arena.described(game), opponents_of(game))

    async def new_match(
        self,
        game: Game,
        opponents: Annotated[
            list[str] | None,
            Field(
                description="Who plays the other seats, in order: names of built-in bots, or open for a seat that "
                "another agent takes with join_match. One name is for all other seats."
            ),
        ] = None,
        your_seat: Annotated[Whole, Field(description="Your seat, from 0; seat 0 usually begins.")] = 0,
        options: Annotated[
            dict[str, Any] | None,
            Field(description='Options of the game, such as {"seats": 4}; read_rules lists them.'),
        ] = None,
        seed: Annotated[str, Field(description="The same seed is the same deal; by chance where it is empty.")] = "",
        seconds_per_prompt: Annotated[Number, Field(description="Each player's time for one prompt.")] = PROMPT_S,
        name: Name = "",
        wait_seconds: Wait = WAIT_S,
    ) -> str:
        """Begins a match in which you take a seat, by default against built-in bots, and returns your seat's key and
        the first question once you are asked. The clock of that question runs from then on."""
        chair, open_seats = await self._desk.new_match(
            game,
            opponents=opponents or (),
            seat=your_seat,
            options=options or {},
            seed=seed,
            prompt_s=seconds_per_prompt,
            name=name or self._name,
        )
        text = await self._news(chair, 0.0 if open_seats else wait_seconds)
        return f"{text}\n\n{telling.tokens(open_seats)}" if open_seats else text

    async def join_match(
        self,
        token: Annotated[str, Field(description="The token of an open seat, where somebody gave you one.")] = "",
        game: Annotated[str, Field(description="Without a token: only a seat of this game.")] = "",
        name: Name = "",
        wait_seconds: Wait = WAIT_S,
    ) -> str:
        """Takes an open seat of a match that somebody else made: the seat of a token, or else the next that is open
        at the arena. Returns your seat's key, and the first question once you are asked."""
        until = monotonic() + wait_seconds
        chair = await self._desk.join(token=token, game=game, name=name or self._name, wait_s=wait_seconds)
        return await self._news(chair, max(until - monotonic(), 0.0))

    async def look(self, seat: Seat, wait_seconds: Wait = WAIT_S) -> str:
        """Shows your seat: what happened since you last looked, and your open question with what you see, your
        numbered choices and the time left; or the outcome. Waits a while if nothing is asked of you yet."""
        return await self._news(self._desk.chair(seat), wait_seconds)

    async def answer(
        self,
        seat: Seat,
        number: Annotated[Whole | None, Field(description="The number of a choice.")] = None,
        parts: Annotated[
            list[Whole] | None,
            Field(description="With number: the indices of the parts to take; an empty list takes none of them."),
        ] = None,
        notation: Annotated[
            str | None, Field(description="Instead of number: the action in the game's notation, such as 'pass'.")
        ] = None,
        prompt: Annotated[
            Whole | None,
            Field(
                description="The number of the prompt that you answer: with it no other prompt can be hit by mistake."
            ),
        ] = None,
        note: Annotated[
            str, Field(description="A remark for the record of the match; others see it after the end.")
        ] = "",
        wait_seconds: Wait = WAIT_S,
    ) -> str:
        """Answers your open question with the number of a choice, a number and parts, or notation. Returns the reason
        if the answer is rejected, else the next question or the outcome, or says that others are thinking."""
        said = _said(number, parts, notation, note)
        chair = self._desk.chair(seat)
        asked = chair.prompt
        if asked is None:
            return f"Nothing was answered, since no prompt is open.\n\n{await self._news(chair, 0.0)}"
        if prompt is not None and prompt != asked.number:
            return (
                f"Nothing was answered: prompt {prompt} is not open, and prompt {asked.number} is."
                f"\n\n{await self._news(chair, 0.0)}"
            )
        chair.answer(said)
        return await self._news(chair, wait_seconds, whole=False)

    async def history(self, seat: Seat) -> str:
        """Tells all that happened in your match so far as your seat saw it, and the outcome once it is over."""
        return telling.history(self._desk.chair(seat))

    async def resign(
        self, seat: Seat, why: Annotated[str, Field(description="Why, in a sentence; the others learn it.")] = ""
    ) -> str:
        """Gives up your seat: at once if you are asked, else when you are asked next. The match goes on without you,
        and you rank below all who played to the end. A match that has not begun is left."""
        chair = self._desk.chair(seat)
        if chair.over:
            return f"There is nothing to give up.\n\n{telling.seat(chair)}"
        at_once = chair.match is None or chair.prompt is not None
        if chair.match is None:
            self._desk.leave(chair, "its agent gave up before the match began")
        else:
            chair.resign(why[:1_000] or "the agent gave up")
        await chair.until(lambda: chair.over, ENDED_S if at_once else 0.0)
        return telling.seat(chair)

    async def _news(self, chair: Chair, wait_s: float, *, whole: bool = True) -> str:
        """The seat once it is asked or all is over, or as it is after ``wait_s``."""
        late = chair.late
        await chair.until(lambda: chair.prompt is not None or chair.over or chair.late != late, wait_s)
        self._desk.keep(chair)
        return telling.seat(chair, whole=whole)


def _said(number: int | None, parts: list[int] | None, notation: str | None, note: str) -> Answer:
    """The answer, as far as it can be put on the wire; whether it is legal is the arena's to say."""
    if (number is None) == (notation is None):
        given = "neither" if number is None else "both"
        raise RivalryError(f"{given} of number and notation given; expected one of them")
    if parts is not None and number is None:
        raise RivalryError("parts go with the number of a choice, not with notation")
    for what in (number or 0, *(parts or ())):
        if not 0 <= what <= NUMBER_MOST:
            raise RivalryError(f"{shown(what)}: expected the number of a choice, and indices of its parts, from 0")
    for text, field in ((notation or "", "notation"), (note, "note")):
        if len(text) > TEXT_MOST:
            raise RivalryError(f"{field} has {len(text)} characters; expected at most {TEXT_MOST}")
        if not _is_unicode(text):
            raise RivalryError(f"{field}: expected Unicode text, and half a surrogate pair is none")
    taken = None if parts is None else tuple(sorted(parts))
    return Answer(index=number, parts=taken, text=notation, note=note)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _told(tool: Callable[P, Awaitable[str]]) -> Callable[P, Awaitable[str]]:
    """``tool`` with what it refuses told to the agent in words."""

    @wraps(tool)
    async def told(*given: P.args, **named: P.kwargs) -> str:
        try:
            return await tool(*given, **named)
        except RivalryError as error:
            raise ToolError(str(error)) from error

    return told
