"""The colours around the boards in each palette, as Textual's themes; a board has its own
`paints`."""

from collections.abc import Mapping
from typing import Final

from textual.theme import Theme

from clocktowers_tui.config.look import Colours, Look, Palette


def theme(look: Look) -> str:
    """The name of the theme for a look."""
    if look.colours is Colours.NONE:
        return _PLAIN.name
    return THEMES[Palette.NATIVE if look.ansi else look.palette].name


def _theme(name: str, ground: str, text: str, quiet: str, bar: str, accent: str) -> Theme:
    """`ground` and `text` cover most of the screen; `bar` is behind the cursor and the banner,
    whose text has the colour of the ground."""
    dark = ground < text
    return Theme(
        name=f"clocktowers-{name}",
        primary=bar,
        secondary=accent,
        accent=accent,
        warning=accent,
        error=accent,
        success=accent,
        foreground=text,
        background=ground,
        surface=ground,
        panel=ground,
        dark=dark,
        variables={
            "text-muted": quiet,
            "block-cursor-foreground": ground,
            "block-cursor-background": bar,
            "block-cursor-blurred-foreground": ground,
            "block-cursor-blurred-background": quiet,
            "input-cursor-background": text,
            "input-cursor-foreground": ground,
            "input-selection-background": quiet,
            "input-selection-foreground": ground,
            "scrollbar": quiet,
            "scrollbar-hover": quiet,
            "scrollbar-active": bar,
            "scrollbar-background": ground,
            "scrollbar-background-hover": ground,
            "scrollbar-background-active": ground,
            "scrollbar-corner-color": ground,
        },
    )


def _native(name: str, bar: str, muted: str) -> Theme:
    """For the terminal's own background, which is unknown: where text would have to be read on a
    colour, there is none."""
    own = "ansi_default"
    return Theme(
        name=f"clocktowers-{name}",
        ansi=True,
        primary=bar,
        foreground=own,
        background=own,
        surface=own,
        panel=own,
        boost=own,
        variables={
            "ansi-background": own,
            "ansi-foreground": own,
            "border": own,
            "border-blurred": own,
            "block-cursor-foreground": own,
            "block-cursor-background": own,
            "input-cursor-background": own,
            "input-cursor-foreground": own,
            "input-cursor-text-style": "reverse",
            "input-selection-background": own,
            "input-selection-foreground": own,
            "screen-selection-background": own,
            "screen-selection-foreground": own,
            "scrollbar": muted,
            "scrollbar-hover": muted,
            "scrollbar-active": muted,
            "scrollbar-background": own,
            "scrollbar-background-hover": own,
            "scrollbar-background-active": own,
            "scrollbar-corner-color": own,
        },
    )


_PLAIN: Final = _native("plain", "ansi_default", "ansi_default")
"""Without any colour (NO_COLOR)."""

THEMES: Final[Mapping[Palette, Theme]] = {
    Palette.DARK: _theme("dark", "#11151c", "#e6e2da", "#98a1af", "#a9c1dd", "#ffab52"),
    Palette.LIGHT: _theme("light", "#faf6ee", "#2a2520", "#6a6157", "#2f5579", "#9c4200"),
    Palette.CONTRAST: _theme("contrast", "#000000", "#ffffff", "#d6d6d6", "#ffff00", "#ffff00"),
    Palette.COLOUR_BLIND: _theme(
        "colour-blind", "#11151c", "#e6e2da", "#98a1af", "#a9c1dd", "#ffab52"
    ),
    Palette.NATIVE: _native("native", "ansi_blue", "ansi_bright_black"),
}

ALL: Final = (*THEMES.values(), _PLAIN)
"""The themes that the app registers."""
