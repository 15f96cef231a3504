"""An observation as text with the map drawn, from which a person or a language model can play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rivalry_engine.counting import counted
from rivalry_engine.foederati import packs, question, squares
from rivalry_engine.foederati.maps import Map
from rivalry_engine.foederati.sight import FoederatiObservation, SeatView, seats_of
from rivalry_engine.game import PUBLIC

TRIGGERS: Final = (
    "",
    "everybody passed on end",
    "a supply was empty",
    "the last marker was taken",
    "nothing stirred for too long",
)
"""By number (FO8.2)."""


def text(seen: FoederatiObservation) -> str:
    """All that ``seen`` holds, some sixty lines."""
    return "\n".join(
        [
            *_head(seen),
            "",
            *_drawn(seen),
            "",
            *_regions(seen),
            _track(seen),
            "",
            *[_seat(seen, player) for player in seen.seats],
            "",
            *_turn(seen),
            *_cards(seen),
            _asked(seen),
        ]
    )


def _head(seen: FoederatiObservation) -> list[str]:
    board = seen.board
    who = "You watch." if seen.seat == PUBLIC else f"You are seat {seen.seat}."
    if board.round:
        when = f"Round {board.round}; seat {board.first} is its first player."
    else:
        when = f"The initial placement; seat {board.first} is the first player."
    lines = [f"Foederati, {len(seen.seats)} seats. {when} {who}"]
    if board.end_trigger:
        others = [TRIGGERS[each] for each in seats_of(board.triggers_mask) if each != board.end_trigger]
        also = f" (also: {'; '.join(others)})" if others else ""
        lines.append(f"The game ends with this round: {TRIGGERS[board.end_trigger]}{also}.")
    if board.passed_mask:
        lines.append(f"Since the last turn that did something have passed: {_seats(board.passed_mask)}.")
    if board.stall:
        stirs = "something has in this one" if board.stirred else "nor yet in this one"
        lines.append(f"In {board.stall} rounds on end no supply fell and no country was founded; {stirs}.")
    return lines


def _drawn(seen: FoederatiObservation) -> list[str]:
    """The map: two characters a square, its region and the seat whose shield stands there."""
    board = seen.setup.map
    owner = {square: player.seat for player in seen.seats for square in player.shields}
    lines = [
        "The map. A square is its region (capitals: land, small letters: sea) and the seat whose shield is there, or a"
        " dot; [ ] is the square under attack.",
        "    " + "  ".join(f"{column:<2}" for column in range(1, squares.WIDTH + 1)).rstrip(),
    ]
    for row, letter in enumerate(squares.ROWS):
        cells = []
        for square in range(squares.WIDTH * row, squares.WIDTH * (row + 1)):
            cell = f"{_region_id(board, square)}{owner.get(square, '.')}"
            cells.append(f"[{cell}]" if square == seen.turn.target else f" {cell} ")
        lines.append(f"{letter}  {''.join(cells)}".rstrip())
    return lines


def _region_id(board: Map, square: int) -> str:
    country = board.country_of[square]
    return board.country_ids[country] if country >= 0 else board.sea_ids[board.sea_of[square]]


def _regions(seen: FoederatiObservation) -> list[str]:
    board = seen.setup.map
    founded = {each.country: each for each in seen.board.foundings}
    lines = ["Countries (points by shields there; free squares; shields by seat):"]
    for country, name in enumerate(board.countries):
        mask = board.country_masks[country]
        founding = founded.get(country)
        told = ""
        if founding is not None:
            points, red = board.track[founding.order]
            colour = ", red" if red else ""
            told = f"; founded in round {founding.round} by seat {founding.seat} for {points}{colour}"
        paid = "/".join(map(str, board.tribal[country]))
        lines.append(
            f"  {board.country_ids[country]} {name}, {board.classes[country]} ({paid}): {_held(seen, mask)}{told}"
        )
    lines.append("Seas:")
    for sea, name in enumerate(board.seas):
        lines.append(f"  {board.sea_ids[sea]} {name}: {_held(seen, board.sea_masks[sea])}")
    return lines


def _held(seen: FoederatiObservation, mask: int) -> str:
    free = (mask & seen.free_mask).bit_count()
    own = [(player.seat, (player.shields_mask & mask).bit_count()) for player in seen.seats]
    held = ", ".join(f"seat {seat}: {count}" for seat, count in own if count)
    return f"{free} of {mask.bit_count()} free" + (f"; {held}" if held else "")


def _track(seen: FoederatiObservation) -> str:
    left = seen.setup.map.track[len(seen.board.foundings) :]
    fields = ", ".join(f"{points}{' red' if red else ''}" for points, red in left)
    return f"Foundation track, next first: {fields or 'empty'}"


def _seat(seen: FoederatiObservation, player: SeatView) -> str:
    board = seen.setup.map
    clans = sorted([group.bit_count() for group in squares.components(player.shields_mask)], reverse=True)
    sizes = [str(size) for size in clans if size >= board.clan_least]
    ships = (player.shields_mask & board.sea).bit_count()
    you = " (you)" if player.seat == seen.seat else ""
    line = (
        f"seat {player.seat}{you}: score {player.position}, supply {player.supply}, lost {player.lost},"
        f" {counted(player.hand_size, 'card')} in hand, clans {', '.join(sizes) or 'none'}, ships {ships}"
    )
    if player.since:
        done = [board.card_name(entry) if entry >= 0 else f"drew {-entry}" for entry in player.since]
        line += f"; since the last reshuffle: {', '.join(done)}"
    return line


def _turn(seen: FoederatiObservation) -> list[str]:
    turn, board = seen.turn, seen.setup.map
    lines: list[str] = []
    if turn.active >= 0 and seen.kind in (question.TURN, question.BATTLE):
        moved = "has migrated or exchanged" if turn.moved_once else "may still migrate or exchange"
        told = f"The turn is seat {turn.active}'s: {turn.used} of {board.actions} expand or attack used; it {moved}"
        if turn.moved_mask:
            told += f"; moved already: {', '.join(squares.names(turn.moved_mask))}"
        if turn.attacked_mask:
            told += f"; attacked: {_seats(turn.attacked_mask)}"
        lines.append(f"{told}; {'it can end' if turn.acted else 'it has done nothing yet'}.")
    if turn.target >= 0:
        played = ", ".join(f"seat {seat} {board.card_name(face)}" for seat, face in turn.played_cards)
        lines.append(
            f"Battle for {squares.name(turn.target)}: seat {turn.active} attacks with {turn.attack},"
            f" seat {turn.defender} defends with {turn.defence}; played: {played or 'nothing'}."
        )
    return lines


def _cards(seen: FoederatiObservation) -> list[str]:
    turn, names = seen.turn, seen.setup.map.names
    lines = [f"Draw pile: {counted(turn.pile, 'card')}. Discarded: {_named(names(turn.discard_pack))}."]
    if seen.board.reshuffles:
        pool = _named(names(seen.board.pool_pack))
        lines.append(f"The discards were shuffled {counted(seen.board.reshuffles, 'time')}; the pile was then: {pool}.")
        if seen.seat != PUBLIC:
            lines.append(f"Your hand at that moment: {_named(names(seen.kept_pack))}.")
    if seen.seat != PUBLIC:
        lines.append(f"Your hand ({packs.size(seen.hand_pack)}): {_named(seen.hand)}.")
    return lines


def _asked(seen: FoederatiObservation) -> str:
    if seen.asked < 0:
        return "The game is over."
    who = "You are" if seen.asked == seen.seat else f"Seat {seen.asked} is"
    return f"{who} asked: {seen.kind}."


def _named(names: Sequence[str]) -> str:
    """Names in their order, equal ones once with their number."""
    copies: dict[str, int] = {}
    for name in names:
        copies[name] = copies.get(name, 0) + 1
    return ", ".join(name if count == 1 else f"{count} × {name}" for name, count in copies.items()) or "nothing"


def _seats(mask: int) -> str:
    return ", ".join([f"seat {seat}" for seat in seats_of(mask)])
