"""What a card needs that fits on none of the player's towers, and which roofs can still come."""

from collections.abc import Iterable, Iterator

from clocktowers_tui.games.clocktowers.ladder import floors_in_words, heights
from clocktowers_tui.games.clocktowers.words import card_words
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.text.i18n import _
from protocol.games.clocktowers import CODES, FIRST_CLOCK, FIRST_ROOF, Pile, View, ladder_of


def needed(view: View, card: int) -> str:
    """One sentence. A floor always fits: it starts a tower."""
    if card >= FIRST_ROOF:
        return _roof(view, card)
    if card >= FIRST_CLOCK:
        return _("A clock needs a tower of floors without a clock.")
    return sentence(_("no tower takes it now"))


def _roof(view: View, card: int) -> str:
    taking = heights(row_of(view, card))
    if not taking:
        return unfit(card)
    return _("The {roof} needs a clock on {floors}.").format(
        roof=card_words(card), floors=floors_in_words(taking)
    )


def unfit(roof: int) -> str:
    """That it goes on none of the player's towers any more, and what to do with it."""
    return _("The {card} fits no tower any more: discard it.").format(card=card_words(roof))


def complete(tower: int) -> str:
    """Why nothing goes on this tower any more; counted from 0."""
    return _("Tower {n} is complete: it takes no more cards.").format(n=tower + 1)


def is_spent(view: View) -> bool:
    """Whether the player gets no roof any more: only roofs bring points."""
    held = any(card >= FIRST_ROOF for card in view.hand)
    return view.seat is not None and not held and not view.left[Pile.ROOF]


def roofs(view: View) -> Iterator[int]:
    """Those that the player holds, and those to come."""
    yield from (card for card in view.hand if card >= FIRST_ROOF)
    yield from to_come(view)


def to_come(view: View) -> range:
    """The roofs that may still lie in the pile."""
    return range(FIRST_ROOF, len(CODES) if view.left[Pile.ROOF] else FIRST_ROOF)


def fitting(view: View, cards: Iterable[int], height: int) -> Iterator[int]:
    """The roofs among these cards that go on a tower of that height now."""
    return (card for card in cards if fits(view, card, height))


def fits(view: View, card: int, height: int) -> bool:
    """Whether this is a roof for the player's tower of that height now."""
    return bool(row_of(view, card) >> height & 1)


def is_needed(view: View, card: int, height: int) -> bool:
    """Whether this is a roof that asks for that height, now or after others of its colour."""
    return bool(row_of(view, card) & (2 << height) - 1)


def row_of(view: View, card: int) -> int:
    """The heights that take this roof of the player's, as bits; 0 for any other card."""
    if card < FIRST_ROOF:
        return 0
    return ladder_of(view, view.seat or 0)[card - FIRST_ROOF]


def own_towers(view: View) -> Iterator[tuple[int, bytes]]:
    """Those that are not complete, by their number on the board."""
    if view.seat is not None:
        town = view.towns[view.seat]
        towers = enumerate(zip(town.towers, town.points, strict=True), 1)
        yield from ((number, tower) for number, (tower, points) in towers if not points)


def open_towers(view: View) -> Iterator[tuple[int, bytes]]:
    """Those that take floors and a clock."""
    return ((n, tower) for n, tower in own_towers(view) if tower[-1] < FIRST_CLOCK)
