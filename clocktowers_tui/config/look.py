"""How the client draws: which characters, how many colours, whose palette, what its colours mean.

Characters, colours and palette are three independent switches.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple


class GlyphSet(StrEnum):
    """What the terminal can draw: all, the Linux console's few hundred characters, or ASCII."""

    UNICODE = "unicode"
    SAFE = "safe"
    ASCII = "ascii"


class Colours(StrEnum):
    """How many colours the client may send; with `NONE` only bold, dim and reverse."""

    TRUE = "true"
    C256 = "256"
    C16 = "16"
    NONE = "none"


class Palette(StrEnum):
    """Which colours. `NATIVE`: the terminal's own sixteen, on its own background."""

    DARK = "dark"
    LIGHT = "light"
    GRUVBOX = "gruvbox"
    NORD = "nord"
    CATPPUCCIN = "catppuccin"
    CONTRAST = "contrast"
    COLOUR_BLIND = "colour-blind"
    NATIVE = "native"


class Look(NamedTuple):
    palette: Palette = Palette.DARK
    colours: Colours = Colours.TRUE
    glyphs: GlyphSet = GlyphSet.UNICODE

    def wished(self, palette: Palette, colours: Colours | None, glyphs: GlyphSet | None) -> "Look":
        """The player's wishes; what the player leaves open stays as it is here."""
        return Look(palette, colours or self.colours, glyphs or self.glyphs)

    @property
    def ansi(self) -> bool:
        """Whether the terminal's own colours are sent, unconverted."""
        return self.palette is Palette.NATIVE or self.colours in (Colours.C16, Colours.NONE)


# What colours mean, in each palette, around the boards and on them.
#
# Law: text has a contrast of 4.5 or more on the ground, also where 256 colours must do (the tests
# measure it). What a colour says, a word or a place on the screen says too.


class Tones(NamedTuple):
    """`ground` and `text` are most of the screen. Beside them are three greys: `quiet` is text
    that can wait, `faint` draws frames, `raised` lies behind the banner.

    `accent`: where the cursor is, and what Enter would do. `turn`: whose turn it is, and what has
    just happened. "" is the terminal's own.
    """

    ground: str
    text: str
    quiet: str
    faint: str
    raised: str
    accent: str
    turn: str
    danger: str
    success: str


_DARK: Final = Tones(
    ground="#11151c",
    text="#e6e2da",
    quiet="#98a1af",
    faint="#4a5361",
    raised="#232a35",
    accent="#a9c1dd",
    turn="#ffab52",
    danger="#ff7b72",
    success="#7fdc8a",
)

TONES: Final[Mapping[Palette, Tones]] = {
    Palette.DARK: _DARK,
    Palette.LIGHT: Tones(
        ground="#faf6ee",
        text="#2a2520",
        quiet="#635a50",
        faint="#b9ae9e",
        raised="#efe8dc",
        accent="#2f5579",
        turn="#8a3a00",
        danger="#b3261e",
        success="#0b6b2e",
    ),
    # Dark, hard: github.com/morhetz/gruvbox, colors/gruvbox.vim.
    Palette.GRUVBOX: Tones(
        ground="#1d2021",
        text="#ebdbb2",
        quiet="#a89984",
        faint="#665c54",
        raised="#32302f",
        accent="#83a598",
        turn="#fe8019",
        danger="#fb4934",
        success="#b8bb26",
    ),
    # nordtheme.com/docs/colors-and-palettes. Nord has no quiet text and no red that can be read:
    # `quiet` is nord3 two thirds of the way to nord4, `danger` nord11 half-way to nord6, `turn`
    # nord12 half-way to nord13: boards have grounds of both.
    Palette.NORD: Tones(
        ground="#2e3440",
        text="#d8dee9",
        quiet="#a9b1bf",
        faint="#4c566a",
        raised="#3b4252",
        accent="#88c0d0",
        turn="#dea97e",
        danger="#d6a8af",
        success="#a3be8c",
    ),
    # Mocha: github.com/catppuccin/palette.
    Palette.CATPPUCCIN: Tones(
        ground="#1e1e2e",
        text="#cdd6f4",
        quiet="#a6adc8",
        faint="#585b70",
        raised="#313244",
        accent="#cba6f7",
        turn="#fab387",
        danger="#f38ba8",
        success="#a6e3a1",
    ),
    Palette.CONTRAST: Tones(
        ground="#000000",
        text="#ffffff",
        quiet="#d6d6d6",
        faint="#a0a0a0",
        raised="#303030",
        accent="#5fd7ff",
        turn="#ffff00",
        danger="#ff9a8a",
        success="#5fff5f",
    ),
    # The last three differ in lightness as well as in hue.
    Palette.COLOUR_BLIND: _DARK._replace(turn="#f0e442", danger="#e8743b", success="#56b4e9"),
    Palette.NATIVE: Tones("", "", "", "", "", "", "", "", ""),
}
