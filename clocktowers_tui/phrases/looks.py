"""The names of palettes, colours and characters."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeVar

from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.text.i18n import N_, _

Value = TypeVar("Value", bound=StrEnum)

PALETTES: Final[Mapping[Palette, str]] = {
    Palette.DARK: N_("dark"),
    Palette.LIGHT: N_("light"),
    Palette.GRUVBOX: N_("Gruvbox"),
    Palette.NORD: N_("Nord"),
    Palette.CATPPUCCIN: N_("Catppuccin"),
    Palette.CONTRAST: N_("high contrast"),
    Palette.COLOUR_BLIND: N_("for the colour-blind"),
    Palette.NATIVE: N_("the terminal's own"),
}
COLOURS: Final[Mapping[Colours, str]] = {
    Colours.TRUE: N_("all"),
    Colours.C256: N_("256"),
    Colours.C16: N_("16"),
    Colours.NONE: N_("none"),
}
GLYPHS: Final[Mapping[GlyphSet, str]] = {
    GlyphSet.UNICODE: N_("all"),
    GlyphSet.SAFE: N_("few, as on a Linux console"),
    GlyphSet.ASCII: N_("plain ASCII"),
}


def in_words(values: Mapping[Value, str]) -> list[tuple[Value, str]]:
    """(value, words), to choose from."""
    return [(value, _(words)) for value, words in values.items()]


def palette_in_words(look: Look, keymap: Keymap) -> str:
    """Which palette it is, and the key that goes back; if the player does not see it, why."""
    places = {"palette": _(PALETTES[look.palette]), "n": [*Palette].index(look.palette) + 1}
    said = _("Theme {n} of {all}: {palette}.").format(all=len(Palette), **places)
    if look.ansi and look.palette is not Palette.NATIVE:
        return said + " " + _("This terminal shows too few colours for it.")
    back = keymap.name(actions.THEME_BEFORE)
    return said + " " + _("{key}: the theme before.").format(key=back) if back else said
