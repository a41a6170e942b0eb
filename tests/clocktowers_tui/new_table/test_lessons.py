"""A first practice has the deal that the lesson names; every other one is dealt by chance."""

from clocktowers_tui.config.settings import Settings
from clocktowers_tui.games.lesson import seed_of
from clocktowers_tui.games.registry import LESSONS
from clocktowers_tui.new_table.drafts import bot_table
from clocktowers_tui.new_table.lessons import practised
from protocol.games.wild_wild_pattern import Options, Practice
from protocol.games.wild_wild_pattern.verdict import plays
from server.games.registry import GAMES

GAME = "wild_wild_pattern"


def test_only_a_first_practice_has_a_chosen_deal() -> None:
    table = bot_table(0, "learner", "practice", game=GAME)
    first, kept = practised(Settings(), table)
    number = LESSONS[GAME].practice
    assert number is not None and first.seed == seed_of(number)
    assert practised(kept, table) == (table, kept) and table.seed is None


def test_its_first_card_makes_a_pattern_wherever_it_lies() -> None:
    number = LESSONS[GAME].practice
    assert number is not None
    state = GAMES[GAME].rules.setup(Options(practice=Practice.ON), 1, seed_of(number))
    found = [*plays(state.wheel, state.hand[0], in_pair=True)]
    assert {play.place for play in found} == set(range(8))
    assert sum(len(play.pairs.anchors) >= 3 for play in found) >= 4
