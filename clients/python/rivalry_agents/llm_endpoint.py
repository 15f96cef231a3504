"""An OpenAI-compatible endpoint: one chat completion at a time, and every way in which that fails.

Nothing that leaves this file holds the key: what the endpoint says is told without it.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NoReturn
from urllib.parse import urlsplit

from rivalry_agents.llm_errors import EndpointError, OutOfTimeError
from rivalry_agents.llm_tally import Tally
from rivalry_engine.error import RivalryError

if TYPE_CHECKING:
    from ssl import SSLContext

    import httpx2

BODY_MOST: Final = 4 << 20
TOLD_MOST: Final = 200
BACKOFF_S: Final = 0.5
WAIT_MOST_S: Final = 120.0
"""The longest wait before a call is repeated where no clock says less."""
AGAIN: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses that may be others a moment later."""
USUAL_URL: Final = "https://api.openai.com/v1"
HIDDEN: Final = "[key]"
KEY_LEAST: Final = 8
"""A shorter key is a word that stands for none, and is not looked for in texts."""
CUT: Final = {"length": "it was cut, being too long", "content_filter": "the endpoint's filter cut it"}
"""The finish reasons of replies whose end is missing."""
NO_JSON: Final = object()

Messages = Sequence[Mapping[str, str]]


class AddressError(RivalryError):
    """A base URL that cannot be used."""


class _PassingError(Exception):
    """A call failed in a way that may pass; ``wait_s`` is how long the endpoint asks to wait."""

    def __init__(self, text: str, wait_s: float | None = None) -> None:
        super().__init__(text)
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class Calling:
    """How an endpoint is called; ``limit_as`` is the field with ``max_tokens``, ``timeout_s`` is for one call."""

    base_url: str
    model: str
    max_tokens: int
    limit_as: str = "max_tokens"
    temperature: float | None = None
    timeout_s: float = 60.0
    retries: int = 2


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said.

    ``cut`` says why its end is missing, if it is; ``refused`` has the model's words where it says nothing but that it
    will not answer, ``called`` the tools that it wants to use, in one line each.
    """

    text: str
    cut: str = ""
    refused: str = ""
    called: str = ""


def checked_url(url: str, what: str) -> str:
    """``url`` without a last slash; raises AddressError, which does not repeat what may be secret in it."""
    try:
        parts = urlsplit(url)
        if parts.netloc.endswith(":") or parts.port == 0:  # the port raises where it is no number
            raise ValueError(url)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise AddressError(f"{what}: expected a URL such as {USUAL_URL}")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise AddressError(
            f"{what}: expected a URL without a user, a query and a fragment; the key goes into its variable"
        )
    return url.rstrip("/")


class Endpoint:
    """Asks the model.  ``key`` is empty for an endpoint that wants none; ``key_name`` is where it came from."""

    def __init__(self, calling: Calling, key: str, key_name: str) -> None:
        self._calling = calling
        self._key = key
        self._key_name = key_name
        self._secret = re.compile(r"\s*".join(map(re.escape, key))) if len(key) >= KEY_LEAST else None
        self._client: httpx2.AsyncClient | None = None

    async def reply(self, messages: Messages, tally: Tally, *, until: float | None = None) -> Reply:
        """The model's reply; what it cost is added to ``tally``.

        ``until`` is a time of the loop: nothing is begun or awaited beyond it.  Raises EndpointError, OutOfTimeError.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            return await self._repeated(messages, tally, until)
        finally:
            tally.seconds += loop.time() - began

    async def close(self) -> None:
        """Closes what is open; a later call opens it again."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _repeated(self, messages: Messages, tally: Tally, until: float | None) -> Reply:
        loop = asyncio.get_running_loop()
        tries = self._calling.retries + 1
        for at in range(1, tries + 1):
            left = None if until is None else until - loop.time()
            if left is not None and left <= 0:
                raise OutOfTimeError("the clock is too near for a call of the endpoint")
            tally.calls += 1
            try:
                return await self._once(messages, tally, left)
            except _PassingError as error:
                tally.failures += 1
                text = self._told(str(error))
                if at == tries:
                    raise EndpointError(f"{text}{f', after {tries} calls' if tries > 1 else ''}") from None
                await self._wait(error.wait_s, BACKOFF_S * 2 ** (at - 1), until, text)
            except (EndpointError, OutOfTimeError):
                tally.failures += 1
                raise
        raise AssertionError("the last try returns or raises")

    async def _wait(self, asked_s: float | None, usual_s: float, until: float | None, text: str) -> None:
        """Waits before the next try; raises EndpointError where that would take too long."""
        wait_s = usual_s if asked_s is None else asked_s
        left = WAIT_MOST_S if until is None else until - asyncio.get_running_loop().time()
        if wait_s >= left:
            raise EndpointError(f"{text}; to try again in {wait_s:g} s is too late, with {max(left, 0.0):.1f} s left")
        await asyncio.sleep(wait_s)

    async def _once(self, messages: Messages, tally: Tally, left: float | None) -> Reply:
        import httpx2

        timeout_s = self._calling.timeout_s
        by_clock = left is not None and left < timeout_s
        try:
            async with asyncio.timeout(left if by_clock else timeout_s):
                status, headers, body = await self._posted(messages)
        except TimeoutError:
            if by_clock:
                raise OutOfTimeError(
                    f"the endpoint gave no reply within the {left:.1f} s that the clock left"
                ) from None
            raise _PassingError(f"no reply within {timeout_s:g} s") from None
        except httpx2.HTTPError as error:
            raise _PassingError(f"{_kind(error)}: {error}") from None
        except (
            httpx2.InvalidURL,
            OSError,
            UnicodeError,
        ) as error:  # certificates that cannot be read, a host that is none
            raise EndpointError(self._told(f"it cannot be called: {type(error).__name__}: {error}")) from None
        if status != 200:
            self._refused(f"status {status}", status, headers, _said(_json(body)))
        return self._read(headers, _json(body), tally)

    async def _posted(self, messages: Messages) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and body of one call, which is not followed elsewhere."""
        import httpx2

        if self._client is None:
            authorization = {"authorization": f"Bearer {self._key}"} if self._key else {}
            self._client = httpx2.AsyncClient(
                verify=trusted(), timeout=None, follow_redirects=False, headers=authorization
            )
        calling = self._calling
        asked: dict[str, Any] = {"model": calling.model, "messages": list(messages)}
        asked[calling.limit_as] = calling.max_tokens
        if calling.temperature is not None:
            asked["temperature"] = calling.temperature
        body = bytearray()
        async with self._client.stream("POST", f"{calling.base_url}/chat/completions", json=asked) as response:
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > BODY_MOST:
                    raise EndpointError(self._told(f"a reply of more than {BODY_MOST} bytes"))
            return response.status_code, response.headers, bytes(body)

    def _refused(self, what: str, status: int, headers: Mapping[str, str], words: str) -> NoReturn:
        """Raises what the endpoint's refusal is; a ``status`` of 0 is not known, and may be another a moment later."""
        text = f"{what}{f' ({words})' if words else ''}"
        if status in AGAIN or not status:
            raise _PassingError(text, _wait_asked(headers))
        if status in (401, 403):
            have = f"the key in {self._key_name}" if self._key else f"{self._key_name}, which is not set"
            text = f"{text}; look at {have}"
        raise EndpointError(self._told(text))

    def _read(self, headers: Mapping[str, str], said: object, tally: Tally) -> Reply:
        if said is NO_JSON:
            raise _PassingError("the reply is no JSON")
        choices = said.get("choices") if isinstance(said, dict) else None
        first = choices[0] if isinstance(choices, list) and choices else None
        message = first.get("message") if isinstance(first, dict) else None
        for part in (said, first):
            if isinstance(part, dict) and part.get("error"):
                self._refused("an error in a reply of status 200", _code(part["error"]), headers, _said(part))
        if not isinstance(said, dict) or not isinstance(first, dict) or not isinstance(message, dict):
            words = _said(said)
            lacks = "the reply is no chat completion: it has no choices[0].message"
            raise _PassingError(f"{lacks}{f' ({words})' if words else ''}")
        _count(said.get("usage"), tally)
        reason = first.get("finish_reason")
        cut = CUT.get(reason, "") if isinstance(reason, str) else ""
        text = self._without_key(_content(message.get("content"), "text"))
        if text.strip():
            return Reply(text, cut)
        return Reply(text, cut, self._words(_refusal(message)), self._words(_called(message)))

    def _told(self, text: str) -> str:
        """``text`` with where it happened, without the key, in one line that is not long."""
        return f"{self._calling.base_url}: {self._words(text)}"

    def _words(self, text: str) -> str:
        """``text`` without the key, in one line that can be printed and is not long."""
        if not text.isprintable():
            text = "".join(letter if letter.isprintable() else " " for letter in text)
        told = " ".join(self._without_key(text).split())
        return told if len(told) <= TOLD_MOST else told[: TOLD_MOST - 1] + "…"

    def _without_key(self, text: str) -> str:
        return text if self._secret is None else self._secret.sub(HIDDEN, text)


@cache
def trusted() -> SSLContext:
    """The certificates that are trusted; read once, since that takes longer than a call on this machine."""
    import httpx2

    return httpx2.create_ssl_context()


def _kind(error: Exception) -> str:
    return {"ConnectError": "no connection", "RemoteProtocolError": "broken HTTP"}.get(
        type(error).__name__, type(error).__name__
    )


def _content(content: object, key: str) -> str:
    """The text of a message, which some endpoints send in pieces; ``key`` is what a piece has it under."""
    pieces = content if isinstance(content, list) else [{"text": content}]
    texts = [piece.get(key) for piece in pieces if isinstance(piece, dict)]
    return "".join(text for text in texts if isinstance(text, str)).encode(errors="replace").decode()


def _refusal(message: Mapping[str, Any]) -> str:
    """The words with which the model refuses; empty where it does not."""
    whole = message.get("refusal")
    return whole if isinstance(whole, str) and whole.strip() else _content(message.get("content"), "refusal")


def _called(message: Mapping[str, Any]) -> str:
    """The tools that the model wants to use, as it calls them; empty for none."""
    calls = message.get("tool_calls")
    functions = [each.get("function") for each in calls if isinstance(each, dict)] if isinstance(calls, list) else []
    named = [each for each in (*functions, message.get("function_call")) if isinstance(each, dict)]
    return ", ".join(f"{each.get('name')}({each.get('arguments', '')})" for each in named)


def _count(usage: object, tally: Tally) -> None:
    """Adds the tokens that the endpoint says it took, where it says so."""
    if isinstance(usage, dict):
        tally.tokens_in += _tokens(usage.get("prompt_tokens"))
        tally.tokens_out += _tokens(usage.get("completion_tokens"))


def _tokens(value: object) -> int:
    return value if type(value) is int and 0 <= value < 1 << 40 else 0


def _json(body: bytes) -> object:
    """What the body holds; NO_JSON where it is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return NO_JSON


def _said(told: object) -> str:
    """The endpoint's own words in an error, if it has any."""
    error = told.get("error", told) if isinstance(told, dict) else None
    text = error.get("message") if isinstance(error, dict) else error
    return text if isinstance(text, str) else ""


def _code(error: object) -> int:
    """The status that an error within a reply names; 0 for none."""
    code = error.get("code") if isinstance(error, dict) else None
    text = str(code) if isinstance(code, int | str) else ""
    return int(text) if text.isascii() and text.isdecimal() and text[0] in "45" and len(text) == 3 else 0


def _wait_asked(headers: Mapping[str, str]) -> float | None:
    """Seconds of a Retry-After, which is a number or a date; None where there is none."""
    asked = headers.get("retry-after", "")
    try:
        seconds = float(asked)
    except ValueError:
        try:
            then = parsedate_to_datetime(asked)
            now = parsedate_to_datetime(headers.get("date", ""))
            seconds = (then - now).total_seconds()
        except (TypeError, ValueError):
            return None
    return max(seconds, 0.0) if seconds == seconds and seconds < float("inf") else None
