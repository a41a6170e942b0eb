"""Streets as pictures: in the menu, and of a match that is over for its result."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.clocktowers.choosing import Marks
from clocktowers_tui.games.clocktowers.inks import GLYPHS, PAINTING, Glyphs, Ink, glyphs_of
from clocktowers_tui.games.clocktowers.result import best_first, decisive
from clocktowers_tui.games.clocktowers.street import Pitch, Plot, Sky, pitches, street
from clocktowers_tui.games.clocktowers.towers import SMALL
from clocktowers_tui.games.painting import Painted, Voice, painted
from clocktowers_tui.games.spans import Block, Span, cells, cut, line, measurable, side_by_side
from clocktowers_tui.games.standings import points_in_words
from protocol.games.clocktowers import Outcome, Town, View

_ROWS: Final = 4
_NIGHT: Final = (24, 9)
"""A smaller picture has no sky."""
_SKYLINE: Final = tuple(map(bytes, ([4, 7, 9], [2, 8], [6, 8, 12], [1, 7, 11])))
_STREET: Final = tuple(
    map(
        bytes,
        (
            *([1, 5, 4, 7, 9], [3, 4, 8], [1, 2, 7, 12], [4, 2, 7, 13]),
            *([6, 4], [4, 1, 8, 11], [5, 7, 10], [1, 4, 1], [4, 7, 12]),
        ),
    )
)


def card_art(look: Look, width: int, height: int) -> Painted:
    """A street at night where there is room for it, or else a small one on its ground."""
    glyphs = GLYPHS[look.glyphs]
    large = width >= _NIGHT[0] and height >= _NIGHT[1]
    rows = _night(width, height, glyphs) if large else _skyline(glyphs)
    across = sum(len(span.text) for span in rows[0])
    ground = [Span(glyphs.ground * across, Ink.GROUND)]
    return painted([*rows, ground], PAINTING.styles(look))


def _night(width: int, height: int, glyphs: Glyphs) -> Block:
    """As many towers as fit, three at least, at the largest scale that has room for those."""
    sky = height - 1
    (at,) = pitches((Plot(_STREET[:3], width, sky),))
    assert at is not None
    towers = list(_STREET[: (width - 1) // at.step])
    town = Town(towers, bytes(len(towers)))
    return street(town, width, height, at, Marks(), glyphs, Sky(home=True))[:sky]


def _skyline(glyphs: Glyphs) -> Block:
    sky = [Span(" " * SMALL.tower_width)]
    towers = (SMALL.tower(cards, _ROWS, 1, glyphs) for cards in _SKYLINE)
    return side_by_side([[*[sky] * (_ROWS - len(tower)), *tower] for tower in towers], 0)


# The streets of a match that is over: the points stand under each tower, and what decided the match
# is marked.


_APART: Final = 2
"""Cells between two streets."""
_AROUND: Final = 2
"""Rows of a street beside its sky: the name and the ground."""
_LEAST: Final = (26, 3)
"""Columns of a street, for a name and its points, and rows of its sky."""


class _Ranks(NamedTuple):
    """Streets, so many of them side by side, each `width` cells wide below `sky` rows of sky.
    `pitches`: one for each."""

    across: int
    width: int
    sky: int
    pitches: Sequence[Pitch]

    @property
    def scale(self) -> tuple[int, int]:
        """How large the towers are."""
        return self.pitches[0].storey, min(at.width for at in self.pitches)


def end_art(
    look: Look, view: View, outcome: Outcome, names: Sequence[str], width: int, height: int
) -> Painted:
    """At most so many rows of at most so many cells, the winner's street first, then the player's;
    as many as have room, and none where there are no towers."""
    seats, glyphs = best_first(outcome, view.seat), glyphs_of(look)
    # Nothing there says what another means, no star looks like part of a tower, and what decided
    # was not just played.
    glyphs = glyphs._replace(walls=2 * glyphs.walls[0], stars="", fresh="**")
    towns = [view.towns[seat] for seat in seats]
    some = (_ranks(towns[:n], width, height) for n in range(len(towns), 0, -1))
    ways = (max(found, key=lambda one: one.scale, default=None) for found in some)
    ranks = next(filter(None, ways), None)
    if ranks is None:
        return []
    lit, rows = frozenset(decisive(view, outcome)), list[Block]()
    for n, (seat, town, at) in enumerate(zip(seats, towns, ranks.pitches, strict=False)):
        won, column = seat in outcome.winners, n % ranks.across
        points = Span(f"  {points_in_words(outcome.scores[seat])}")
        name = cut(measurable(names[seat]), ranks.width - cells([points]), glyphs.ellipsis)
        marks = Marks(fresh=lit if won else frozenset())
        sky = Sky(home=not n, east=column * (ranks.width + _APART))
        drawn = street(town, ranks.width, ranks.sky + 1, at, marks, glyphs, sky)
        title = [Span(name, Voice.LOUD if won else Voice.BOLD), points]
        drawn = [line(ranks.width, title), *drawn]
        rows.append(drawn)
    across = range(0, len(rows), ranks.across)
    found = [side_by_side(rows[n : n + ranks.across], _APART) for n in across]
    return painted([row for rank in found for row in rank], PAINTING.styles(look))


def _ranks(towns: Sequence[Town], width: int, height: int) -> Iterator[_Ranks]:
    """The ways to draw all of them at one scale; no sky is higher than the towers need."""
    towers = [tuple(town.towers) for town in towns]
    for across in range(1, len(towns) + 1) if any(towers) else ():
        each = (width - _APART * (across - 1)) // across
        sky = height // -(-len(towns) // across) - _AROUND
        if each < _LEAST[0] or sky < _LEAST[1]:
            continue
        found = [at for at in pitches(tuple(Plot(some, each, sky) for some in towers)) if at]
        if len(found) == len(towns):
            at = found[0]
            highest = max(at.scale.rows(cards, at.storey) for some in towers for cards in some)
            yield _Ranks(across, each, min(sky, highest + 1), found)
