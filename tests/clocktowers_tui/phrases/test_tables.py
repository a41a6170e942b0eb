"""Tables in words."""

from clocktowers_tui.config.settings import Draft
from clocktowers_tui.phrases.tables import bots_in_words

LEVELS = ("random", "easy", "normal")


def test_a_level_that_all_bots_share_is_named_once() -> None:
    same = Draft(levels=("normal",) * 3)
    assert bots_in_words(same, "clocktowers", LEVELS) == "3 bots, normal"
    mixed = Draft(seats=3, levels=("easy", "normal"))
    assert bots_in_words(mixed, "clocktowers", LEVELS) == "2 bots, easy, normal"
    assert bots_in_words(Draft(seats=1), "architetti_attenti", LEVELS) == "alone"
