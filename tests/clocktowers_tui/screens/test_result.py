"""The last page can be read to its end, the most wanted lines first; its line about the shuffle."""

import re
from collections.abc import Callable
from functools import cache, reduce
from typing import Any, NamedTuple
from unittest.mock import AsyncMock

import pytest
from msgspec import Struct
from msgspec.structs import replace
from textual.content import Content

from clocktowers_tui.config.settings import Draft, filled_in
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.wishes import Solo, Visit
from clocktowers_tui.phrases.codes import fault_in_words
from clocktowers_tui.phrases.match import proof_in_words
from clocktowers_tui.screens.result import Page, Result, result_page
from clocktowers_tui.state import match as matches, table as tables
from clocktowers_tui.state.store import State, heard
from clocktowers_tui.state.table import Connection, Kind
from protocol.dealing import commitment
from protocol.from_client import Rematch, SetBot
from protocol.from_server import AtTable, Done, Ended, History, Notice, NoticeCode, Update, Welcome
from protocol.games.registry import GAMES
from protocol.table import SeatInfo, SeatKind, TablePhase
from tests.games.architetti_attenti import boards as tiles
from tests.games.clocktowers import boards as towers
from tests.games.clocktowers.stages import match
from tests.games.wild_wild_pattern import boards as races
from tests.stage import small_match
from tests.stage.action_scenes import playing as in_match
from tests.stage.nonsense import plain
from tests.stage.pilot import SMALL, WIDE, Playing, playing, press, seen, sees
from tests.stage.real_matches import RealMatch as Played
from tests.stage.scripted_server import ScriptedPeer, saying, scripted

BOARDS: dict[str, Callable[..., Any]] = {
    "architetti_attenti": tiles.board,
    "clocktowers": towers.board,
    "wild_wild_pattern": races.board,
}
LINES = [f"line {n:02}" for n in range(60)]
"""Longer than a result of four on any terminal of these sizes."""


async def show_result(player: Playing, offer: str = "") -> list[str | None]:
    """Open the dialog over Home; what it was closed with comes into the list."""
    answers: list[str | None] = []
    await sees(player, "Join a table")
    lines = [Content(line) for line in LINES]
    await player[0].push_screen(
        Result(player[0], Page("The match is over", "9 turns", lambda width: lines), offer),
        answers.append,
    )
    await sees(player, "The match is over")
    return answers


@pytest.mark.parametrize(
    ("size", "down", "up", "times"),
    [(SMALL, "j", "k", len(LINES)), (WIDE, "pagedown", "pageup", 8), (SMALL, "end", "home", 1)],
)
async def test_keys_scroll_to_the_last_line_and_back(
    size: tuple[int, int], down: str, up: str, times: int
) -> None:
    async with playing(size=size) as player:
        await show_result(player, "Try hard bots.")
        await sees(player, LINES[0], "Try hard bots.")
        assert LINES[-1] not in seen(player[0])
        await player[1].press(*[down] * times)
        await sees(player, LINES[-1], "Try hard bots.")
        assert LINES[0] not in seen(player[0])
        await player[1].press(*[up] * times)
        await sees(player, LINES[0])


async def test_a_key_without_a_meaning_takes_no_row_away_and_letters_close_it() -> None:
    async with playing() as player:
        answers, last = await show_result(player), re.findall(r"line \d\d", seen(player[0]))[-1]
        await press(player, "space", "enter", "H", shows=("H does nothing here", last))
        assert answers == [] and "The match is over" in seen(player[0])
        await press(player, "q")
        assert answers == ["leave"]


async def test_points_and_proof_come_before_the_towers_and_wishes_are_told() -> None:
    script = saying(
        *(small_match.at_table("Ann", "Bob"), small_match.started(), small_match.update(0)),
        small_match.ended(),
        Notice(NoticeCode.WANTS_REMATCH, {"name": "Ann", "seat": 0}),
        Notice(NoticeCode.WANTS_REMATCH, {"name": "Bob", "seat": 1}),
    )
    async with scripted(script) as address, playing(Visit(address), size=SMALL) as player:
        await sees(player, "You win", "Bob  1 point", "Bob wants a rematch.", "Your towers")
        text = seen(player[0])
        assert "Ann wants" not in text
        order = [text.index(part) for part in ("You win", "Bob  1 point", "Your towers")]
        assert order == sorted(order)


async def test_the_next_match_closes_the_result_also_below_the_help() -> None:
    async with playing() as player:
        app, pilot = player
        state = heard(match(), small_match.ended())
        app.change(state)
        await sees(player, "You win")
        await press(player, "?", shows="Any key Close")
        app.change(heard(heard(state, small_match.started("m2")), small_match.update(0, "m2")))
        await pilot.pause()
        await press(player, "escape", shows="Your turn")
        assert "Rematch" not in seen(app)


async def test_after_somebody_left_a_rematch_begins_with_bots_on_free_seats() -> None:
    asked: list[Struct] = []

    async def script(peer: ScriptedPeer) -> None:
        await peer.hears()
        peer.says(Welcome(version=1, name="Ann"))
        at_table = small_match.at_table("Ann", "Bob")
        peer.says(at_table, small_match.started(), small_match.update(0), small_match.ended())
        seats = [at_table.info.seats[0], SeatInfo(kind=SeatKind.FREE)]
        peer.says(replace(at_table, info=replace(at_table.info, seats=seats)))
        while True:
            wish = await peer.hears()
            if isinstance(wish, SetBot | Rematch):
                asked.append(replace(wish, id=0))
                peer.says(Done(id=wish.id))

    async with scripted(script) as address, playing(Visit(address), size=SMALL) as player:
        await sees(player, "You win")
        await press(player, "r", shows=("A player has left", "Put bots there", "To the table"))
        assert asked == []
        await press(player, "enter", shows="Waiting for the others")
        assert asked == [SetBot(id=0, seat=1, level="learner"), Rematch(id=0)]


async def test_while_the_line_is_broken_the_result_says_so_and_nobody_is_asked() -> None:
    """What is said is true again as soon as the line stands."""
    connection = Connection(kind=Kind.VISIT, address="here:7", name="Ann", attempt=14)
    table = small_match.at_table("Ann", "Ben")
    said = (table, small_match.started(), small_match.update(0), small_match.ended())
    state = reduce(heard, said, State(connection=connection))
    async with playing(size=SMALL) as player:
        player[0].journey.request = AsyncMock(return_value=None)  # type: ignore[method-assign]
        player[0].change(state)
        await sees(player, "reconnecting, try 14", "You win")
        player[0].change(replace(player[0].state, connection=replace(connection, attempt=0)))
        await sees(player, "1 turn")
        player[0].change(replace(player[0].state, connection=connection))
        await sees(player, "reconnecting, try 14")
        await press(player, "r", shows=("reconnecting, try 14", "ask again when it is back"))


async def test_what_a_broken_line_has_not_carried_is_said_at_a_table_too() -> None:
    connection = Connection(kind=Kind.VISIT, address="here:7", name="Ben", attempt=1)
    table = small_match.at_table("Ann", "Ben", phase=TablePhase.WAITING, seat=1)
    state = heard(State(connection=connection), table)
    async with playing(size=SMALL) as player:
        player[0].journey.request = AsyncMock(return_value=None)  # type: ignore[method-assign]
        player[0].change(state)
        await sees(player, "reconnecting", "are ready")
        await press(player, "r", shows="ask again when it is back")


async def test_the_streets_stand_above_the_points_also_in_another_look() -> None:
    async with playing(size=SMALL, shows="Join a table") as player:
        player[0].change(heard(in_match("clocktowers", towers.board(2)), small_match.ended()))
        await sees(player, "You win", "━1 +3━", "━3 +3")
        await press(player, "t", shows=("You win", "━1 +3━", "━3 +3"))


async def test_columns_follow_the_width() -> None:
    async with playing(size=WIDE, shows="Join a table") as player:
        app, pilot = player
        page = lambda width: [Content("=" * width)]  # noqa: E731
        await app.push_screen(Result(app, Page("", "", page)))
        await sees(player, "=" * 70)
        await pilot.resize_terminal(*SMALL)
        await sees(player, "=" * 50)
        assert "=" * 60 not in seen(app)


def ended_alone(table: AtTable) -> State:
    """A match against bots at this table has come to its end."""
    alone = State(connection=Connection(kind=Kind.SOLO, address="localhost", name="Ann"))
    played = (table, small_match.started(), small_match.update(0), small_match.ended())
    return reduce(heard, played, alone)


@pytest.mark.parametrize("by_bot", [True, False])
async def test_a_win_by_the_bot_that_played_is_told_as_one(by_bot: bool) -> None:
    """And leads to no stronger bots. The server says that the seat is the player's again before
    the result is seen."""
    at_table = small_match.at_table("Ann", "Bob")
    own, other = at_table.info.seats
    bot = replace(other, kind=SeatKind.BOT, level="easy")

    def at(*, handed_over: bool) -> AtTable:
        seats = [replace(own, handed_over=handed_over), bot]
        return replace(at_table, info=replace(at_table.info, seats=seats))

    async with playing(shows="Join a table") as player:
        player[0].change(heard(ended_alone(at(handed_over=by_bot)), at(handed_over=False)))
        await sees(player, "1.  You", "Rematch")
        praised = "You win" in seen(player[0]) and "Next level" in seen(player[0])
        told = "with a bot’s last moves" in seen(player[0])
        assert (praised, told) == (not by_bot, by_bot)


@pytest.mark.parametrize(
    ("levels", "preset", "offered"),
    [
        (["easy", "easy"], "standard", "Next level: 2 bots, normal"),
        (["expert"], "standard", ""),
        (["easy"], "practice", "Play: 1 bot, easy"),
    ],
)
async def test_who_beats_bots_is_offered_the_next_level(
    levels: list[str], preset: str, offered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a key begins it."""
    begun: list[str] = []

    async def go(wish: Solo, _name: str) -> LinkError:
        begun.extend(bot.level for bot in wish.table.bots)
        return LinkError(Fault.LOCAL_SLOW)

    bots = [SeatInfo(kind=SeatKind.BOT, name="Bot", level=level) for level in levels]
    at_table = small_match.at_table("Ann", "Bob")
    info = replace(at_table.info, seats=[at_table.info.seats[0], *bots], preset=preset)
    last = Draft(seats=len(bots) + 1, levels=(*levels, "learner"), preset=preset)
    async with playing(shows="Join a table") as player:
        player[0].keep(filled_in(player[0].settings, "clocktowers", last, solo=True))
        player[0].change(ended_alone(replace(at_table, info=info)))
        said = f"You won. {offered} (p)."
        await sees(player, "You win", said if offered else "Rematch")
        assert ("You won" in seen(player[0])) == bool(offered)
        monkeypatch.setattr(player[0].journey, "go", go)
        await press(player, "p")
        await sees(player, fault_in_words(LinkError(Fault.LOCAL_SLOW)) if offered else "Rematch")
        assert begun == offered.split()[-1:] * len(levels)


# The shuffle, for whole matches of each game as a server tells them -------------------------------


NUMBER = 5
SEED = bytes([NUMBER]) * 32
OTHER_SEED = bytes([NUMBER + 1]) * 32

every_game = pytest.mark.parametrize("game", list(GAMES))


@cache
def played(game: str) -> Played:
    """A match dealt from SEED, to its end."""
    match = Played(game, 2, GAMES[game].options(), seed=NUMBER)
    while not match.over():
        match.play_one()
    return match


class Told(NamedTuple):
    """What the server said of its deal, and what of the match was heard."""

    promised: bytes = SEED
    shown: bytes = SEED
    notices: int = 0
    seen_from: int = 0


DEALT_OTHERWISE = Told(promised=OTHER_SEED, shown=OTHER_SEED)
"""The seed is the promised one, and the deal is not its."""


def heard_of(game: str, told: Told) -> matches.Match:
    """The client's match: events by pages, here and there a notice, the last view, the end."""
    match = played(game)
    events, view = plain(match.events[told.seen_from :]), plain(match.view())
    outcome = plain(match.rules.outcome(match.state))
    started = small_match.started(game=game, sha=commitment(told.promised))
    known = matches.started(started, ("Ann", "Bob"))
    known = matches.caught_up(known, History(match="m1", version=1, events=events[:20]))
    for _notice in range(told.notices):
        known = matches.noticed(known, Notice("joined", {"name": "Cleo"}))
    last = Update(match="m1", version=2, ply=2, view=view, events=events[20:])
    known = matches.updated(known, last)
    return matches.ended(known, Ended(match="m1", outcome=outcome, seed=told.shown.hex()))


def words(game: str, told: Told) -> str:
    return proof_in_words(heard_of(game, told), FACES[game], None).words


@every_game
@pytest.mark.parametrize(
    ("told", "says", "never"),
    [
        (Told(), ["The shuffle was fair: this program has checked it."], "NOT"),
        (DEALT_OTHERWISE, ["NOT fair", "deals something else"], "not the promised one"),
        (Told(promised=OTHER_SEED), ["NOT fair", "not the promised one"], "deals something else"),
        (Told(seen_from=10), ["is not checked"], "NOT"),
        (Told(notices=matches.MAX_LOG + 5), ["The shuffle was fair"], "NOT"),
    ],
    ids=["fair", "dealt otherwise", "another seed", "not seen from the start", "a log that forgot"],
)
def test_the_proof_in_words(game: str, told: Told, says: list[str], never: str) -> None:
    said = words(game, told)
    assert all(part in said for part in says) and never not in said


@every_game
def test_the_controls_of_the_proof(game: str) -> None:
    """The promise alone would call the first match proven; the second has lost some of its log."""
    assert heard_of(game, DEALT_OTHERWISE).proven
    match = heard_of(game, Told(notices=matches.MAX_LOG + 5))
    assert len(match.log) == matches.MAX_LOG
    assert match.log[0].kind is matches.LineKind.NOTICE
    page = result_page(State(), heard_of(game, Told()), FACES[game])
    assert page.promised == commitment(SEED)


@every_game
def test_a_broken_promise_is_said_before_all_else_and_a_kept_one_last(game: str) -> None:
    kept, broken = (
        [line.plain for line in result_page(State(), match, FACES[game]).lines(80)]
        for match in (heard_of(game, Told()), heard_of(game, Told(promised=OTHER_SEED)))
    )
    assert "The shuffle was fair" in kept[-1]
    assert "NOT fair" in broken[0]


@pytest.mark.parametrize("winner", [0, 1])
def test_bars_stand_only_where_the_most_points_win(winner: int) -> None:
    match = heard_of("clocktowers", Told())
    outcome = replace(match.outcome, scores=[3, 1], winners=[winner])
    page = result_page(State(), replace(match, outcome=outcome), FACES["clocktowers"])
    assert any("█" in line.plain for line in page.lines(80)) == (winner == 0)


def test_a_chosen_deal_claims_no_fairness() -> None:
    match, face = heard_of("clocktowers", Told()), FACES["clocktowers"]
    table = tables.at_table(small_match.at_table("Ann", "Bob"))
    state = State(table=replace(table, info=replace(table.info, seeded=True)))
    page = result_page(state, match, face)
    said = "\n".join(line.plain for line in page.lines(80))
    assert "This deal was chosen, not shuffled." in said and "fair" not in said.lower()
    later = proof_in_words(
        heard_of("clocktowers", Told(shown=b"")), face, replace(table.info, deal="A")
    )
    assert later.words == "The shuffle is checked when all tables are done." and not later.broken
