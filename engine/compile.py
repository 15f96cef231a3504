"""``make compile``: the engine, compiled by mypyc into a copy of its own; the sources are never touched.

The copy is two whole packages in ``build/compiled``, ``rivalry_engine`` and ``rivalry_bots``, of which the rules
and the playouts of ``search`` are compiled.  Put the folder before the sources with ``PYTHONPATH=build/compiled``, and
everything that Python then starts plays with it.  It holds the digest of the sources it was made of; nothing is done
again while that is the same.

``python engine/compile.py [--into FOLDER] [--quick] [--only MODULE …]`` compiles, ``--check`` ends with 1 when the copy
is not of these sources.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"rivalry_engine": ROOT / "engine", "rivalry_bots": ROOT / "clients" / "python"}
"""What is copied, and the folder it is in."""
INTO = ROOT / "build" / "compiled"
MADE_OF = "SOURCES"
"""The file of a copy that holds the digest of its sources."""
SHOWN_LINES = 20

HOT_BOTS = tuple(
    f"rivalry_bots/search/{name}.py"
    for name in ("ethnos_policy", "ethnos_prices", "foederati_policy", "foederati_worth")
)
"""What of the bots is compiled: the playouts of ``search``.  Of the engine it is everything but what is left out."""
LEFT_OUT = {
    "__init__.py": "packages stay plain: one has a __getattr__ of its own, which mypyc does not have",
    "compiled.py": "it stands for what mypyc knows by itself",
    "conformance.py": "an error class of a builtin kind, which mypyc cannot inherit from; it is no hot code",
    "game.py": "games have a metaclass, views are what data classes inherit from: neither goes with native classes",
    "kuhn.py": "its views are data classes with a base class, which mypyc cannot make; it is the worked example",
    "playout.py": "it reads what a plain state keeps in slots of its own, as prompt.py and record.py do",
    "prompt.py": "as playout.py, and answers of wrong types are its business",
    "record.py": "as playout.py; it is no hot code",
    "sight.py": "views are plain classes: codecs make them without their constructor, and data classes inherit",
}
"""By file name, what stays plain Python in the copy, and why."""
COLD = (
    "answering",
    "catalog",
    "conformance_",
    "formed",
    "glossary",
    "loading",
    "map_",
    "naming",
    "option",
    "outcome",
    "position",
    "primer",
    "telling",
    "view",
)
"""How the names of modules begin that stay plain because no decision of a playout calls them: it halves the time."""


def digest() -> str:
    """What the sources are, and the Python they are compiled for, in sixteen digits."""
    whole = hashlib.sha256(str(sysconfig.get_config_var("EXT_SUFFIX")).encode())
    for package, base in PACKAGES.items():
        for path in sorted((base / package).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                whole.update(str(path.relative_to(base)).encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:16]


def is_fresh(into: Path = INTO) -> bool:
    """True if the copy is there and of the sources as they are."""
    made_of = into / MADE_OF
    return made_of.is_file() and made_of.read_text(encoding="ascii") == digest()


def compiled(into: Path = INTO, *, only: list[str] | None = None, quick: bool = False) -> None:
    """Makes the copy anew; raises RuntimeError with the compiler's words when it cannot.

    ``only`` names files of the copy; without it all that can be compiled are.  ``quick`` leaves out the optimiser: that
    is for a test of the build, not for use.
    """
    made_of = digest()
    part = into.with_name(into.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    for package, base in PACKAGES.items():
        shutil.copytree(base / package, part / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    levels = {"MYPYC_OPT_LEVEL": "0" if quick else "3", "MYPYC_DEBUG_LEVEL": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "mypyc", "--config-file=", "--strict", *(only or _compilable(part))],
        cwd=part,
        env={**os.environ, **levels},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError("\n".join((done.stdout + done.stderr).strip().splitlines()[-SHOWN_LINES:]))
    shutil.rmtree(part / "build", ignore_errors=True)
    shutil.rmtree(part / ".mypy_cache", ignore_errors=True)
    (part / MADE_OF).write_text(made_of, encoding="ascii")
    shutil.rmtree(into, ignore_errors=True)
    part.rename(into)


def _compilable(part: Path) -> list[str]:
    paths = [
        path
        for path in sorted((part / "rivalry_engine").rglob("*.py"))
        if path.name not in LEFT_OUT and not path.name.startswith(COLD)
    ]
    return [*(path.relative_to(part).as_posix() for path in paths), *HOT_BOTS]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=INTO, help="the folder of the copy")
    parser.add_argument("--check", action="store_true", help="only say whether the copy is of these sources")
    parser.add_argument("--quick", action="store_true", help="without the optimiser")
    parser.add_argument("--only", nargs="+", metavar="MODULE", help="only these files, as rivalry_engine/chance.py")
    given = parser.parse_args()
    into = given.into.resolve()
    if is_fresh(into):
        print(f"{into} is compiled from these sources")
        return 0
    if given.check:
        print(f"{into} is not compiled from these sources; run: make compile", file=sys.stderr)
        return 1
    print(f"compiling the engine into {into}: a minute or two")
    try:
        compiled(into, only=given.only, quick=given.quick)
    except RuntimeError as error:
        print(f"mypyc did not compile the engine:\n{error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
