"""The time until what is going on ends by itself: shown where there is such an end."""

from textual.app import App, ComposeResult

from clocktowers_tui.widgets.due_clock import DueClock


class Shell(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.now_s = 100.0
        self.clock = DueClock(lambda: self.now_s)

    def compose(self) -> ComposeResult:
        yield self.clock


async def test_it_counts_down_to_what_is_due_and_goes_with_it() -> None:
    app = Shell()
    async with app.run_test():
        assert not app.clock.display
        app.clock.follow(115.0)
        assert app.clock.display and app.clock.left_s == 15
        app.now_s = 103.0
        app.clock.tick()
        assert "0:12" in str(app.clock.render())
        app.clock.follow(None)
        assert not app.clock.display and app.clock.left_s is None


async def test_it_is_held_with_the_match() -> None:
    app = Shell()
    async with app.run_test():
        app.clock.follow(115.0)
        app.clock.hold(True)
        app.now_s = 150.0
        app.clock.follow(115.0)
        assert app.clock.left_s == 15
        app.clock.hold(False)
        assert app.clock.left_s == 15
