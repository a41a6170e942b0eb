"""A table's chat: who hears what, what happens to people who talk too fast or come back."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from protocol.codec import MAX_FRAME_BYTES, encode
from protocol.errors import RefusalCode
from protocol.from_client import Join, Leave, Say, Watch
from protocol.from_server import AtTable, ChatHistory, Done, Said
from protocol.table import HISTORY_BYTES, HISTORY_LINES, MAX_CHAT_CHARACTERS, MAX_RAW_CHARACTERS
from protocol.text import clean
from server.config import Limits
from server.tables.access import Impossible
from tests.stage.hall import Hall, Player, in_a_hall, table_of
from tests.stage.hostile_texts import HOSTILE
from tests.stage.house import house

CHATTY = Limits(chat_s=1000, chat_burst=1000)


def say(player: Player, text: str = "", phrase: str = "") -> Said:
    """What the table is told of it. Raises Impossible."""
    table_of(player).chat.say(player, text, phrase)
    said = player.heard(Said)[-1]
    assert isinstance(said, Said)
    return said


def why_not(player: Player, text: str = "", phrase: str = "") -> tuple[str, Any]:
    with pytest.raises(Impossible) as caught:
        say(player, text, phrase)
    return caught.value.refusal.code, caught.value.refusal.params


# Who is told -------------------------------------------------------------------------------------


@in_a_hall()
async def test_all_at_the_table_are_told_and_nobody_else(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben")
    (other,) = await at.table("Eve", bots=1)
    wim = Player(at, "Wim")
    table_of(ann).watch(wim)
    said = [say(ann, "hello"), say(wim, phrase="nice_move"), say(ben, "thanks")]
    assert said == [
        Said(n=1, name="Ann", seat=0, text="hello"),
        Said(n=2, name="Wim", phrase="nice_move"),
        Said(n=3, name="Ben", seat=1, text="thanks"),
    ]
    for player in (ann, ben, wim):
        assert player.heard(Said) == said
    assert other.heard(Said) == []
    assert say(other, "hello").n == 1


@in_a_hall(limits=CHATTY)
async def test_what_is_said_is_clean(at: Hall) -> None:
    (ann,) = await at.table("Ann", bots=1)
    for text in HOSTILE.values():
        assert say(ann, text).text == clean(text)
    assert say(ann, " much \t space\n\n").text == "much space"


@in_a_hall(limits=CHATTY)
async def test_what_cannot_be_said_is_refused_and_takes_no_number(at: Hall) -> None:
    (ann,) = await at.table("Ann", bots=1)
    longest = "鐘" * MAX_CHAT_CHARACTERS
    assert say(ann, longest).text == longest
    assert say(ann, longest + "\x1b" * (MAX_RAW_CHARACTERS - len(longest))).text == longest
    too_long = (RefusalCode.TOO_LONG, {"limit": MAX_CHAT_CHARACTERS})
    assert why_not(ann, longest + "x") == too_long
    assert why_not(ann, "\x1b" * (MAX_RAW_CHARACTERS + 1)) == too_long
    for nothing in ("", "  ", "\x1b\u202e\u200b\n"):
        assert why_not(ann, nothing) == (RefusalCode.NOTHING_SAID, {})
    unknown = (RefusalCode.NO_SUCH_PHRASE, {"phrase": "boo"})
    assert why_not(ann, "hello", "boo\x1b") == unknown
    assert say(ann, "after all").n == 3


# Too fast ----------------------------------------------------------------------------------------


async def _said_in(player: Player, seconds: float, every_s: float) -> int:
    """How many lines of somebody who tries this often stood."""
    loop = asyncio.get_running_loop()
    end_s, stood = loop.time() + seconds, 0
    while loop.time() < end_s:
        try:
            say(player, "hello")
            stood += 1
        except Impossible as impossible:
            assert impossible.refusal.code == RefusalCode.TOO_FAST
        await asyncio.sleep(every_s)
    return stood


@in_a_hall(limits=Limits(), bot_pace_s=1000)
async def test_a_flood_is_bounded(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben")
    crowd = [Player(at, f"Wim {n}", origin=f"192.0.2.{n % 4}") for n in range(40)]
    for wim in crowd:
        table_of(ann).watch(wim)
    floods = [asyncio.create_task(_said_in(one, 100, 0.1)) for one in (ann, *crowd)]
    assert await _said_in(ben, 100, 2) >= 50, "another's flood silences nobody"
    own, *theirs = await asyncio.gather(*floods)
    assert abs(own - (5 + 50)) <= 2 and abs(sum(theirs) - (10 + 100)) <= 2
    trio = await at.table("Eve", "Fay", "Gus")
    for one in trio:
        one.origin = "192.0.2.9"
    of_one_place = await asyncio.gather(*(_said_in(one, 100, 0.1) for one in trio))
    assert abs(sum(of_one_place) - (10 + 100)) <= 2


@in_a_hall(limits=Limits())
async def test_who_is_refused_uses_up_nothing(at: Hall) -> None:
    (ann,) = await at.table("Ann", bots=1)
    ann.origin = "192.0.2.1"
    for n in range(20):
        table_of(ann).watch(wim := Player(at, f"Wim {n}", origin=f"192.0.2.{2 if n < 10 else 1}"))
        with suppress(Impossible):
            say(wim, "hello")
    assert say(ann, "hello").n == 11


@in_a_hall(limits=Limits(chat_s=0.4, chat_burst=2))
async def test_the_wait_that_is_named_is_enough(at: Hall) -> None:
    (ann,) = await at.table("Ann", bots=1)
    say(ann, "one")
    say(ann, "two")
    code, params = why_not(ann, "three")
    assert (code, params) == (RefusalCode.TOO_FAST, {"wait_s": 3})
    await asyncio.sleep(params["wait_s"])
    say(ann, "three")


@in_a_hall()
async def test_another_connection_does_not_let_a_player_say_more(at: Hall) -> None:
    (ann,) = await at.table("Ann", bots=1)
    table = table_of(ann)
    assert table is not None
    wim = Player(at, "Wim")
    for _ in range(5):
        table.watch(wim)
        say(wim, "hello")
        wim.leave()
    table.watch(wim)
    assert why_not(wim, "hello")[0] == RefusalCode.TOO_FAST
    for number in range(1000):
        table.watch(eve := Player(at, f"Eve {number}"))
        with suppress(Impossible):
            say(eve, "hello")
        eve.leave()
    assert len(table.chat._buckets) <= 256, "names are not remembered for ever"


@in_a_hall()
async def test_the_host_keeps_order(at: Hall) -> None:
    ann, ben = await at.table("Ann", "Ben")
    table_of(ann).watch(wim := Player(at, "Wim"))
    line = say(wim, "spam")
    table_of(ann).hush(ann, watchers=True)
    assert why_not(wim, "more") == (RefusalCode.WATCHERS_HUSHED, {})
    table_of(ann).unsay(ann, line.n)
    gone = Said(n=line.n, name="Wim", phrase="taken_away")
    assert [one.heard(Said)[-1] for one in (ann, ben, wim)] == [gone] * 3
    table_of(ann).watch(late := Player(at, "Eve"))
    assert late.heard(ChatHistory) == [ChatHistory([gone])] and say(ben, "thanks").n == 2
    table_of(ann).hush(ann, watchers=False)
    assert say(wim, "sorry").n == 3
    for wish in (partial(table_of(ben).hush, ben, True), partial(table_of(ben).unsay, ben, 2)):
        with pytest.raises(Impossible, match="not_host"):
            wish()
    for n in (line.n, 4):
        with pytest.raises(Impossible, match="no_such_line"):
            table_of(ann).unsay(ann, n)


# History -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["hi", "鐘" * MAX_CHAT_CHARACTERS], ids=["short", "long"])
@in_a_hall(limits=CHATTY)
async def test_a_newcomer_is_told_the_newest_lines_within_a_bound(at: Hall, text: str) -> None:
    (ann,) = await at.table("Ann", bots=1)
    wim = Player(at, "Wim")
    for _ in range(200):
        say(ann, text)
    table_of(ann).watch(wim)
    (history,) = wim.heard(ChatHistory)
    size = len(encode(history))
    assert [line.n for line in history.lines] == list(range(201 - len(history.lines), 201)), (
        "the newest, without gaps"
    )
    assert len(history.lines) <= HISTORY_LINES and size <= HISTORY_BYTES + 64
    assert len(history.lines) == HISTORY_LINES or size > HISTORY_BYTES - 3000
    assert size < MAX_FRAME_BYTES / 2


async def test_each_is_told_before_the_first_table_and_nothing_where_nothing_was_said() -> None:
    async with house() as at, await at.peer("Ann") as ann, await at.peer("Ben") as ben:
        code = await ann.create()
        await ben.done(Watch(id=0, table=code))
        await ben.until(AtTable)
        assert not [m for m in ben.seen if isinstance(m, ChatHistory)]
        await ben.done(Leave(id=0))
        await ann.done(Say(id=0, text="anybody?"))
        await ann.done(Say(id=0, phrase="hurry_up"))
        lines = [
            Said(n=1, name="Ann", seat=0, text="anybody?"),
            Said(n=2, name="Ann", seat=0, phrase="hurry_up"),
        ]
        for wish in (Watch(id=0, table=code), Join(id=0, table=code)):
            before = len(ben.seen)
            await ben.done(wish)
            await ben.until(AtTable)
            shown = [m for m in ben.seen[before:] if isinstance(m, AtTable | ChatHistory)]
            assert shown[0] == ChatHistory(lines)
            await ben.done(Leave(id=0))


# Over the wire -----------------------------------------------------------------------------------


async def test_it_is_heard_before_it_is_answered() -> None:
    async with house() as at, await at.peer("0PERATOR.") as ann, await at.peer("server") as ben:
        assert (ann.name, ben.name) == ("0PERATOR. 2", "server 2"), "nobody seems to run the server"
        await ann.create()
        await ann.done(Say(id=0, text="hello"))
        heard = [type(m) for m in ann.seen if isinstance(m, Said | Done)]
        assert heard == [Done, Said, Done]
