"""What is marked on the Wheel after a declaration: its pairs, or what speaks against it.

Law: a mark stands only where the card that was judged still lies.
"""

from typing import Final, NamedTuple

from clocktowers_tui.games.wild_wild_pattern.sight import Scene, shown_news
from protocol.games.wild_wild_pattern.bank import verdict
from protocol.games.wild_wild_pattern.pattern import PLACES, Fault


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
