"""Mutations: changes one constant, comparison or sign of a game's sources at a time, and sees whether a test fails.

``python tests/mutation.py --game ethnos --count 40 --seed 1``: the changes are made in a temporary copy, never in
place.  A mutant that no test notices is printed as SURVIVED; the exit status is 1 when fewer than nine in ten were
noticed.
"""

from __future__ import annotations

import argparse
import ast
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "engine" / "rivalry_engine"
MEMORY_BYTES = 2 << 30
WORDS = "tests/golden/test_words.py"
TESTS = {
    "ethnos": ("tests/golden/test_golden.py", "tests/engine/ethnos", WORDS),
    "foederati": ("tests/engine/foederati", "tests/golden/test_foederati_games.py", WORDS),
}
"""By game, the tests that are to notice; the quicker ones first."""
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
SIGNS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}


def can_change(node: ast.AST) -> bool:
    """True for numbers, flags, comparisons, signs, `not`, `and` and `or`."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, int)
        case ast.Compare(ops=[op, *_]):
            return type(op) in COMPARISONS
        case ast.BinOp(op=sign) | ast.AugAssign(op=sign):
            return type(sign) in SIGNS
        case ast.UnaryOp(op=ast.Not()) | ast.BoolOp():
            return True
    return False


def places(tree: ast.Module) -> list[ast.AST]:
    """The nodes that can be changed, in their order; annotations and imports for them are left alone."""
    found: list[ast.AST] = []
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if can_change(node):
            found.append(node)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns"):
                continue
            children = value if isinstance(value, list) else [value]
            pending += [child for child in children if isinstance(child, ast.AST)]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset, type(node).__name__))  # type: ignore[attr-defined]


def change(node: ast.AST, luck: Random) -> None:
    """Changes one node in place."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            node.value = not node.value
        else:
            assert isinstance(node.value, int)
            node.value += luck.choice((1, -1))
    elif isinstance(node, ast.Compare):
        node.ops[0] = COMPARISONS[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        node.op = SIGNS[type(node.op)]()
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    else:
        assert isinstance(node, ast.UnaryOp)
        node.op = ast.UAdd()


def mutant(text: str, luck: Random) -> tuple[str, str]:
    """The source with one change, and the change in words."""
    tree = ast.parse(text)
    node = luck.choice(places(tree))
    line = node.lineno  # type: ignore[attr-defined]
    before = ast.unparse(node)
    change(node, luck)
    source = text.splitlines()[line - 1].strip()
    return ast.unparse(ast.fix_missing_locations(tree)), f"{line}: {before}  ->  {ast.unparse(node)}   in: {source}"


def is_noticed(game: str, copy: Path, seconds: int) -> bool:
    """True if a test fails, or does not end, with the sources in ``copy``."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    for tests in TESTS[game]:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:xdist", tests]
        try:
            done = subprocess.run(
                command,
                cwd=ROOT,
                env=environment,
                capture_output=True,
                timeout=seconds,
                check=False,
                preexec_fn=_bounded,
            )
        except subprocess.TimeoutExpired:
            return True
        if done.returncode != 0:
            return True
    return False


def _bounded() -> None:
    """A mutant that never ends may not eat the machine's memory meanwhile."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def main() -> int:
    parser = argparse.ArgumentParser(description="Do the tests notice a change of a game's sources?")
    parser.add_argument("--game", choices=sorted(TESTS), default="ethnos", help="whose sources")
    parser.add_argument("--count", type=int, default=40, help="mutants")
    parser.add_argument("--seed", type=int, default=1, help="which mutants")
    parser.add_argument("--seconds", type=int, default=240, help="time for the tests of one mutant")
    parser.add_argument("--only", default="*.py", help="files, such as scoring.py")
    given = parser.parse_args()
    luck = Random(given.seed)
    files = sorted(path for path in (SOURCES / given.game).glob(given.only) if places(ast.parse(path.read_text())))
    weights = [len(places(ast.parse(path.read_text()))) for path in files]
    survivors = 0
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place)
        shutil.copytree(SOURCES, copy / "rivalry_engine", ignore=shutil.ignore_patterns("__pycache__"))
        if is_noticed(given.game, copy, given.seconds):
            print("the tests fail without any change", file=sys.stderr)
            return 2
        for number in range(given.count):
            (path,) = luck.choices(files, weights)
            target = copy / "rivalry_engine" / given.game / path.name
            whole = target.read_text()
            changed, told = mutant(whole, luck)
            target.write_text(changed)
            noticed = is_noticed(given.game, copy, given.seconds)
            target.write_text(whole)
            survivors += not noticed
            print(f"{number + 1:3} {'noticed ' if noticed else 'SURVIVED'} {path.name}:{told}", flush=True)
    print(f"{given.count - survivors} of {given.count} mutants were noticed")
    return 0 if survivors * 10 <= given.count else 1


if __name__ == "__main__":
    sys.exit(main())
