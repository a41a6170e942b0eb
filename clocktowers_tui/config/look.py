"""How the client draws: which characters, how many colours, whose palette.

These are three independent switches. `tones` says how a palette looks.
"""

from enum import StrEnum
from typing import NamedTuple


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
