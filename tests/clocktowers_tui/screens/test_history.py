"""The player's finished matches: listed, seen again, written to a file, deleted; and reviewed: what
each decision was worth, the way to the mistakes, the page."""

import asyncio
import re
import signal
import zlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit
from typing import Any
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from clocktowers_tui.deeds import finished
from clocktowers_tui.games.board import Board
from clocktowers_tui.history import ExportForm, history_file, matches, review
from clocktowers_tui.history.record import comments_of
from clocktowers_tui.net.records import Reviewer
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.screens.history import HistoryScreen
from clocktowers_tui.state.store import heard
from clocktowers_tui.widgets.menu import Menu
from clocktowers_tui.widgets.panel import Picture
from protocol.recording import Finding
from protocol.table import DAY_S
from tests.clocktowers_tui.history.test_matches import packed, played
from tests.clocktowers_tui.net.test_programs import gone
from tests.clocktowers_tui.screens.test_replay import at
from tests.games.clocktowers.stages import match
from tests.stage import small_match
from tests.stage.house import eventually
from tests.stage.pilot import SMALL, Playing, playing, press, seen, sees, until
from tests.stage.processes import needs_proc
from tests.stage.reviewed import planted
from tests.stage.seen_again import record, see

RECORD = ("end", "up")
"""Where it stands among the answers."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that files are written to; the terminal takes a copy."""
    (folder := tmp_path / "here").mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("TERM", "xterm-kitty")
    monkeypatch.delenv("TMUX", raising=False)
    return folder


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


@asynccontextmanager
async def at_the_list(record: Mapping[str, Any] | None = None) -> AsyncIterator[Playing]:
    """The list with this match in it, as m1."""
    if record:
        matches.keep("m1", packed(record), 0, 1000)
    async with playing() as player:
        player[0].push_screen(HistoryScreen(player[0]))
        await sees(player, "Bot 1" if record else "Your matches")
        yield player


async def test_the_menu_leads_there_once_a_match_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """One reading of them serves all cards."""
    async with playing(shows="Quit") as player:
        assert "Your matches" not in seen(player[0])
    matches.keep("m1", packed(played("m1")), 0, 1000)
    monkeypatch.setattr(matches, "newest_first", read := Mock(wraps=matches.newest_first))
    async with playing(shows="Your matches") as player:
        assert read.call_count == 1
        await press(player, "y")
        await sees(player, "Bot 1 ", "Bot 2: ", "; 2 bots, random", "Clocktowers", "x Share")
        await press(player, "enter", shows=("Replay: move 0 of", "as Bot 1 saw it"))
        await press(player, "escape", "escape", shows="Set up a match")


async def open_at(player: Playing, row: str) -> Menu:
    """The list from the menu, once it is there and begins at this row."""
    await sees(player, "Set up a match", "Your matches")
    await press(player, "y", shows="x Share")
    menu = player[0].screen.query_one(Menu)
    await until(player[1], lambda: menu.at == row)
    return menu


async def test_the_list_begins_where_one_left_it() -> None:
    for n, game in enumerate(("clocktowers", "architetti_attenti", "clocktowers")):
        matches.keep(f"m{n}", packed(played(f"m{n}", game)), 0, 1000 + n)
    async with playing() as player:
        await open_at(player, "0")
        await press(player, "down", "escape", shows="Set up a match")
        matches.delete("m2")  # the one before it
        menu = await open_at(player, "0")
        assert menu.option_count == 2
        await press(player, "down", "escape")
        await open_at(player, "1")


async def test_it_is_a_table_with_what_the_games_come_to_and_is_searched_as_one_types(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("time.time", lambda: 1000 + 2 * DAY_S)
    seats = [{"name": "Ann", "kind": "human"}, {"name": "Wren", "kind": "bot", "level": "easy"}]
    for n, (game, mine, other) in enumerate(
        [("clocktowers", 9, 7), ("clocktowers", 3, 8), ("architetti_attenti", 30, 30)]
    ):
        end = {**played("m", game)["outcome"], "scores": [mine, other]}
        end["winners"] = [seat for seat in (0, 1) if end["scores"][seat] == max(mine, other)]
        record = {**played(f"m{n}", game), "seats": seats, "outcome": end}
        matches.keep(f"m{n}", packed(record), 0, 1000 + n * DAY_S)
    async with playing() as player:
        player[0].push_screen(HistoryScreen(player[0]))
        await sees(player, "3 matches", "shared: Ann 30, Wren 30", "Architetti Attenti: 1 match")
        rows = [
            row.split("│")[1].split() for row in seen(player[0]).splitlines() if " (easy)" in row
        ]
        assert [row[0] for row in rows] == ["●", "○", "●"]
        assert [row[2] for row in rows] == ["shared", "lost", "won"]
        assert [len(row[1]) for row in rows] == [5, 10, 10], "today: the time of the day"
        assert rows[1][3:] == ["Clocktowers", "3", "Wren:", "8", "(easy)"]
        await press(player, "down", shows=("Wins in a row: 0 now, 1 at best", "1 bot, easy"))
        await press(player, "question_mark", shows="● won or shared  ○ lost  · watched")
        await press(player, "x", "slash", *"wr", "space", *"arc", shows=("─ 1 match ", "shared: "))
        await sees(player, "Enter Go on")
        await press(player, "x", shows="None of your matches has these words.")
        await press(player, "backspace", "enter", shows="x Share")
        await press(player, "escape", shows="─ 3 matches ")
        await press(player, "escape", shows="Set up a match")


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 45)])
async def test_how_a_match_ended_is_seen_as_a_picture(size: tuple[int, int]) -> None:
    for n, game in enumerate(("clocktowers", "architetti_attenti")):
        matches.keep(f"m{n}", packed(played(f"m{n}", game)), 0, 1000 + n)
    async with playing(size=size) as player:
        app, pilot = player
        app.push_screen(HistoryScreen(app))
        await sees(player, "Bot 1 42        ")
        await press(player, "down", shows="Bot 1  10 points")
        await pilot.resize_terminal(60, 20)
        await until(pilot, lambda: not app.screen.query_one(Picture).display)


async def shares(player: Playing, *keys: str, shows: str | Sequence[str]) -> None:
    """Open the question, and answer it by these keys."""
    await press(player, "x", shows="Share this match")
    await press(player, *keys, "enter", shows=shows)


async def test_a_match_is_shared_as_a_picture_as_text_and_as_lines(here: Path) -> None:
    record = packed(played("m1"))
    matches.keep("m1", record, 0, 1000, matches.Known(turns=34), day="2026-11-23", line="ct:x")
    async with playing(size=(100, 30)) as player:
        player[0].push_screen(HistoryScreen(player[0]))
        await sees(player, "Bot 1")
        await shares(player, shows="Written: ")
        (file,) = files_in(here)
        assert file.suffix == ".png" and b"\x89PNG" in file.read_bytes()
        await shares(player, shows="This file is there already: ")
        await shares(player, "down", shows=".svg")
        await shares(player, *["down"] * 2, shows="Copied: paste it anywhere.")
        assert "Next roof" in player[0].clipboard and "Bot 1" in player[0].clipboard
        await shares(player, *["down"] * 3, shows="Copied: paste it anywhere.")
        (line,) = player[0].clipboard.splitlines()
        assert "deal of 2026-11-23" in line and "34 turns. 1 day in a row" in line
        assert line.endswith(" (● won, ○ lost, · not played)")
        await shares(player, *["down"] * 4, shows="That invitation is cut off")
        await press(player, "x", shows="Share this match")
        await press(player, "escape", shows="x Share")
        assert len(files_in(here)) == 2


async def test_what_is_shared_is_written_though_one_leaves(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, drawn = asyncio.Event(), finished.in_form

    async def waits(match: str, form: ExportForm) -> bytes:
        await gate.wait()
        return await drawn(match, form)

    monkeypatch.setattr(finished, "in_form", waits)
    async with at_the_list(played("m1")) as player:
        await shares(player, shows="you can go on meanwhile")
        await press(player, "escape", shows="Join a table")
        gate.set()
        await sees(player, "Written: ")
    assert len(files_in(here)) == 1


async def test_a_match_that_cannot_be_drawn_is_a_sentence(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = played("m1")
    record["plies"][0]["seat"] = 1 - record["plies"][0]["seat"]
    async with at_the_list(record) as player:
        await press(player, "enter", shows="This match cannot be replayed: ply 0")
        for keys in ((), ("down",)):
            await shares(player, *keys, shows="This match cannot be replayed: ply 0")
        monkeypatch.setattr(finished, "program", lambda *_named: ("false",))
        await shares(player, shows="The program that draws matches has ended by itself.")
        with pytest.raises(NotDone, match="--all"):  # an ID that a server has chosen
            await finished.in_form("--all", ExportForm.TEXT)
        assert not player[0].clipboard
    assert not files_in(here)


async def test_a_broken_file_is_one_sentence() -> None:
    history_file().parent.mkdir(parents=True, exist_ok=True)
    history_file().write_bytes(b"no database at all" * 99)
    async with at_the_list() as player:
        await sees(player, "Your matches cannot be read")


async def test_a_match_is_deleted_after_a_question() -> None:
    async with at_the_list(played("m1")) as player:
        await press(player, "d", shows="Delete this match?")
        await press(player, "escape")
        assert matches.called("m1")
        await press(player, "d", "down", "enter", shows="You have no finished matches yet.")
        assert not matches.called("m1")
        await press(player, "d", "x")


async def test_files_lie_where_one_looks_for_them_and_only_what_is_copied_is_said_to_be(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMUX", "/tmp/tmux")
    (pictures := here / "Pictures").mkdir()
    monkeypatch.setenv("XDG_DOCUMENTS_DIR", "/proc")  # takes no file
    matches.keep(
        "m1", packed(played("m1")), 0, 1000, matches.Known(turns=34), day="2026-11-23", line="ct:x"
    )
    async with at_the_list() as player:
        await shares(player, shows="Written:")
        assert [file.suffix for file in files_in(pictures)] == [".png"]
        await shares(player, *RECORD, shows="Written:")
        await shares(player, "down", "down", shows=".txt")
        text, record = sorted(file for file in files_in(here) if file != pictures)[::-1]
        assert record.read_bytes() == matches.line_of("m1") + b"\n" and text.suffix == ".txt"
        await shares(player, *["down"] * 3, shows=("34 turns", "Select it with the mouse"))
        await press(player, "escape", shows="x Share")
        assert not player[0].clipboard


@pytest.mark.parametrize("game", ["../up", "nul\0", "/tmp/there"])
async def test_no_word_of_a_server_leads_the_file_elsewhere(here: Path, game: str) -> None:
    async with at_the_list({**played("m1"), "game": game}) as player:
        await shares(player, *RECORD, shows="Written:")
    assert len(files_in(here)) == 1


async def test_a_full_disk_leaves_no_half_file(here: Path) -> None:
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN), getrlimit(RLIMIT_FSIZE)
    async with at_the_list(played("m1")) as player:
        setrlimit(RLIMIT_FSIZE, (1000, before[1][1]))
        try:
            await shares(player, *RECORD, shows="The match could not be written")
        finally:
            setrlimit(RLIMIT_FSIZE, before[1])
            signal.signal(signal.SIGXFSZ, before[0])
    assert not files_in(here)


# A review in a replay -----------------------------------------------------------------------------


LINE = record(("Ann", "Bo"), "abc1")
REVIEW = planted(LINE, 1, {11: 340})
MISTAKE = max(REVIEW[1], key=lambda one: one.lost).ply


@pytest.fixture
def kept() -> None:
    """The review of Bo, whose seat is the second."""
    matches.keep("abc1", zlib.compress(LINE), 1, 1000)
    review.keep("abc1", *REVIEW)


@asynccontextmanager
async def replaying(
    kept_as: str = "abc1", me: int | None = 1, size: tuple[int, int] = SMALL
) -> AsyncIterator[Playing]:
    async with playing(size=size) as player:
        await see(player, LINE.strip(), me, match=kept_as)
        await sees(player, "move 0 of")
        yield player


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("size", [SMALL, (80, 24)])
async def test_a_key_leads_to_the_mistake_which_is_named(size: tuple[int, int]) -> None:
    ply = MISTAKE
    async with replaying(size=size) as player:
        assert "Mistake" not in seen(player[0])
        await press(player, "v", shows="> Costs 34")
        await press(player, "escape", shows=(f"move {ply} of", "Costs 34", "Better: ", "m Mistake"))
        assert "needs a terminal" not in seen(player[0])
        await press(player, "M", shows=("This is mistake 1 of 1, the last", "Better: "))
        assert await at(player) == ply
        await press(player, "left")
        await at(player)
        assert "Better: " not in seen(player[0])
        await press(player, "M")  # round and round
        assert await at(player) == ply
        await press(player, "end")
        await at(player)
        await press(player, "m")
        assert await at(player) == ply
        await sees(player, "Better: ")
        await press(player, "m", shows="mistake 1 of 1, the last known in this direction.")
        await press(player, "question_mark", "escape", shows="Better: ")


@pytest.mark.parametrize(("game", "me"), [("clocktowers", 1), ("architetti_attenti", 0)])
async def test_a_mistake_has_the_better_move_on_the_board_and_marks_the_one_played(
    game: str, me: int
) -> None:
    line = record(("Ann", "Bo"), "m2", game)
    matches.keep("m2", zlib.compress(line), me, 1000)
    review.keep("m2", *planted(line, me, {4: 90, 11: 340}))
    async with playing(size=(100, 30)) as player:
        await see(player, review.whole_record("m2"), me, match="m2")
        await sees(player, "2 mistakes. m: the biggest")
        turn = re.findall(r"in turn \d+", seen(player[0]))[0].replace("in ", "(")
        await press(player, "m", shows=("the biggest mistake, 1/2", "shown: the better move", turn))
        await sees(player, "H Played", "»")
        board = player[0].screen.query_one(Board)
        assert board.scene is not None and board.scene.view.turn == me
        before, better = board.scene.view, board.choice
        await press(player, "H", shows=("shown: the move played", "H Better"))
        assert board.scene.view == before and board.choice != better
        await press(player, "left")
        await at(player)
        assert "shown: " not in seen(player[0])
        await press(player, "right", shows=("mistake, 1/2", "H Better"))
        assert board.scene.view != before
        await press(player, "m", shows=("mistake 2/2", "shown: the better move"))


@pytest.mark.usefixtures("kept")
async def test_the_page_lists_the_losses_of_the_one_whose_eyes_these_are_and_leads_there() -> None:
    async with replaying(size=(140, 40)) as player:
        await press(player, "v", shows=("1 mistake, in turn ", "> Costs 34"))
        await press(player, "escape", shows=("Better: ", "mistake 1/1", "a Try again"))
        await press(player, "e", "e", "e", shows="What cost Bo most: ")
        await press(
            player, "e", "home", "v", shows=("Match of Bo", "Mistakes, the biggest", "> Costs 34")
        )
        await sees(player, "Turning point: your mistake", "○: the turning point")
        board = player[0].screen_stack[-2].query_one("Board")
        assert board.region.right == player[0].screen.query_one(".dialog").region.x, "side by side"
        await press(player, "escape", "e", "e", "e", shows=("as Ann saw it", "0 mistakes"))
        await press(player, "m", shows="Review: no mistake.")
        await press(player, "e", "e", "e", shows="all hands open")  # still Bo's
        await press(player, "v", shows=("Match of Bo", "> Costs 34", "Enter Go there"))
        await press(player, "enter", shows=(f"move {MISTAKE} of", "Better: "))


@pytest.mark.usefixtures("kept")
async def test_on_the_page_the_arrows_mark_a_mistake_if_there_is_one() -> None:
    review.keep("abc1", *planted(LINE, 1, {}))
    async with replaying(size=(80, 40)) as player:
        await press(player, "m", shows="Review: no mistake")
        await press(player, "v", shows="none was a clear mistake")
        assert "Go there" not in seen(player[0])
        await press(player, "enter", shows="none was a clear mistake")
    review.keep("abc1", *planted(LINE, 1, {11: 340, 2: 120}))
    async with replaying() as player:
        await press(player, "v", shows="2 mistakes")
        await press(player, "v", "down", shows="> Costs 12")
        await press(player, "up", "enter", shows=(f"move {MISTAKE} of", "Costs 34"))


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("size", [SMALL, (80, 24)])
async def test_a_comment_is_kept_with_the_match_and_opens_with_its_file(
    size: tuple[int, int],
) -> None:
    """Beside what a review says of the same move; the board keeps room enough."""
    long = "Here I lost it: " + "roof " * 16 + "end."
    async with replaying(size=size) as player:
        await press(player, "right", "right", "c", shows="It is kept with the match.")
        await press(player, "A", "escape")
        await at(player)
        assert "Comment: " not in seen(player[0])
        await press(player, "c", *"Bad", "enter", shows=("move 2 of", "Comment: Bad"))
        await press(player, "right")
        await at(player)
        assert "Comment: " not in seen(player[0])
        await press(player, "left", "c", "ctrl+u", "enter")
        await until(player[1], lambda: not comments_of(matches.line_of("abc1")))
        await until(player[1], lambda: "Comment: " not in seen(player[0]))
    for ply, text in ((3, "A start."), (MISTAKE, long)):
        matches.comment("abc1", ply, text)
    async with playing(size=size) as player:
        await see(player, review.whole_record("abc1"), 1)
        await sees(player, "story: 0 of 2", "1 mistake")
        await press(player, "n", shows=("move 3 of", "story: 1 of 2", "Comment: A start."))
        await press(
            player, "n", shows=(f"move {MISTAKE} of", "Costs 34", "Better: ", "Comment: H", "end.")
        )
        assert "needs a terminal" not in seen(player[0])
        await press(player, "c", shows="You can comment only on a match of your list")
        await press(player, "f", "f", shows=("Whose story?", "Comments: moves 3 to"))


@pytest.mark.usefixtures("kept")
async def test_the_list_of_matches_opens_a_match_with_its_review() -> None:
    async with playing(size=(80, 24)) as player:
        player[0].push_screen(HistoryScreen(player[0]))
        await sees(player, "Ann ", "v Review")
        await press(player, "v", shows=("─ Review ─", "> Costs 34"))
        await press(player, "escape", shows=(f"move {MISTAKE} of", "Better: ", "mistake 1/1"))
        board, said = (player[0].screen.query_one(part).region for part in ("Board", "#said"))
        assert said.y >= board.bottom, "cards keep their names"
        await press(player, "escape", "enter", shows=("move 0 of", "m Mistake"))


@pytest.mark.usefixtures("kept")
async def test_a_review_leads_nobody_away_who_has_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    ready, made = asyncio.Event(), review.made

    async def late(*asked: Any) -> AsyncIterator[review.Reviewed]:
        await ready.wait()
        async for newest in made(*asked):
            yield newest

    monkeypatch.setattr(review, "made", late)
    async with playing(size=(80, 24)) as player:
        player[0].push_screen(HistoryScreen(player[0]))
        await sees(player, "Ann ", "v Review")
        await press(player, "v", shows="move 0 of")
        await press(player, "right", shows="move 1 of")
        await press(player, "left", shows="move 0 of")
        ready.set()
        await sees(player, "m Mistake")
        await at(player)
        assert "move 0 of" in seen(player[0])


async def test_a_race_says_what_was_there_and_how_soon_the_player_shot() -> None:
    line = record(("Ann", "Bo"), "r1", "wild_wild_pattern").strip()
    matches.keep("r1", zlib.compress(line), 0, 1000)
    review.keep("r1", *planted(line, 0, {}))
    async with playing(size=SMALL) as player:
        await see(player, line, 0, match="r1")
        await sees(player, "move 0 of")
        await press(player, "v", shows=("cards to shoot with", "Round 1, turn 1: "))
        await press(player, "escape", "m")
        await at(player)
        assert re.search("could have shot with your |There was nothing to win ", seen(player[0]))
        await press(player, "end", "a", shows="Try again  Shoot: make a new pattern")
        await press(player, "1", shows="You shot: declare a new pattern")
        await press(player, "less_than_sign", "r", "1", shows="The best: with your ")
        await press(player, "u", shows="Shoot: make a new pattern")
        await press(
            player, "x", shows=("Click! You give up", "You have tried it. u: ", "The best: ")
        )


@needs_proc
async def test_what_is_under_way_is_shown_and_ends_with_the_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The process runs, but tells what the test wants and when: no search is waited for."""
    started, judged, may_tell = list[Reviewer](), list[int](), asyncio.Semaphore(0)
    start = Reviewer.start

    async def noted(line: bytes, seat: int, known: Sequence[tuple[int, int]]) -> Reviewer:
        started.append(await start(line, seat, known))
        judged.append(len(known))
        return started[-1]

    async def told(_reviewer: Reviewer) -> AsyncIterator[Finding]:
        for finding in REVIEW[1][judged[-1] :]:
            await may_tell.acquire()
            yield finding

    async def sees_more(player: Playing) -> None:
        before = _share(seen(player[0]))
        for _finding in range(5):
            may_tell.release()
        await until(player[1], lambda: _share(seen(player[0])) > before)

    monkeypatch.setattr(Reviewer, "start", noted)
    monkeypatch.setattr(Reviewer, "findings", told)
    matches.keep("abc1", zlib.compress(LINE), 0, 1000)
    async with replaying(me=0) as player:
        await press(player, "v")
        await sees_more(player)
        await press(player, "v", shows=("─ Review ─", "Match of Ann (", "still being made: "))
        await sees_more(player)
        await press(player, "escape", "escape")
        await gone(started[0].process.pid)
    await eventually(lambda: review.of("abc1") is not None)
    async with replaying(me=0) as player:
        await press(player, "v")
        await until(player[1], lambda: len(judged) > 1)
        await sees_more(player)
    assert started[1].process.returncode is not None, "the program has ended, and it with it"
    assert judged == [0, 10]
    await eventually(lambda: len((review.of("abc1") or (None, ()))[1]) == 15)


def _share(screen: str) -> int:
    """How far the review is, in percent."""
    return max(map(int, re.findall(r"(\d+).%", screen)), default=0)


async def test_a_match_that_cannot_be_reviewed_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("clocktowers_tui.net.records.REVIEWS", ("/no/such/program",))
    async with replaying("") as player:
        await press(player, "v", shows="The review has stopped")


@pytest.mark.usefixtures("kept")
async def test_the_result_leads_to_the_review_and_back() -> None:
    """Of the match that the history has under its id."""
    async with playing(size=SMALL) as player:
        app, _pilot = player
        state = heard(match(), small_match.ended())
        assert state.match is not None and state.match.over
        app.change(replace(state, match=replace(state.match, id="abc1")))
        await sees(player, "v Review")
        await press(player, "v", shows="─ Review ─")
        await press(player, "escape", shows=("move 0 of", "as Ann saw it"))
        await press(player, "escape", shows="v Review")
        await press(player, "escape", shows="R: result")
        await press(player, "v", shows="─ Review ─")  # on the board, too
        await press(player, "escape", shows="move 0 of")
        await press(player, "escape", shows="v Review")
        matches.delete("abc1")
        await press(player, "v", shows="This match has been deleted.")
