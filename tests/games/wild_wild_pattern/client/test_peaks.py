"""A hit and a win are peaks, once each, and never while a race runs; nothing else is."""

from msgspec.structs import replace

from bench.staging import Staged
from clocktowers_tui.games.wild_wild_pattern.peaks import Hit, Win, peak
from protocol.games.wild_wild_pattern import Declared, Phase, View
from protocol.games.wild_wild_pattern.pattern import Fault, pairs


def test_every_hit_of_a_match_is_a_peak_and_the_win_is_the_last() -> None:
    staged = Staged(3, 21, game="wild_wild_pattern")
    hits, before, shown = 0, staged.view(), None
    while not staged.over:
        heard = len(staged.heard())
        staged.play_one()
        after = staged.view()
        shown = peak(before, after)
        said = [one for one in staged.heard()[heard:] if isinstance(one, Declared) and one.anchors]
        if not staged.over:
            assert isinstance(shown, Hit) == bool(said)
        for one in said:
            hits += 1
            assert one.pattern is not None
            places = pairs(one.wheel, one.pattern).places
            assert staged.over or (isinstance(shown, Hit) and shown.seat == one.seat)
            assert not isinstance(shown, Hit) or {*shown.places} == places
            check_that_it_must_be_right_and_no_race_may_run(before, after)
        before = after
    assert hits > 1
    assert shown == Win(staged.outcome().winners[0])


def check_that_it_must_be_right_and_no_race_may_run(before: View, after: View) -> None:
    assert after.declared is not None
    wrong = replace(after.declared, anchors=0, fault=Fault.UNTRUE)
    assert peak(before, replace(after, declared=wrong, outcome=None)) is None
    assert peak(before, replace(after, phase=Phase.RACE, outcome=None)) is None
    assert peak(after, after) is None
