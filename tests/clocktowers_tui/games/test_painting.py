"""The paints of all games keep the laws, and the tones can be read."""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from importlib import import_module
from itertools import pairwise

import pytest
from rich.style import Style

from clocktowers_tui.config.look import Colours, Look, Palette
from clocktowers_tui.config.tones import TONES, Tones
from clocktowers_tui.games.painting import BLACK, WHITE, Ground, Inks, Painting, Voices
from clocktowers_tui.games.registry import FACES
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


def on_its_ground(paint: Ground, tones: Tones) -> Inks:
    return {Ink.SIGN: paint.style()}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("game", FACES)
def test_every_game_keeps_the_laws(game: str, law: Callable[..., None]) -> None:
    painting = import_module(f"clocktowers_tui.games.{game}.paints").PAINTING
    law(painting, CASES[game].drawing.drawn)


def test_the_voices_have_the_colours_of_the_look() -> None:
    styles = Painting(Ink, VOICES, HONEST, on_its_ground, {}).styles
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
