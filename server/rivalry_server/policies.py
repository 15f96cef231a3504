"""What follows when a seat ends other than normally, or its stream is lost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from rivalry_engine.error import RivalryError
from rivalry_server.outcome import End

if TYPE_CHECKING:
    from rivalry.arena.v1 import outcome_pb2

RETRIES_MOST: Final = 100
GRACE_MOST_US: Final = 24 * 3_600_000_000
ENDS: Final = (End.ILLEGAL, End.TIMEOUT, End.DISCONNECT, End.CRASH, End.NO_SHOW)
"""The ends that have a policy."""
RETRIED: Final = (End.DISCONNECT, End.CRASH, End.NO_SHOW)
"""Those after which a bot may be started or awaited again; a new one would not have more time, or know the rules."""


class Policy(StrEnum):
    """What follows when a seat ends other than normally."""

    STAND_IN = "stand-in"
    """The end is recorded and the first choice is played for the seat from there on."""
    END = "end"
    """The match stops; the others end normally and are ranked by the scores of that moment."""
    VOID = "void"
    """The match has no result: no scores, no ranks."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What follows one end: ``retries`` times the bot is started or awaited again, then ``policy``."""

    policy: Policy = Policy.STAND_IN
    retries: int = 0

    def __str__(self) -> str:
        """The text form: ``void``, ``retry 2``, ``retry 2 void``."""
        if not self.retries:
            return str(self.policy)
        return f"retry {self.retries}" + ("" if self.policy is Policy.STAND_IN else f" {self.policy}")

    @staticmethod
    def parsed(text: str, end: End) -> Rule:
        """The rule for ``end`` in its text form; raises RivalryError that says what is expected."""
        found = re.fullmatch(r"(?:retry ([0-9]{1,3}) ?)?(stand-in|end|void|)", text)
        expected = f"expected one of {', '.join(Policy)}"
        if end in RETRIED:
            expected += f", or retry 1 to {RETRIES_MOST} with one of them after it, such as retry 2 or retry 2 void"
        if found is None or not text:
            raise RivalryError(f"policy {text!r}; {expected}")
        if found[1] is None:
            return Rule(Policy(text))
        if end not in RETRIED:
            raise RivalryError(
                f"policy {text!r}: a bot is started or awaited again after a crash, a disconnect or a no-show, "
                f"not when it ends by {end}; {expected}"
            )
        if not 1 <= int(found[1]) <= RETRIES_MOST:
            raise RivalryError(f"policy {text!r}; {expected}")
        return Rule(Policy(found[2] or Policy.STAND_IN), int(found[1]))


@dataclass(frozen=True, slots=True)
class Policies:
    """One rule for each way a seat can fail, and how long a bot whose stream was lost is waited for."""

    on_illegal: Rule | Policy = Policy.STAND_IN
    on_timeout: Rule | Policy = Policy.STAND_IN
    on_disconnect: Rule | Policy = Policy.STAND_IN
    on_crash: Rule | Policy = Policy.STAND_IN
    on_no_show: Rule | Policy = Policy.STAND_IN
    grace_us: int | None = None
    """How long a seat whose stream was lost is kept for its bot, in µs; None: the arena's usual, 0: not at all."""
    grace_paused: bool = False
    """True if the seat's clock stands still while its stream is lost; the grace is then for all absences together."""

    def __post_init__(self) -> None:
        """A policy alone is the rule without retries."""
        for end in ENDS:
            rule = getattr(self, f"on_{end}")
            if isinstance(rule, Policy):
                object.__setattr__(self, f"on_{end}", Rule(rule))

    def on(self, end: End) -> Rule:
        """The rule for one end; a seat that resigned is always played on by the stand-in."""
        rule = getattr(self, f"on_{end}", None)
        return rule if isinstance(rule, Rule) else Rule()

    def texts(self) -> dict[str, str]:
        """Each rule under its name, as records and logs hold them, and ``grace`` where it is not the arena's usual."""
        texts = {f"on_{end}": str(self.on(end)) for end in ENDS}
        if self.grace_us is not None or self.grace_paused:
            texts["grace"] = self.grace_text()
        return texts

    def grace_text(self) -> str:
        """The text form of the grace: ``30s``, ``30s paused``, ``usual paused``."""
        time = "usual" if self.grace_us is None else f"{self.grace_us // 1_000}ms"
        if self.grace_us is not None and self.grace_us % 1_000_000 == 0:
            time = f"{self.grace_us // 1_000_000}s"
        return f"{time} paused" if self.grace_paused else time

    @staticmethod
    def parsed(texts: Mapping[str, str]) -> Policies:
        """From what ``texts`` gives; raises RivalryError."""
        rules = {f"on_{end}": Rule.parsed(texts[f"on_{end}"], end) for end in ENDS if f"on_{end}" in texts}
        grace_us, paused = _grace(texts.get("grace", "usual"))
        return Policies(**rules, grace_us=grace_us, grace_paused=paused)

    def message(self) -> outcome_pb2.Policies:
        """The same as a message."""
        from rivalry.arena.v1 import outcome_pb2

        message = outcome_pb2.Policies(grace_us=self.grace_us)
        for end in ENDS:
            rule = self.on(end)
            setattr(message, f"on_{end}", outcome_pb2.Policy.Value(f"POLICY_{rule.policy.name}"))
            if rule.retries:
                setattr(message, f"{end}_retries", rule.retries)
        if self.grace_paused:
            message.grace_clock = outcome_pb2.GRACE_CLOCK_PAUSED
        return message

    @staticmethod
    def of(message: outcome_pb2.Policies) -> Policies:
        """From a message; what is unspecified or unknown is stand-in.  Raises RivalryError on figures out of bounds."""
        known = {2: Policy.END, 3: Policy.VOID}
        rules: dict[str, Rule] = {}
        for end in ENDS:
            retries = getattr(message, f"{end}_retries", 0)
            if not 0 <= retries <= RETRIES_MOST:
                raise RivalryError(f"{end}_retries is {retries}; expected 0 to {RETRIES_MOST}")
            rules[f"on_{end}"] = Rule(known.get(getattr(message, f"on_{end}"), Policy.STAND_IN), retries)
        grace_us = message.grace_us if message.HasField("grace_us") else None
        if grace_us is not None and not 0 <= grace_us <= GRACE_MOST_US:
            raise RivalryError(f"grace_us is {grace_us}; expected 0 to {GRACE_MOST_US}")
        return Policies(**rules, grace_us=grace_us, grace_paused=message.grace_clock == 2)


def _grace(text: str) -> tuple[int | None, bool]:
    found = re.fullmatch(r"(?:(usual)|([0-9]{1,9})(ms|s|m))( paused)?", text)
    units = {"ms": 1_000, "s": 1_000_000, "m": 60_000_000}
    grace_us = None if found is None or found[1] else int(found[2]) * units[found[3]]
    if found is None or (grace_us is not None and grace_us > GRACE_MOST_US):
        raise RivalryError(
            f"grace {text!r}; expected a time up to 24 hours such as 30s or 5m, 0s for none, and paused after it "
            "if the clock stands still meanwhile: 30s paused"
        )
    return grace_us, found[4] is not None
