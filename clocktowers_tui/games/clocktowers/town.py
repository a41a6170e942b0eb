"""A player's town: a rule with name, points and hand, and below it the towers.

Pure: from the view to rows of text. Towers side by side where they fit, else the ledger.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len

from clocktowers_tui.games.clocktowers import ledger as lines
from clocktowers_tui.games.clocktowers import street as towers
from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.inks import Ink
from clocktowers_tui.games.clocktowers.marks import Marks, places
from clocktowers_tui.games.clocktowers.spans import Block, Row, Span, cut, line
from clocktowers_tui.i18n import _, ngettext
from protocol.games.clocktowers import CODES, Town, View

_LEAST_NAME: Final = 8


class Form(NamedTuple):
    """How to draw: towers if they fit, or always the ledger."""

    width: int
    height: int
    ledger: bool


def town_block(
    view: View, names: Sequence[str], seat: int, form: Form, marks: Marks, glyphs: Glyphs
) -> Block:
    """`form.height` rows of `form.width` cells."""
    town = view.towns[seat]
    header = header_row(view, names, seat, form.width, glyphs)
    step = step_of(town, form, own=seat == view.seat)
    if step is None:
        body = lines.ledger(town, form.width, form.height - 1, marks, glyphs)
    else:
        body = towers.street(town, form.width, form.height - 1, step, marks, glyphs)
    return [header, *body]


def step_of(town: Town, form: Form, *, own: bool) -> int | None:
    """The towers' pitch, None for the ledger."""
    return None if form.ledger else towers.pitch(len(town.towers), form.width, own=own)


def place_at(view: View, seat: int, form: Form, marks: Marks, x: int, y: int) -> int | None:
    """Which place (a tower's index or NEW) is drawn at a cell of the block; None for none."""
    town = view.towns[seat]
    if y < 1:
        return None
    step = step_of(town, form, own=seat == view.seat)
    if step is not None:
        return towers.place_at(len(town.towers), form.width, step, marks, x)
    drawn = places(len(town.towers), marks)
    index = lines.town_grid(town, form.width, form.height - 1, marks).place_at(x, y - 1)
    return drawn[index] if index is not None and index < len(drawn) else None


def header_row(view: View, names: Sequence[str], seat: int, width: int, glyphs: Glyphs) -> Row:
    """`━► Ann (you)  7 pts · 3 done━━━ ▒▒▒`; the rule is heavy for the seat to act."""
    acting = view.turn == seat
    rule, ink = (glyphs.turn_rule, Ink.TURN) if acting else (glyphs.rule, Ink.DIM)
    start = f"{rule}{glyphs.turn} " if acting else f"{rule} "
    hand = _hand(view, seat, glyphs)
    you = " " + _("(you)") if seat == view.seat else ""
    fixed = cell_len(start + you + hand) + len("  ") + len(" ")
    score, room = _score(view, seat, width - fixed, names[seat], glyphs)
    name = cut(names[seat], room, glyphs.ellipsis)
    head = [Span(start, ink), Span(f"{name}{you}  {score}", ink if acting else Ink.PLAIN)]
    end = Span(f" {hand}")
    rest = line(width - cell_len(end.text), head, Span(rule, ink))
    return line(width, [*rest, end])


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


def _hand(view: View, seat: int, glyphs: Glyphs) -> str:
    """One back a card; on open-memory tables the cards that are certain, then the backs."""
    known = view.known[seat] if view.known and seat != view.seat else b""
    backs = glyphs.back * (view.hands[seat] - len(known))
    codes = [CODES[card] for card in known]
    return " ".join([*codes, backs] if backs else codes)
