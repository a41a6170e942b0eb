"""Which playthroughs there are; the texts lie beside this file."""

from pathlib import Path

from protocol.games import architetti_attenti
from protocol.games.clocktowers import ClockMice, Ladder, OpenMemory, Options, TurnOrder
from tests.playthroughs.script import Playthrough

FOLDER = Path(__file__).parent

PLAYTHROUGHS = {
    "clocktowers_2_standard": Playthrough("clocktowers", 2, Options(), 1),
    "clocktowers_2_russian_own_ladder": Playthrough(
        "clocktowers",
        2,
        Options(turn_order=TurnOrder.DRAW_PLAY, ladder=Ladder.OWN, first_seat=1),
        2,
    ),
    "clocktowers_3_italian_open_memory": Playthrough(
        "clocktowers", 3, Options(first_heights=(2,), open_memory=OpenMemory.ON), 3
    ),
    "clocktowers_4_ignored_clock_mice": Playthrough(
        "clocktowers",
        4,
        Options(turn_order=TurnOrder.DRAW_PLAY, clock_mice=ClockMice.IGNORE),
        4,
    ),
    "architetti_attenti_1_standard": Playthrough(
        "architetti_attenti", 1, architetti_attenti.Options(), 5
    ),
    "architetti_attenti_2_last_tile": Playthrough(
        "architetti_attenti",
        2,
        architetti_attenti.Options(end=architetti_attenti.End.ROW, first_seat=1),
        6,
    ),
    "architetti_attenti_3_letter": Playthrough(
        "architetti_attenti",
        3,
        architetti_attenti.Options(**architetti_attenti.PRESETS["letter"]),
        7,
    ),
    "architetti_attenti_4_no_take_back": Playthrough(
        "architetti_attenti",
        4,
        architetti_attenti.Options(
            rails=architetti_attenti.Rails.STRETCH, take_back=architetti_attenti.TakeBack.OFF
        ),
        8,
    ),
}


def path(name: str) -> Path:
    return FOLDER / f"{name}.txt"
