"""The seats that are offered to one bot and not yet taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rivalry_server.lobby import Vacancy


class Offers:
    """Open offers by number; a number is used once."""

    def __init__(self) -> None:
        self._open: dict[int, Vacancy] = {}
        self._made = 0
        self._withdrawn = 0
        """Those that were withdrawn and may still be replied to."""

    def __len__(self) -> int:
        """How many are open."""
        return len(self._open)

    def made(self, vacancy: Vacancy) -> bytes:
        """Offers a seat; returns the offer as a piece of a frame."""
        self._made += 1
        self._open[self._made] = vacancy
        vacancy.offered_as = self._made
        return vacancy.offer(self._made)

    def withdrawn(self, vacancy: Vacancy) -> bool:
        """Takes an offer back; False if the seat was not on offer."""
        if self._open.get(vacancy.offered_as) is not vacancy:
            return False
        del self._open[vacancy.offered_as]
        self._withdrawn += 1
        return True

    def lapsed(self, vacancy: Vacancy, number: int) -> bool:
        """Takes back an offer that was made long ago; False if it is not open any more."""
        return self._open.get(number) is vacancy and self.withdrawn(vacancy)

    def replied(self, number: int) -> Vacancy | None:
        """The seat that a reply is about; None where that offer is not open."""
        return self._open.pop(number, None)

    def crossed(self, number: int) -> bool:
        """True if a reply was most likely under way when its offer was withdrawn; counts it."""
        if not self._withdrawn or not 0 < number <= self._made:
            return False
        self._withdrawn -= 1
        return True

    def left(self, text: str) -> None:
        """Notes at each open seat why the bot did not take it."""
        for vacancy in self._open.values():
            vacancy.trouble = text

    def given_back(self) -> list[Vacancy]:
        """All that were open, which they are no more."""
        offers, self._open = list(self._open.values()), {}
        return offers
