"""Deals that many play, as a player sees them: that of the day, counted once, shown, copied,
practised; and one deal at several tables."""

import signal
import time
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.history import history_file, matches
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.wishes import Visit
from clocktowers_tui.new_table import deal_of
from clocktowers_tui.phrases.tables import place_of
from clocktowers_tui.state import store
from protocol.dealing import commitment, daily_seed
from protocol.from_client import BotSeat, CreateTable, ListTables
from protocol.from_server import Done, Ended, RankedTable, Ranking
from server.games.clocktowers.bots import BOTS
from server.net.listener import Address as Place
from tests.clocktowers_tui.deeds.test_keeping import kept, to_the_end
from tests.clocktowers_tui.history.test_matches import packed, played
from tests.clocktowers_tui.screens.test_table_form import tab_to
from tests.games.clocktowers.boards import board
from tests.scenarios.test_restarts import Fortress, back, falls
from tests.stage import small_match
from tests.stage.action_scenes import playing as in_match
from tests.stage.house import START, dial
from tests.stage.pilot import playing, press, seen, sees, until

# The deal of the day ------------------------------------------------------------------------------


GAME = "clocktowers"
DAY = "2026-11-24"
"""On which the player begins."""
DEAL = deal_of(GAME, DAY)
AGAIN = "this is practice"


@pytest.fixture(autouse=True)
def day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which day it is, and bots that do not think."""
    clock = Mock(gmtime=time.gmtime, strftime=lambda _form, _now: DAY)
    monkeypatch.setattr("clocktowers_tui.new_table.time", clock)
    for level in ("normal", "hard"):
        monkeypatch.setitem(BOTS, level, BOTS["random"])


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setenv("TERM", "xterm-kitty")
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.setattr(ClocktowersApp, "copy_to_clipboard", lambda _app, text: found.append(text))
    return found


def played_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot plays the seat, for speed, and the client holds that for the player's doing, whatever
    the record says."""
    monkeypatch.setattr(store, "handed_over", lambda _state: False)
    monkeypatch.setattr(matches, "plies_of", lambda _line: [])


def keep_today() -> None:
    matches.keep("m1", packed(played("m1")), 0, 1000, matches.Known(turns=30), day=DAY)


async def test_the_first_finished_try_counts_and_a_rematch_is_practice(
    address: Address, monkeypatch: pytest.MonkeyPatch, copied: list[str]
) -> None:
    played_by_hand(monkeypatch)
    async with playing(DEAL, at=address, shows="your first try counts") as player:
        await to_the_end(player)
        await sees(player, "against hard", "1 day in a row", "c Copy")
        (one,) = matches.newest_first()
        assert one.day == DAY and one.turns
        await press(player, "c", shows="Copied")
        (text,) = copied
        assert len(text.splitlines()) == 1 and text.partition(". ")[0] in seen(player[0])
        await press(player, "r", shows=AGAIN)
        await press(player, "1")  # which takes the sentence away
        await sees(player, "Practice, does not count")
        await to_the_end(player)
        await sees(player, "This was practice", "Wins at this table:")
        assert [one.day for one in matches.newest_first()] == ["", DAY]
        await press(player, "c")
        assert len(copied) == 1


async def test_a_try_that_was_left_was_the_first(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    played_by_hand(monkeypatch)
    async with playing(DEAL, at=address) as player:
        await sees(player, "your first try counts")
    async with playing(DEAL, at=address, shows=AGAIN) as player:
        await to_the_end(player)
        await kept()
        assert [one.day for one in matches.newest_first()] == [""]


async def test_what_a_bot_finished_does_not_count(address: Address) -> None:
    async with playing(DEAL, at=address) as player:
        await to_the_end(player)
        await kept()
        await sees(player, "A bot finished this match for you")
        assert [one.day for one in matches.newest_first()] == [""]


async def test_the_menu_leads_to_it_and_then_shows_its_result(copied: list[str]) -> None:
    async with playing() as player:
        await press(player, "d", shows="Your first try counts; each later one is practice.")
        await press(player, "escape", shows="Set up a match")
        await press(player, "d", shows="Play it now")
        await press(player, "enter", shows="your first try counts")
        match = player[0].state.match
        assert match is not None
        assert match.sha256 == commitment(daily_seed(GAME, DAY))
        await press(player, "q", "down", "enter", shows=("Deal of the day", "Continue: turn 1"))
        assert player[0].settings.drafts == {}, "the next match is as easy as before"
        keep_today()
        await press(player, "d", shows=("Deal of the day: done", "1 day in a row"))
        await press(player, "enter")
        await until(player[1], lambda: bool(copied))
        assert len(copied) == 1 and len(copied[0].splitlines()) == 3


async def test_a_file_that_cannot_be_read_costs_no_match() -> None:
    keep_today()
    history_file().write_bytes(b"this is no database " * 500)
    async with playing() as player:
        await press(player, "d", shows="Play it now")
        await press(player, "enter", shows=("Your turn", "this deal will not count"))
        assert player[0].state.match is not None


# One deal at several tables: in the list, at the table, in the result -----------------------------


def said(place: int, one: RankedTable) -> str:
    total = sum(one.points)
    points = "1 point" if total == 1 else f"{total} points"
    return f"{place}. {one.table}  {points}  {one.names[0]} {one.scores[0]}"


async def test_a_table_of_the_same_deal_and_the_ranking_at_the_end(address: Address) -> None:
    ben = await dial(Place(address.host, address.port))
    await ben.come("Ben")
    code = await ben.create(seats=2, bots="random", duplicate="")
    await ben.done(START)
    async with playing(Visit(address), at=address) as player:
        app = player[0]
        await sees(player, code)
        await press(player, "end", shows="Deal A: 1 table. d: open")
        await press(player, "d", shows=("Deal A: 2 tables", "Start the match"))
        assert isinstance(await app.journey.request(START), Done)
        await to_the_end(player)
        await sees(player, "1 of 2 tables still plays this deal; the ranking comes then.")
        await press(player, "end", shows="The shuffle is checked when all tables are done.")
        assert matches.newest_first() == [] and "Review" not in seen(app)
        await press(player, "v", "r")  # there is no record yet
        await sees(player, "Other tables still play this deal")
        await press(player, "q")  # on the board
        await sees(player, "you miss the ranking")
        await press(player, "enter", "R", shows="still plays this deal; the ranking")
        await press(player, "q")  # on the result, to which the player comes back
        await sees(player, "you miss the ranking")
        await press(player, "enter", shows="still plays this deal; the ranking")
        assert isinstance(await ben.play(Random(1)), Ended)
        first, second = (await ben.until(Ranking)).tables
        await sees(
            player,
            "Deal A, all tables:",
            said(1, first),
            f"{second.table}  not ranked: a bot played for somebody",
        )
        await until(player[1], lambda: len(matches.newest_first()) == 1)
        await sees(player, "v Review")
        match = app.state.match
        assert match is not None and commitment(bytes.fromhex(match.seed)) == match.sha256
        await press(player, "escape", "R", shows="Deal A, all tables:")
        await press(player, "end", shows="The shuffle was fair: this program has checked it.")
    await ben.close()


async def test_who_leaves_before_the_ranking_gets_the_record_the_next_time(
    tmp_path: Path, port: int
) -> None:
    """Also where the server fell meanwhile; and nothing as long as others play."""
    fortress, bot = Fortress(tmp_path / "server", port), [BotSeat(1, "random")]
    async with fortress.stands() as server:
        address = Address("127.0.0.1", server.port)
        ben = await server.peer("Ben")
        code = await ben.create(seats=2, bots="random", duplicate="")
        await ben.done(START)
        table = CreateTable(id=0, game="clocktowers", seats=2, bots=bot, duplicate=code)
        async with playing(Visit(address), at=address) as player:
            app = player[0]
            for wish in (table, START):
                assert isinstance(await app.journey.request(wish), Done)
            await to_the_end(player)
            await sees(player, "1 of 2 tables still plays this deal")
            await until(player[1], lambda: bool(matches.owed_by(str(address))))
            await press(player, "q", shows="your record comes later")
        await falls(server, signal.SIGKILL)
    async with fortress.stands() as server:
        async with playing(Visit(address), at=address, shows="New table") as player:
            await player[0].journey.request(ListTables(id=0))
            assert matches.newest_first() == []
        again = await back(server, ben)
        assert isinstance(await again.play(Random(1)), Ended)
        await again.until(Ranking)
        async with playing(Visit(address), at=address) as player:
            await sees(player, "A match that had ended is now in Your matches.")
            (one,) = matches.newest_first()
            assert (one.me, one.played_for, one.head.seats[0].name) == (0, True, "Ann")
            await until(player[1], lambda: not matches.owed_by(str(address)))
        await falls(server, signal.SIGTERM)


def test_tables_with_as_many_points_share_a_place() -> None:
    points = ([3, 1], [2, 2], [1, 0])
    tables = [RankedTable(table="T", names=[], scores=[], points=one) for one in points]
    assert [place_of(one, tables) for one in tables] == [1, 1, 3]


async def test_the_form_asks_for_it(address: Address) -> None:
    async with playing(Visit(address), at=address, shows="New table") as player:
        await press(player, "n")
        await tab_to(player, "more")
        await press(player, "space")
        await tab_to(player, "shared")
        await press(player, "space", shows="Other tables play the same deal")
        await press(player, "enter", shows="Deal A: 1 table")
        table = player[0].state.table
        assert table is not None and table.info.deal == "A"


async def test_a_ranking_that_comes_before_the_match_is_kept() -> None:
    """As after a return: the match itself takes its time."""
    async with playing() as player:
        app = player[0]
        ranking = Ranking(match="m1", deal="B", seed=small_match.SEED, tables=[])
        app.store.change(in_match("clocktowers", board(2)))
        app.store.hear(ranking)
        app.store.hear(replace(small_match.ended(), seed=""))
        assert app.state.match is not None and app.state.match.seed == small_match.SEED
        assert app.state.match.proven
