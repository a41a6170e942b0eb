"""The Wheel: eight cards in a ring, and what is marked on it after a declaration."""

from enum import Enum
from typing import Final, NamedTuple

from clocktowers_tui.games.frames import Edge
from clocktowers_tui.games.parts import Cell, Size
from clocktowers_tui.games.spans import Block, Rect, Span, centred, paint
from clocktowers_tui.games.wild_wild_pattern import offers
from clocktowers_tui.games.wild_wild_pattern.cards import Rim, card_block
from clocktowers_tui.games.wild_wild_pattern.inks import Glyphs, Ink
from clocktowers_tui.games.wild_wild_pattern.offers import Offer, Task, What, task
from clocktowers_tui.games.wild_wild_pattern.sight import Scene, Sight, beside, shown_news
from protocol.games.wild_wild_pattern import Phase
from protocol.games.wild_wild_pattern.bank import verdict
from protocol.games.wild_wild_pattern.cards import PLACES, Direction, Fault


class Marks(NamedTuple):
    """`pairs`, `against`: places. Links are named by the place before them, clockwise: `links` of
    the pairs; `gap`, that of the counterexample."""

    pairs: frozenset[int] = frozenset()
    against: frozenset[int] = frozenset()
    links: frozenset[int] = frozenset()
    gap: int | None = None


NO_MARKS: Final = Marks()


def marks(scene: Scene) -> Marks:
    """Of the turn's declaration, on the Wheel that is shown; none on the Wheel of the next race."""
    said, wheel = shown_news(scene), scene.wheel
    if said is None or said.pattern is None or len(said.wheel) != PLACES:
        return NO_MARKS
    found = verdict(said.wheel, said.pattern)
    there = frozenset(at for at in range(PLACES) if wheel[at] in (0, said.wheel[at]))
    if said.fault is Fault.UNTRUE:
        if found.against is None:
            return Marks(against=frozenset(found.anchors) & there)
        ends = frozenset((found.against, found.beside(found.against)))
        return Marks(against=ends & there, gap=_link(found.against, found.step))
    pairs = {(at, found.beside(at)) for at in found.anchors}
    lit = frozenset(place for pair in pairs for place in pair)
    return Marks(lit & there, links=frozenset(_link(at, found.step) for at in found.anchors))


def _link(anchor: int, step: int) -> int:
    """Between an anchor and what lies beside it."""
    return (anchor + min(0, step)) % PLACES


# The Wheel: eight cards in a ring, with arrows that say which way *after* is.
#
# Laws: a digit stands on the places that can be picked, and on all where none can, so that
# little changes when a race begins. A frame has one meaning: `pick` the cursor, `shot` the card
# just played, `pair` what a declaration spoke of.


Placed = list[tuple[Rect, Block]]


def wheel_block(sight: Sight, size: Size) -> Block:
    """All of it but the hole."""
    found = marks(sight.scene)
    return paint(*size, [*_cards(sight, found), *_arrows(sight, found)])


def place_under(sight: Sight, _size: Size, at: Cell) -> Offer | None:
    """The place under a cell."""
    places = sight.layout.places
    place = next((one for one in range(PLACES) if places[one].holds(*at)), None)
    return None if place is None else Offer(What.PLACE, place)


# Cards -------------------------------------------------------------------------------------------


def _cards(sight: Sight, found: Marks) -> Placed:
    scene, scale, glyphs = sight.scene, sight.layout.scale, sight.glyphs
    rims = [_rim(scene, place, found, glyphs) for place in range(PLACES)]
    cards = zip(scene.wheel, rims, strict=True)
    blocks = [card_block(card, scale, glyphs, rim) for card, rim in cards]
    return [*zip(sight.layout.places, blocks, strict=True)]


def _rim(scene: Scene, place: int, found: Marks, glyphs: Glyphs) -> Rim:
    view, digit = scene.view, str(place + 1)
    if view.phase is Phase.DECLARE and place == view.place:
        before, after = glyphs.fresh
        return Rim(f"{before}{digit}{after}", Ink.TURN, glyphs.shot, Ink.TURN)
    can_be_picked = _pickable(scene)
    lit = _lit(place, found)
    pair = None if lit is None else glyphs.pair
    if can_be_picked and place not in can_be_picked:
        return Rim("", lit, pair)  # where some can be picked, those that cannot have no number
    if offers.cursor(view, scene.selection) == Offer(What.PLACE, place):
        return Rim(f"[{digit}]", Ink.PICK, glyphs.pick, Ink.MARKED)
    loud = bool(can_be_picked) and task(view) is not Task.SHOOT
    label_ink = Ink.MARKED if loud else Ink.BOLD
    return Rim(f" {digit} ", lit, pair, label_ink)


def _lit(place: int, found: Marks) -> Ink | None:
    if place in found.against:
        return Ink.WRONG
    return Ink.HIT if place in found.pairs else None


def _pickable(scene: Scene) -> set[int]:
    found = offers.on_offer(scene.view, scene.selection)
    return {offer.number for offer in found if offer.what is What.PLACE}


# Arrows ------------------------------------------------------------------------------------------


def _arrows(sight: Sight, found: Marks) -> Placed:
    """From each card to the one after it; once a direction is picked, that way and strong."""
    picked, glyphs = sight.scene.selection.direction, sight.glyphs
    placed: Placed = []
    for place, (x, y, width, way) in enumerate(beside(sight.layout.scale)):
        shown = glyphs.arrows[(way + 2) % 4 if picked is Direction.BEFORE else way]
        ink: Enum = Edge.QUIET if picked is None else Ink.MARKED
        if place == found.gap:
            shown, ink = glyphs.cross, Ink.WRONG
        elif place in found.links:
            ink = Ink.HIT
        placed.append((Rect(x, y, width, 1), [[Span(centred(shown, width), ink)]]))
    return placed
