"""The clock of the seat to act: in no hurry, in a hurry, and told of once a turn."""

from textual.app import App, ComposeResult

from clocktowers_tui.widgets.turn_clock import TurnClock
from protocol.clock import Running


class Shell(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0
        self.rung = 0
        self.clock = TurnClock(lambda: self.now_s)

    def compose(self) -> ComposeResult:
        yield self.clock

    def on_turn_clock_short(self) -> None:
        self.rung += 1


async def test_the_end_of_ones_own_time_is_told_once_a_turn() -> None:
    app = Shell()
    async with app.run_test() as pilot:
        assert not app.clock.display
        for seat, mine, left_ms, at_s, short, rung in (
            (1, False, 5_000, 0, False, 0),
            (0, True, 12_000, 2, False, 0),
            (0, True, 9_000, 5, True, 1),
            (0, True, 8_000, 6, True, 1),
            (1, False, 30_000, 9, False, 1),
            (0, True, 3_000, 40, True, 2),
        ):
            app.now_s = at_s
            app.clock.follow(Running(seat, left_ms), mine=mine)
            await pilot.pause()
            seen = app.clock.display, app.clock.has_class("-short"), app.rung
            assert seen == (True, short, rung)
        app.clock.follow(None, mine=False)
        assert not app.clock.display and app.clock._timer is None


async def test_the_same_clock_shown_again_does_not_begin_anew() -> None:
    app = Shell()
    async with app.run_test():
        running = Running(0, 20_000)
        app.clock.follow(running, mine=False)
        app.now_s = 5
        app.clock.follow(running, mine=True)
        assert app.clock.left_s == 15


async def test_beside_another_it_shows_the_same_and_tells_nobody() -> None:
    app = Shell()
    async with app.run_test() as pilot:
        beside = TurnClock(lambda: app.now_s)
        await app.mount(beside)
        app.clock.follow(Running(0, 20_000), mine=True)
        app.now_s = 12
        app.clock.tick()
        beside.go_with(app.clock)
        await pilot.pause()
        assert beside.display and beside.left_s == 8 and beside.has_class("-short")
        assert app.rung == 1
        beside.go_with(None)
        assert not beside.display and beside._timer is None
