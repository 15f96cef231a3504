"""A bot that knows no game: it plays by the texts that the arena sends, and notes what it read."""

from __future__ import annotations

from typing import Any

from rivalry_client import Bot, run


class Reader(Bot):
    """Takes the first and the third coin of its purse, and notes the second line of the view."""

    name = "reader"
    wants_view = True

    def choose(self, prompt: Any) -> object:
        assert prompt.part_texts(0)[1].startswith("coin "), prompt.part_texts(0)
        return prompt.answer(0, [0, 2], note=prompt.view().splitlines()[1])


if __name__ == "__main__":
    run(Reader)
