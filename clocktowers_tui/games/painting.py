"""How inks look: what is alike on every board, and which of a game's paints a look asks for.

Laws: text has a contrast of 4.5 or more on its ground in every palette, in all colours and in 256
(the tests measure it); of the terminal's sixteen a colour never stands on a background that is not
ours, so it can be read on dark and on light terminals.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cache
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from rich.style import Style

from clocktowers_tui.config.look import TONES, Colours, GlyphSet, Look, Palette, Tones
from clocktowers_tui.games.motion import Glow
from clocktowers_tui.games.spans import HEAVY, LIGHT, Block, Edge

Inks: TypeAlias = Mapping[Enum | None, Style]
"""How each ink of a game looks, and each `Edge` and `Glow`; under None, text without one."""

Painted: TypeAlias = list[list[tuple[str, Style]]]
"""Rows of text, each piece with its style."""


def painted(rows: Block, inks: Inks) -> Painted:
    """The rows with each ink as its style."""
    return [[(span.text, inks[span.ink]) for span in row] for row in rows]


class Ground(NamedTuple):
    """What is written on, and the colour of what is written there; or a colour alone."""

    colour: str
    letter: str = ""

    def style(self, *, bold: bool | None = None) -> Style:
        return Style(color=self.letter, bgcolor=self.colour, bold=bold)


Paint: TypeAlias = Mapping[str, Ground]
"""A game's own colours in one palette, by name."""


def paints(table: str) -> Mapping[Palette, Paint]:
    """A table with a row for each name and a column for each palette, in the order of `Palette`; a
    row `text` has the letters on the ground of the row above it. `-`: no colour."""
    found: dict[Palette, dict[str, Ground]] = {palette: {} for palette in Palette}
    above = ""
    for name, *colours in map(str.split, table.strip().splitlines()):
        for paint, colour in zip(found.values(), colours, strict=True):
            shown = "" if colour == "-" else colour
            if name == "text":
                paint[above] = Ground(paint[above].colour, shown)
            else:
                paint[name] = Ground(shown)
        above = above if name == "text" else name
    return found


_ALIKE: Final = {
    "turn": ("►", "►", ">"),
    "sending": ("…", "~"),
    "ellipsis": ("…", "~"),
    "light": (*LIGHT.values(),),
    "heavy": (*HEAVY.values(),),
}
"""The rows of every game."""

Sign = TypeVar("Sign")
Glyphs = TypeVar("Glyphs")


def sets(*each: Sign) -> Sign:
    """What stands for one thing in each set of characters, in the order of `GlyphSet`; where some
    are missing, the last one holds. As the default of a field, from which `by_glyphs` picks."""
    found: Any = each
    return found  # type: ignore[no-any-return]


def by_glyphs(kind: type[Glyphs]) -> Mapping[GlyphSet, Glyphs]:
    """A game's characters, from a named tuple whose fields are `sets`; but for those of every
    game."""
    made: Any = kind
    rows = {**_ALIKE, **made._field_defaults}
    return {
        glyphs: made(**{name: row[min(column, len(row) - 1)] for name, row in rows.items()})
        for column, glyphs in enumerate(GlyphSet)
    }


Voice = Enum("Voice", "BOLD DIM MARKED LOUD")
"""The inks of every board, beside the game's own. `LOUD`: in the colour of the turn: whose choice
it is, what may be picked, what is new."""


_BARE: Final[Inks] = {
    **dict.fromkeys((Voice.BOLD, Voice.LOUD, Edge.TURN, Glow.TEXT), Style(bold=True)),
    **dict.fromkeys((Voice.DIM, Edge.QUIET, Edge.WORDS), Style(dim=True)),
    **dict.fromkeys((Voice.MARKED, Edge.LIT, Glow.GROUND), Style(bold=True, reverse=True)),
}


def _coloured(tones: Tones) -> Inks:
    turn = Style(color=tones.turn or None, bold=True)
    quiet = Style(color=tones.quiet) if tones.quiet else Style(dim=True)
    return {
        **dict.fromkeys((Voice.DIM, Edge.WORDS), quiet),
        Edge.QUIET: Style(color=tones.faint) if tones.faint else Style(dim=True),
        **dict.fromkeys((Voice.LOUD, Edge.TURN, Edge.LIT, Glow.TEXT), turn),
        Glow.GROUND: turn + Style(reverse=True),
    }


Own = TypeVar("Own")


class Painting(Generic[Own]):
    """How a game's own `inks` look, beside those of all boards.

    `paints` has every palette. `own`: how the inks that only this game has look in one of them;
    `bare`: how those of them look without colours that are not plain then.
    """

    def __init__(
        self,
        inks: Iterable[Enum],
        paints: Mapping[Palette, Own],
        own: Callable[[Own, Tones], Inks],
        bare: Inks,
    ) -> None:
        self.inks: Final = (*Voice, *inks, *Edge, *Glow)
        self.paints = paints
        self.colourless: Final[Inks] = {
            **dict.fromkeys((None, *self.inks), Style()),
            **_BARE,
            **bare,
        }
        """Bold, dim and reverse, and not one colour (NO_COLOR)."""
        self.styles: Final[Callable[[Look], Inks]] = cache(self._styles)
        self._own = own

    def _styles(self, look: Look) -> Inks:
        if look.colours is Colours.NONE:
            return self.colourless
        palette = Palette.NATIVE if look.ansi else look.palette
        tones = TONES[palette]
        own = self._own(self.paints[palette], tones)
        return {**self.colourless, **_coloured(tones), **own}


PLAIN: Final[Painting[None]] = Painting((), dict.fromkeys(Palette), lambda _paint, _tones: {}, {})
"""Of a board whose inks are `Voice`s."""
