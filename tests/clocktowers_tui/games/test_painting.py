"""The paints of all games keep the laws, and the tones can be read."""

from collections.abc import Callable, Collection, Mapping
from enum import Enum, auto
from importlib import import_module
from itertools import pairwise
from typing import Any, Final, TypeAlias

import pytest
from rich.color import Color
from rich.style import Style

from clocktowers_tui.app.styled import THEMES
from clocktowers_tui.config.look import TONES, Colours, Look, Palette, Tones
from clocktowers_tui.games.painting import Ground, Inks, Painting, Voice
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.games.spans import Edge
from clocktowers_tui.terminal.pen import nearest_of_256
from tests.stage.eyes import EYES, PALETTES, contrast, nearest
from tests.stage.own_files import FaceCase, by_game

CASES: dict[str, FaceCase] = by_game("face_case", "CASE")
BLACK: Final = "#000000"
WHITE: Final = "#ffffff"
READABLE: Final = 4.5
"""WCAG 2.1, level AA, for text."""
HIGH: Final = 7.0
"""The same, level AAA."""
_XTERM: Final = {0: "#000000", 7: "#e5e5e5", 11: "#ffff00", 14: "#00ffff", 15: "#ffffff"} | dict(
    zip(range(1, 6), ("#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd"), strict=True)
)
_SIXTEEN: Final = (Look(Palette.NATIVE), Look(colours=Colours.C16))
_EITHER: Final = (None, True)
_BARE: Final = {
    Style(),
    *(Style(bold=b, dim=d, reverse=r) for b in _EITHER for d in _EITHER for r in _EITHER),
}


Drawn: TypeAlias = Collection[Enum]
"""Inks of pictures, which nobody reads."""

# The paints of every game ------------------------------------------------------------------------


@pytest.fixture(params=list(FACES))
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def painting(game: str) -> Painting[Any]:
    found: Painting[Any] = import_module(f"clocktowers_tui.games.{game}.inks").PAINTING
    return found


@pytest.fixture
def drawn(game: str) -> Drawn:
    return CASES[game].drawing.drawn


def test_text_has_contrast_on_its_ground(painting: Painting[Any], drawn: Drawn) -> None:
    for palette in PALETTES:
        figures = _contrasts(painting, palette, drawn)
        assert set(figures) == {None, *painting.inks} - {*drawn, Edge.QUIET}
        assert min(figures.values()) >= READABLE, f"{palette}: {figures}"


def test_of_256_colours_text_has_contrast_too(painting: Painting[Any], drawn: Drawn) -> None:
    for palette in PALETTES:
        figures = _contrasts(painting, palette, drawn, seen=of_256)
        low = {ink: figure for ink, figure in figures.items() if figure < READABLE}
        assert not low, f"{palette}: {low}"


def test_high_contrast_is_higher(painting: Painting[Any], drawn: Drawn) -> None:
    figures = _contrasts(painting, Palette.CONTRAST, drawn)
    assert min(figures.values()) >= HIGH, figures


def test_of_sixteen_colours_none_is_read_on_a_background_that_is_not_ours(
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


def test_sixteen_colours_are_the_terminals_own(painting: Painting[Any]) -> None:
    for look in _SIXTEEN:
        for ink, style in painting.styles(look).items():
            for part in (style.color, style.bgcolor):
                assert part is None or (part.number is not None and part.number < 16), ink


def test_without_colours_there_are_bold_dim_and_reverse(painting: Painting[Any]) -> None:
    for palette in Palette:
        found = painting.styles(Look(palette, Colours.NONE))
        assert found == painting.colourless
        assert set(found.values()) <= _BARE, palette


def test_every_look_has_every_ink(painting: Painting[Any]) -> None:
    for palette in Palette:
        for colours in Colours:
            assert set(painting.styles(Look(palette, colours))) == {None, *painting.inks}


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


# One painting, and the tones ---------------------------------------------------------------------


class Ink(Enum):
    SIGN = auto()
    """On a ground of its own."""


HONEST: Mapping[Palette, Ground] = {
    **dict.fromkeys(Palette, Ground(BLACK, WHITE)),
    Palette.NATIVE: Ground("color(0)", "color(15)"),
}
TOLD_APART = 15.0
"""CIE76."""


def on_its_ground(paint: Ground, tones: Tones) -> Inks:
    return {Ink.SIGN: paint.style()}


def test_the_voices_have_the_colours_of_the_look() -> None:
    styles = Painting(Ink, HONEST, on_its_ground, {}).styles
    for palette, tone in TONES.items():
        found = styles(Look(palette))
        assert found[Voice.LOUD] == Style(color=tone.turn or None, bold=True)
        assert found[Voice.DIM] == (Style(color=tone.quiet) if tone.quiet else Style(dim=True))
    assert styles(Look(colours=Colours.C16)) == styles(Look(Palette.NATIVE))
    assert styles(Look(colours=Colours.C256)) == styles(Look(Palette.DARK))


@pytest.mark.parametrize("seen", [str, of_256])
@pytest.mark.parametrize("palette", PALETTES)
def test_the_tones_can_be_read(palette: Palette, seen: Callable[[str], str]) -> None:
    tones = TONES[palette]
    on_ground = (tones.text, tones.quiet, tones.accent, tones.turn, tones.danger, tones.success)
    pairs = [*((one, tones.ground) for one in on_ground)]
    pairs += [(tones.text, tones.raised), (tones.turn, tones.raised)]
    for one, ground in pairs:
        figure = contrast(seen(one), seen(ground))
        assert figure >= (HIGH if palette is Palette.CONTRAST else READABLE), (one, ground)


@pytest.mark.parametrize("palette", PALETTES)
def test_the_three_greys_are_three(palette: Palette) -> None:
    tones = TONES[palette]
    for seen in (str, of_256):
        steps = [contrast(seen(grey), seen(tones.ground)) for grey in greys(tones)]
        assert steps == sorted(steps)
        assert min(later / earlier for earlier, later in pairwise([1.0, *steps])) > 1.05


def greys(tones: Tones) -> tuple[str, str, str]:
    return tones.raised, tones.faint, tones.quiet


@pytest.mark.parametrize("eyes", EYES)
def test_the_colour_blind_palette_keeps_meanings_apart(eyes: str) -> None:
    tones = TONES[Palette.COLOUR_BLIND]
    assert nearest([tones.accent, tones.turn, tones.danger, tones.success], eyes) >= TOLD_APART
