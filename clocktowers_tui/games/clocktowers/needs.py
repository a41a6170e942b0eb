"""What a card needs that fits on none of the player's towers, and whether a roof can still come."""

from clocktowers_tui.games.clocktowers.ladder import heights, heights_in_words
from clocktowers_tui.games.clocktowers.words import card_words
from clocktowers_tui.text.i18n import _
from protocol.games.clocktowers import FIRST_CLOCK, FIRST_ROOF, Pile, View


def needed(view: View, card: int) -> str:
    """One sentence. A floor always fits: it starts a tower."""
    if card >= FIRST_ROOF:
        return _roof(view, card)
    if card >= FIRST_CLOCK:
        return _("A clock needs a tower of floors without a clock.")
    return _("No tower takes it now.")


def _roof(view: View, card: int) -> str:
    row = view.ladder[(view.seat or 0) % len(view.ladder)]
    fitting = heights(row[card - FIRST_ROOF])
    if not fitting:
        return _("No height takes the {roof} any more.").format(roof=card_words(card))
    return _("The {roof} needs a tower with a clock, {heights} high.").format(
        roof=card_words(card), heights=heights_in_words(fitting)
    )


def is_spent(view: View) -> bool:
    """Whether the player gets no roof any more: only roofs bring points."""
    held = any(card >= FIRST_ROOF for card in view.hand)
    return view.seat is not None and not held and not view.left[Pile.ROOF]
