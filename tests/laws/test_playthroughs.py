"""What seats are sent in a whole match of each game is what was read and kept."""

import pytest

from server.games.registry import GAMES
from tests.playthroughs import path, playthrough


@pytest.mark.parametrize("game", list(GAMES))
def test_what_seats_are_sent_in_a_whole_match(game: str) -> None:
    """If the change is meant: `python -m tests.playthroughs`, and read the difference."""
    assert playthrough(game).text() == path(game).read_text(encoding="utf-8")
