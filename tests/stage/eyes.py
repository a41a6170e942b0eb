"""How colours look: contrast, and the distance between two of them for different kinds of eyes.

Contrast as in WCAG 2.1; colour blindness as in Machado, Oliveira and Fernandes 2009 (severity 1,
on linear RGB); distance as CIE76 in CIELAB under D65.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import dist
from typing import Final

from clocktowers_tui.config.look import Palette

Light = tuple[float, float, float]

PALETTES: Final = tuple(palette for palette in Palette if palette is not Palette.NATIVE)
"""The palettes whose background is known."""

_NORMAL: Final = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
EYES: Final[Mapping[str, Sequence[Sequence[float]]]] = {
    "normal": _NORMAL,
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as `#rrggbb`: 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def nearest(colours: Sequence[str], eyes: str) -> float:
    """The distance between the two colours that are hardest to tell apart."""
    seen = [_lab(_through(_light(colour), EYES[eyes])) for colour in colours]
    return min(dist(one, other) for one, other in combinations(seen, 2))


def _light(colour: str) -> Light:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _linear(red), _linear(green), _linear(blue)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _luminance(colour: str) -> float:
    red, green, blue = _light(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _through(light: Light, eyes: Sequence[Sequence[float]]) -> Light:
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in eyes
    )
    return red, green, blue


def _lab(light: Light) -> tuple[float, float, float]:
    red, green, blue = light
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (
        float(part ** (1 / 3)) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)
