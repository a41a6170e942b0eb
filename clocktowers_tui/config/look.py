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


# Gruvbox is its dark, hard variant (github.com/morhetz/gruvbox, colors/gruvbox.vim), Catppuccin is
# Mocha (github.com/catppuccin/palette). Nord (nordtheme.com/docs/colors-and-palettes) has no quiet
# text and no red that can be read: `quiet` is nord3 two thirds of the way to nord4, `danger` nord11
# half-way to nord6, `turn` nord12 half-way to nord13: boards have grounds of both. The last three
# colours of `colour-blind` differ in lightness as well as in hue.
_COLOURS: Final = """\
              ground   text     quiet    faint    raised   accent   turn     danger   success
dark          #11151c  #e6e2da  #98a1af  #4a5361  #232a35  #a9c1dd  #ffab52  #ff7b72  #7fdc8a
light         #faf6ee  #2a2520  #635a50  #b9ae9e  #efe8dc  #2f5579  #8a3a00  #b3261e  #0b6b2e
gruvbox       #1d2021  #ebdbb2  #a89984  #665c54  #32302f  #83a598  #fe8019  #fb4934  #b8bb26
nord          #2e3440  #d8dee9  #a9b1bf  #4c566a  #3b4252  #88c0d0  #dea97e  #d6a8af  #a3be8c
catppuccin    #1e1e2e  #cdd6f4  #a6adc8  #585b70  #313244  #cba6f7  #fab387  #f38ba8  #a6e3a1
contrast      #000000  #ffffff  #d6d6d6  #a0a0a0  #303030  #5fd7ff  #ffff00  #ff9a8a  #5fff5f
colour-blind  #11151c  #e6e2da  #98a1af  #4a5361  #232a35  #a9c1dd  #f0e442  #e8743b  #56b4e9
"""

TONES: Final[Mapping[Palette, Tones]] = {
    Palette.NATIVE: Tones("", "", "", "", "", "", "", "", ""),
    **{Palette(name): Tones(*row) for name, *row in map(str.split, _COLOURS.splitlines()[1:])},
}
