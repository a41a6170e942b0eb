"""A roof and a win are peaks, once each; nothing else is."""

from bench.staging import Staged
from clocktowers_tui.games.clocktowers.peaks import Roof, Win, peak
from protocol.games.clocktowers import Completed


def test_every_roof_of_a_match_is_a_peak_and_the_win_is_the_last() -> None:
    staged = Staged(3, 21)
    found, told, before = [], [], staged.view()
    while not staged.over:
        heard = len(staged.heard())
        staged.play_one()
        after = staged.view()
        found.append(peak(before, after))
        events = [one for one in staged.heard()[heard:] if isinstance(one, Completed)]
        told += [Roof(one.seat, one.tower, one.points) for one in events if not staged.over]
        before = after
    assert told, "a match with roofs"
    winner = staged.outcome().winners[0]
    assert [one for one in found if one is not None] == [*told, Win(winner)]


def test_after_an_absence_nothing_is_played() -> None:
    staged = Staged(3, 21)
    before = staged.view()
    staged.play(60)
    assert sum(map(any, (town.points for town in staged.view().towns))) > 1
    assert peak(before, staged.view()) is None
