"""Which playthroughs there are; the texts lie beside this file."""

from pathlib import Path

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
}


def path(name: str) -> Path:
    return FOLDER / f"{name}.txt"
