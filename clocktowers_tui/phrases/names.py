"""The names of the players of a match."""

from clocktowers_tui.phrases.tables import seat_name
from clocktowers_tui.state.match import Match


def names_of(match: Match) -> list[str]:
    """By seat; a number where a seat has no name."""
    seats = max(1, len(match.names))
    return [seat_name(match.names, seat) for seat in range(seats)]
