"""A match on a real terminal that changes its looks: run this module with looks as
`palette,colours,glyphs`; each y goes to the next look."""

import asyncio
import sys
from collections.abc import Sequence
from importlib.resources import files

from textual.app import ComposeResult
from textual.widgets import Static

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.games.clocktowers.face import FACE
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.screens.screen import OurScreen
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.key_line import Entry, KeyLine
from tests.games.clocktowers.boards import LOG, board
from tests.stage.golden_boards import NAMES

LOOKS = (
    *(Look(palette) for palette in (Palette.DARK, Palette.LIGHT, Palette.NATIVE)),
    Look(colours=Colours.C16),
    Look(colours=Colours.NONE),
)


def named(text: str) -> Look:
    palette, colours, glyphs = text.split(",")
    return Look(Palette(palette), Colours(colours), GlyphSet(glyphs))


class Seen(OurScreen[None]):
    """A banner, a board, a sentence, keys; as in a match."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.board = FACE.board(look)

    def compose(self) -> ComposeResult:
        yield Banner(id="banner")
        yield self.board
        yield Static("", id="said")
        yield KeyLine()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Banner).show(["Clocktowers"], "live")
        self.query_one(KeyLine).show([Entry("y", "Next")])
        view = board(4)
        self.board.show(view, NAMES, waiting=False, log=LOG)
        self.board.focus()


class Restyling(ClocktowersApp):
    CSS_PATH = str(files("clocktowers_tui") / "app" / "styles" / "app.tcss")

    def __init__(self, looks: Sequence[Look]) -> None:
        super().__init__(Settings(name="Ann"), FACES, looks[0])
        self._looks = list(looks[1:])

    async def _follow(self) -> None:
        """There is no server that could say where to go."""
        await self.push_screen(Seen(self.look))
        self.bind("y", "following")
        self.say_look()

    def action_following(self) -> None:
        if self._looks:
            self.restyle(self._looks.pop(0))
            self.say_look()

    def say_look(self) -> None:
        """Once everything else is painted, the sentence names the look."""
        said = self.screen.query_one("#said", Static)
        text = ",".join(self.look)
        self.call_after_refresh(self.call_after_refresh, said.update, text)


if __name__ == "__main__":
    asyncio.run(Restyling([named(text) for text in sys.argv[1:]]).run_async())
