"""What the sky says where there is room: what scores and, until a tower is complete, how to build.

Pure.
"""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.clocktowers.inks import Ink
from clocktowers_tui.games.clocktowers.words import SCORES, points_written
from clocktowers_tui.games.spans import Block, Span, line, wrapped
from clocktowers_tui.text.i18n import N_, _, pgettext

WIDTH: Final = 19
"""Cells of the lines, at the right end of the street."""
SCORING: Final = "scoring"
"""What towers score; a note that a lesson may hide, as it may these, by the part they explain."""
_LADDER: Final = "ladder"
_FACTS: Final = (
    (_LADDER, N_("Next roof shows how many floors each colour needs.")),
    ("", N_("A tower is floors, then a clock, then a roof.")),
    (_LADDER, N_("After each roof that colour needs one floor more.")),
)


def notice(
    place: int,
    towns: int,
    rows: int,
    *,
    scores: bool,
    taught: bool = False,
    hidden: frozenset[str] = frozenset(),
) -> list[str]:
    """At most `rows` lines for a town: the facts are shared out among all of them. `scores`: what
    scores is one of them, the first, and the only one where the others are `taught`. `hidden`:
    the notes that are left out."""
    facts = [
        _scoring(titled=len(SCORES) < rows) if scores and SCORING not in hidden else [],
        *(wrapped(_(fact), WIDTH) for of, fact in _FACTS if not taught and of not in hidden),
    ]
    told: list[str] = []
    for fact in facts[place::towns]:
        more = ["", *fact] if told or len(fact) < rows else fact
        told += more if fact and len(told) + len(more) <= rows else []
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
