"""Positions of the tests, read."""

from engine.ethnos.table import FIVE
from rivalry_engine.ethnos import Ethnos

OPTIONS = {"seats": 3, "tribes": list(FIVE)}


EXAMPLE = {
    "game": "ethnos",
    "options": {"seats": 3, "tribes": ["elves", "orcs", "trolls", "skeletons", "giants"]},
    "seed": "x",
    "age": 1,
    "movers": [0],
    "dragons": 2,
    "deck": ["dragon", "red elf"],
    "face_up": ["blue orc"],
    "glory_tokens": {"Rhea": [2, 8]},
    "seats": [
        {
            "hand": ["red elf", "blue elf", "skeleton"],
            "glory": 4,
            "markers": {"Rhea": 2},
            "bands": [{"leader": "red orc", "cards": ["red orc", "skeleton"]}],
            "merfolk": 0,
            "orc_board": ["red"],
            "troll_tokens": [3],
            "giant_token": False,
        }
    ],
}


def read(**keys):
    return Ethnos(OPTIONS).state_at({"options": OPTIONS, **keys})


FURTHER = {"kind": "further", "seat": 0, "band": 0}


def further(options, *, own, others=0):
    """A Centaur Band of 2 whose marker was just placed, with so many markers in its Kingdom now."""
    seat = {
        "hand": ["blue orc"],
        "markers": {"Rhea": own},
        "bands": [{"leader": "red centaur", "cards": ["red centaur", "red orc"]}],
    }
    seats = [seat, {"markers": {"Rhea": others}}]
    return Ethnos(options).state_at({"movers": [0], "seats": seats, "pending": FURTHER})
