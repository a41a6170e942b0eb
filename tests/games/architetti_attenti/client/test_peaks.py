"""A block of houses and a win are peaks, once each; nothing else is."""

from bench.staging import Staged
from clocktowers_tui.games.architetti_attenti.peaks import Block, Win, peak
from clocktowers_tui.games.architetti_attenti.preview import points
from protocol.games.architetti_attenti import Kind, Placed
from protocol.games.architetti_attenti.board import kinds


def test_every_block_of_a_match_is_a_peak_and_the_win_is_the_last() -> None:
    staged = Staged(3, 21, game="architetti_attenti")
    found, before = [], staged.view()
    while not staged.over:
        heard = len(staged.heard())
        staged.play_one()
        after = staged.view()
        shown = peak(before, after)
        placed = [one for one in staged.heard()[heard:] if isinstance(one, Placed)]
        if isinstance(shown, Block):
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
    assert any(isinstance(one, Block) for one in found)
    assert found[-1] == Win(staged.outcome().winners[0])
