"""What a command line asks for. The menu, which waits for no parser, asks for nothing."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from clocktowers_tui.config.look import Colours, GlyphSet

if TYPE_CHECKING:  # the menu asks for nothing, and is there first
    from clocktowers_tui.net.wishes import Wish


class Command(NamedTuple):
    """`wish` None: open the menu, or with `finds` the list of servers to go to. `name` "",
    `colours` and `glyphs` None: those in the settings. `tool`: only do that, which returns the exit
    code. `replays`: show this match again, as it was typed."""

    wish: "Wish | None"
    name: str = ""
    colours: Colours | None = None
    glyphs: GlyphSet | None = None
    mouse: bool = True
    tool: Callable[[], int] | None = None
    finds: bool = False
    replays: str = ""
