"""The laws for the paints of every game, as functions that raise AssertionError.

They are functions so that `test_painting.py` can also hand them paints that break a law on purpose.
`drawn`: inks of pictures, which nobody reads.
"""

from collections.abc import Callable, Collection, Mapping
from enum import Enum
from typing import Any, Final, TypeAlias

from rich.color import Color
from rich.style import Style

from clocktowers_tui.config.look import Colours, Look, Palette
from clocktowers_tui.config.themes import THEMES
from clocktowers_tui.games.frames import Edge
from clocktowers_tui.games.painting import Painting
from clocktowers_tui.terminal.style import nearest_of_256
from tests.stage.eyes import contrast

READABLE: Final = 4.5
"""WCAG 2.1, level AA, for text."""
HIGH: Final = 7.0
"""The same, level AAA."""
_XTERM: Final = {0: "#000000", 7: "#e5e5e5", 11: "#ffff00", 14: "#00ffff", 15: "#ffffff"} | dict(
    zip(range(1, 6), ("#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd"), strict=True)
)
PALETTES: Final = tuple(palette for palette in Palette if palette is not Palette.NATIVE)
"""The palettes whose background is known."""
_SIXTEEN: Final = (Look(Palette.NATIVE), Look(colours=Colours.C16))
_EITHER: Final = (None, True)
_BARE: Final = {
    Style(),
    *(Style(bold=b, dim=d, reverse=r) for b in _EITHER for d in _EITHER for r in _EITHER),
}

Drawn: TypeAlias = Collection[Enum]


def text_has_contrast_on_its_ground(painting: Painting[Any], drawn: Drawn) -> None:
    for palette in PALETTES:
        figures = _contrasts(painting, palette, drawn)
        assert set(figures) == {None, *painting.inks} - {*drawn, Edge.QUIET}
        assert min(figures.values()) >= READABLE, f"{palette}: {figures}"


def of_256_colours_text_has_contrast_too(painting: Painting[Any], drawn: Drawn) -> None:
    for palette in PALETTES:
        figures = _contrasts(painting, palette, drawn, seen=of_256)
        low = {ink: figure for ink, figure in figures.items() if figure < READABLE}
        assert not low, f"{palette}: {low}"


def high_contrast_is_higher(painting: Painting[Any], drawn: Drawn) -> None:
    figures = _contrasts(painting, Palette.CONTRAST, drawn)
    assert min(figures.values()) >= HIGH, figures


def of_sixteen_colours_none_is_read_on_a_background_that_is_not_ours(
    painting: Painting[Any], drawn: Drawn
) -> None:
    for look in _SIXTEEN:
        for ink, style in painting.styles(look).items():
            if ink in drawn:
                assert style.bgcolor is None, ink
                continue
            assert (style.color is None) == (style.bgcolor is None), ink
            if style.color and style.bgcolor:
                pair = [_XTERM[part.number or 0] for part in (style.color, style.bgcolor)]
                assert contrast(*pair) >= READABLE, ink


def sixteen_colours_are_the_terminals_own(painting: Painting[Any], drawn: Drawn) -> None:
    for look in _SIXTEEN:
        for ink, style in painting.styles(look).items():
            for part in (style.color, style.bgcolor):
                assert part is None or (part.number is not None and part.number < 16), ink


def without_colours_there_are_bold_dim_and_reverse(painting: Painting[Any], drawn: Drawn) -> None:
    for palette in Palette:
        found = painting.styles(Look(palette, Colours.NONE))
        assert found == painting.colourless
        assert set(found.values()) <= _BARE, palette


def every_look_has_every_ink(painting: Painting[Any], drawn: Drawn) -> None:
    for palette in Palette:
        for colours in Colours:
            assert set(painting.styles(Look(palette, colours))) == {None, *painting.inks}


LAWS: Final[tuple[Callable[[Painting[Any], Drawn], None], ...]] = (
    text_has_contrast_on_its_ground,
    of_256_colours_text_has_contrast_too,
    high_contrast_is_higher,
    of_sixteen_colours_none_is_read_on_a_background_that_is_not_ours,
    sixteen_colours_are_the_terminals_own,
    without_colours_there_are_bold_dim_and_reverse,
    every_look_has_every_ink,
)


def _contrasts(
    painting: Painting[Any], palette: Palette, drawn: Drawn, seen: Callable[[str], str] = str
) -> Mapping[Enum | None, float]:
    theme = THEMES[palette]
    ground, text = str(theme.background), str(theme.foreground)
    return {
        ink: contrast(seen(_hexed(style.color, text)), seen(_hexed(style.bgcolor, ground)))
        for ink, style in painting.styles(Look(palette)).items()
        if ink not in drawn and ink is not Edge.QUIET  # of lines, not of text
    }


def _hexed(color: Color | None, otherwise: str) -> str:
    return otherwise if color is None else color.get_truecolor().hex


def of_256(colour: str) -> str:
    """What a terminal of 256 colours shows instead."""
    number = nearest_of_256(Color.parse(colour).get_truecolor())
    return Color.from_ansi(number).get_truecolor().hex
