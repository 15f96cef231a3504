"""Scripts of arenas that lose their bot and take it back."""

from __future__ import annotations

from client.scripted import KuhnTable, ScriptedArena
from client.streams import welcome
from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_client import Bot
from rivalry_client.prompt import Prompt

FromArena = session_pb2.FromArena


class Second(Bot):
    """Takes the second choice."""

    quick = True

    def choose(self, prompt: Prompt) -> object:
        return 1


async def lost_with_a_match(arena: ScriptedArena) -> None:
    """A stream that is lost while the bot has answered the first prompt of match 1."""
    table = KuhnTable()
    await welcome(arena)
    await arena.frame(table.started(), table.prompt())
    await arena.hear("answer")


def again(table: KuhnTable, **facts: object) -> FromArena:
    """MatchStarted for a match that had begun before."""
    started = table.started()
    started.match_started.resumed = True
    for name, value in facts.items():
        setattr(started.match_started, name, value)
    return started


async def done(arena: ScriptedArena, table: KuhnTable) -> None:
    """The end of the match, which is acknowledged, and of the session."""
    await arena.frame(table.ended())
    ack = await arena.hear("ack")
    assert (ack.match, ack.ended) == (table.handle, True)
    await arena.end()


async def refused(arena: ScriptedArena, reason: int = errors_pb2.REFUSAL_REASON_RESUME) -> None:
    """Refuses a resume."""
    await arena.hear("resume")
    await arena.say(refused=session_pb2.Refused(reason=reason, ours="no such session"))  # type: ignore[arg-type]


async def heard_next(arena: ScriptedArena) -> object:
    """The bot's next message, however long it takes."""
    from rivalry.arena.v1 import play_pb2

    frame = await arena.link.read()
    assert frame is not None
    (message,) = play_pb2.PlayRequest.FromString(frame).messages
    return getattr(message, str(message.WhichOneof("message")))
