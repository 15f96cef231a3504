"""``rivalry`` inside the test, as for the other commands."""

from __future__ import annotations

from server.commands.conftest import rivalry as rivalry
