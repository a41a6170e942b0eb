"""The chat as players meet it: typed, said by one key, read, muted; the match below stays."""

from time import monotonic
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace
from textual.events import Key
from textual.widgets import Input, Static

from clocktowers_tui.games.board import Board
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.wishes import Solo, Visit
from clocktowers_tui.screens.chat import ChatScreen
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.screens.place import is_chatting
from clocktowers_tui.screens.result import Result
from clocktowers_tui.screens.table import TableScreen
from clocktowers_tui.state.store import State, heard
from clocktowers_tui.state.table import Connection, Kind
from protocol.errors import RefusalCode
from protocol.from_client import Ready, Say, Start
from protocol.from_server import Done, Refused, Said
from protocol.games.wild_wild_pattern import View
from protocol.table import Running, TablePhase
from tests.games.clocktowers import boards
from tests.games.wild_wild_pattern.boards import board
from tests.stage import small_match
from tests.stage.action_scenes import playing as on_a_board
from tests.stage.pilot import SMALL, Playing, playing, press, reversed_text, seen, sees, until
from tests.stage.small_match import bot_table

LARGE = (120, 40)
SOLO = Solo(bot_table(1, "random", options={"first_seat": 0}))
HERE = Connection(kind=Kind.VISIT, address="here:7777", name="Ann")
SIZES = pytest.mark.parametrize("size", [SMALL, LARGE], ids=str)


def at_a_table() -> State:
    return heard(
        State(connection=HERE), small_match.at_table("Ann", "Ben", phase=TablePhase.WAITING)
    )


def in_a_match() -> State:
    state = heard(State(connection=HERE), small_match.at_table("Ann", "Ben"))
    return heard(heard(state, small_match.started()), small_match.update(0))


def in_a_race(view: View) -> State:
    """That has just begun."""
    state = on_a_board("wild_wild_pattern", view)
    assert state.match is not None
    return replace(state, match=replace(state.match, began_s=monotonic()))


def said(n: int, text: str, name: str = "Ben", seat: int | None = 1) -> Said:
    return Said(n=n, name=name, seat=seat, text=text)


async def hear(player: Playing, *messages: Struct) -> None:
    app, pilot = player
    for message in messages:
        app.change(heard(app.state, message))
    await pilot.pause()
    await pilot.pause()


async def be(player: Playing, state: State, screen: type[Any]) -> None:
    player[0].change(state)
    await until(player[1], lambda: type(player[0].screen) is screen)


def answered(player: Playing, *answers: Struct | None) -> list[Struct]:
    """What the player asks for from now on, each answered with the next of these."""
    asked: list[Struct] = []
    left = list(answers)

    async def request(wish: Struct) -> Struct | None:
        asked.append(wish)
        return left.pop(0) if left else Done(id=0)

    player[0].journey.request = request  # type: ignore[method-assign,assignment]
    return asked


def heard_and_unread(player: Playing) -> tuple[int, int]:
    chat = player[0].state.chat
    return len(chat.lines), chat.fresh


def typed(player: Playing) -> str:
    return player[0].screen.query_one("#words", Input).value


# Two people over a real server ------------------------------------------------------------------


async def opened(ann: Playing) -> str:
    """Ann's table for two, at which she begins; its code."""
    await sees(ann, "New table")
    table = bot_table(1, "easy", options={"first_seat": 0})
    table.bots.clear()
    await ann[0].journey.request(table)
    await sees(ann, "Start the match")
    assert ann[0].state.table is not None
    return ann[0].state.table.info.table


@SIZES
async def test_two_talk_before_and_in_their_match(address: Address, size: tuple[int, int]) -> None:
    """What is seen counts as read, at the table and on the board."""
    async with playing(Visit(address), size=size) as ann:
        code = await opened(ann)
        async with playing(Visit(address, table=code), "Ben", shows="are ready") as ben:
            await press(ben, "slash", *"hi", "enter", shows="You: hi")
            for one in (ann, ann, ann, ben, ben, ben):
                await one[0].journey.request(Say(id=0, text="hello"))
            await until(ann[1], lambda: heard_and_unread(ann) == (7, 0))
            await ben[0].journey.request(Ready(id=0))
            await until(ben[1], lambda: not is_chatting(ben[0]))
            await press(ben, "slash", *"wait")
            await ann[0].journey.request(Start(id=0))
            await sees(ann, "Your turn")
            await press(ben, "enter")
            assert ben[0].state.match is not None, "who types when it begins types on"
            await sees(ann, "Ben: wait")
            await until(ann[1], lambda: "Chat (" not in seen(ann[0]))
            await press(ann, "slash", "tab", shows="2 Good luck!")
            await press(ann, "2", "escape", shows="Your turn")
            await sees(ben, "Ann: Good luck!")


async def test_who_loses_the_line_comes_back_to_all_that_was_said_once(address: Address) -> None:
    async with playing(Visit(address)) as ann:
        code = await opened(ann)
        async with playing(Visit(address, table=code), "Ben", shows="are ready") as ben:
            await ben[0].journey.request(Ready(id=0))
            await ann[0].journey.request(Start(id=0))
            await sees(ben, "Ann is choosing")
            await press(ben, "slash", *"one", "enter")
            await sees(ann, "Ben: one")
            arrival = ben[0].journey.arrival
            assert arrival is not None
            arrival.link._link.abort()
            await ann[0].journey.request(Say(id=0, text="two"))
            await press(ben, "slash", shows="Ann: two")
            await press(ben, *"three", "enter")
            await until(ben[1], lambda: len(ben[0].state.chat.lines) == 3)
            lines = [(line.n, line.seat, line.text) for line in ben[0].state.chat.lines]
            assert lines == [(1, 1, "one"), (2, 0, "two"), (3, 1, "three")]


async def test_a_watcher_is_marked_and_the_host_takes_a_line_away_or_all_their_words(
    address: Address,
) -> None:
    async with playing(Visit(address), size=LARGE) as ann:
        code = await opened(ann)
        await ann[0].journey.request(Say(id=0, text="anybody there?"))
        async with playing(Visit(address, table=code, watch=True), "Wim") as wim:
            await sees(wim, "You are watching", "/ Chat")
            assert "Chat (" not in seen(wim[0])
            await press(wim, "slash", *"me", "enter")
            await until(wim[1], lambda: not is_chatting(wim[0]))
            await sees(ann, "Wim (watching): me")
            await press(ann, "slash", "tab", "x", shows="Choose a line to take away")
            await press(ann, "down", "enter", shows="Wim (watching): (taken away")
            await press(wim, "slash")
            await sees(wim, "Ann: anybody there?", "You (watching): (taken away by the host)")
            await press(wim, "escape")
            await press(ann, "w", shows="w Let watchers write")
            await until(wim[1], lambda: not is_chatting(wim[0]))
            await press(wim, "slash", *"and?", "enter", shows="lets no watcher write")
            await press(ann, "w", shows="w Silence watchers")
            await press(wim, "slash", "enter")
            await sees(ann, "Wim (watching): and?")


# Typing ------------------------------------------------------------------------------------------


@SIZES
async def test_it_opens_over_a_match_and_leaves_it_as_it_was(size: tuple[int, int]) -> None:
    async with playing(size=size) as player:
        asked = answered(player)
        await be(player, in_a_match(), MatchScreen)
        await hear(player, small_match.update(1))
        before = reversed_text(player[0])
        for key, letter in (("slash", "/"), ("1", "1"), ("x", "x")):  # all before it is there
            player[0].post_message(Key(key, letter))
        await sees(player, "Chat", "It is your turn.", "Say: 1x", "  Hello!", "Enter Say")
        panel = player[0].screen.query_one("#talking").region
        board = player[0].screen_stack[-2].query_one(Board).region
        beside = board.right <= panel.x and board.width >= 80
        assert beside if size == LARGE else panel.height * 3 <= size[1]
        await press(player, *"?/q", "enter")
        await until(player[1], lambda: bool(asked))
        assert asked == [Say(id=0, text="1x?/q")], "letters are letters while one types"
        assert type(player[0].screen) is MatchScreen, "the next key is the board's"
        assert reversed_text(player[0]) == before


async def test_an_enter_that_would_have_closed_it_plays_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The line has closed it already; the next Enter is the board's, however soon it comes."""
    now_s = monotonic()
    monkeypatch.setattr("clocktowers_tui.app.styled.monotonic", lambda: now_s)
    async with playing(size=LARGE) as player:
        asked = answered(player)
        await be(player, on_a_board("clocktowers", boards.board(2)), MatchScreen)
        choice = player[0].screen.query_one(Board).choice
        await press(player, "slash", *"hi", "enter", "enter")
        await until(player[1], lambda: bool(asked))
        assert asked == [Say(id=0, text="hi")]
        assert player[0].screen.query_one(Board).choice == choice
        await press(player, "enter")
        assert player[0].screen.query_one(Board).choice != choice


async def test_time_is_seen_to_run_out_while_one_talks() -> None:
    async with playing(size=SMALL) as player:
        await be(player, in_a_match(), MatchScreen)
        await hear(player, replace(small_match.update(1), clock=Running(0, 595_000)))
        await press(player, "slash", shows=("It is your turn.", "9:5"))
        table = small_match.at_table("Ann", "Ben")
        slow = [replace(table.info.seats[0], timed_out=True), *table.info.seats[1:]]
        await hear(player, replace(table, info=replace(table.info, seats=slow)))
        await sees(player, "A bot plays for you.")
        assert "It is your turn." not in seen(player[0])
        await hear(player, small_match.update(2))
        assert "9:5" not in seen(player[0])


async def test_a_race_is_seen_to_go_on_while_one_talks() -> None:
    """That it is on, and how long; not when it is over for this player, nor without a match."""
    async with playing(size=SMALL) as player:
        await be(player, in_a_race(board(2, due_ms=595_000)), MatchScreen)
        await press(player, "slash", shows=("Chat", "It is your turn.", "9:5"))
        player[0].change(in_a_race(board(2, due_ms=None, done=[True, False])))
        await until(player[1], lambda: "It is your turn." not in seen(player[0]))
        assert "9:5" not in seen(player[0])


async def test_alone_there_is_nobody_to_talk_to() -> None:
    async with playing(SOLO, shows="Your turn") as player:
        await press(player, "slash")
        assert not is_chatting(player[0]) and "Chat" not in seen(player[0])


async def test_what_was_typed_and_not_said_is_still_there() -> None:
    async with playing() as player:
        answered(player)
        await be(player, at_a_table(), TableScreen)
        await press(player, "slash", *"half a", "escape")
        await be(player, heard(player[0].state, small_match.started()), TableScreen)
        await press(player, "slash")
        assert typed(player) == "half a"
        await press(player, *" line", "enter")
        await until(player[1], lambda: type(player[0].screen) is TableScreen)
        await press(player, "slash")
        assert typed(player) == ""


async def test_what_was_refused_can_be_said_again() -> None:
    async with playing() as player:
        await be(player, at_a_table(), TableScreen)
        too_fast = Refused(id=0, code=RefusalCode.TOO_FAST, params={"wait_s": 2})
        asked = answered(player, too_fast, None, Done(id=0))
        await press(player, "slash", *"hello", "enter", shows="wait 2 s")
        for sent in (2, 3):  # the second time the line breaks before it is answered
            await until(player[1], lambda: player[0].state.chat.draft == "hello")
            await press(player, "slash", "enter")
            await until(player[1], lambda n=sent: len(asked) == n)  # type: ignore[misc]
        assert asked == [Say(id=0, text="hello")] * 3


async def test_phrases_by_digit_and_by_arrows_and_nothing_by_nothing() -> None:
    async with playing() as player:
        asked = answered(player)
        await be(player, at_a_table(), TableScreen)
        for nothing in (["enter"], ["space", "enter"]):
            await press(player, "slash", *nothing)
            assert type(player[0].screen) is TableScreen and not asked
        await press(player, "slash", "tab", "3", "0", "down", "enter")
        await press(player, "slash", *"ok", "enter")
        await until(player[1], lambda: len(asked) == 4)
        assert asked == [
            Say(id=0, phrase="nice_move"),
            Say(id=0, phrase="bye"),
            Say(id=0, phrase="good_luck"),
            Say(id=0, text="ok"),
        ]


# Reading -----------------------------------------------------------------------------------------


@SIZES
async def test_each_line_stands_where_sentences_do(size: tuple[int, int]) -> None:
    async with playing(size=size) as player:
        app, _pilot = player
        await be(player, in_a_match(), MatchScreen)
        rows = seen(app).split("\n")
        await hear(player, said(1, "a long line " * 40))
        assert "Ben: a long line" in seen(app) and "Chat (" not in seen(app), "it is read"
        changed = [n for n, row in enumerate(seen(app).split("\n")) if row != rows[n]]
        assert changed == [len(rows) - 2], "the board stands as it stood"
        await press(player, "x")
        remark = seen(app).split("\n")[-2]
        assert "Ben" not in remark
        await hear(player, said(2, "hello?"))
        assert "Ben: hello?" in seen(app) and "Chat (" not in seen(app)
        await hear(player, said(3, "here", "Ann", 0))
        assert "You: here" in seen(app)


async def test_the_newest_is_seen_and_pages_lead_back() -> None:
    async with playing(size=SMALL) as player:
        app, _pilot = player
        await be(player, at_a_table(), TableScreen)
        await hear(player, *(said(n, f"line {n}.") for n in range(1, 61)))
        for rows in range(9):  # where one line has room beside the words, it is the newest
            app.screen.query_one("#about", Static).update("\n" * rows)
            await player[1].pause()
            assert "line 60." in seen(app) or "line 59." not in seen(app)
        await press(player, "slash", shows="line 60.")
        await press(player, "pageup", shows="line 58.")
        assert "line 60." not in seen(app)
        await hear(player, said(61, "line 61."))
        assert "line 61." not in seen(app), "who reads what was before is left in peace"
        await press(player, "pagedown", "pagedown", shows="line 61.")
        await hear(player, said(62, "line 62."))
        await sees(player, "line 62.")
        await press(player, "pageup", "tab", "m", shows="Mute Ben")
        await press(player, "down", "enter")  # the only speaker, while nobody reads the newest
        await until(player[1], lambda: "line" not in seen(app))


async def test_muting_and_hearing_again() -> None:
    async with playing() as player:
        app, _pilot = player
        await be(player, at_a_table(), TableScreen)
        await hear(player, said(1, "spam"), said(2, "sorry for him", "Wim", None))
        await press(player, "slash", "tab", "m", shows=("Mute Wim", "Mute Ben"))
        await press(player, "down", "down", "enter")
        await until(player[1], lambda: "spam" not in seen(app))
        assert "sorry for him" in seen(app)
        await hear(player, said(3, "more spam"))
        await press(player, "escape")
        assert "spam" not in seen(app) and "Chat (" not in seen(app)
        await press(player, "slash", "tab", "m", shows="Hear Ben again")
        await press(player, "down", "enter", shows=("Ben: spam", "Ben: more spam"))


# After a match -----------------------------------------------------------------------------------


async def test_people_talk_after_a_match() -> None:
    async with playing() as player:
        app, _pilot = player
        asked = answered(player)
        await be(player, heard(in_a_match(), small_match.ended()), Result)
        await sees(player, "/ Chat")
        await hear(player, said(1, "well played"))
        await sees(player, "Ben: well played")
        await press(player, "slash", "tab", "9")
        await until(player[1], lambda: asked == [Say(id=0, phrase="good_game")])
        await press(player, "escape")
        assert type(app.screen) is Result


async def test_an_end_takes_no_keys_from_who_types() -> None:
    """`b` and `r` mean something in the result; it waits until the chat is closed."""
    async with playing() as player:
        app, _pilot = player
        asked = answered(player)
        await be(player, in_a_match(), MatchScreen)
        await press(player, "slash", *"bra")
        await hear(player, small_match.ended())
        assert isinstance(app.screen, ChatScreen)
        await press(player, *"vo, ben", "enter")
        await until(player[1], lambda: asked == [Say(id=0, text="bravo, ben")])
        await until(player[1], lambda: type(app.screen) is Result)
