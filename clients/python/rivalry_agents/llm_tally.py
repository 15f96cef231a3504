"""What a model's decisions cost: tokens, calls, seconds."""

from __future__ import annotations

from dataclasses import dataclass

from rivalry_engine.counting import counted


@dataclass(slots=True)
class Tally:
    """Sums; ``seconds`` are those of the calls, waits between them included."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    reasks: int = 0
    """Replies that were no legal answer, after which the model was asked again."""
    failures: int = 0
    """Calls that failed."""
    decisions: int = 0
    """Answers given."""

    def add(self, other: Tally) -> None:
        """Adds the sums of ``other``."""
        self.calls += other.calls
        self.tokens_in += other.tokens_in
        self.tokens_out += other.tokens_out
        self.seconds += other.seconds
        self.reasks += other.reasks
        self.failures += other.failures
        self.decisions += other.decisions

    def note(self, model: str) -> str:
        """One decision in words, for the answer's note."""
        return (
            f"{model}: {counted(self.tokens_in, 'token')} in, {self.tokens_out} out, {self.seconds:.2f} s,"
            f" {counted(self.calls, 'call')}"
        )

    def summary(self) -> str:
        """All of them in words."""
        return (
            f"{counted(self.decisions, 'decision')}, {counted(self.calls, 'call')},"
            f" {counted(self.tokens_in, 'token')} in, {self.tokens_out} out, {self.seconds:.1f} s,"
            f" {counted(self.reasks, 're-ask')}, {counted(self.failures, 'failed call')}"
        )
