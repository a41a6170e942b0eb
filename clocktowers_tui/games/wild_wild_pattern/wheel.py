"""The Wheel: eight cards in a ring, arrows that say which way *after* is, the deck in the middle.

Law: a digit stands on the places that can be picked, and on all where none can, so that little
changes when a race begins; but not during a declaration, when digits are objects.
"""

from rich.cells import cell_len

from clocktowers_tui.games.spans import Block, Rect, Row, Span, centred, line
from clocktowers_tui.games.wild_wild_pattern import selecting
from clocktowers_tui.games.wild_wild_pattern.cards import Edge, card_block, compact
from clocktowers_tui.games.wild_wild_pattern.glyphs import Glyphs
from clocktowers_tui.games.wild_wild_pattern.inks import Ink
from clocktowers_tui.games.wild_wild_pattern.layout import Layout, beside
from clocktowers_tui.games.wild_wild_pattern.offers import Task, What, task
from clocktowers_tui.games.wild_wild_pattern.sentences import phase_title
from clocktowers_tui.games.wild_wild_pattern.sight import Scene
from clocktowers_tui.text.i18n import pgettext
from protocol.games.wild_wild_pattern import Phase
from protocol.games.wild_wild_pattern.pattern import PLACES, Direction

Placed = list[tuple[Rect, Block]]


def wheel_parts(scene: Scene, found: Layout, glyphs: Glyphs) -> Placed:
    """Everything of it, and where it lies."""
    placed: Placed = []
    for place, rect in enumerate(found.places):
        edge = _edge(scene, place, glyphs)
        placed.append((rect, card_block(scene.view.wheel[place], found.scale, glyphs, edge)))
    placed.append((found.deck, _deck(scene, found, glyphs)))
    return [*placed, *_arrows(scene, found, glyphs)]


# Cards -------------------------------------------------------------------------------------------


def _edge(scene: Scene, place: int, glyphs: Glyphs) -> Edge:
    view, digit = scene.view, str(place + 1)
    played = view.phase is Phase.DECLARE and place == view.place
    if played:
        before, after = glyphs.fresh
        shown = "" if task(view) is Task.DECLARE else digit
        return Edge(f"{before}{shown}{after}", Ink.TURN, heavy=True, label_ink=Ink.TURN)
    can_be_picked = _pickable(scene)
    if place not in can_be_picked:
        # Where some can be picked, those that cannot say nothing.
        silent = bool(can_be_picked) or task(view) is Task.DECLARE
        return Edge("" if silent else digit)
    if task(view) is Task.SHOOT:
        return Edge(digit)
    on = selecting.cursor(view, scene.selection)
    under = on is not None and on.what is What.PLACE and on.number == place
    if under:
        return Edge(f"[{digit}]", Ink.PICK, heavy=True, label_ink=Ink.MARKED)
    return Edge(digit, label_ink=Ink.MARKED)


def _pickable(scene: Scene) -> set[int]:
    found = selecting.on_offer(scene.view, scene.selection)
    return {offer.number for offer in found if offer.what is What.PLACE}


# The middle --------------------------------------------------------------------------------------


def _deck(scene: Scene, found: Layout, glyphs: Glyphs) -> Block:
    view, scale = scene.view, found.scale
    if view.clicked and view.phase is Phase.CLICKED:
        label = pgettext("on a clicked card, 6 cells", "Click!")
        edge = Edge(label, Ink.TURN, heavy=True, label_ink=Ink.TURN)
        return card_block(view.clicked, scale, glyphs, edge)
    sign = f" {glyphs.sending}" if scene.waiting else ""
    left = pgettext("before a number of cards, 6 cells", "Deck") + f" {view.left}"
    rows: list[Row] = [
        [Span(centred(phase_title(view) + sign, scale.width), Ink.BOLD)],
        [Span(centred(left, scale.width), Ink.DIM)],
    ]
    if view.covered and view.phase is Phase.DECLARE:
        rows.append(_covered(view.covered, scale.width, glyphs))
    else:
        letters = pgettext("one letter for a round", "R"), pgettext("one letter for a turn", "T")
        text = f"{letters[0]}{view.round} {letters[1]}{view.turn}"
        rows.append([Span(centred(text, scale.width), Ink.DIM)])
    above: list[Row] = [[] for _ in range((scale.height - len(rows)) // 2)]
    return [line(scale.width, row) for row in [*above, *rows]]


def _covered(card: int, width: int, glyphs: Glyphs) -> Row:
    """What lies below the played card."""
    text = pgettext("before a card that is covered, 3 cells", "on") + " "
    shown = compact(card, glyphs)
    blank = " " * max(0, (width - cell_len(text) - cell_len(shown.text)) // 2)
    return [Span(blank + text, Ink.DIM), shown]


# Arrows ------------------------------------------------------------------------------------------


def _arrows(scene: Scene, found: Layout, glyphs: Glyphs) -> Placed:
    """From each card to the one after it; once a direction is picked, that way and strong."""
    picked = scene.selection.direction
    ink = Ink.DIM if picked is None else Ink.MARKED
    placed: Placed = []
    for x, y, width, way in beside(found.scale):
        shown = (way + 2) % 4 if picked is Direction.BEFORE else way
        placed.append((Rect(x, y, width, 1), [[Span(centred(glyphs.arrows[shown], width), ink)]]))
    return placed


def place_at(found: Layout, x: int, y: int) -> int | None:
    """The place under a cell."""
    return next((at for at in range(PLACES) if found.places[at].holds(x, y)), None)
