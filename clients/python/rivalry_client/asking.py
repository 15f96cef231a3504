"""One prompt on its way through the bot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rivalry_client.prompt import WirePrompt
from rivalry_client.table import Table
from rivalry_engine.prompt import Resign

if TYPE_CHECKING:
    from rivalry_client.session import Session

_DROPPED: Final = object()


class Ask:
    """The calls of one question; an answer that comes too late leads to nothing."""

    __slots__ = ("_prompt", "_session", "_table")

    def __init__(self, session: Session, table: Table, prompt: WirePrompt) -> None:
        self._session = session
        self._table = table
        self._prompt = prompt

    def choose(self) -> object:
        table = self._table
        return table.bot.choose(self._prompt) if table.prompt is self._prompt else _DROPPED

    def chosen(self, value: object) -> None:
        if self._table.prompt is self._prompt and value is not _DROPPED:
            self._session.chosen(self._table, self._prompt, value)

    def failed(self, error: BaseException) -> None:
        if not isinstance(error, Resign):
            self._session.failed(error)
        elif self._table.prompt is self._prompt:
            self._session.resigned(self._table, str(error))
