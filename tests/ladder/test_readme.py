"""The ladder's section of the README, followed word for word."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from e2e.program import environment
from test_readmes import ROOT, blocks, run

PLAYED = re.compile(r"alice@1 \(rank [12]\).* counts$", re.MULTILINE)
PLACED = re.compile(r"^ *\d  alice@1 ", re.MULTILINE)
PATIENCE_S = 120


def section() -> tuple[dict[str, str], list[str]]:
    """The files that it has written, by name, and the blocks that it has typed, a terminal each."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    start = text.index("\n## A ladder that runs itself")
    end = text.index("\n## ", start + 1)
    files = {name: body for _, name, _, body in blocks(text, start, end) if name is not None}
    return files, re.findall(r"^```sh\n(.*?)^```$", text[start:end], re.MULTILINE | re.DOTALL)


@contextmanager
def terminal(typed: str, folder: Path, address: str) -> Iterator[None]:
    """A terminal in which something goes on until Ctrl-C."""
    command = ["bash", "-euc", typed]
    shown = environment() | {"RIVALRY_ADDRESS": address}
    with (
        (folder.parent / "terminal.log").open("a") as log,
        subprocess.Popen(command, cwd=folder, env=shown, stdout=log, stderr=log, start_new_session=True) as process,
    ):
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(60)


def test_whoever_follows_it_sees_a_rated_match_and_a_table(tmp_path: Path) -> None:
    files, (serve, come, look) = section()
    clone = tmp_path / "clone"
    clone.mkdir()
    for name, body in files.items():
        (clone / name).write_text(body)
    address = f"unix:{tmp_path}/socket"
    limit = time.monotonic() + PATIENCE_S
    with terminal(f"{serve.strip()} --address {address}", clone, address):
        while not (tmp_path / "socket").exists():
            assert time.monotonic() < limit
            time.sleep(0.1)
        with terminal(come, clone, address):
            first, *_ = look.splitlines()
            while not PLAYED.search(seen := run(f"RIVALRY_ADDRESS={address} {first}", "sh", clone).stdout):
                assert time.monotonic() < limit, seen + (tmp_path / "terminal.log").read_text()
                time.sleep(0.3)
            seen = run(f"export RIVALRY_ADDRESS={address}\n{look}", "sh", clone).stdout
            assert PLAYED.search(seen) and PLACED.search(seen), seen

    made = {f"{path.name}/" if path.is_dir() else path.name for path in clone.iterdir()}
    assert made == {"ladder/", "ladder.toml", "alice.token"}
    assert not_ignored(made) == set()


def test_what_the_readme_has_a_reader_make_is_not_in_the_way_of_git() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    files = {name for _, name, _, _ in blocks(text) if name is not None}

    made = files | {f"{name}/" for name in re.findall(r"--data (\w+)", text)}
    assert {"my_bot.py", "cup.toml", "ladder.toml", "arena/", "ladder/"} <= made
    assert not_ignored(made | {"game.jsonl", "cup-637570/"}) == set()


def not_ignored(names: set[str]) -> set[str]:
    """Those of them that git would list in a clone."""
    asked = ["git", "check-ignore", "--no-index", "--stdin"]
    done = subprocess.run(asked, cwd=ROOT, input="\n".join(names), capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return names - set(done.stdout.split("\n"))
