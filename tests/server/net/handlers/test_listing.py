"""`create`: every option, preset and bot, and each reason to say no; `list` at the edges."""

from typing import Any

import pytest

from protocol.errors import GoodbyeCode
from protocol.from_client import BotSeat, CreateTable, ListTables
from protocol.from_server import AtTable, Listing
from protocol.games.clocktowers import (
    PRESETS,
    ClockMice,
    Ladder,
    OpenMemory,
    TakeBack,
    TurnOrder,
)
from protocol.listing import Filter, SeatKind
from protocol.refusal import RefusalCode
from server.config import Limits
from tests.stage.house import house

DEFAULTS = {
    "first_heights": [1, 2],
    "turn_order": "play-draw",
    "ladder": "shared",
    "clock_mice": "count",
    "open_memory": "off",
    "take_back": "on",
    "first_seat": None,
}
EVERY_VALUE: list[tuple[str, Any]] = [
    ("first_heights", [1, 2]),
    ("first_heights", [2]),
    *(("turn_order", value.value) for value in TurnOrder),
    *(("ladder", value.value) for value in Ladder),
    *(("clock_mice", value.value) for value in ClockMice),
    *(("open_memory", value.value) for value in OpenMemory),
    *(("take_back", value.value) for value in TakeBack),
    *(("first_seat", value) for value in (None, 0, 1, 2)),
]


def wish(**how: Any) -> CreateTable:
    return CreateTable(**{"id": 0, "game": "clocktowers", "seats": 3, **how})


@pytest.mark.parametrize(("option", "value"), EVERY_VALUE)
async def test_every_option_can_be_chosen(option: str, value: Any) -> None:
    async with house() as at, await at.peer("Ann") as ann:
        await ann.done(wish(options={option: value}))
        info = (await ann.until(AtTable)).info
        assert info.options == {**DEFAULTS, option: value}


@pytest.mark.parametrize("preset", PRESETS)
async def test_a_preset_is_set_and_an_option_stands_above_it(preset: str) -> None:
    async with house() as at, await at.peer("Ann") as ann:
        own = {"turn_order": "draw-play", "ladder": "own"}
        await ann.done(wish(preset=preset, options=own))
        info = (await ann.until(AtTable)).info
        heights = list(PRESETS[preset]["first_heights"])
        assert info.options == {**DEFAULTS, **own, "first_heights": heights}
        assert info.preset == preset


async def test_bots_sit_where_they_are_wished_and_the_maker_on_the_lowest_other_seat() -> None:
    async with house() as at, await at.peer("Ann") as ann:
        await ann.done(wish(bots=[BotSeat(0, "easy"), BotSeat(2, "normal")], title=" A\x1b \n B "))
        message = await ann.until(AtTable)
        assert message.seat == message.info.host == 1
        kinds = [(seat.kind, seat.level) for seat in message.info.seats]
        assert kinds == [(SeatKind.BOT, "easy"), (SeatKind.HUMAN, ""), (SeatKind.BOT, "normal")]
        assert message.info.title == "A B"


@pytest.mark.parametrize(
    ("how", "code", "params"),
    [
        ({"game": "chess"}, RefusalCode.NO_SUCH_GAME, {"game": "chess"}),
        ({"seats": 1}, RefusalCode.BAD_SEATS, {"seats": [2, 3, 4]}),
        ({"seats": 5}, RefusalCode.BAD_SEATS, {"seats": [2, 3, 4]}),
        ({"title": "字" * 21}, RefusalCode.BAD_TITLE, {"cells": 40}),
        ({"preset": "french"}, RefusalCode.NO_SUCH_PRESET, {"preset": "french"}),
        ({"options": {"ladder": "none"}}, RefusalCode.BAD_OPTIONS, None),
        ({"options": {"ladders": "own"}}, RefusalCode.BAD_OPTIONS, None),
        ({"options": {"first_heights": 2}}, RefusalCode.BAD_OPTIONS, None),
        ({"options": {"first_heights": [3]}}, RefusalCode.BAD_OPTIONS, {"option": "first_heights"}),
        ({"options": {"first_heights": []}}, RefusalCode.BAD_OPTIONS, {"option": "first_heights"}),
        ({"options": {"first_seat": 3}}, RefusalCode.BAD_OPTIONS, {"option": "first_seat"}),
        ({"bots": [BotSeat(3, "easy")]}, RefusalCode.NO_SUCH_SEAT, {"seat": 3, "seats": 3}),
        ({"bots": [BotSeat(0, "god")]}, RefusalCode.NO_SUCH_LEVEL, {"level": "god"}),
        ({"bots": [BotSeat(n, "easy") for n in range(3)]}, RefusalCode.TABLE_FULL, {}),
    ],
)
async def test_a_table_that_cannot_be_is_refused_and_leaves_nothing(
    how: dict[str, Any], code: str, params: Any
) -> None:
    async with house() as at, await at.peer("Ann") as ann:
        refused = await ann.refused(wish(**how))
        assert refused.code == code
        if params is not None:
            assert refused.params == params
        assert not at.server.lobby.tables
        await ann.done(wish())


async def test_what_the_client_wrote_comes_back_clean_in_a_refusal() -> None:
    async with house() as at, await at.peer("Ann") as ann:
        for how in ({"game": "ch\x1b[2Jess"}, {"preset": "\x1b]0;x\x07"}):
            answer = await ann.refused(wish(**how))
            assert "\x1b" not in str(answer.params)
        answer = await ann.refused(wish(options={"\x1b]0;x\x07": 1}))
        assert "\x1b" not in str(answer.params)
        answer = await ann.refused(wish(bots=[BotSeat(0, "\x1b[2J")]))
        assert "\x1b" not in str(answer.params)


async def test_tables_are_bounded_and_one_is_enough_for_anybody() -> None:
    async with house(limits=Limits(tables=1)) as at, await at.peer("Ann") as ann:
        code = await ann.create()
        again = await ann.refused(wish())
        assert (again.code, again.params) == (RefusalCode.ALREADY_AT_TABLE, {"table": code})
        async with await at.peer("Ben") as ben:
            full = await ben.refused(wish())
            assert (full.code, full.params) == (RefusalCode.TOO_MANY_TABLES, {"limit": 1})


async def test_a_page_past_the_end_is_empty_and_one_that_cannot_be_breaks_the_wire() -> None:
    async with house() as at:
        ann = await at.peer("Ann")
        answer = await ann.request(ListTables(id=0, page=10_000))
        assert isinstance(answer, Listing)
        assert (answer.tables, answer.page, answer.total) == ([], 10_000, 0)
        ann.send(ListTables(id=1, page=10_001))
        assert (await ann.goodbye()).code == GoodbyeCode.MALFORMED
        ben = await at.peer("Ben")
        ben.send(ListTables(id=1, filter=Filter(text="x" * 101)))
        assert (await ben.goodbye()).code == GoodbyeCode.MALFORMED
