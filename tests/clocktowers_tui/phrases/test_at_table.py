"""A table in words: who is ready, what is missing, how a free seat is filled."""

from msgspec.structs import replace

from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.phrases.at_table import about_in_words, seats_in_rows
from clocktowers_tui.state.connection import Connection, Kind
from clocktowers_tui.state.table import Table
from protocol.ids import Seat
from protocol.listing import SeatInfo, SeatKind, TableInfo, TablePhase
from protocol.text import cells

ANN = SeatInfo(kind=SeatKind.HUMAN, name="Ann")
BEN = SeatInfo(kind=SeatKind.HUMAN, name="Ben")
WREN = SeatInfo(kind=SeatKind.BOT, name="Wren", level="hard")
FREE = SeatInfo(kind=SeatKind.FREE)
INFO = TableInfo(
    table="7F3K",
    game="clocktowers",
    title="",
    phase=TablePhase.WAITING,
    seats=[ANN, BEN, WREN, FREE],
    host=0,
)
VISIT = Connection(kind=Kind.VISIT, address="192.168.1.5:7777", name="Ben")


def rows(seat: int | None, info: TableInfo = INFO, width: int = 56) -> list[str]:
    table = Table(info, None if seat is None else Seat(seat))
    return [row.plain for row in seats_in_rows(table, DEFAULT_KEYS, width)]


def test_each_seat_says_what_is_missing() -> None:
    ann, ben, wren, free = rows(1)
    assert ann.startswith("● 1  Ann") and ann.endswith("host")
    assert ben.startswith("○ 2  Ben") and ben.endswith("you, not ready")
    assert wren == "● 3  Wren (bot, hard)"
    assert free.startswith("○ 4  (free)") and free.endswith("waits for a friend")
    there = replace(INFO, seats=[ANN, replace(BEN, ready=True), WREN, FREE])
    assert rows(1, there)[1].startswith("● 2  Ben") and rows(1, there)[1].endswith("you, ready")
    assert rows(0)[3].endswith("Enter: seat a bot") and rows(None)[3].endswith("Enter: sit down")


def test_no_row_is_wider_than_its_room() -> None:
    long = replace(INFO, seats=[replace(ANN, name="W" * 20), BEN, WREN, FREE])
    assert all(cells(row) <= width for width in (36, 44, 56) for row in rows(1, long, width))


def test_friends_are_told_what_to_type_while_a_seat_is_free() -> None:
    command = "clocktowers join 192.168.1.5:7777 --table 7F3K"
    assert command in about_in_words(Table(INFO, Seat(1)), VISIT, None).plain
    full = replace(INFO, seats=[ANN, BEN])
    assert command not in about_in_words(Table(full, Seat(1)), VISIT, None).plain
