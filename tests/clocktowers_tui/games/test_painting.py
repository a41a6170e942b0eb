"""The paints of all games keep the laws, which catch those that break one; tones can be read."""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from importlib import import_module
from itertools import pairwise
from typing import Any

import pytest
from rich.style import Style

from clocktowers_tui.config.look import Colours, Look, Palette
from clocktowers_tui.config.tones import TONES, Tones
from clocktowers_tui.games.painting import BLACK, WHITE, Ground, Inks, Painting, Voices
from clocktowers_tui.games.registry import FACES
from tests.laws import paint_laws
from tests.laws.paint_laws import HIGH, LAWS, PALETTES, READABLE, of_256
from tests.stage.eyes import EYES, contrast, nearest
from tests.stage.own_files import FaceCase, by_game

CASES: dict[str, FaceCase] = by_game("face_case", "CASE")


class Ink(Enum):
    BOLD = auto()
    DIM = auto()
    MARKED = auto()
    TURN = auto()
    SIGN = auto()
    """On a ground of its own."""


VOICES = Voices(Ink.BOLD, Ink.DIM, Ink.MARKED, loud=(Ink.TURN,))
HONEST: Mapping[Palette, Ground] = {
    **dict.fromkeys(Palette, Ground(BLACK, WHITE)),
    Palette.NATIVE: Ground("color(0)", "color(15)"),
}
TOLD_APART = 15.0
"""CIE76."""
FAINT = Ground(WHITE, "#777777")
NEARLY = Ground(WHITE, "#666666")
"""Can be read, but has no high contrast."""


def on_its_ground(paint: Ground, tones: Tones) -> Inks:
    return {Ink.SIGN: paint.style()}


def painted(
    paints: Mapping[Palette, Ground] = HONEST,
    own: Callable[[Ground, Tones], Inks] = on_its_ground,
    bare: Inks | None = None,
) -> Painting[Ground]:
    return Painting(Ink, VOICES, paints, own, bare or {})


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("game", FACES)
def test_every_game_keeps_the_laws(game: str, law: Callable[..., None]) -> None:
    painting = import_module(f"clocktowers_tui.games.{game}.paints").PAINTING
    law(painting, CASES[game].drawing.drawn)


@pytest.mark.parametrize("law", LAWS)
def test_the_honest_paints_break_no_law(law: Callable[..., None]) -> None:
    law(painted(), ())


@pytest.mark.parametrize(
    ("law", "broken"),
    [
        (
            paint_laws.text_has_contrast_on_its_ground,
            painted({**HONEST, Palette.LIGHT: FAINT}),
        ),
        (
            paint_laws.of_256_colours_text_has_contrast_too,
            painted({**HONEST, Palette.LIGHT: Ground("#faf6ee", "#9c4200")}),
        ),
        (
            paint_laws.high_contrast_is_higher,
            painted({**HONEST, Palette.CONTRAST: NEARLY}),
        ),
        (
            paint_laws.of_sixteen_colours_none_is_read_on_a_background_that_is_not_ours,
            painted(own=lambda paint, tones: {Ink.SIGN: Style(color=paint.letter)}),
        ),
        (
            paint_laws.of_sixteen_colours_none_is_read_on_a_background_that_is_not_ours,
            painted({**HONEST, Palette.NATIVE: Ground("color(4)", "color(0)")}),
        ),
        (
            paint_laws.sixteen_colours_are_the_terminals_own,
            painted({**HONEST, Palette.NATIVE: Ground(BLACK, WHITE)}),
        ),
        (
            paint_laws.without_colours_there_are_bold_dim_and_reverse,
            painted(bare={Ink.SIGN: Style(color=WHITE)}),
        ),
        (
            paint_laws.every_look_has_every_ink,
            painted(own=lambda paint, tones: {Palette.DARK: Style()}),
        ),
    ],
)
def test_paints_that_break_a_law_are_caught(
    law: Callable[..., None], broken: Painting[Any]
) -> None:
    with pytest.raises(AssertionError):
        law(broken, ())


def test_what_is_drawn_need_not_be_read_but_stands_on_no_ground_of_its_own() -> None:
    law = paint_laws.of_sixteen_colours_none_is_read_on_a_background_that_is_not_ours
    law(painted(own=lambda paint, tones: {Ink.SIGN: Style(color=paint.letter)}), (Ink.SIGN,))
    with pytest.raises(AssertionError):
        law(painted(), (Ink.SIGN,))


def test_the_voices_have_the_colours_of_the_look() -> None:
    styles = painted().styles
    for palette, tone in TONES.items():
        found = styles(Look(palette))
        assert found[Ink.TURN] == Style(color=tone.turn or None, bold=True)
        assert found[Ink.DIM] == (Style(color=tone.quiet) if tone.quiet else Style(dim=True))
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
