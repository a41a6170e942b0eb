"""However little room there is, the player's own name says whose it is."""

import pytest

from clocktowers_tui.games.nameplate import nameplate
from clocktowers_tui.games.registry import FACES
from tests.stage.golden_boards import Goldens
from tests.stage.own_files import of_every_game

OF: dict[str, Goldens] = dict(zip(FACES, of_every_game("goldens", "GOLDENS"), strict=True))


@pytest.mark.parametrize(
    ("width", "own", "shown"),
    [
        (20, True, "Maximilian (you)"),
        (16, True, "Maximilian (you)"),
        (15, True, "Maximili… (you)"),
        (11, True, "Maxi… (you)"),
        (7, True, "… (you)"),
        (6, True, " (you)"),
        (4, True, " (yo"),
        (11, False, "Maximilian"),
        (9, False, "Maximili…"),
    ],
)
def test_the_name_is_cut_and_not_what_says_that_it_is_one_s_own(
    width: int, own: bool, shown: str
) -> None:
    assert nameplate("Maximilian", width, "…", own=own) == shown


def test_wide_characters_are_never_cut_in_two() -> None:
    assert nameplate("漢字漢字", 11, "…", own=True) == "漢字… (you)"
    assert nameplate("漢字漢字", 10, "…", own=True) == "漢… (you)"


@pytest.mark.parametrize("game", OF)
def test_every_game_says_so_on_the_smallest_board(game: str) -> None:
    whose = "►You" if game == "architetti_attenti" else "… (you)"
    assert whose in OF[game].kept("hostile-names-60x20")
