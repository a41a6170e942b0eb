"""What was filled in becomes a table to ask for; the deal of the day, and of a first practice."""

import time

import pytest
from msgspec.structs import replace

from clocktowers_tui.config.settings import Draft, Settings, filled_in
from clocktowers_tui.games.lesson import seed_of
from clocktowers_tui.games.registry import FACES, LESSONS
from clocktowers_tui.new_table import (
    OWN,
    begun,
    day_of,
    days_before,
    deal_of,
    drafted,
    practised,
    preset_of,
    preset_values,
    today,
)
from protocol.dealing import commitment, daily_seed
from protocol.from_client import BotSeat, CreateTable
from protocol.games import Switch
from protocol.games.wild_wild_pattern import Options
from protocol.games.wild_wild_pattern.bank import plays
from server.games.registry import GAMES
from tests.stage.small_match import bot_table

FACE = FACES["clocktowers"]
LEVELS = ("random", "easy", "normal")
SOLO = Draft(levels=("normal",) * 3)


def asked(draft: Draft, *, solo: bool = False) -> CreateTable:
    return drafted(draft, FACE, LEVELS, solo=solo)


def test_a_preset_is_sent_by_its_name_and_own_rules_as_changes_of_the_standard_ones() -> None:
    table = asked(Draft(preset="russian", options={"turn_order": "draw-play"}))
    assert (table.preset, table.options) == ("russian", {})
    options = {**preset_values(FACE, "italian"), "ladder": "own"}
    table = asked(Draft(preset=OWN, options=options))
    assert table.preset == "standard"
    assert table.options == {"first_heights": [2], "ladder": "own"}


def test_the_wished_preset_is_shown_where_two_are_the_same_or_differ_in_hurry_alone() -> None:
    options = preset_values(FACE, "dutch")
    assert preset_of(options, FACE, "dutch") == "dutch"
    assert preset_of(options, FACE, OWN) == "standard"
    assert preset_of({**options, "first_seat": 1}, FACE, "dutch") == OWN
    face = FACES["wild_wild_pattern"]
    options = preset_values(face, "standard")
    assert preset_of({**options, "choice_limit": "off"}, face, "standard") == "standard"
    assert preset_of({**options, "five_colours": "pay"}, face, "standard") == OWN
    table = drafted(Draft(options={"choice_limit": "off"}), face, LEVELS, solo=True)
    assert (table.preset, table.options) == ("standard", {"choice_limit": "off"})


def test_a_further_bot_is_as_strong_as_the_last_one() -> None:
    alone = asked(Draft(seats=3, levels=("easy",)), solo=True)
    assert [bot.level for bot in alone.bots] == ["easy", "easy"]
    friends = asked(Draft(seats=3, levels=("easy",)))
    assert [bot.level for bot in friends.bots] == ["easy"], "a seat for a person"


@pytest.mark.parametrize(
    "draft",
    [
        Draft(seats=99, levels=("godlike",) * 9),
        Draft(preset="martian", options={"ladder": 3, "gravity": "low"}),
        Draft(seats=2, levels=("easy",), options={"first_seat": 3}),
    ],
)
def test_what_nobody_has_any_more_is_passed_over(draft: Draft) -> None:
    table = asked(draft, solo=True)
    assert table.seats in (2, 3, 4)
    assert len(table.bots) == table.seats - 1
    assert all(bot.level in LEVELS for bot in table.bots)
    assert (table.preset, table.options) == ("standard", {})


def test_seats_are_persons_or_bots() -> None:
    draft = Draft(title="\x1b[2Jfen", seats=3, levels=("", "easy", "easy"))
    assert asked(draft).bots == [BotSeat(2, "easy")]
    assert asked(draft).title == "[2Jfen"
    assert asked(draft, solo=True).bots == [BotSeat(1, "normal"), BotSeat(2, "easy")]
    assert asked(draft, solo=True).title == ""


def test_alone_and_where_all_play_at_once_there_is_no_clock() -> None:
    face = FACES["architetti_attenti"]
    draft = Draft(seats=1, clock="30")
    assert drafted(draft, face, LEVELS, solo=False).clock is None
    assert drafted(replace(draft, seats=2), face, LEVELS, solo=False).clock is not None
    alone = drafted(draft, face, LEVELS, solo=True)
    assert (alone.game, alone.seats, alone.bots) == ("architetti_attenti", 1, [])
    for face in FACES.values():
        asked = drafted(replace(draft, seats=2), face, LEVELS, solo=False)
        assert (asked.clock is None) == (face.game == "wild_wild_pattern")


def test_hints_are_for_everybody_where_the_draft_says_so() -> None:
    """Alone, and in a race, the draft has no say."""
    asked = Draft(seats=2, hints=True)
    assert drafted(asked, FACE, LEVELS, solo=False).hints is True
    assert drafted(replace(asked, hints=False), FACE, LEVELS, solo=False).hints is None
    assert drafted(asked, FACE, LEVELS, solo=True).hints is None
    assert drafted(asked, FACES["wild_wild_pattern"], LEVELS, solo=False).hints is None


def test_a_table_for_friends_leaves_the_first_match_against_a_learner() -> None:
    new = begun(Settings(), FACE, solo=True)
    hosted = filled_in(Settings(), FACE.game, Draft(seats=3, levels=("hard",) * 2), solo=False)
    assert begun(hosted, FACE, solo=True) == new == Draft(seats=2, levels=("learner",))
    assert begun(filled_in(hosted, FACE.game, SOLO, solo=True), FACE, solo=True) == SOLO


# The deal of the day ------------------------------------------------------------------------------


def test_a_new_deal_begins_at_midnight_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    gmtime, last_s = time.gmtime, 1_795_478_399
    for now_s, day in ((last_s, "2026-11-23"), (last_s + 1, "2026-11-24")):
        monkeypatch.setattr(time, "gmtime", lambda now_s=now_s: gmtime(now_s))
        assert today() == day


@pytest.mark.parametrize("game", GAMES)
def test_it_is_the_game_and_the_day_alone_that_make_it(game: str) -> None:
    wish, again = deal_of(game, "2026-11-23"), deal_of(game, "2026-11-23")
    assert wish == again and not wish.table.hints
    assert wish.table.bots == [BotSeat(1, "hard")]
    assert wish.table.seed != deal_of(game, "2026-11-24").table.seed


def test_a_match_that_waited_still_tells_its_day() -> None:
    sha256 = commitment(daily_seed("clocktowers", "2026-02-28"))
    assert day_of("clocktowers", sha256, "2026-03-02") == "2026-02-28"
    assert day_of("architetti_attenti", sha256, "2026-03-02") == "", "of another game"
    assert day_of("clocktowers", sha256, "2026-02-27") == "", "of tomorrow"
    assert days_before("2026-03-01", 1) == "2026-02-28"


# A first practice ---------------------------------------------------------------------------------


GAME = "wild_wild_pattern"


def test_only_a_first_practice_has_a_chosen_deal_whose_first_card_makes_a_pattern() -> None:
    table = bot_table(0, "learner", "practice", game=GAME)
    first, kept = practised(Settings(), table)
    number = LESSONS[GAME].practice
    assert number is not None and first.seed == seed_of(number)
    assert practised(kept, table) == (table, kept) and table.seed is None
    state = GAMES[GAME].rules.setup(Options(practice=Switch.ON), 1, seed_of(number))
    found = [*plays(state.wheel, state.hand[0], in_pair=True)]
    assert {play.place for play in found} == set(range(8))
    assert sum(len(play.pairs.anchors) >= 3 for play in found) >= 4
