"""What the sky says where there is room: what scores and, until a tower is complete, how to build.

Pure.
"""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.clocktowers.example import example
from clocktowers_tui.games.clocktowers.glyphs import Glyphs
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
    N_("Next roof shows how many floors each colour needs."),
    N_("Each roof makes the next roof of its colour need 1 floor more."),
)


def notice(
    place: int,
    rows: int,
    glyphs: Glyphs,
    *,
    scores: bool,
    taught: bool = False,
    hidden: frozenset[str] = frozenset(),
) -> list[str]:
    """At most `rows` lines for a town: over the first one what `scores` and where the next roofs
    fit, over the second one what a tower is. Where all but the first is `taught`, it is left out.
    `hidden`: the notes that are left out."""
    facts: list[list[str]] = []
    if place == 0:
        facts += [_scoring(titled=len(SCORES) < rows)] if scores and SCORING not in hidden else []
        shown = _FACTS if not taught and _LADDER not in hidden else ()
        facts += [wrapped(_(fact), WIDTH) for fact in shown]
    elif place == 1 and not taught:
        said = _("A tower is floors, then a clock, then a roof.")
        pictured = example(glyphs)
        facts.append(pictured if len(pictured) <= rows else wrapped(said, WIDTH))
    told: list[str] = []
    for fact in facts:
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
