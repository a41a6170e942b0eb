"""Real matches of Clocktowers to look at."""

from collections.abc import Iterator
from typing import Final

from protocol.games.clocktowers import Options, View
from server.games.registry import GAMES
from tests.stage import real_matches

RULES: Final = GAMES["clocktowers"].rules


class TowerMatch(real_matches.RealMatch):
    def __init__(self, seats: int, options: Options, seed: int, seat: int | None = 0) -> None:
        super().__init__("clocktowers", seats, options, seed, seat)

    def view(self) -> View:
        view: View = super().view()
        return view


def some_views(seats: int, options: Options, seed: int, seat: int | None = 0) -> Iterator[View]:
    """The views of one seat before every action of a random match, and at its end."""
    match = TowerMatch(seats, options, seed, seat)
    while not match.over():
        yield match.view()
        match.play_one()
    yield match.view()
