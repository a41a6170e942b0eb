"""What pictures show: for each screen what the client believes, and the keys that lead there.

A match is one that bots have played so far, the same on every machine.
"""

import time
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from msgspec import convert
from msgspec.structs import replace

from clocktowers_tui.games.registry import FACES, LESSONS
from clocktowers_tui.history import matches, review
from clocktowers_tui.state.store import State
from clocktowers_tui.state.table import Chat, Connection, Kind, Lobby, Table
from protocol.from_server import Said
from protocol.games.architetti_attenti import Phase as TownPhase
from protocol.games.clocktowers import Phase as TowerPhase
from protocol.games.registry import GAMES as VOCABULARIES
from protocol.games.wild_wild_pattern import Phase as RacePhase
from protocol.table import SeatInfo, SeatKind, TableInfo, TablePhase
from tests.stage import seen_again
from tests.stage.reviewed import planted
from tests.stage.staged import NAMES, YOU, Staged

_TOWERS: Final = "clocktowers"
_TOWNS: Final = "architetti_attenti"
_RACE: Final = "wild_wild_pattern"
_LATE: Final = {_TOWERS: 76, _TOWNS: 120, _RACE: 80}
"""How many actions make a match that shows everything."""
_END: Final = 10_000
_SOLO: Final = Connection(kind=Kind.SOLO, address="127.0.0.1:7777", name=NAMES[0])
_VISIT: Final = Connection(kind=Kind.VISIT, address="192.168.1.5:7777", name=NAMES[0])


class Scene(NamedTuple):
    """`teaches`: the match is a lesson. `kept`: the games of which the player has a finished match,
    with a review."""

    state: Callable[[], State]
    keys: tuple[str, ...] = ()
    teaches: bool = False
    kept: tuple[str, ...] = ()


def _match(seats: int, number: int, plies: int, game: str = _TOWERS) -> State:
    """After so many actions, when a turn of the player begins."""
    staged = Staged(seats, number, game=game)
    staged.play(plies)
    return staged.client_state()


def _moment(game: str, number: int, phase: Any, *, mine: bool = True) -> State:
    """A match of four, late, at the first moment of this phase when the player acts, or does
    not."""
    staged = Staged(4, number, game=game)
    while (
        staged.plies < _LATE[game]
        or staged.view().phase is not phase
        or (staged.to_act() == YOU) is not mine
    ):
        assert not staged.over, f"no {phase} in this match"
        staged.play_one()
    shown = staged.client_state()
    if game == _RACE and shown.match is not None:
        # A running clock would change the picture every second.
        view = replace(shown.match.view, due_ms=None)
        shown = replace(shown, match=replace(shown.match, view=view))
    return shown


def _lesson(game: str) -> State:
    """No server answers one that plays."""
    lesson = LESSONS[game]
    options = convert(dict(lesson.options), VOCABULARIES[game].options)
    seats = len(lesson.bots) + 1
    shown = Staged(seats, lesson.number % 256, options, game, lesson.seed).client_state()
    return replace(shown, connection=_SOLO)


_PEOPLE: Final = [SeatInfo(kind=SeatKind.HUMAN, name=name) for name in NAMES]
_BOT: Final = SeatInfo(kind=SeatKind.BOT, name="Wren", level="hard")
_FREE: Final = SeatInfo(kind=SeatKind.FREE)


def _table_info(code: str, title: str, phase: TablePhase, *seats: SeatInfo) -> TableInfo:
    return TableInfo(table=code, game=_TOWERS, title=title, phase=phase, seats=[*seats], options={})


def _lobby() -> State:
    _ann, bjorn, chiara, _dmitri = _PEOPLE
    tables = (
        _table_info("7F3K", "Thursday", TablePhase.WAITING, bjorn, _FREE),
        _table_info("M2PX", "After supper", TablePhase.PLAYING, bjorn, chiara, _BOT),
        _table_info("Q8TN", "", TablePhase.ENDED, chiara, _BOT, _BOT, _FREE),
    )
    return State(connection=_VISIT, lobby=Lobby(tables, 0, len(tables)))


def _table() -> State:
    """The player is the host; one friend is ready, a seat is free."""
    ann, bjorn, _chiara, _dmitri = _PEOPLE
    info = _table_info(
        "7F3K", "Thursday", TablePhase.WAITING, ann, replace(bjorn, ready=True), _BOT, _FREE
    )
    said = (Said(n=0, name=NAMES[1], seat=1, text="Good evening! Is anybody else coming?"),)
    table = Table(replace(info, host=int(YOU)), YOU)
    return State(connection=_VISIT, table=table, chat=Chat(lines=said, fresh=1))


def finished(game: str) -> None:
    """Keep a match that two bots have played, with a review."""
    record = seen_again.record(("Ann", "Wren"), game, game, level="easy")
    matches.keep(game, zlib.compress(record), 0, int(time.time()))
    lost = {13: 170, 20: 80, 31: 60} if FACES[game].in_turns else {}
    review.keep(game, *planted(record, 0, lost))


SCENES: Final[Mapping[str, Scene]] = {
    "home": Scene(State),
    "settings": Scene(State, ("S",)),
    "rules": Scene(State, ("B",)),
    "connect": Scene(State, ("c",)),
    "bots": Scene(State, ("m",)),
    "quitting": Scene(State, ("ctrl+c",)),
    "lobby": Scene(_lobby, ("down",)),
    "form": Scene(_lobby, ("n",)),
    "table": Scene(_table),
    # Clocktowers
    "two": Scene(partial(_match, 2, 5, 80), ("1",)),
    "four": Scene(partial(_match, 4, 21, _LATE[_TOWERS]), ("1",)),
    "drawing": Scene(partial(_moment, _TOWERS, 21, TowerPhase.DRAW)),
    "waiting": Scene(partial(_moment, _TOWERS, 21, TowerPhase.PLAY, mine=False)),
    "help": Scene(partial(_match, 4, 21, _LATE[_TOWERS]), ("question_mark",)),
    "palette": Scene(partial(_match, 4, 21, _LATE[_TOWERS]), ("colon",)),
    "log": Scene(partial(_match, 4, 21, _LATE[_TOWERS]), ("L",)),
    "leaving": Scene(partial(_match, 4, 21, _LATE[_TOWERS]), ("q",)),
    "result": Scene(partial(_match, 4, 21, _END)),
    "lesson": Scene(partial(_lesson, _TOWERS), ("enter",) * 2, teaches=True),
    "end": Scene(partial(_match, 4, 21, _END), ("escape",)),
    # Architetti Attenti
    "towns": Scene(partial(_match, 4, 21, _LATE[_TOWNS], _TOWNS), ("2",)),
    "placing": Scene(partial(_moment, _TOWNS, 21, TownPhase.PLACE)),
    "towns-help": Scene(partial(_match, 4, 21, _LATE[_TOWNS], _TOWNS), ("question_mark",)),
    "towns-lesson": Scene(partial(_lesson, _TOWNS), ("enter",) * 2, teaches=True),
    "towns-result": Scene(partial(_match, 4, 21, _END, _TOWNS)),
    # Wild Wild Pattern
    "ready": Scene(partial(_moment, _RACE, 32, RacePhase.READY)),
    "race": Scene(partial(_moment, _RACE, 32, RacePhase.RACE)),
    "declaring": Scene(partial(_moment, _RACE, 32, RacePhase.DECLARE), ("a", "3")),
    "taking": Scene(partial(_moment, _RACE, 32, RacePhase.TAKE)),
    "challenge": Scene(partial(_moment, _RACE, 32, RacePhase.CHALLENGE)),
    "laying": Scene(partial(_moment, _RACE, 32, RacePhase.LAY)),
    "bank": Scene(partial(_moment, _RACE, 32, RacePhase.READY), ("d",)),
    "race-help": Scene(partial(_moment, _RACE, 32, RacePhase.RACE), ("question_mark",)),
    "race-lesson": Scene(partial(_lesson, _RACE), ("enter",), teaches=True),
    "race-result": Scene(partial(_match, 4, 21, _END, _RACE)),
    # Finished matches
    "history": Scene(State, ("y",), kept=(_TOWERS, _TOWNS, _RACE)),
    "replay": Scene(State, ("y", "enter", *["down"] * 5), kept=(_TOWERS,)),
    "review": Scene(State, ("y", "v"), kept=(_TOWERS,)),
    "mistake": Scene(State, ("y", "enter", "m"), kept=(_TOWERS,)),
    "trying": Scene(State, ("y", "enter", "m", "a"), kept=(_TOWERS,)),
    "what-if": Scene(State, ("y", "enter", "m", "w"), kept=(_TOWERS,)),
    "towns-review": Scene(State, ("y", "v"), kept=(_TOWNS,)),
    "towns-mistake": Scene(State, ("y", "enter", "m"), kept=(_TOWNS,)),
    "race-review": Scene(State, ("y", "v"), kept=(_RACE,)),
    "race-mistake": Scene(State, ("y", "enter", "m"), kept=(_RACE,)),
}
