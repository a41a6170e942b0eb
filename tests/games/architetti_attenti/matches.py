"""Real matches of Architetti Attenti to look at."""

from typing import Final

from protocol.games.architetti_attenti import Options, Outcome, View
from server.games.registry import GAMES
from tests.stage import real_matches

RULES: Final = GAMES["architetti_attenti"].rules


class TownMatch(real_matches.RealMatch):
    def __init__(self, seats: int, options: Options, seed: int, seat: int | None = 0) -> None:
        super().__init__("architetti_attenti", seats, options, seed, seat)

    def view(self) -> View:
        view: View = super().view()
        return view

    def outcome(self) -> Outcome:
        """After the end."""
        outcome: Outcome | None = RULES.outcome(self.state)
        assert outcome is not None
        return outcome


def played(seats: int, options: Options, seed: int, seat: int | None = 0) -> TownMatch:
    """A match at its end."""
    match = TownMatch(seats, options, seed, seat)
    while not match.over():
        match.play_one()
    return match
