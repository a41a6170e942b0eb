"""A long text keeps to its own cells, whatever is drawn in it."""

from textual.app import App, ComposeResult

from clocktowers_tui.text.markdown import Line
from clocktowers_tui.widgets.reading import Reading


class Two(App[None]):
    """A text, with a margin on the right."""

    CSS = "Reading { height: 1fr; margin: 0 1; }"

    def compose(self) -> ComposeResult:
        yield Reading(id="text")


async def test_a_line_that_is_too_wide_is_cut_where_the_widget_ends() -> None:
    app = Two()
    async with app.run_test(size=(20, 3)):
        reading = app.query_one(Reading)
        for text in ("x" * 30, "鐘" * 30, "x" + "鐘" * 30, "", "short"):
            reading.show([Line(text)])
            strip = reading.render_line(0)
            assert strip.cell_length == 18
            assert sum(segment.cell_length for segment in strip) == 18
