"""Seats that are for one bot among those that show tokens of their own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rivalry_server.arena import Arena
from rivalry_server.journal import opening
from rivalry_server.seating import Listen, Reserved
from rivalry_server.settings import Settings
from rivalry_server.token_file import TokenFile
from rivalry_server.tokens import Kind, Token
from server import virtual
from server.peer import Peer, spec


def tokens_in(folder: Path, *names: str) -> tuple[TokenFile, list[Token], list[str]]:
    """A file with a bot's token for each name: the file, what is kept of them, and their texts."""
    file = TokenFile(folder)
    made = [Token.made(Kind.BOT, name, now=0.0) for name in names]
    file.changed(lambda tokens: tokens | {token.token_id: token for token, _ in made})
    return file, [token for token, _ in made], [text for _, text in made]


@pytest.mark.parametrize(("version", "plays"), [("2", True), ("", True), ("1", False)])
def test_a_reserved_seat_goes_to_the_bot_of_that_token_in_that_version(
    tmp_path: Path, version: str, plays: bool
) -> None:
    file, tokens, texts = tokens_in(tmp_path, "mine", "other")

    async def work() -> tuple[list[str], Peer]:
        async with Arena(Settings(), tokens=file) as arena:
            other, mine = Peer(arena, token=texts[1]), Peer(arena, token=texts[0])
            await other.hello("other", matches=9)
            await mine.hello("mine", version=version)
            await mine.until("welcome")
            seats = [Listen(reserved=Reserved(tokens[0].token_id, "2")), Listen(reserved=Reserved("nobody", "1"))]
            attempt = arena.open_match(spec(wait_s=1.0), seats)
            if plays:
                await mine.accept()
            result = await asyncio.shield(attempt.finished)
            return [seat.name for seat in result.seats], other

    names, other = virtual.run(work())

    assert names == (["mine", ""] if plays else ["", ""])
    assert not other.all("seat_offer")


def test_the_reservation_is_kept_with_the_match() -> None:
    seats = Listen(reserved=Reserved("abc", "2")), Listen()

    text = opening.Opening(spec(), opening.with_tokens(seats, lambda seat: "x")).text()
    kept = opening.read(text).occupants(built_in=lambda *_: pytest.fail(), registered=lambda _: pytest.fail())

    assert [each.reserved for each in kept if isinstance(each, Listen)] == [Reserved("abc", "2"), None]
