"""Generates the message modules from the .proto files beside this file: a script, and the build hook of the wheel.

Writes ``proto/python/rivalry/**``, which is not committed.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
TARGET = ROOT / "python"


def generate() -> None:
    """Runs the compiler over every .proto; raises SystemExit with its messages when one is wrong."""
    from importlib.resources import files

    from grpc_tools import protoc

    sources = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("rivalry/**/*.proto"))
    include = str(files("grpc_tools") / "_proto")
    with tempfile.TemporaryDirectory(dir=TARGET, prefix=".new-") as made:
        status = protoc.main(
            [
                "protoc",
                f"-I{ROOT}",
                f"-I{include}",
                f"--python_out={made}",
                f"--pyi_out={made}",
                f"--grpc_python_out={made}",
                *sources,
            ]
        )
        if status != 0:
            raise SystemExit(f"proto: the compiler refused {ROOT}/rivalry (status {status}); its message is above")
        for source in sources:
            folder = (Path(made) / source).parent
            while folder != Path(made):
                (folder / "__init__.py").touch()
                folder = folder.parent
        (Path(made) / "rivalry" / "py.typed").touch()
        # Whoever imports at this moment finds the old messages or the new ones.
        if (TARGET / "rivalry").exists():
            (TARGET / "rivalry").rename(Path(made) / "before")
        (Path(made) / "rivalry").rename(TARGET / "rivalry")


if __name__ == "__main__":
    generate()
    sys.stderr.write(f"generated {TARGET / 'rivalry'}\n")
else:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    class GenerateMessages(BuildHookInterface):  # type: ignore[type-arg]
        """Generates the messages before a wheel, an sdist or an editable install is built."""

        def initialize(self, version: str, build_data: dict[str, object]) -> None:
            """Runs the generator; ``version`` and ``build_data`` are hatchling's and stay as they are."""
            generate()
