"""A town as towers side by side, and above them the night sky with its notices."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from clocktowers_tui.games.clocktowers.choosing import NEW, Marks, label, places, tag
from clocktowers_tui.games.clocktowers.inks import NIGHT, Glyphs, Ink
from clocktowers_tui.games.clocktowers.ladder import floors_in_words
from clocktowers_tui.games.clocktowers.towers import SCALES, SMALL, Scale
from clocktowers_tui.games.clocktowers.words import SCORES, height_letter, points_written
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.spans import (
    Block,
    Row,
    Span,
    cells,
    centred,
    in_the_middle,
    line,
    wrapped,
)
from clocktowers_tui.games.standings import points_in_words
from clocktowers_tui.text.i18n import N_, _, pgettext
from protocol.games.clocktowers import CODES, Town, height_of

_BLANK: Final = Span(" ")
_TEXT, _INK = itemgetter(0), itemgetter(1)
"""Of a span."""
_RARE: Final = 71
"""One cell in so many is a star."""
_MUCH: Final = 9
"""Rows of sky that have room for a moon of three rows."""
_LEAST_FAR: Final = 9, 6
"""Rows of sky that have room for far roofs, and so many at home."""
_FROM_RIGHT: Final = 9
_WALL: Final = Span("█", Ink.FAR)
_HOUSES: Final = 7
_LAMPS: Final = 19
"""One cell in so many of a far house has a light."""


Sign: TypeAlias = tuple[int, int, Span]
"""What stands in a cell of the night, by column and row."""


class Sky(NamedTuple):
    """What one street has behind it: at home, the player's own or the first one, a moon and clear
    roofs. `east`: cells from the sky of another street. `says`: lines that stand in it while the
    street is empty. `near`: cells from the left end without far roofs, for there are towers.
    `note`: so many rows from the top, at the right end, have what it says; nothing touches it."""

    home: bool = False
    east: int = 0
    says: Sequence[str] = ()
    near: int = 0
    note: int = 0


BARE: Final = Sky()


def night(rows: Block, glyphs: Glyphs, sky: Sky) -> Block:
    """The sky of a street, from its top, with the night in its blanks."""
    behind = sky._replace(says=())  # which changes no star
    width = sum(len(span.text) for span in rows[0]) if rows else 0  # all is of one cell here
    drawn = _nights(width, len(rows), glyphs, behind)
    return [_filled(row, night) for row, night in zip(rows, drawn, strict=True)]


def without_night(rows: Block) -> Block:
    """The blanks as they were."""
    return [
        [Span(" " * len(text)) if ink in NIGHT else Span(text, ink) for text, ink in row]
        for row in rows
    ]


@lru_cache(maxsize=32)
def _nights(width: int, height: int, glyphs: Glyphs, sky: Sky) -> Block:
    """From the top, a span for each cell."""
    rows = [_stars(width, y, sky.east, glyphs) for y in range(height)]
    for x, y, sign in (*_far(width, height, glyphs, sky), *_moon(width, height, glyphs, sky)):
        rows[y][x] = sign
    return rows


def _stars(width: int, y: int, east: int, glyphs: Glyphs) -> Row:
    stars = [*(Span(star, Ink.STAR) for star in glyphs.stars), *[_BLANK] * _RARE][:_RARE]
    return [stars[star % _RARE] for star in _mixed(range(east, east + width), y)]


def _filled(row: Row, night: Row) -> Row:
    """Neighbours in the same ink are one span."""
    filled: Row = []
    x = 0
    for span in row:
        end = x + len(span.text)
        if span.ink is None and span.text.isspace():
            runs = groupby(night[x:end], key=_INK)
            filled += [Span("".join(map(_TEXT, run)), ink) for ink, run in runs]
        else:
            filled.append(span)
        x = end
    return filled


def _moon(width: int, height: int, glyphs: Glyphs, sky: Sky) -> Iterator[Sign]:
    much = height >= _MUCH
    shape = (glyphs.moon * (not sky.note) if much else glyphs.small_moon) if sky.home else ()
    for y, row in enumerate(shape[: height - much], much):
        for x, char in enumerate(row, width - _FROM_RIGHT):
            if char != " " and 0 <= x < width:
                yield x, y, Span(char, Ink.MOON)


def _far(width: int, height: int, glyphs: Glyphs, sky: Sky) -> Iterator[Sign]:
    """The houses at the horizon; none is cut."""
    if not glyphs.far or height < _LEAST_FAR[sky.home]:
        return
    wide = len(glyphs.far[0][0])
    first, end = -(-(sky.near + sky.east) // wide), (width + sky.east) // wide
    for place, house in enumerate(_mixed(range(first, end), _HOUSES), first):
        x, walls = place * wide - sky.east, house % max(1, height * 2 // 5 - 1)
        roof = glyphs.far[house // 64 % len(glyphs.far)]
        if sky.note and height - walls - len(roof) <= sky.note and x + wide > width - WIDTH - 3:
            continue
        for level in range(walls):
            for across, lamp in enumerate(_mixed(range(x, x + wide), level)):
                lit = sky.home and 0 < across < wide - 1 and lamp % _LAMPS == 0
                sign = Span(glyphs.windows[0], Ink.LAMP) if lit else _WALL
                yield x + across, height - 1 - level, sign
        for level, row in enumerate(reversed(roof), walls):
            for across, char in enumerate(row):
                if not char.isspace():
                    yield x + across, height - 1 - level, Span(char, Ink.FAR)


def _mixed(xs: Iterable[int], y: int) -> list[int]:
    """Numbers that look random, of two small ones each."""
    found = []
    for x in xs:
        mixed = ((x + 5) * 0x9E3779B1 ^ (y + 3) * 0x85EBCA77) & 0xFFFFFFFF
        mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
        found.append(mixed >> 16)
    return found


# A finished tower in outline, with its parts named, for the sky over a street.
#
# Pure. Law: it is a picture under a title, in rows of text, so that nobody takes it for a
# tower.


_CARDS: Final = bytes(CODES.index(code) for code in ("2-", "K-", "Rb"))
_STOREY: Final = 1


def example(glyphs: Glyphs) -> list[str]:
    """Its title, its rows with the names beside them, and what stands below it."""
    rows = SMALL.tower(_CARDS, SMALL.rows(_CARDS, _STOREY), _STOREY, glyphs)
    names = (
        pgettext("beside a tower, 8 cells", "roof"),
        pgettext("beside a tower, 8 cells", "clock"),
        pgettext("beside a tower, 8 cells", "floors"),
        "",
    )
    pictured = ["".join(span.text for span in row) for row in rows]
    return [
        pgettext("above the picture of a tower, 19 cells", "Example of a tower:"),
        *(f"  {row}  {name}" for row, name in zip(pictured, names, strict=True)),
        f"  {f'1 {height_letter()}2':^{SMALL.tower_width}}  "
        + pgettext("beside a tower, 8 cells", "height 2"),
    ]


# What the sky says where there is room: what scores and, until a tower is complete, how to
# build.
#
# Pure.


WIDTH: Final = 19
"""Cells of the lines, at the right end of the street."""
SCORING: Final = "scoring"
"""What towers score; a note that a lesson may hide, as it may the next, by the part it explains."""
LADDER: Final = "ladder"
TOWER: Final = "tower"
_FACTS: Final = (
    N_("A roof needs as many floors as “Next roof” shows."),
    N_("After a roof on 2 floors its colour needs 3."),
)
"""Of the next roofs."""


def notice(place: int, rows: int, glyphs: Glyphs, known: Collection[str] = ()) -> list[str]:
    """At most `rows` lines for a town: over the first one what towers score and where the next
    roofs fit, over the second one what a tower is. `known`: the notes that are left out."""
    if place == 1 and TOWER not in known:
        said = _("A tower is floors, then a clock, then a roof.")
        pictures = (example(glyphs), example(glyphs)[:-1])
        fact = next((one for one in pictures if len(one) <= rows), wrapped(said, WIDTH))
        return _written([fact], rows)
    if place:
        return []
    scoring = [] if SCORING in known else [_scoring(titled=len(SCORES) < rows)]
    facts = () if LADDER in known else _FACTS
    return _written([*scoring, *(wrapped(_(fact), WIDTH) for fact in facts)], rows)


def _written(facts: Sequence[list[str]], rows: int) -> list[str]:
    """The lines of those that have room."""
    told: list[str] = []
    for fact in facts:
        more = ["", *fact] if told or len(fact) < rows else fact
        if len(told) + len(more) <= rows:
            told += more
    return told


def _scoring(*, titled: bool) -> list[str]:
    """What towers score, under a title or with a unit."""
    if titled:
        title = pgettext("in an empty street, 19 cells", "Points for a tower:")
        return [title, *(f"{points} {_(why)}" for points, why in SCORES)]
    return [f"{points_written(points)} {_(why)}" for points, why in SCORES]


def with_notice(rows: Block, width: int, told: Sequence[str]) -> Block:
    """The rows with these lines at their right end, on a ground of their own from the first that is
    not empty."""
    left = width - WIDTH - 2
    blank = Span(" ", Ink.NOTE)
    above = next((n for n, text in enumerate(told) if text), len(told))
    written = [
        [*line(left, row), *line(width - left, [Span(f" {text}", Ink.NOTE)], blank)]
        for row, text in zip(rows[above:], told[above:], strict=False)
    ]
    return [*rows[:above], *written, *rows[above + len(written) :]]


# A town as towers side by side on a common ground line -------------------------------------------


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
    town: Town, width: int, height: int, at: Pitch, marks: Marks, glyphs: Glyphs, behind: Sky = BARE
) -> Block:
    """`height` rows: the sky with the towers, and the ground; `at` comes from `pitches`.

    What the sky says, and the far roofs, stand beyond the place of one tower more, so that choosing
    moves nothing and no roof is taken for a tower's.
    """
    sky = height - 1
    beyond = width - _MARGIN - len(town.towers) * at.step
    stacks = _stacks(town.towers, sky, at, marks, glyphs, beyond)
    highest = min(sky, max(map(len, stacks), default=0))
    rows: Block = [[Span(" " * width)] for _ in range(sky - highest)]
    rows += [line(width, _sky_row(stacks, level, at)) for level in range(highest, 0, -1)]
    if has_room(town, width, at):
        rows = with_notice(rows, width, behind.says)
        behind = behind._replace(note=len(behind.says))
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
    towers: Sequence[bytes], sky: int, at: Pitch, marks: Marks, glyphs: Glyphs, beyond: int
) -> list[Block]:
    """What stands at each place, from its top: what a play there gives, then the tower. A tower
    makes room for that below its own top. A new one has `beyond` cells: all say it as short."""
    room, stacks = min(at.width, beyond) if NEW in marks.legal else at.width, []
    for place in places(len(towers), marks):
        ink = Voice.MARKED if place == marks.at else Voice.LOUD
        play = marks.legal.get(place)
        tags = [in_the_middle([Span(tag(play, room), ink)], at.width)] if play else []
        cards = b"" if place == NEW else towers[place]
        stacks.append([*tags, *at.scale.tower(cards, sky - len(tags), at.storey, glyphs)])
    return stacks


def _sky_row(stacks: Sequence[Block], level: int, at: Pitch) -> Row:
    """The row `level` rows above the ground."""
    row: Row = [Span(" " * _MARGIN)]
    for stack in stacks:
        row += line(at.step, stack[-level] if level <= len(stack) else [])
    return row


def _worths(town: Town, place: int) -> list[str]:
    """What a complete tower has scored, or how high another is: `: 4 points`, `: 3 floors`; where
    there is less room ` +4`, ` h3`."""
    if place < 0:
        return []
    if points := town.points[place]:
        return [f": {points_in_words(points)}", f" +{points}", f"+{points}"]
    height = height_of(town.towers[place])
    letter = f"{height_letter()}{height}"
    return [f": {floors_in_words([height])}", f" {letter}", letter]


def _ground(town: Town, width: int, at: Pitch, marks: Marks, glyphs: Glyphs) -> Row:
    row: Row = []
    for slot, place in enumerate(places(len(town.towers), marks)):
        start = _MARGIN + slot * at.step
        room = min(at.width, width - start)
        number = label(place, marks, glyphs)
        # The place that is picked keeps its mark; of others the points are more. All stand apart.
        leads = [number] if place == marks.at else [number, Span(str(place + 1), number.ink)]
        most, worths = min(room, at.step - 1), _worths(town, place)
        ways = ([lead, Span(worth, Ink.GROUND)] for lead in leads for worth in worths)
        told: Row = next((row for row in ways if cells(row) <= most), [number])
        if place == marks.at:
            told = [Span(centred("".join(span.text for span in told), room), Voice.MARKED)]
        middle = start + max(0, (room - cells(told)) // 2)
        row += [Span(glyphs.ground * (middle - cells(row)), Ink.GROUND), *told]
    return line(width, row, Span(glyphs.ground, Ink.GROUND))
