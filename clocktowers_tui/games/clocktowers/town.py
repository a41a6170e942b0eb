"""A player's town: a rule with name, points and hand, and below it the towers.

Pure: from the view to rows of text. Towers side by side where they fit, in the largest pictures
that do, else the ledger.
"""

from typing import Final, NamedTuple

from rich.cells import cell_len

from clocktowers_tui.games.clocktowers import ledger, street
from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import Ink
from clocktowers_tui.games.clocktowers.marks import Marks, places
from clocktowers_tui.games.clocktowers.scale import LARGE, SMALL, Scale
from clocktowers_tui.games.clocktowers.sight import Scene
from clocktowers_tui.games.clocktowers.words import short_code
from clocktowers_tui.games.spans import Block, Row, Span, cells, cut, line
from clocktowers_tui.text.i18n import _, ngettext
from protocol.games.clocktowers import Town, View

_LEAST_NAME: Final = 8


class Form(NamedTuple):
    """How to draw: in pictures of this scale or a smaller one, if they fit; None: in the ledger."""

    width: int
    height: int
    scale: Scale | None


def town_block(scene: Scene, seat: int, form: Form, marks: Marks, glyphs: Glyphs) -> Block:
    """`form.height` rows of `form.width` cells."""
    town = scene.view.towns[seat]
    header = header_row(scene, seat, form.width, glyphs)
    pitch = pitch_of(town, form, own=seat == scene.view.seat)
    if pitch is None:
        body = ledger.ledger(town, form.width, form.height - 1, marks, glyphs)
    else:
        body = street.street(town, form.width, form.height - 1, pitch, marks, glyphs)
    return [header, *body]


def pitch_of(town: Town, form: Form, *, own: bool) -> street.Pitch | None:
    """The towers' pitch, None for the ledger."""
    if form.scale is None:
        return None
    scales = (LARGE, SMALL) if form.scale is LARGE else (SMALL,)
    return street.pitch(len(town.towers), form.width, scales, own=own)


def place_at(view: View, seat: int, form: Form, marks: Marks, x: int, y: int) -> int | None:
    """Which place (a tower's index or NEW) is drawn at a cell of the block; None for none."""
    town = view.towns[seat]
    if y < 1:
        return None
    pitch = pitch_of(town, form, own=seat == view.seat)
    if pitch is not None:
        return street.place_at(len(town.towers), form.width, pitch, marks, x)
    drawn = places(len(town.towers), marks)
    index = ledger.town_grid(town, form.width, form.height - 1, marks).place_at(x, y - 1)
    return drawn[index] if index is not None and index < len(drawn) else None


def header_row(scene: Scene, seat: int, width: int, glyphs: Glyphs) -> Row:
    """`━► Ann (you)  7 pts · 3 done━━━ ▒▒▒`; the rule is heavy for the seat to act."""
    view, names = scene.view, scene.names
    acting = view.turn == seat
    rule, ink = (glyphs.turn_rule, Ink.TURN) if acting else (glyphs.rule, Ink.DIM)
    start = f"{rule}{glyphs.turn} " if acting else f"{rule} "
    end = _end(scene, seat, glyphs)
    you = " " + _("(you)") if seat == view.seat else ""
    fixed = cell_len(start + you) + len("  ") + cells(end)
    score, room = _score(view, seat, width - fixed, names[seat], glyphs)
    name = cut(names[seat], room, glyphs.ellipsis)
    head = [Span(start, ink), Span(f"{name}{you}", Ink.TURN if acting else Ink.BOLD)]
    head.append(Span(f"  {score}", ink if acting else None))
    return line(width, [*line(width - cells(end), head, Span(rule, ink)), *end])


def _score(view: View, seat: int, room: int, name: str, glyphs: Glyphs) -> tuple[str, int]:
    """Points and complete towers, in as many words as leave room for a name, and that room."""
    points = view.points[seat]
    done = sum(map(bool, view.towns[seat].points))
    short = ngettext("{n} pt", "{n} pts", points).format(n=points)
    long = f"{short} {glyphs.dot} " + ngettext("{n} done", "{n} done", done).format(n=done)
    least = min(_LEAST_NAME, cell_len(name))
    for score in (long, short):
        if room - cell_len(score) >= least:
            return score, room - cell_len(score)
    return str(points), max(0, room - cell_len(str(points)))


def _end(scene: Scene, seat: int, glyphs: Glyphs) -> Row:
    """One back a card; on open-memory tables the cards that are certain, then the backs. Before
    them an x for one that was just discarded."""
    view = scene.view
    known = view.known[seat] if view.known and seat != view.seat else b""
    backs = glyphs.back * (view.hands[seat] - len(known))
    hand = " ".join([*(short_code(card) for card in known), *([backs] if backs else [])])
    thrown = Span(" " + "x".join(glyphs.fresh), Ink.FRESH)
    return [*([thrown] if seat in scene.news.thrown else []), Span(f" {hand}")]
