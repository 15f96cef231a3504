"""A bot's own words: made fit to stand in a table, a message, a log line and a record, here and nowhere else."""

from __future__ import annotations

from typing import Final

from rivalry_engine.game import Objection

TEXT_LENGTH: Final = 500
NAME_LENGTH: Final = 64


def cleaned(text: str) -> str:
    """``text`` as a plain text of one line: what cannot be printed stands there as a space or an escape to be seen.

    That is whatever moves a cursor, breaks a line, turns the direction of writing, or cannot be encoded.
    """
    text = str.__str__(text)
    if text.isprintable():
        return text
    return "".join([_visible(character) for character in text])


def shortened(text: str) -> str:
    """``text``, cleaned, and cut where a bot made it long."""
    text = cleaned(text[: TEXT_LENGTH + 1])
    return text if len(text) <= TEXT_LENGTH else text[: TEXT_LENGTH - 1] + "…"


def named(text: str) -> str:
    """A bot's name or version: cleaned, and as long as they may be on the wire."""
    return cleaned(text)[:NAME_LENGTH]


def overlong(note: str, most: int) -> Objection | None:
    """Why a note is not taken: it has more than ``most`` bytes."""
    size = len(note) if note.isascii() else len(note.encode())
    return Objection("note", f"a note of {size} bytes; at most {most} are taken") if size > most else None


def failure(error: BaseException) -> str:
    """What a bot raised: the exception's type, and its own words where it has some."""
    kind = type.__dict__["__name__"].__get__(type(error))
    told = words_of(error)
    return shortened(f"{kind}: {told}" if told else kind)


def words_of(error: BaseException) -> str:
    """What a bot's exception says; it cannot fail, whatever the bot made of it."""
    try:
        return shortened(str(error))
    except KeyboardInterrupt:
        raise
    except BaseException:
        return "(its words cannot be read)"


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    if character.isspace():
        return " "
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
