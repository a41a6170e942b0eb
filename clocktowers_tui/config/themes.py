"""The tones as Textual's themes; a board has its own inks.

The style sheet knows a tone by its name: `$quiet`, `$faint`, `$raised`, `$accent`, `$turn`,
`$danger`, `$success`; `$background` and `$foreground` are `ground` and `text`.
"""

from collections.abc import Mapping
from typing import Final

from textual.theme import Theme

from clocktowers_tui.config.look import TONES, Colours, Look, Palette, Tones


def theme(look: Look) -> str:
    """The name of the theme for a look."""
    if look.colours is Colours.NONE:
        return _PLAIN.name
    return THEMES[Palette.NATIVE if look.ansi else look.palette].name


def _theme(name: str, tones: Tones, *, ansi: bool = False) -> Theme:
    """`ansi`: for the terminal's own background, which is unknown: where text would have to be read
    on a colour, there is none."""
    ground, text, quiet, faint = tones.ground, tones.text, tones.quiet, tones.faint
    variables = {
        "text-muted": quiet,
        "quiet": quiet,
        "faint": faint,
        "raised": tones.raised,
        "turn": tones.turn,
        "danger": tones.danger,
        "border": tones.accent,
        "border-blurred": faint,
        "block-cursor-foreground": ground,
        "block-cursor-background": ground if ansi else tones.accent,
        "block-cursor-blurred-foreground": text,
        "block-cursor-blurred-background": tones.raised,
        "input-cursor-background": text,
        "input-cursor-foreground": ground,
        "input-selection-background": quiet,
        "input-selection-foreground": ground,
        "scrollbar": faint,
        "scrollbar-hover": faint if ansi else quiet,
        "scrollbar-active": faint if ansi else tones.accent,
        "scrollbar-background": ground,
        "scrollbar-background-hover": ground,
        "scrollbar-background-active": ground,
    }
    if ansi:
        for one in ("ansi-background", "screen-selection-background"):
            variables |= {one: ground, one.replace("background", "foreground"): text}
    return Theme(
        name=f"clocktowers-{name}",
        ansi=ansi,
        primary=tones.accent,
        accent=tones.accent,
        warning=tones.turn,
        error=tones.danger,
        success=tones.success,
        foreground=text,
        background=ground,
        surface=ground,
        panel=ground,
        boost=ground if ansi else None,
        dark=ansi or ground < text,
        variables=variables,
    )


def _native(name: str, accent: str, faint: str, danger: str, success: str) -> Theme:
    own = "ansi_default"
    tones = Tones(own, own, own, faint, own, accent, own, danger, success)
    return _theme(name, tones, ansi=True)


_PLAIN: Final = _native("plain", *("ansi_default",) * 4)
"""Without any colour (NO_COLOR)."""

THEMES: Final[Mapping[Palette, Theme]] = {
    palette: _theme(str(palette), tones)
    if palette is not Palette.NATIVE
    else _native("native", "ansi_blue", "ansi_bright_black", "ansi_red", "ansi_green")
    for palette, tones in TONES.items()
}

ALL: Final = {known.name: known for known in (*THEMES.values(), _PLAIN)}
"""By the names that the app knows."""
