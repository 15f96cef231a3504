"""An observation as text, from which a person or a language model can play, in the words of its edition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from rivalry_engine.counting import counted
from rivalry_engine.ethnos.data import COLOURS, GIANTS, MERFOLK, ORCS, TROLL_TOKENS, TROLLS
from rivalry_engine.game import PUBLIC

if TYPE_CHECKING:
    from rivalry_engine.ethnos.edition import Card
    from rivalry_engine.ethnos.sight import BandView, EthnosObservation, SeatView

ROMAN: Final = ("", "I", "II", "III")


def text(seen: EthnosObservation) -> str:
    """All that ``seen`` holds, some thirty lines."""
    words = seen.setup.edition.words
    lines = [*_head(seen), "", *_kingdoms(seen)]
    lines += ["", f"{_capital(words.row)}: {_named(seen.board.row)}"]
    if seen.seat != PUBLIC:
        lines.append(f"Your hand ({len(seen.hand)}): {_named(seen.hand)}")
    lines.append("")
    for seat in seen.seats:
        lines += _seat(seen, seat)
    lines += ["", *_tokens(seen), _asked(seen)]
    return "\n".join(lines)


def _head(seen: EthnosObservation) -> list[str]:
    setup, board = seen.setup, seen.board
    who = "You watch." if seen.seat == PUBLIC else f"You are seat {seen.seat}."
    words = setup.edition.words
    dragons = f"{board.dragons} of {setup.figures.dragons_to_end} dragons are out"
    deck = f"the deck has {counted(board.deck, 'card')}, dragons included"
    if board.safe:
        deck += f", with no dragon among the top {board.safe}"
    lines = [
        f"Ethnos, {setup.edition.name} edition, {setup.seats} seats. Age {ROMAN[board.age]} of {ROMAN[setup.ages]}:"
        f" {dragons}; {deck}. Seat {board.first} began the Age. {who}",
        f"{_capital(words.tribe)}s in play: {', '.join(setup.tribes)}.",
    ]
    if board.drawer >= 0:
        lines.append(f"Seat {board.drawer} has drawn the last dragon of the Age.")
    return lines


def _kingdoms(seen: EthnosObservation) -> list[str]:
    setup, board = seen.setup, seen.board
    edition, words = setup.edition, setup.edition.words
    lines = [f"{_capital(words.kingdom)}s: {words.glory} by place and Age, lowest first; markers by seat"]
    for colour in COLOURS:
        name, own = edition.kingdoms[colour], edition.colour_words[colour]
        told = name if name == own else f"{name} ({own})"
        tokens = " ".join(map(str, setup.tokens_by_colour[colour - 1]))
        markers = [(seat.seat, seat.markers_by_colour[colour - 1]) for seat in seen.seats]
        held = ", ".join([f"seat {seat}: {count}" for seat, count in markers if count]) or "no marker"
        line = f"  {told}: {tokens}; {held}"
        if board.extra.coins:
            coins = board.extra.coins[colour - 1]
            line += f"; coins {' '.join(map(str, coins))}" if coins else ""
        lines.append(line)
    return lines


def _seat(seen: EthnosObservation, seat: SeatView) -> list[str]:
    setup = seen.setup
    words, tribes = setup.edition.words, setup.tribe_numbers
    you = " (you)" if seat.seat == seen.seat else ""
    facts = [f"{words.glory} {seat.glory}", f"{counted(seat.hand_size, 'card')} in hand"]
    if seat.known_pack:
        facts[-1] += f", known to all: {_named(seat.known)}"
    facts.append(f"{counted(seat.supply, 'marker')} left")
    if MERFOLK in tribes:
        facts.append(f"{words.merfolk_board}: space {seat.merfolk} of {setup.edition.merfolk_last}")
    if ORCS in tribes:
        facts.append(f"{words.orc_board}: {', '.join(seat.horde) or 'empty'}")
    if TROLLS in tribes:
        facts.append(f"{words.troll_token}s: {', '.join(map(str, seat.trolls)) or 'none'}")
    lines = [f"seat {seat.seat}{you}: {'; '.join(facts)}"]
    lines += [f"  {words.band} {number}: {_band(band)}" for number, band in enumerate(seat.bands)]
    return lines


def _band(band: BandView) -> str:
    return f"{band.size} under {band.leader.name}: {_named(band.cards)}"


def _tokens(seen: EthnosObservation) -> list[str]:
    setup, board = seen.setup, seen.board
    words, tribes = setup.edition.words, setup.tribe_numbers
    lines = []
    if GIANTS in tribes:
        holder = f"seat {board.giant}" if board.giant >= 0 else "nobody"
        which = f", on its {words.band} {board.extra.giant_band}" if board.extra.giant_band >= 0 else ""
        lines.append(f"{words.giant_token}: {holder}{which}")
    if TROLLS in tribes:
        held = {value for seat in seen.seats for value in seat.trolls}
        free = [str(value) for value in TROLL_TOKENS if value not in held]
        lines.append(f"Free {words.troll_token}s: {', '.join(free) or 'none'}")
    if MERFOLK in tribes:
        symbols = ", ".join(map(str, setup.figures.merfolk_symbols))
        awards = " ".join(map(str, setup.figures.merfolk_awards))
        lines.append(f"{words.merfolk_board}: free markers on {symbols}; pays {awards} by place and Age")
    if board.extra.coins:
        lines.append(f"Coins in the supply: {' '.join(map(str, board.coins_in_supply)) or 'none'}")
    if board.extra.given:
        given = ", ".join([f"seat {seat}'s {words.band} {number}" for seat, number in board.extra.given])
        lines.append(f"Not to be received in this turn: {given}")
    return lines


def _asked(seen: EthnosObservation) -> str:
    movers = seen.movers
    if not movers:
        return "The game is over."
    if movers == (seen.seat,):
        who = "You are asked"
    else:
        named = [f"seat {seat}" + (" (you)" if seat == seen.seat else "") for seat in movers]
        who = f"{_capital(_and(named))} {'are' if len(named) > 1 else 'is'} asked"
    told = f"{who}: {seen.kind}"
    band = seen.band
    if band is not None:
        told += f", about the {seen.setup.edition.words.band} of {_band(band)}"
    if seen.bonus:
        told += f"; {seen.bonus} such question{'s' if seen.bonus > 1 else ''}, this one included"
    return f"{told}."


def _named(cards: Sequence[Card]) -> str:
    """Cards in their order, equal ones once with their number."""
    counted: dict[str, int] = {}
    for card in cards:
        counted[card.name] = counted.get(card.name, 0) + 1
    return ", ".join([name if count == 1 else f"{count} × {name}" for name, count in counted.items()]) or "none"


def _and(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
