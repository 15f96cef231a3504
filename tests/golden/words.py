"""The words of the golden games: what is shown and told in them, to each audience.

``NAME.words.txt`` has digests over every text of the game, so that no word changes unseen; and to be read, the view of
whoever moves in the middle of the game, and of each kind of event the first, as whoever sees most of it is told.  Words
may change under one version of the rules: ``make golden`` writes them anew, and the difference is there to be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Final

from golden import foederati_games, make
from rivalry_engine.chance import seed_from_text
from rivalry_engine.ethnos import Ethnos
from rivalry_engine.event import Event, seen
from rivalry_engine.foederati import Foederati
from rivalry_engine.game import PUBLIC, Game, State

EVERY: Final = 10
"""All audiences' views are taken at every tenth decision and at the end, the mover's at each."""


def golden(name: str) -> Game:
    """The game of a golden file."""
    if name in make.GAMES:
        return Ethnos(make.GAMES[name][0])
    return Foederati(foederati_games.GAMES[name][0])


NAMES: Final = (*make.GAMES, *foederati_games.GAMES)


def told(name: str) -> str:
    """The words of a golden game as its file has them."""
    game = golden(name)
    text = (make.HERE / f"{name}.txt").read_text()
    seed = text.split("seed: ")[1].split("\n")[0]
    actions = [line.split(" | ", 1)[1] for line in text.splitlines() if " | " in line]
    views, choices, events = [], [], _Events(game)
    state = game.new_state(seed_from_text(seed))
    state.log = events.log
    middle = ""
    for number, (seat, _) in enumerate(make.replayed(state, actions)):
        events.taken()
        views += _views(state, (seat,) if number % EVERY else _audiences(game))
        choices += list(_choices(state, seat))
        if number == len(actions) // 2:
            middle = game.view(state.observe(seat))
    events.taken()
    views += _views(state, _audiences(game))
    lines = [
        f"{kind}: {_digest(texts)}" for kind, texts in (("views", views), ("choices", choices), ("events", events))
    ]
    return "\n".join([*lines, "", middle, "", *(f"{kind}: {text}" for kind, text in events.first.items()), ""])


class _Events:
    """The events of a game as each audience is told them."""

    def __init__(self, game: Game) -> None:
        self.log: list[Event] = []
        self.first: dict[str, str] = {}
        self._game = game
        self._texts: list[str] = []

    def taken(self) -> None:
        """Tells what the log holds, and empties it."""
        for event in self.log:
            self._texts += [self._game.event_text(seen(event, audience)) for audience in _audiences(self._game)]
            most = min(event.secrets, default=PUBLIC)
            self.first.setdefault(event.kind, self._game.event_text(seen(event, most)))
        self.log.clear()

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)


def _audiences(game: Game) -> tuple[int, ...]:
    return (PUBLIC, *range(game.seats))


def _views(state: State, audiences: Iterable[int]) -> list[str]:
    return [state.game.view(state.observe(audience)) for audience in audiences]


def _choices(state: State, seat: int) -> Iterator[str]:
    for choice in state.choices(seat):
        yield state.game.text(choice.action)
        yield from map(state.game.part_text, choice.parts)


def _digest(texts: Iterable[str]) -> str:
    whole = sha256()
    for text in texts:
        whole.update(text.encode() + b"\0")
    return whole.hexdigest()


def main() -> int:
    """Writes what is new or changed; returns 0."""
    for name in NAMES:
        path = make.HERE / f"{name}.words.txt"
        text = told(name)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(f"{path.name} written")
    return 0
