"""Match time goes by while the match is played, and then only."""

from hypothesis import given, strategies as st

from server.matches.match_time import MatchTime

STEPS = st.lists(st.tuples(st.sampled_from(["go", "stand"]), st.integers(0, 10_000)))


class Wall:
    """Seconds, as the test wants them."""

    def __init__(self) -> None:
        self.ms = 7_000_000

    def __call__(self) -> float:
        return self.ms / 1000


@given(at_ms=st.integers(0, 10**9), steps=STEPS)
def test_it_is_what_went_by_while_it_did_not_stand_still(
    at_ms: int, steps: list[tuple[str, int]]
) -> None:
    wall = Wall()
    time = MatchTime(wall, at_ms)
    goes_by, expected_ms = True, at_ms
    for what, ms in steps:
        (time.go_on if what == "go" else time.stand_still)()
        goes_by = what == "go"
        assert time.goes_by == goes_by
        wall.ms += ms
        expected_ms += ms if goes_by else 0
    # Each stretch is cut to whole milliseconds.
    assert expected_ms - len(steps) - 1 <= time.now_ms() <= expected_ms


def test_it_never_goes_back() -> None:
    wall = Wall()
    time = MatchTime(wall)
    seen = []
    for turn in range(1000):
        wall.ms += 1
        (time.stand_still if turn % 3 else time.go_on)()
        seen.append(time.now_ms())
    assert seen == sorted(seen)
    assert seen[-1] > 0
