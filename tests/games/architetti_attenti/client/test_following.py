"""What a face makes of a match as it goes: news, peaks, and turns."""

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.architetti_attenti.choosing import points
from clocktowers_tui.games.architetti_attenti.face import FACE
from clocktowers_tui.games.architetti_attenti.log import looked_at, news
from clocktowers_tui.games.architetti_attenti.scene import Houses, Win, peak
from protocol.games.architetti_attenti import Discarded, End, Kind, Options, Phase, Placed, View
from protocol.games.architetti_attenti.board import kinds, with_tile
from tests.games.architetti_attenti.boards import board
from tests.games.architetti_attenti.matches import TownMatch
from tests.games.architetti_attenti.meadows import at
from tests.stage.staged import Staged


def built(view: View, seat: int, first: str, second: str) -> View:
    boards = list(view.boards)
    boards[seat] = with_tile(boards[seat], 1, at(first), at(second))
    return replace(view, boards=boards)


def cells(*names: str) -> frozenset[int]:
    return frozenset(map(at, names))


def test_who_watches_sees_the_last_tile() -> None:
    start = board(2, seat=None)
    since = looked_at(start, None, None)
    first = built(replace(start, turn=1), 0, "f5", "g5")
    since = looked_at(first, start, since)
    assert news(first, since)[0] == cells("f5", "g5")
    choosing = replace(first, phase=Phase.PLACE)
    since = looked_at(choosing, first, since)
    assert news(choosing, since)[0] == cells("f5", "g5")
    second = built(replace(choosing, turn=0), 1, "g6", "g7")
    since = looked_at(second, choosing, since)
    assert news(second, since) == {0: frozenset(), 1: cells("g6", "g7")}


def test_another_match_has_no_news() -> None:
    full, empty = board(2), board(2, own=())
    assert looked_at(empty, full, full) is empty
    assert looked_at(board(3), full, full).boards == board(3).boards


# Peaks --------------------------------------------------------------------------------------------


def test_every_block_of_a_match_is_a_peak_and_the_win_is_the_last() -> None:
    staged = Staged(3, 21, game="architetti_attenti")
    found, before = [], staged.view()
    while not staged.over:
        heard = len(staged.heard())
        staged.play_one()
        after = staged.view()
        shown = peak(before, after)
        placed = [one for one in staged.heard()[heard:] if isinstance(one, Placed)]
        if isinstance(shown, Houses):
            seat = placed[0].seat
            had, has = (points(view, seat).blocks for view in (before, after))
            assert shown.seat == seat and shown.points == has - had
            assert {kinds(after.boards[seat])[cell] for cell in shown.cells} == {Kind.HOUSE}
            assert {placed[0].first, placed[0].second} & {*shown.cells}
        elif not staged.over and placed:
            seat = placed[0].seat
            assert points(after, seat).blocks <= points(before, seat).blocks
        found.append(shown)
        before = after
    assert any(isinstance(one, Houses) for one in found)
    assert found[-1] == Win(staged.outcome().winners[0])


# Turns --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", End)
@pytest.mark.parametrize("seats", [1, 2, 3])
def test_turn_by_turn(seats: int, end: End) -> None:
    match = TownMatch(seats, Options(end=end), seed=4)
    while not match.over():
        done = sum(isinstance(event, Placed | Discarded) for event in match.events)
        assert FACE.turn(match.view()) == done // seats + 1
        mover = replace(match.view(), seat=match.view().turn)
        if "Your turn" in (said := FACE.expected(mover, ())):
            assert f"Your turn {FACE.turn(mover)} of " in said
        last = done >= 22 * seats + (4 if end is End.ROW else 0) - seats
        assert ("last turn" in FACE.expected(mover, ())) == last
        match.play_one()
    assert match.view().phase is Phase.OVER
    assert FACE.turn(match.view()) == 22 + (-(-4 // seats) if end is End.ROW else 0)
    assert any(match.view().discarded) or (seats, end) != (1, End.ROW)  # 26 tiles, 24 fit
