"""Every block of a README that is marked to be run runs: ``<!-- run -->`` before a block of sh or python runs it, and
``<!-- file NAME -->`` before any block writes it to a file beside those that follow.  The blocks of one README run in
order in one empty folder, with the programs of this environment first on the path.  ``<!-- anew -->`` on a line of its
own begins with another empty folder: what follows is a test of its own, which may run beside the others.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from rivalry_client.template import TEXT

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(
    r"^(?P<indent> *)<!-- (?P<mark>run|file (?P<name>[\w.]+)) -->\n+ *```(?P<language>\w+)\n(?P<body>.*?)^ *```$",
    re.MULTILINE | re.DOTALL,
)
ANEW = re.compile(r"^<!-- anew -->\n", re.MULTILINE)
LIMIT_S = 180


def readmes():
    """The READMEs of the project, those of what it depends on left out."""
    folders = (ROOT, *(ROOT / name for name in ("proto", "server", "clients", "engine", "tests")))
    found = {path for folder in folders for path in folder.glob("README.md" if folder == ROOT else "**/README.md")}
    return sorted(path for path in found if "node_modules" not in path.parts)


def blocks(text, start=0, end=sys.maxsize):
    """Each marked block between two places of a text: its line number, the file it is for or None, its language and its
    text."""
    for found in BLOCK.finditer(text, start, end):
        indent = found["indent"]
        body = "".join(line.removeprefix(indent) for line in found["body"].splitlines(keepends=True))
        yield text.count("\n", 0, found.start("body")) + 1, found["name"], found["language"], body


def folders(text):
    """Where the blocks of one folder begin and end: a text is cut at each ``<!-- anew -->``."""
    cuts = [0, *(found.start() for found in ANEW.finditer(text)), len(text)]
    return list(pairwise(cuts))


def parts():
    """A README and each part of it that has blocks of one folder, named after the line of the first of them."""
    for readme in readmes():
        text = readme.read_text(encoding="utf-8")
        for start, end in folders(text):
            first = next(blocks(text, start, end), None)
            if first is not None:
                yield pytest.param(readme, start, end, id=f"{readme.relative_to(ROOT)}:{first[0]}")


def run(body, language, folder):
    """Runs a block in ``folder``; returns the finished process."""
    programs = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "CLONE": str(ROOT)}
    command = {"python": [sys.executable, "-c", body], "sh": ["bash", "-euo", "pipefail", "-c", body]}[language]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False
    )


@pytest.mark.parametrize(("readme", "start", "end"), list(parts()))
def test_every_block_marked_run_runs(readme, start, end, tmp_path):
    text = readme.read_text(encoding="utf-8")

    for line, name, language, body in blocks(text, start, end):
        if name is not None:
            (tmp_path / name).write_text(body, encoding="utf-8")
            continue
        ran = run(body, language, tmp_path)
        assert ran.returncode == 0, f"{readme.relative_to(ROOT)}:{line}\n{body}\n{ran.stdout}\n{ran.stderr}"


@pytest.mark.parametrize("readme", readmes(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_mark_is_misspelt(readme):
    text = readme.read_text(encoding="utf-8")

    assert len(re.findall(r"(?m)^ *<!-- *(?:run|file)\b", text)) == len(list(blocks(text)))
    assert len(re.findall(r"(?mi)^ *<!-- *anew\b", text)) == len(ANEW.findall(text))


def test_a_folder_ends_where_another_begins():
    one, two, three = (f"```sh\n{word}\n```\n" for word in ("one", "two", "three"))
    text = f"<!-- run -->\n{one}<!-- anew -->\n<!-- file b -->\n{two}<!-- run -->\n{three}"

    found = [[body for *_, body in blocks(text, start, end)] for start, end in folders(text)]

    assert found == [["one\n"], ["two\n", "three\n"]]


@pytest.mark.parametrize("readme", readmes(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(readme):
    text = readme.read_text(encoding="utf-8")
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]

    assert [target for target in targets if target and not (readme.parent / target).exists()] == []


@pytest.mark.parametrize(
    "readme", [ROOT / "README.md", ROOT / "clients" / "python" / "README.md"], ids=["main", "client"]
)
def test_the_first_bot_of_a_readme_is_what_rivalry_bot_new_writes(readme):
    written = {name: body for _, name, _, body in blocks(readme.read_text(encoding="utf-8")) if name}

    assert written["my_bot.py"] == TEXT
