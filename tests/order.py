"""In which order tests begin: those that take longest first, so that no worker is left alone with one at the end.

With ``--dist worksteal`` a worker takes from the front of what it was given, and one that is done steals from the end.
"""

from __future__ import annotations

# Files, or tests by name, with three seconds or more of a quiet core or of waiting in them; the longest first.
LONG = (
    "test_readmes.py::test_every_block_marked_run_runs",
    "e2e/test_node.py::test_the_node_package_passes_its_own_tests",
    "ladder/test_commands.py::test_a_ladder_is_asked_killed_and_goes_on",
    "ladder/test_programs.py",
    "ladder/test_running.py",
    "test_package.py",
    "compiled/test_compiled.py",
    "ladder/test_readme.py",
    "e2e/test_journal.py",
    "e2e/test_drain.py",
    "e2e/test_tournament.py",
    "e2e/test_identity.py",
    "e2e/test_bad_bots.py",
    "e2e/test_match.py",
    "load/test_crowd.py",
    "load/test_laboratory.py",
    "server/journal/test_killed.py",
    "server/journal/test_restart.py",
    "tournament/test_compare.py",
    "tournament/test_commands.py",
    "agents/test_mcp_command.py",
    "third_party/test_auction.py",
)
RANKS = {name: rank for rank, name in enumerate(LONG)}


def rank(nodeid: str) -> int:
    """Where a test, by pytest's id of it, begins: ascending; all that is not among ``LONG`` is last and equal."""
    test = nodeid.removeprefix("tests/").partition("[")[0]
    return min(RANKS.get(name, len(LONG)) for name in (test, test.partition("::")[0]))
