"""The matches that wait for their player: the newest of each game on its card, others in rows."""

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from clocktowers_tui.net.seats import Seat, unfinished


class Waiting(NamedTuple):
    """`on_cards`: by game, on the player's own server. `others`: at other servers, and older."""

    on_cards: Mapping[str, Seat]
    others: Sequence[Seat]

    @property
    def all(self) -> list[Seat]:
        return [*self.on_cards.values(), *self.others]


def waiting(games: Container[str]) -> Waiting:
    """What is on disk, and no other running client plays. `games`: those that have a card."""
    on_cards: dict[str, Seat] = {}
    others = []
    for seat in unfinished():
        if seat.folder and seat.game in games and seat.game not in on_cards:
            on_cards[seat.game] = seat
        else:
            others.append(seat)
    return Waiting(on_cards, others)
