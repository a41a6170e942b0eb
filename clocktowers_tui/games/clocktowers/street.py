"""A town as towers side by side on a common ground line."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rich.cells import cell_len

from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import Ink
from clocktowers_tui.games.clocktowers.marks import NEW, Marks, label, places, tag
from clocktowers_tui.games.clocktowers.notices import WIDTH, with_notice
from clocktowers_tui.games.clocktowers.scale import SCALES, Scale
from clocktowers_tui.games.clocktowers.sky import BARE, Sky, night
from clocktowers_tui.games.clocktowers.words import height_letter
from clocktowers_tui.games.spans import Block, Row, Span, cells, centred, line
from protocol.games.clocktowers import (
    Town,
    height_of,
)

_MARGIN: Final = 1


class Plot(NamedTuple):
    """Room for a street: columns, and rows of sky. `own`: the player's."""

    towers: tuple[bytes, ...]
    width: int
    sky: int
    own: bool = False


class Pitch(NamedTuple):
    """`step`: cells from one tower to the next; `storey`: rows of a storey."""

    scale: Scale
    step: int
    storey: int

    @property
    def width(self) -> int:
        """Cells of a tower."""
        return self.scale.tower_width


@lru_cache(maxsize=64)
def pitches(plots: tuple[Plot, ...], scales: tuple[Scale, ...] = SCALES) -> list[Pitch | None]:
    """For each street of a board, the own one first: the highest storeys with which all fit, so
    that heights can be compared, and then the largest towers, all others' of one scale, none larger
    than the own ones. None for a street of too many towers, and for all where the own one is such a
    street."""
    heights = {storey for scale in scales for storey in scale.storeys}
    owned, rest = [one for one in plots if one.own], [one for one in plots if not one.own]
    for storey in sorted(heights, reverse=True):
        own = _alike(owned, storey, scales)
        if own == [None]:
            break
        largest = scales.index(own[0].scale) if own and own[0] else 0
        others = _alike(rest, storey, scales[largest:])
        if own is not None and others is not None:
            return [*own, *others]
    return [None] * len(plots)


def _alike(
    plots: Sequence[Plot], storey: int, scales: Sequence[Scale]
) -> list[Pitch | None] | None:
    """At the largest scale that all can have, but for those of too many towers for any; None where
    towers are too high for such storeys."""
    for scale in scales:
        found = [_fitting(plot, storey, scale) for plot in plots]
        if all(at or not _step(plot, scales[-1]) for at, plot in zip(found, plots, strict=True)):
            return found
    return None


def _fitting(plot: Plot, storey: int, scale: Scale) -> Pitch | None:
    step = _step(plot, scale)
    if step is None or not scale.takes(plot.towers, plot.sky, storey, own=plot.own):
        return None
    return Pitch(scale, step, storey)


def _step(plot: Plot, scale: Scale) -> int | None:
    """The roomiest that leaves the player's own town room for another tower, so that choosing moves
    nothing."""
    new = (scale.tower_width + 1) // 2 if plot.own else 0
    room = plot.width - _MARGIN - new
    return next((step for step in scale.pitches if len(plot.towers) * step <= room), None)


def street(
    town: Town,
    width: int,
    height: int,
    at: Pitch,
    marks: Marks,
    glyphs: Glyphs,
    behind: Sky = BARE,
) -> Block:
    """`height` rows: the sky with the towers, and the ground; `at` comes from `pitches`.

    What the sky says, and the far roofs, stand beyond the place of one tower more, so that choosing
    moves nothing and no roof is taken for a tower's.
    """
    sky = height - 1
    stacks = _stacks(town.towers, sky, at, marks, glyphs)
    highest = min(sky, max(map(len, stacks), default=0))
    rows: Block = [[Span(" " * width)] for _ in range(sky - highest)]
    rows += [line(width, _sky_row(stacks, level, at)) for level in range(highest, 0, -1)]
    if has_room(town, width, at):
        rows = with_notice(rows, width, behind.says)
    behind = behind._replace(near=_MARGIN + (len(town.towers) + 1) * at.step)
    return [*night(rows, glyphs, behind), _ground(town, width, at, marks, glyphs)]


def has_room(town: Town, width: int, at: Pitch) -> bool:
    """Whether the sky says anything: beside its towers and one more."""
    return _MARGIN + len(town.towers) * at.step + at.width <= width - WIDTH - 2


def place_at(towers: int, width: int, at: Pitch, marks: Marks, x: int) -> int | None:
    """Which place stands at column `x`."""
    drawn = places(towers, marks)
    slot = (x - _MARGIN) // at.step
    return drawn[slot] if 0 <= slot < len(drawn) and x < width else None


def _stacks(
    towers: Sequence[bytes], sky: int, at: Pitch, marks: Marks, glyphs: Glyphs
) -> list[Block]:
    """What stands at each place, from its top: what a play there gives, then the tower. A tower
    makes room for that below its own top."""
    stacks = []
    for place in places(len(towers), marks):
        tags = _tag_rows(place, at, marks)
        cards = b"" if place == NEW else towers[place]
        stacks.append([*tags, *at.scale.tower(cards, sky - len(tags), at.storey, glyphs)])
    return stacks


def _tag_rows(place: int, at: Pitch, marks: Marks) -> Block:
    if place not in marks.legal:
        return []
    ink = Ink.MARKED if place == marks.at else Ink.TAG
    return [_in_the_middle(tag(marks.legal[place]), at.width, ink)]


def _in_the_middle(text: str, width: int, ink: Ink) -> Row:
    left = (width - cell_len(text)) // 2
    blanks = Span(" " * left), Span(" " * (width - left - cell_len(text)))
    return [span for span in (blanks[0], Span(text, ink), blanks[1]) if span.text]


def _sky_row(stacks: Sequence[Block], level: int, at: Pitch) -> Row:
    """The row `level` rows above the ground."""
    row: Row = [Span(" " * _MARGIN)]
    for stack in stacks:
        art = stack[-level] if level <= len(stack) else [Span(" " * at.width)]
        row += [*art, Span(" " * (at.step - at.width))]
    return row


def _worth(town: Town, place: int) -> Row:
    """`+4`, the points of a complete tower; `h3`, the height of another."""
    if place < 0:
        return []
    points = town.points[place]
    height = height_of(town.towers[place])
    return [Span(f"+{points}" if points else f"{height_letter()}{height}", Ink.GROUND)]


def _ground(town: Town, width: int, at: Pitch, marks: Marks, glyphs: Glyphs) -> Row:
    row: Row = []
    for slot, place in enumerate(places(len(town.towers), marks)):
        start = _MARGIN + slot * at.step
        room = min(at.width, width - start)
        number, worth = label(place, marks, glyphs), _worth(town, place)
        ways = ([number, Span(" ", Ink.GROUND), *worth], [number, *worth], [number])
        told: Row = next((row for row in ways if worth and cells(row) <= room), [number])
        if place == marks.at:
            told = [Span(centred("".join(span.text for span in told), room), Ink.MARKED)]
        middle = start + max(0, (room - cells(told)) // 2)
        row += [Span(glyphs.ground * (middle - cells(row)), Ink.GROUND), *told]
    return line(width, row, Span(glyphs.ground, Ink.GROUND))
