"""Tables on narrow terminals."""

from __future__ import annotations

import pytest

from rivalry_server.commands import output

MATCH = "0123456789abcdef" * 2


@pytest.mark.parametrize("width", [30, 60, 80, 200])
def test_figures_and_ids_are_never_cut(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm")

    output._drawn(("match", "charged", "why"), [[MATCH, "12345678.901", "a long reason " * 6]], ("charged",))

    told = capsys.readouterr().out
    assert MATCH in told and "12345678.901" in told
    assert "…" not in told
