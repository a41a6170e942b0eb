"""What stands above a board, whole as long as that can be."""

import pytest
from textual.app import App, ComposeResult

from clocktowers_tui.widgets.banner import Banner

PARTS = ("Architetti Attenti", "RZRP", "Tocca a te: prendi una tessera")


class Shell(App[None]):
    CSS = ".banner {height: 1}"

    def __init__(self, *, first_may_go: bool) -> None:
        super().__init__()
        self.banner = Banner(id="banner", first_may_go=first_may_go)

    def compose(self) -> ComposeResult:
        yield self.banner


@pytest.mark.parametrize(
    ("width", "first_may_go", "shown"),
    [
        (80, True, " Architetti Attenti  RZRP  Tocca a te: prendi una tessera"),
        (60, True, " RZRP  Tocca a te: prendi una tessera"),
        (60, False, " Architetti Attenti  RZRP  Tocca a te: prendi un…"),
        (30, True, " RZRP  Tocca a te:…"),
    ],
)
async def test_what_goes_where_there_is_no_room(width: int, first_may_go: bool, shown: str) -> None:
    app = Shell(first_may_go=first_may_go)
    async with app.run_test(size=(width, 1)):
        app.banner.show(PARTS, "in linea")
        painted = app.banner.render().plain
        assert painted.removesuffix(" in linea ").rstrip() == shown
        assert len(painted) == width


@pytest.mark.parametrize(
    ("width", "loud"), [(80, PARTS[-1]), (30, "Tocca a te: prendi una…"), (10, "To…")]
)
async def test_what_is_expected_of_the_player_is_loud(width: int, loud: str) -> None:
    app = Shell(first_may_go=True)
    async with app.run_test(size=(width, 1)):
        app.banner.show(PARTS, "", PARTS[-1])
        painted = app.banner.render()
        spans = [painted.plain[span.start : span.end] for span in painted.spans]
        assert [text.rstrip() for text in spans[1:]] == [loud]
        app.banner.show(PARTS, "")
        assert len(app.banner.render().spans) == 1
