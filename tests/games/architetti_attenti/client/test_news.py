"""What others have placed since the player's last turn, and only that."""

from msgspec.structs import replace

from clocktowers_tui.games.architetti_attenti.news import looked_at, news
from protocol.games.architetti_attenti import Phase, View
from protocol.games.architetti_attenti.board import cell_named, with_tile
from tests.games.architetti_attenti.boards import board


def built(view: View, seat: int, first: str, second: str) -> View:
    one, other = cell_named(first), cell_named(second)
    assert one is not None and other is not None
    boards = list(view.boards)
    boards[seat] = with_tile(boards[seat], 1, one, other)
    return replace(view, boards=boards)


def cells(*names: str) -> frozenset[int]:
    return frozenset(cell for cell in map(cell_named, names) if cell is not None)


def test_others_tiles_are_news_until_ones_own_turn_ends() -> None:
    start = board(3, turn=1)
    since = looked_at(start, None, None)
    theirs = built(replace(start, turn=2), 1, "g6", "g7")
    since = looked_at(theirs, start, since)
    mine = built(replace(theirs, turn=0), 2, "g1", "g2")
    since = looked_at(mine, theirs, since)
    assert news(mine, since) == {1: cells("g6", "g7"), 2: cells("g1", "g2")}
    bought = replace(mine, phase=Phase.PLACE, tile=1)
    since = looked_at(bought, mine, since)
    assert news(bought, since)[1] == cells("g6", "g7")
    done = built(replace(bought, phase=Phase.BUY, turn=1, tile=0), 0, "f5", "g5")
    since = looked_at(done, bought, since)
    assert news(done, since) == {1: frozenset(), 2: frozenset()}


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
