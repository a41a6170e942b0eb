"""The deal of the day in the real app at a real server: counted once, shown, copied, practised."""

import time

import pytest

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.history import matches
from clocktowers_tui.history.file import history_file
from clocktowers_tui.net.address import Address
from clocktowers_tui.new_table.deals import deal_of, today
from protocol.dealing import commitment, daily_seed
from tests.clocktowers_tui.doing.test_keeping import kept, to_the_end
from tests.clocktowers_tui.history.test_matches import packed, played
from tests.stage.house import eventually
from tests.stage.pilot import playing, press, seen, sees

GAME = "clocktowers"
AGAIN = "this is practice"
DAY_S = 1_795_521_600
"""On 24 November 2026 the player begins; what is asked here is not seen where a bot does."""


@pytest.fixture(autouse=True)
def day(monkeypatch: pytest.MonkeyPatch) -> None:
    gmtime = time.gmtime
    monkeypatch.setattr(time, "gmtime", lambda *at_s: gmtime(*(at_s or [DAY_S])))


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr(ClocktowersApp, "copy_to_clipboard", lambda _app, text: found.append(text))
    return found


def played_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot plays the seat, for speed, and the client holds that for the player's doing, whatever
    the record says."""
    from clocktowers_tui.state import store

    monkeypatch.setattr(store, "handed_over", lambda _state: False)
    monkeypatch.setattr(matches, "plies_of", lambda _line: [])


def keep_today(match: str = "m1") -> None:
    matches.keep(match, packed(played(match)), 0, 1000, day=today(), turns=30)


async def test_the_first_finished_try_counts_and_a_rematch_is_practice(
    address: Address, monkeypatch: pytest.MonkeyPatch, copied: list[str]
) -> None:
    played_by_hand(monkeypatch)
    async with playing(deal_of(GAME, today()), at=address) as player:
        await sees(player, "your first try counts")
        await to_the_end(player)
        await sees(player, "against hard", "1 day in a row", "c Copy")
        (one,) = matches.newest_first()
        assert one.day == today() and one.turns
        await press(player, "c")
        await sees(player, "Copied")
        (text,) = copied
        assert len(text.splitlines()) == 3 and text.splitlines()[0] in seen(player[0])
        await press(player, "r")
        await sees(player, AGAIN)
        await press(player, "1")  # which takes the sentence away
        await sees(player, "Practice, does not count")
        await to_the_end(player)
        await sees(player, "This was practice", "Wins at this table:")
        assert [one.day for one in matches.newest_first()] == ["", today()]
        await press(player, "c")
        assert len(copied) == 1


async def test_a_try_that_was_left_was_the_first(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    played_by_hand(monkeypatch)
    async with playing(deal_of(GAME, today()), at=address) as player:
        await sees(player, "your first try counts")
    async with playing(deal_of(GAME, today()), at=address) as player:
        await sees(player, AGAIN)
        await to_the_end(player)
        await kept()
        assert [one.day for one in matches.newest_first()] == [""]


async def test_what_a_bot_finished_does_not_count(address: Address) -> None:
    async with playing(deal_of(GAME, today()), at=address) as player:
        await to_the_end(player)
        await kept()
        await sees(player, "A bot finished this match for you")
        assert [one.day for one in matches.newest_first()] == [""]


async def test_the_menu_leads_to_it_and_then_shows_its_result(copied: list[str]) -> None:
    async with playing() as player:
        await press(player, "d")
        await sees(player, "Your first try counts; each later one is practice.")
        await press(player, "escape")
        await sees(player, "Set up a match")
        await press(player, "d")
        await sees(player, "Play it now")
        await press(player, "enter")
        await sees(player, "your first try counts")
        match = player[0].state.match
        assert match is not None
        assert match.sha256 == commitment(daily_seed(GAME, today()))
        await press(player, "q", "down", "enter")
        await sees(player, "Deal of the day", "Continue: turn 1")
        assert player[0].settings.drafts == {}, "the next match is as easy as before"
        keep_today()
        await press(player, "d")
        await sees(player, "Deal of the day: done", "1 day in a row")
        await press(player, "enter")
        await eventually(lambda: bool(copied))
        assert len(copied) == 1 and len(copied[0].splitlines()) == 3


async def test_a_file_that_cannot_be_read_costs_no_match() -> None:
    keep_today()
    history_file().write_bytes(b"this is no database " * 500)
    async with playing() as player:
        await press(player, "d")
        await sees(player, "Play it now")
        await press(player, "enter")
        await sees(player, "Your turn", "this deal will not count")
        assert player[0].state.match is not None


async def test_it_is_told_as_practice_when_it_was_counted(address: Address) -> None:
    keep_today()
    async with playing(deal_of(GAME, today()), at=address) as player:
        await sees(player, AGAIN)
