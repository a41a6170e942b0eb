"""The seats of one table, without a table."""

from typing import Any

import pytest
from msgspec import Struct

from protocol.ids import TableCode
from protocol.listing import SeatInfo, SeatKind
from protocol.refusal import RefusalCode
from server.tables.names import Names
from server.tables.refusals import Impossible
from server.tables.seat import Chair
from server.tables.seating import BOT_NAMES, Seating


class Person:
    """A guest that keeps what it is sent."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.identity = b""
        self.origin = ""
        self.table: TableCode | None = None
        self.sent: list[Struct] = []

    def send(self, message: Struct) -> None:
        self.sent.append(message)

    show = send

    def measure(self) -> None:
        pass

    crowd = None

    def watches(self, table: TableCode | None) -> None:
        pass

    def lag_ms(self) -> int:
        return 0

    def replaced(self) -> None:
        self.table = None

    def dial_again(self) -> None:
        self.table = None


ANN, BEN, CIA = Person("Ann"), Person("Ben"), Person("Cia")


def free_seats(seats: int) -> Seating:
    return Seating([Chair(Names()) for _ in range(seats)])


def refused(error: pytest.ExceptionInfo[Impossible]) -> tuple[str, Any]:
    return error.value.refusal.code, error.value.refusal.params


def test_people_get_the_lowest_free_seat_or_the_one_they_ask_for() -> None:
    seating = free_seats(4)
    assert seating.sit(ANN, 1) == 1
    assert seating.sit(BEN, None) == 0
    assert seating.sit(CIA, None) == 2
    assert seating.guests() == [BEN, ANN, CIA]
    assert [seating.seat_of(guest) for guest in (ANN, BEN, CIA)] == [1, 0, 2]
    seating[seating.sit(Person("Dan"), None)].free()
    assert not seating.filled()


def test_a_seat_is_given_once() -> None:
    seating = free_seats(2)
    seating.sit(ANN, 0)
    with pytest.raises(Impossible) as error:
        seating.sit(BEN, 0)
    assert refused(error) == (RefusalCode.SEAT_TAKEN, {"seat": 0, "name": "Ann"})
    seating.set_bot(1, "easy")
    with pytest.raises(Impossible) as error:
        seating.sit(BEN, 1)
    assert refused(error)[0] == RefusalCode.SEAT_TAKEN
    with pytest.raises(Impossible) as error:
        seating.sit(BEN, None)
    assert refused(error) == (RefusalCode.TABLE_FULL, {})


@pytest.mark.parametrize("seat", [2, 255, -1])
def test_a_seat_that_is_not_there_is_refused(seat: int) -> None:
    seating = free_seats(2)
    with pytest.raises(Impossible) as error:
        seating.sit(ANN, seat)
    assert refused(error) == (RefusalCode.NO_SUCH_SEAT, {"seat": seat, "seats": 2})
    with pytest.raises(Impossible) as error:
        seating.set_bot(seat, "easy")
    assert refused(error)[0] == RefusalCode.NO_SUCH_SEAT


def test_bots_have_names_of_their_own_and_change_their_level() -> None:
    seating = free_seats(4)
    for seat in range(4):
        seating.set_bot(seat, "easy")
    names = [info.name for info in seating.infos()]
    assert len(set(names)) == 4
    assert set(names) <= set(BOT_NAMES)
    seating.set_bot(2, "normal")
    assert seating.infos()[2] == SeatInfo(kind=SeatKind.BOT, name=names[2], level="normal")
    seating.set_bot(2, "")
    assert seating.infos()[2] == SeatInfo(kind=SeatKind.FREE)


def test_no_bot_takes_a_persons_seat_or_name() -> None:
    seating = free_seats(2)
    seating.sit(Person(BOT_NAMES[0]), 0)
    with pytest.raises(Impossible) as error:
        seating.set_bot(0, "easy")
    assert refused(error)[0] == RefusalCode.SEAT_TAKEN
    seating.set_bot(1, "easy")
    assert seating[1].name == BOT_NAMES[1]


def test_ready_asks_people_only() -> None:
    seating = free_seats(3)
    seating.sit(ANN, 0)
    seating.sit(BEN, 1)
    seating.set_bot(2, "easy")
    assert seating.filled()
    assert not seating.all_ready()
    seating[1].set_ready(True)
    assert seating.all_ready(but=ANN)
    assert not seating.all_ready()
    seating[0].set_ready(True)
    assert seating.all_ready()
