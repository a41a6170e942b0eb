"""The clocks on the screen, told the time by hand."""

from textual.app import App, ComposeResult

from clocktowers_tui.state.match import Match, timed
from clocktowers_tui.widgets.banner import Countdown
from protocol.table import Running


class Clocks(App[None]):
    """One; counts how often the player is told that their time runs out."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 100.0
        self.told = 0
        self.clock = Countdown(lambda: self.now_s)

    def compose(self) -> ComposeResult:
        yield self.clock

    def on_countdown_short(self) -> None:
        self.told += 1


async def test_it_counts_down_to_the_deadline_and_stops() -> None:
    app = Clocks()
    async with app.run_test():
        seen = []
        for deadline_s, now_s in ((None, 100), (142, 100), (142, 101.5), (142, 142), (142, 150)):
            app.now_s = now_s
            app.clock.show(deadline_s)
            assert app.clock.display == (deadline_s is not None)
            seen.append(app.clock.render().plain.strip())
        assert seen == ["", "0:42", "0:41", "0:00", "0:00"]
        assert app.clock._timer is None
        app.clock.show(200)
        assert app.clock._timer is not None
        app.clock.show(None)
        assert app.clock._timer is None


async def test_a_deadline_in_centuries_is_no_busy_clock() -> None:
    """Floats have no seconds there: what is left of the current second would be 0."""
    app = Clocks()
    app.now_s = 0
    async with app.run_test():
        app.clock.show(2**63 / 1000)
        assert app.clock._timer is not None
        assert app.clock._timer._interval == 1


async def test_held_it_stands() -> None:
    app = Clocks()
    async with app.run_test():
        app.now_s = 130
        app.clock.show(142, 102, certain=False)
        assert app.clock.render().plain.strip() == "0:40?" and app.clock._timer is None
        app.clock.show(170)
        assert app.clock.render().plain.strip() == "0:40" and app.clock._timer is not None


async def test_the_end_of_ones_own_time_is_told_once_a_turn() -> None:
    app = Clocks()
    async with app.run_test() as pilot:
        for mine, left_s, short, told in (
            (False, 5, False, 0),
            (True, 12, False, 0),
            (True, 9, True, 1),
            (True, 8, True, 1),
            (False, 30, False, 1),
            (True, 3, True, 2),
        ):
            app.clock.show(100 + left_s, mine=mine)
            await pilot.pause()
            assert (app.clock.has_class("-short"), app.told) == (short, told)


def test_time_that_stood_still_is_added_to_what_is_left() -> None:
    """What is told meanwhile is held, too."""
    had = Match(id="m1", table="K7QM", game="clocktowers", sha256="", clock=Running(0, 42_000))
    told, later = (
        Match(id="m1", table="K7QM", game="clocktowers", sha256="", view=object(), clock=clock)
        for clock in (had.clock, Running(0, 11_000))
    )
    first = timed(told, had, 100, still=False)
    assert (first.began_s, first.ends_s, first.held_s) == (100, 142, None)
    assert timed(first, first, 101, still=False) is first
    held = timed(first, first, 102, still=True)
    assert timed(held, held, 130, still=True).held_s == 102
    goes_on = timed(held, held, 131, still=False)
    assert (goes_on.began_s, goes_on.ends_s, goes_on.held_s) == (129, 171, None)
    assert timed(later, held, 150, still=True).ends_s == 161
    assert timed(later, held, 150, still=True).held_s == 150
