"""The clock on the screen, told the time by hand."""

import pytest
from textual.app import App, ComposeResult

from clocktowers_tui.phrases.clocks import time_left
from clocktowers_tui.widgets.countdown import Countdown


@pytest.mark.parametrize(("left_s", "shown"), [(0, "0:00"), (59, "0:59"), (3600, "60:00")])
def test_how_time_reads(left_s: int, shown: str) -> None:
    assert time_left(left_s) == shown


class Shell(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.now_s = 100.0
        self.clock = Countdown(lambda: self.now_s)

    def compose(self) -> ComposeResult:
        yield self.clock


async def test_it_counts_down_to_the_deadline_and_stops() -> None:
    app = Shell()
    async with app.run_test():
        seen = []
        for deadline_s, now_s in ((None, 100), (142, 100), (142, 101.5), (142, 142), (142, 150)):
            app.now_s = now_s
            app.clock.aim(deadline_s)
            seen.append(app.clock.render().plain.strip())
        assert seen == ["", "0:42", "0:41", "0:00", "0:00"]
        assert app.clock._timer is None
        app.clock.aim(200)
        assert app.clock._timer is not None
        app.clock.aim(None)
        assert app.clock._timer is None


async def test_a_deadline_in_centuries_is_no_busy_clock() -> None:
    """Floats have no seconds there: what is left of the current second would be 0."""
    app = Shell()
    app.now_s = 0
    async with app.run_test():
        app.clock.aim(2**63 / 1000)
        assert app.clock._timer is not None
        assert app.clock._timer._interval == 1


async def test_held_it_stands_and_then_goes_on_from_there() -> None:
    app = Shell()
    async with app.run_test():
        seen = []
        app.clock.aim(142)
        for held, now_s in ((True, 102), (True, 130), (False, 131), (False, 141)):
            app.now_s = now_s
            app.clock.hold(held)
            seen.append(app.clock.render().plain.strip())
            assert (app.clock._timer is None) == held
        assert seen == ["0:40", "0:40", "0:40", "0:30"]
        app.clock.hold(True)
        app.clock.aim(161)
        app.now_s = 150
        app.clock.tick()
        assert app.clock.left_s == 20, "what is told meanwhile is held, too"


async def test_a_time_that_may_be_another_is_marked() -> None:
    app = Shell()
    async with app.run_test():
        app.clock.aim(142)
        app.clock.hold(False, certain=False)
        assert app.clock.render().plain == "  0:42?"
        app.clock.hold(False)
        assert app.clock.render().plain == "  0:42 "
