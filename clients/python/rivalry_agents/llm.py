"""``llm``: a seat for a language model behind any OpenAI-compatible endpoint.

Each decision is a conversation of its own: the rules in short, what the seat sees, its numbered choices.  A reply that
is no legal answer is told why and asked for again, a few times.  Everything else that goes wrong (the endpoint, the
clock, a model that does not come to an answer) is a crash of this bot, in words; no move is ever made in its stead.
How it is set up: ``clients/python/README.md``.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import threading
from collections.abc import Awaitable, Coroutine, Mapping
from importlib.util import find_spec
from typing import Any, ClassVar, Final

from rivalry_agents import llm_reply, llm_text
from rivalry_agents.llm_endpoint import USUAL_URL, AddressError, Calling, Endpoint, Reply, checked_url, trusted
from rivalry_agents.llm_errors import NoAnswerError, OutOfTimeError
from rivalry_agents.llm_tally import Tally
from rivalry_client.bot import Bot, GivenUpError, Setting, SettingError
from rivalry_client.match import LocalMatch, Match, Outcome
from rivalry_client.prompt import Prompt, WirePrompt
from rivalry_engine.extra import install
from rivalry_engine.prompt import Answer, shown

URL_NAME: Final = "OPENAI_BASE_URL"
MODEL_NAME: Final = "OPENAI_MODEL"
KEY_NAME: Final = "OPENAI_API_KEY"
RESERVE_S: Final = 1.0
"""So long before the end of its time a decision is given up, or a tenth of the time where that is less."""
NO_TEXT: Final = "(no text)"
"""What the model is shown of a reply of its own without text; some endpoints take no empty message."""
REPEATED_MOST: Final = 4_000
"""So much of a reply that was no answer is shown to the model again."""
MISSING: Final = f"llm needs the package httpx2, which is not installed: {install('llm')}"


class LlmBot(Bot):
    """Asks a language model at an OpenAI-compatible endpoint. The key comes from the environment alone."""

    name = "llm"
    version = "1"
    quick = True  # choose returns at once: over a stream, what it returns is awaited there
    private = True
    wants_view = True
    declared: ClassVar[tuple[Setting, ...]] = (
        Setting("model", "word", "", (), f"the model's name; {MODEL_NAME} where not given"),
        Setting("base_url", "word", "", (), f"the endpoint; {URL_NAME} where not given, else {USUAL_URL}"),
        Setting("key_env", "word", KEY_NAME, (), "the environment variable that holds the key"),
        Setting("temperature", "json", None, (), "0 to 2; null leaves it to the endpoint"),
        Setting("max_tokens", "integer", 2048, (), "how long a reply may be, in tokens"),
        Setting("limit_as", "word", "max_tokens", ("max_tokens", "max_completion_tokens"), "the field that says so"),
        Setting("timeout", "integer", 60, (), "seconds for one call of the endpoint"),
        Setting("retries", "integer", 2, (), "how often a call is repeated that failed in a way that may pass"),
        Setting("reasks", "integer", 2, (), "how often a decision is asked again after an illegal answer"),
        Setting("notes", "flag", False, (), "the model may leave itself a note for its later decisions"),
    )

    _endpoint: Endpoint

    @classmethod
    def settings_from(cls, given: Mapping[str, str]) -> dict[str, Any]:
        """Every setting, with model and address from the environment where not given; raises SettingError."""
        values = super().settings_from(given)
        if find_spec("httpx2") is None:
            raise SettingError(MISSING)
        for name, least, most in (
            ("max_tokens", 1, 1 << 20),
            ("timeout", 1, 3_600),
            ("retries", 0, 20),
            ("reasks", 0, 20),
        ):
            if not least <= values[name] <= most:
                raise SettingError(
                    f"bot llm: setting {name}: {values[name]} is not allowed; expected {least} to {most}"
                )
        warmth = values["temperature"]
        if warmth is not None and (
            isinstance(warmth, bool) or not isinstance(warmth, int | float) or not 0 <= warmth <= 2
        ):
            raise SettingError(f"bot llm: setting temperature: {warmth!r} is not allowed; expected 0 to 2, or null")
        _calling(values)
        _key(values)
        return values

    def start(self, match: Match) -> None:
        """Loads what takes long to load, so that no decision does; nothing is opened before the first call."""
        trusted()
        calling = _calling(self.settings)
        self._model = _short(calling.model)
        self._endpoint = Endpoint(calling, _key(self.settings), self.settings["key_env"])
        self._tally = Tally()
        self._summarised = False
        self._system = {"role": "system", "content": llm_text.system(match, notes=self.settings["notes"])}
        self._note = ""
        self._number = 0
        self._said: list[Mapping[str, str]] = []
        """The conversation about the open prompt."""
        self._asked = 0
        self._called = False
        """The last reply to the open prompt only called tools."""
        self._until: float | None = None

    def choose(self, prompt: Prompt) -> object:
        """The model's answer: over a stream to be awaited, in the arena's process awaited here."""
        deciding = self._decided(prompt)
        return deciding if isinstance(prompt, WirePrompt) else _waited_for(self._in_process(deciding))

    def ended(self, match: Match, outcome: Outcome) -> Awaitable[None] | None:
        """Tells what the match cost."""
        self._summarise()
        return None if isinstance(match, LocalMatch) else self._endpoint.close()

    async def _in_process(self, deciding: Coroutine[None, None, Answer]) -> Answer:
        """A decision on a loop of its own, after which no connection is left."""
        try:
            return await deciding
        finally:
            await self._endpoint.close()

    async def _decided(self, prompt: Prompt) -> Answer:
        """The answer; raises GivenUpError, once what the match cost is told."""
        try:
            return await self._answered(prompt)
        except GivenUpError:
            self._summarise()
            await self._endpoint.close()
            raise

    async def _answered(self, prompt: Prompt) -> Answer:
        why = self._begun(prompt)
        spent = Tally()
        try:
            while True:
                if why:
                    self._ask_again(prompt, why, spent)
                self._asked += 1
                reply = await self._endpoint.reply([self._system, *self._said], spent, until=self._until)
                self._said.append({"role": "assistant", "content": reply.text[-REPEATED_MOST:].strip() or NO_TEXT})
                if reply.refused or (reply.called and self._called):
                    raise self._will_not(prompt, reply)
                self._called = bool(reply.called)
                try:
                    if reply.called:
                        raise llm_reply.UnclearError(f"the reply only calls a tool, and there are none: {reply.called}")
                    if reply.cut:
                        raise llm_reply.UnclearError(f"the end of the reply is missing: {reply.cut}")
                    answer = llm_reply.answer_in(prompt, reply.text)
                except llm_reply.UnclearError as error:
                    why = str(error)
                    continue
                if self.settings["notes"]:
                    self._note = llm_reply.note_in(reply.text) or self._note
                spent.decisions = 1
                return Answer(answer.index, answer.parts, None, answer.text, spent.note(self._model))
        finally:
            self._tally.add(spent)

    def _begun(self, prompt: Prompt) -> str:
        """Begins the conversation, or says why the answer to this very prompt was not taken; empty for the former."""
        ruling = prompt.ruling
        if ruling is not None and prompt.number == self._number:
            self._tally.decisions -= 1
            return ruling.text
        self._number = prompt.number
        self._asked = 0
        self._called = False
        self._said = [{"role": "user", "content": llm_text.question(prompt, note=self._note)}]
        budget_s = prompt.budget_s
        now = asyncio.get_running_loop().time()
        self._until = None if budget_s is None else now + budget_s - min(RESERVE_S, budget_s / 10)
        return ""

    def _ask_again(self, prompt: Prompt, why: str, spent: Tally) -> None:
        """Tells the model why; raises NoAnswerError and OutOfTimeError where it is not to be asked again."""
        if self._asked > self.settings["reasks"]:
            last = self._said[-1]["content"].strip().rpartition("\n")[2]
            told = f"no legal answer to prompt {prompt.number} in {self._asked} replies"
            raise NoAnswerError(f"{told}; the last ends {shown(last)}: {why}")
        if self._until is not None and asyncio.get_running_loop().time() >= self._until:
            raise OutOfTimeError(
                f"the clock is too near to ask again after an illegal answer to prompt {prompt.number}"
            )
        spent.reasks += 1
        self._said.append({"role": "user", "content": llm_text.again(why)})

    def _will_not(self, prompt: Prompt, reply: Reply) -> NoAnswerError:
        """That the model will not answer, with its words; it is not asked again, which would be paid for as well."""
        if reply.refused:
            return NoAnswerError(f"the model refuses to answer prompt {prompt.number}: {reply.refused}")
        told = f"the model calls a tool for prompt {prompt.number} again, and was told that there are none"
        return NoAnswerError(f"{told}: {reply.called}")

    def _summarise(self) -> None:
        """One line on stderr, once."""
        if self._summarised:
            return
        self._summarised = True
        sys.stderr.write(f"rivalry: llm {self._model}, seat {self.match.seat}: {self._tally.summary()}\n")
        sys.stderr.flush()


def _calling(settings: Mapping[str, Any]) -> Calling:
    """How the endpoint is called; raises SettingError where it is not said."""
    from_environment = not settings["base_url"]
    url = settings["base_url"] or os.environ.get(URL_NAME, "").strip() or USUAL_URL
    try:
        url = checked_url(url, URL_NAME if from_environment else "bot llm: setting base_url")
    except AddressError as error:
        raise SettingError(str(error)) from None
    model = settings["model"] or os.environ.get(MODEL_NAME, "").strip()
    if not model:
        raise SettingError(f"bot llm knows no model: give one as llm?model=NAME, or in {MODEL_NAME}")
    return Calling(
        base_url=url,
        model=model,
        max_tokens=settings["max_tokens"],
        limit_as=settings["limit_as"],
        temperature=settings["temperature"],
        timeout_s=settings["timeout"],
        retries=settings["retries"],
    )


def _key(settings: Mapping[str, Any]) -> str:
    """The key, empty where there is none; raises SettingError, without it, where it cannot be sent."""
    name = settings["key_env"]
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):  # it is not told: it may be the key itself
        raise SettingError(
            f"bot llm: setting key_env: expected the name of an environment variable, such as {KEY_NAME}"
        )
    key = os.environ.get(name, "").strip()
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise SettingError(
            f"{name}: what it holds is no key: expected ASCII letters, digits and signs, without a space"
        )
    return key


def _waited_for(deciding: Coroutine[None, None, Answer]) -> Answer:
    """What a coroutine returns, run to its end here: on a loop of its own, beside the thread's where it has one."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(deciding)
    done: list[Answer] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(asyncio.run(deciding))
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, name="rivalry llm", daemon=True)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return done[0]


def _short(model: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in model[:64])
