"""The tones as Textual's themes; a board has its own `paints`.

The style sheet knows a tone by its name: `$quiet`, `$faint`, `$raised`, `$accent`, `$turn`,
`$danger`, `$success`; `$background` and `$foreground` are `ground` and `text`.
"""

from collections.abc import Mapping
from typing import Final

from textual.theme import Theme

from clocktowers_tui.config.look import Colours, Look, Palette
from clocktowers_tui.config.tones import TONES, Tones


def theme(look: Look) -> str:
    """The name of the theme for a look."""
    if look.colours is Colours.NONE:
        return _PLAIN.name
    return THEMES[Palette.NATIVE if look.ansi else look.palette].name


def _theme(palette: Palette, tones: Tones) -> Theme:
    """For a ground that is ours."""
    ground, text = tones.ground, tones.text
    return Theme(
        name=f"clocktowers-{palette}",
        primary=tones.accent,
        accent=tones.accent,
        warning=tones.turn,
        error=tones.danger,
        success=tones.success,
        foreground=text,
        background=ground,
        surface=ground,
        panel=ground,
        dark=ground < text,
        variables={
            "text-muted": tones.quiet,
            "quiet": tones.quiet,
            "faint": tones.faint,
            "raised": tones.raised,
            "turn": tones.turn,
            "danger": tones.danger,
            "border": tones.accent,
            "border-blurred": tones.faint,
            "block-cursor-foreground": ground,
            "block-cursor-background": tones.accent,
            "block-cursor-blurred-foreground": text,
            "block-cursor-blurred-background": tones.raised,
            "input-cursor-background": text,
            "input-cursor-foreground": ground,
            "input-selection-background": tones.quiet,
            "input-selection-foreground": ground,
            "scrollbar": tones.faint,
            "scrollbar-hover": tones.quiet,
            "scrollbar-active": tones.accent,
            "scrollbar-background": ground,
            "scrollbar-background-hover": ground,
            "scrollbar-background-active": ground,
            "scrollbar-corner-color": ground,
        },
    )


def _native(name: str, accent: str, faint: str, danger: str, success: str) -> Theme:
    """For the terminal's own background, which is unknown: where text would have to be read on a
    colour, there is none."""
    own = "ansi_default"
    return Theme(
        name=f"clocktowers-{name}",
        ansi=True,
        primary=accent,
        accent=accent,
        success=success,
        error=danger,
        foreground=own,
        background=own,
        surface=own,
        panel=own,
        boost=own,
        variables={
            "quiet": own,
            "faint": faint,
            "raised": own,
            "turn": own,
            "danger": danger,
            "ansi-background": own,
            "ansi-foreground": own,
            "border": accent,
            "border-blurred": faint,
            "block-cursor-foreground": own,
            "block-cursor-background": own,
            "input-cursor-background": own,
            "input-cursor-foreground": own,
            "input-cursor-text-style": "reverse",
            "input-selection-background": own,
            "input-selection-foreground": own,
            "screen-selection-background": own,
            "screen-selection-foreground": own,
            "scrollbar": faint,
            "scrollbar-hover": faint,
            "scrollbar-active": faint,
            "scrollbar-background": own,
            "scrollbar-background-hover": own,
            "scrollbar-background-active": own,
            "scrollbar-corner-color": own,
        },
    )


_PLAIN: Final = _native("plain", *("ansi_default",) * 4)
"""Without any colour (NO_COLOR)."""

THEMES: Final[Mapping[Palette, Theme]] = {
    palette: _theme(palette, tones)
    if palette is not Palette.NATIVE
    else _native("native", "ansi_blue", "ansi_bright_black", "ansi_red", "ansi_green")
    for palette, tones in TONES.items()
}

ALL: Final = (*THEMES.values(), _PLAIN)
"""The themes that the app registers."""
