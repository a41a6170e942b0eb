"""The seats of a table: who sits where and who is ready; and the automaton of each, whose moves
lead where its table says and leave no bot or timer behind."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final
from unittest.mock import Mock

import pytest

from protocol.errors import RefusalCode
from protocol.ids import Seat
from protocol.table import SeatInfo, SeatKind
from server.tables.names import Names
from server.tables.seat import (
    BOT_NAMES,
    HAS_BOT,
    HAS_PLAYER,
    KEEPS_NAME,
    MOVES,
    Chair,
    IllegalMove,
    Seating,
    SeatState,
)
from tests.stage.hall import Person, refuses
from tests.stage.jumping_clock import on_jumping_clock

# All seats of a table ----------------------------------------------------------------------------


def free_seats(seats: int) -> Seating:
    return Seating([Chair(Names(), Seat(seat)) for seat in range(seats)])


def test_bots_have_names_of_their_own_and_change_their_level() -> None:
    seating = free_seats(4)
    for seat in range(4):
        seating.set_bot(seat, "easy")
    names = [chair.name for chair in seating.chairs]
    assert len(set(names)) == 4
    assert set(names) <= set(BOT_NAMES)
    seating.set_bot(2, "normal")
    assert seating[2].info() == SeatInfo(kind=SeatKind.BOT, name=names[2], level="normal")
    seating.set_bot(2, "")
    assert seating[2].info() == SeatInfo(kind=SeatKind.FREE)


def test_no_bot_takes_a_persons_seat_or_name() -> None:
    seating = free_seats(2)
    seating.sit(Person(BOT_NAMES[0]), 0)
    with refuses(RefusalCode.SEAT_TAKEN):
        seating.set_bot(0, "easy")
    seating.set_bot(1, "easy")
    assert seating[1].name == BOT_NAMES[1]


# One seat ----------------------------------------------------------------------------------------

GRACE_S: Final = 30.0
WITH_BOT: Final = ("play", "stand_in", "hand_over", "hand_to_bot", "give_up")


class Stage:
    """One chair of Ann's, and what became of the things around it."""

    def __init__(self, state: SeatState) -> None:
        self.names = Names()
        self.ann = Person(self.names.claim("Ann") or "")
        self.bot, self.other_bot = Mock(), Mock()
        self.graces = 0
        self.chair = Chair(self.names, Seat(0))
        for move in WAYS[state]:
            self.make(move, self.bot)

    def make(self, move: str, bot: Mock | None = None) -> None:
        chair, bot = self.chair, bot or self.other_bot
        moves: Mapping[str, Callable[[], object]] = {
            "sit": lambda: chair.sit(self.ann),
            "seat_bot": lambda: chair.seat_bot("easy", "Wren"),
            "set_ready": lambda: chair.set_ready(True),
            "fall_silent": lambda: chair.fall_silent(GRACE_S, self._grace_over),
            "drop": lambda: chair.drop(GRACE_S, self._grace_over),
            "hold": lambda: chair.hold(GRACE_S, self._grace_over),
            "reseat": lambda: chair.reseat(Person(self.names.claim("Ann") or "")),
        }
        needs = bot if move in WITH_BOT else None
        moves.get(move, lambda: chair.move(move, needs))()

    def _grace_over(self, _chair: Chair) -> None:
        self.graces += 1

    def held(self, name: str) -> int:
        return self.names._uses[name.casefold()]

    def shown(self) -> list[Any]:
        chair = self.chair
        return [chair.state, chair.guest, chair.bot, chair.info(), self.held("Ann")]


WAYS: Final[Mapping[SeatState, list[str]]] = {
    SeatState.FREE: [],
    SeatState.BOT: ["seat_bot", "play"],
    SeatState.HERE: ["sit", "set_ready"],
    SeatState.PLAYED_FOR: ["sit", "stand_in"],
    SeatState.DROPPED: ["sit", "drop"],
    SeatState.AWAY: ["sit", "drop", "hand_to_bot"],
    SeatState.GIVEN_UP: ["sit", "give_up"],
}
EVERY = [(state, move) for state in SeatState for move in MOVES]


@pytest.mark.parametrize(("state", "move"), EVERY)
@on_jumping_clock
async def test_a_move_leads_where_the_table_says_or_is_refused(state: SeatState, move: str) -> None:
    """And leaves no bot, timer or name behind."""
    stage = Stage(state)
    chair = stage.chair
    assert chair.state is state
    after = MOVES[move].get(state)
    before = stage.shown()
    if after is None:
        with pytest.raises(IllegalMove, match=f"cannot {move}: the seat is {state.value}"):
            stage.make(move)
        assert stage.shown() == before
        return
    stage.make(move)
    assert chair.state is after
    assert (chair.guest is not None) == (after in HAS_PLAYER)
    assert (chair.bot is not None) <= (after in HAS_BOT)
    assert stage.bot.stop.called == (before[2] is not None and chair.bot is not stage.bot)
    assert (chair.name == "") == (after is SeatState.FREE)
    # Once for the session, which has not said goodbye here, and once for a seat that outlives it.
    # An owner who comes back takes the seat's hold over.
    came_back = move == "reseat" and state in KEEPS_NAME
    assert stage.held("Ann") == 1 + (after in KEEPS_NAME or came_back)
    await asyncio.sleep(GRACE_S + 1)
    assert stage.graces == (after is SeatState.DROPPED or move == "fall_silent")
    chair.move("end_match")
    assert chair.bot is None


@on_jumping_clock
async def test_every_state_is_shown_in_its_own_way() -> None:
    shown = {state: Stage(state).chair.info() for state in SeatState}
    human, bot = SeatKind.HUMAN, SeatKind.BOT
    assert shown == {
        SeatState.FREE: SeatInfo(kind=SeatKind.FREE),
        SeatState.BOT: SeatInfo(kind=bot, name="Wren", level="easy"),
        SeatState.HERE: SeatInfo(kind=human, name="Ann", ready=True),
        SeatState.PLAYED_FOR: SeatInfo(kind=human, name="Ann", timed_out=True),
        SeatState.DROPPED: SeatInfo(kind=human, name="Ann", dropped=True),
        SeatState.AWAY: SeatInfo(kind=bot, name="Ann", away=True),
        SeatState.GIVEN_UP: SeatInfo(kind=bot, name="Ann", away=True),
    }

    stage = Stage(SeatState.PLAYED_FOR)
    stage.make("hand_over")
    handed_over = SeatInfo(kind=human, name="Ann", handed_over=True)
    assert stage.chair.info() == handed_over, "by wish, whatever the reason before"


@on_jumping_clock
async def test_a_grace_that_runs_is_not_begun_again() -> None:
    stage = Stage(SeatState.DROPPED)
    await asyncio.sleep(GRACE_S - 1)
    stage.make("hold")
    await asyncio.sleep(2)
    assert stage.graces == 1
    stage.make("hold")
    await asyncio.sleep(GRACE_S + 1)
    assert stage.graces == 2
