"""The deal of the day: everybody's is the same, and a match tells whose it is."""

import time

import pytest

from clocktowers_tui.new_table.deals import day_of, days_before, deal_of, today
from protocol.dealing import commitment, daily_seed
from protocol.from_client import BotSeat
from protocol.games.registry import GAMES


def test_a_new_deal_begins_at_midnight_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    gmtime, last_s = time.gmtime, 1_795_478_399
    for now_s, day in ((last_s, "2026-11-23"), (last_s + 1, "2026-11-24")):
        monkeypatch.setattr(time, "gmtime", lambda now_s=now_s: gmtime(now_s))
        assert today() == day


@pytest.mark.parametrize("game", GAMES)
def test_it_is_the_game_and_the_day_alone_that_make_it(game: str) -> None:
    wish, again = deal_of(game, "2026-11-23"), deal_of(game, "2026-11-23")
    assert wish == again and wish.is_kept and not wish.table.hints
    assert wish.table.bots == [BotSeat(1, "hard")]
    assert wish.table.seed != deal_of(game, "2026-11-24").table.seed


def test_a_match_that_waited_still_tells_its_day() -> None:
    sha256 = commitment(daily_seed("clocktowers", "2026-02-28"))
    assert day_of("clocktowers", sha256, "2026-03-02") == "2026-02-28"
    assert day_of("architetti_attenti", sha256, "2026-03-02") == "", "of another game"
    assert day_of("clocktowers", sha256, "2026-02-27") == "", "of tomorrow"
    assert days_before("2026-03-01", 1) == "2026-02-28"
