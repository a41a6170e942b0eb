"""All of a real match can be; what cannot be is found, and what passes the face can be asked of."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest
from hypothesis import given, settings, strategies as st
from msgspec import ValidationError, convert, to_builtins
from msgspec.structs import replace

from clocktowers_tui.games.architetti_attenti.face import FACE
from clocktowers_tui.games.architetti_attenti.log import phrase
from clocktowers_tui.games.architetti_attenti.proof import same_deal
from clocktowers_tui.games.architetti_attenti.result import result_details, result_lines
from clocktowers_tui.games.architetti_attenti.sense import nonsense
from protocol.games.architetti_attenti import (
    HALL,
    Bought,
    Dealt,
    DecidedBy,
    Discarded,
    End,
    Event,
    Options,
    Outcome,
    Phase,
    Placed,
    Revealed,
    View,
)
from protocol.games.architetti_attenti.board import MEADOW, has_room, with_tile
from protocol.ids import Seat
from tests.games.architetti_attenti.matches import Match, played
from tests.stage.nonsense import changed_value, others, paths

NAMES = ("Ann", "Björn", "Chiara", "Dmitri")


@pytest.mark.parametrize("end", End)
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_all_of_a_real_match_can_be(seats: int, end: End) -> None:
    match = Match(seats, Options(end=end), seed=seats)
    while not match.over():
        assert nonsense(seats, (), match.view(), None) == ""
        match.play_one()
    assert nonsense(seats, match.events, match.view(), match.outcome()) == ""
    assert nonsense(None, match.events, match.view(), match.outcome()) == ""


def placing() -> View:
    """A view of three in which seat 0 has bought; its board has a tile on a1 b1."""
    match = Match(3, Options(first_seat=0), seed=3)
    while len(match.events) < 40 or match.view().phase is not Phase.PLACE:
        match.play_one()
    view = match.view()
    built = with_tile(MEADOW, 2, 0, 1)
    return replace(view, turn=0, boards=[built, *view.boards[1:]])


VIEW: Final = placing()
OUTCOME: Final = played(3, Options(), 3).outcome()


def boards(change: Callable[[bytearray], object]) -> dict[str, Any]:
    """The first board with this done to it."""
    board = bytearray(VIEW.boards[0])
    change(board)
    return {"boards": [bytes(board), *VIEW.boards[1:]]}


def put(cell: int, byte: int) -> dict[str, Any]:
    return boards(lambda board: board.__setitem__(cell, byte))


def full() -> bytes:
    """A board on which no two free cells touch."""
    board = MEADOW
    for row in range(7):
        for first in range(row * 7, row * 7 + 6):
            if not (board[first] or board[first + 1]):
                board = with_tile(board, 1, first, first + 1)
    for first in range(42):
        if not (board[first] or board[first + 7]):
            board = with_tile(board, 1, first, first + 7)
    assert not has_room(board)
    return board


WRONG_VIEWS: Final[Mapping[str, Mapping[str, Any]]] = {
    "a turn of nobody's": {"turn": 3},
    "a negative turn": {"turn": -1},
    "seen by nobody": {"seat": 9},
    "two boards of three": {"boards": VIEW.boards[:2]},
    "gems of four": {"gems": bytes(4)},
    "too many gems": {"gems": b"\x06\x05\x05"},
    "more gems on the row than there are": {"on_row": b"\xff\0\0\0"},
    "discarded by two": {"discarded": [b"", b""]},
    "a discarded tile that is none": {"discarded": [b"", b"\x10", b""]},
    "no tile discarded": {"discarded": [b"", b"\0", b""]},
    "a row of three": {"row": VIEW.row[:3]},
    "a row of five": {"row": VIEW.row + b"\1"},
    "gems on five": {"on_row": bytes(5)},
    "an unknown tile in the row": {"row": b"\x10\1\1\1"},
    "an unknown tile to place": {"tile": 16},
    "a negative tile": {"tile": -1},
    "nothing to place": {"tile": 0},
    "nobody to place it": {"turn": None},
    "nobody to buy": {"turn": None, "phase": Phase.BUY, "tile": 0},
    "no room to place it": {"boards": [full(), *VIEW.boards[1:]]},
    "a pile below nothing": {"left": -1},
    "a pile beyond the box": {"left": 2**63},
    "a removed tile that is none": {"removed": b"\xff"},
    "a short board": {"boards": [MEADOW[:48], *VIEW.boards[1:]]},
    "an empty board": {"boards": [b"", *VIEW.boards[1:]]},
    "no town hall": put(HALL, 0),
    "a house on the town hall": put(HALL, 1),
    "two town halls": put(30, 10),
    "an unknown kind": put(30, 15),
    "an edge on a free cell": put(30, 0x10),
    "a bit that means nothing": put(30, 0x41),
    "half a tile": put(30, 1),
    "its other half turned away": put(1, 0x01),
    "its other half beyond the board": put(6, 1),
    "its other half in the next row": boards(
        lambda board: board.__setitem__(slice(6, 8), bytes((0x01, 0x21)))
    ),
    "its other half the town hall": put(HALL - 1, 1),
    "halves of no tile": boards(
        lambda board: board.__setitem__(slice(42, 44), bytes((0x02, 0x22)))
    ),
}


def test_the_view_they_are_made_of_can_be() -> None:
    assert nonsense(3, (), VIEW, None) == ""
    assert nonsense(3, (), replace(VIEW, **put(HALL, 10)), None) == ""
    over = replace(VIEW, turn=None, phase=Phase.OVER, tile=0, boards=[full()] * 3)
    assert nonsense(3, (), over, OUTCOME) == ""


@pytest.mark.parametrize("what", WRONG_VIEWS)
def test_a_view_that_cannot_be_is_found(what: str) -> None:
    assert nonsense(3, (), replace(VIEW, **WRONG_VIEWS[what]), None)


WRONG_EVENTS: Final = (
    Dealt(3, b"\1\2\3\4", 66, Options()),
    Dealt(0, b"\1\2\3", 66, Options()),
    Dealt(0, b"\1\2\3\0", 66, Options()),
    Dealt(0, b"\1\2\3\x10", 66, Options()),
    Dealt(0, b"\1\2\3\4", 67, Options()),
    Dealt(0, b"\1\2\3\4", -1, Options()),
    Bought(3, 1, 1, 0, 0),
    Bought(0, 0, 1, 0, 0),
    Bought(0, 5, 1, 0, 0),
    Bought(0, 1, 0, 0, 0),
    Bought(0, 1, 16, 0, 0),
    Bought(0, 4, 1, 4, 0),
    Bought(0, 4, 1, -1, 0),
    Bought(0, 4, 1, 3, 2**63),
    Placed(-1, 1, 0, 1),
    Placed(0, 0, 0, 1),
    Placed(0, 1, 6, 7),
    Placed(0, 1, 0, 0),
    Placed(0, 1, -1, 0),
    Placed(0, 1, 48, 49),
    Placed(0, 1, 49, 48),
    Discarded(3, 1),
    Discarded(0, 0),
    Revealed(0),
    Revealed(99),
)


@pytest.mark.parametrize("event", WRONG_EVENTS, ids=str)
def test_an_event_that_cannot_be_is_found(event: Event) -> None:
    assert nonsense(3, (event,), VIEW, None) == "an event that cannot happen"


def outcome(**changes: Any) -> Outcome:
    return replace(OUTCOME, **changes)


BIG: Final = tuple(replace(parts, houses=2**62) for parts in OUTCOME.parts)
WRONG_OUTCOMES: Final = (
    outcome(scores=OUTCOME.scores[:2]),
    outcome(parts=OUTCOME.parts[:2]),
    outcome(scores=(0, *OUTCOME.scores[1:])),
    outcome(parts=BIG, scores=tuple(parts.total for parts in BIG)),
    outcome(parts=tuple(replace(p, houses=-p.total, blocks=0) for p in OUTCOME.parts)),
    outcome(winners=()),
    outcome(winners=(3,)),
    outcome(winners=(-1,)),
    outcome(winners=(0, 0)),
    outcome(winners=(1, 0)),
    outcome(decided_by=DecidedBy.ALONE),
)


@pytest.mark.parametrize("wrong", WRONG_OUTCOMES, ids=range(len(WRONG_OUTCOMES)))
def test_an_outcome_that_cannot_be_is_found(wrong: Outcome) -> None:
    assert nonsense(3, (), VIEW, wrong) == "an outcome that cannot be"


def test_who_plays_alone_is_told_so() -> None:
    alone = played(1, Options(), 3)
    assert nonsense(1, (), alone.view(), replace(alone.outcome(), decided_by=DecidedBy.POINTS))


@pytest.mark.parametrize("seats", [0, 5, -1])
def test_a_table_of_no_size_is_found(seats: int) -> None:
    assert nonsense(seats, (), None, None) == f"a match of {seats} seats"
    assert nonsense(None, (), replace(VIEW, boards=[MEADOW] * max(0, seats)), None)


LAST: Final = played(3, Options(), 3)


@settings(deadline=None, derandomize=True, max_examples=300)
@given(st.data())
def test_whatever_passes_can_be_shown(data: st.DataObject) -> None:
    """Up to three parts of an honest end changed: found, or every word can be said about it."""
    said = [LAST.view(), LAST.outcome(), *LAST.events[-6:], LAST.events[0]]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(said) - 1))
        said[at] = data.draw(st.sampled_from(list(neighbours(said[at]))))
    view, end, *events = said
    if nonsense(3, events, view, end) == "":
        assert FACE.turn(view) >= 0
        assert result_lines(view, end, NAMES, 55) and result_details(view, end, NAMES, 55)
        assert all(phrase(event, NAMES, Seat(0)) for event in events)
        assert same_deal(events, view, bytes(32)) in (True, False, None)


def neighbours(value: Any) -> list[Any]:
    """The value with one part changed, each of its own type still."""
    plain = to_builtins(value, builtin_types=(bytes,))
    found = [value]
    for path, part in paths(plain):
        for other in others(part):
            try:
                changed = changed_value(plain, path, other)
                found.append(convert(changed, type(value), builtin_types=(bytes,)))
            except ValidationError:
                continue
    return found
