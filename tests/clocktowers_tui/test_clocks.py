"""The clocks on the screen, told the time by hand: until a deadline, until what is going on ends by
itself, and that of the seat to act."""

from textual.app import App, ComposeResult

from clocktowers_tui.widgets.banner import Countdown, DueClock, TurnClock
from protocol.table import Running


class Clocks(App[None]):
    """One of each kind; counts how often the player is told that their time runs out."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 100.0
        self.told = 0
        self.clock = Countdown(self.time_s)
        self.due = DueClock(self.time_s)
        self.turn = TurnClock(self.time_s)

    def time_s(self) -> float:
        return self.now_s

    def compose(self) -> ComposeResult:
        yield self.clock
        yield self.due
        yield self.turn

    def on_turn_clock_short(self) -> None:
        self.told += 1


async def test_it_counts_down_to_the_deadline_and_stops() -> None:
    app = Clocks()
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
    app = Clocks()
    app.now_s = 0
    async with app.run_test():
        app.clock.aim(2**63 / 1000)
        assert app.clock._timer is not None
        assert app.clock._timer._interval == 1


async def test_held_it_stands_and_then_goes_on_from_there() -> None:
    app = Clocks()
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


async def test_what_is_due_is_shown_and_held_and_goes_with_it() -> None:
    app = Clocks()
    async with app.run_test():
        assert not app.due.display
        app.due.follow(115.0)
        assert app.due.display and app.due.left_s == 15
        app.now_s = 103.0
        app.due.tick()
        assert "0:12" in str(app.due.render())
        app.due.hold(True)
        app.now_s = 150.0
        app.due.follow(115.0)
        assert app.due.left_s == 12
        app.due.hold(False)
        assert app.due.left_s == 12
        app.due.follow(None)
        assert not app.due.display and app.due.left_s is None


async def test_the_end_of_ones_own_time_is_told_once_a_turn() -> None:
    app = Clocks()
    async with app.run_test() as pilot:
        assert not app.turn.display
        for seat, mine, left_ms, at_s, short, told in (
            (1, False, 5_000, 0, False, 0),
            (0, True, 12_000, 2, False, 0),
            (0, True, 9_000, 5, True, 1),
            (0, True, 8_000, 6, True, 1),
            (1, False, 30_000, 9, False, 1),
            (0, True, 3_000, 40, True, 2),
        ):
            app.now_s = 100 + at_s
            app.turn.follow(Running(seat, left_ms), mine=mine)
            await pilot.pause()
            seen = app.turn.display, app.turn.has_class("-short"), app.told
            assert seen == (True, short, told)
        app.turn.follow(None, mine=False)
        assert not app.turn.display and app.turn._timer is None


async def test_the_same_clock_shown_again_does_not_begin_anew() -> None:
    app = Clocks()
    async with app.run_test():
        running = Running(0, 20_000)
        app.turn.follow(running, mine=False)
        app.now_s = 105
        app.turn.follow(running, mine=True)
        assert app.turn.left_s == 15


async def test_beside_another_it_shows_the_same_and_tells_nobody() -> None:
    app = Clocks()
    async with app.run_test() as pilot:
        beside = TurnClock(app.time_s)
        await app.mount(beside)
        app.turn.follow(Running(0, 20_000), mine=True)
        app.now_s = 112
        app.turn.tick()
        beside.go_with(app.turn)
        await pilot.pause()
        assert beside.display and beside.left_s == 8 and beside.has_class("-short")
        assert app.told == 1
        beside.go_with(None)
        assert not beside.display and beside._timer is None
