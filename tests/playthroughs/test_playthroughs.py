"""What seats are sent in whole matches is what was read and kept."""

import pytest

from server.games.registry import GAMES
from tests.playthroughs.files import PLAYTHROUGHS, kept, path


@pytest.mark.parametrize("name", list(PLAYTHROUGHS))
def test_playthrough(name: str) -> None:
    """If the change is meant: `python -m tests.playthroughs`, and read the difference."""
    assert PLAYTHROUGHS[name].text() == path(name).read_text(encoding="utf-8")


def test_every_game_has_one_and_no_text_is_left_over() -> None:
    assert {playthrough.game for playthrough in PLAYTHROUGHS.values()} == set(GAMES)
    assert kept() == set(PLAYTHROUGHS)
