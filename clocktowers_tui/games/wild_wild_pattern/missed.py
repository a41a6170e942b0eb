"""In practice: what the player's card could have made in the turn that is over."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from clocktowers_tui.games.wild_wild_pattern.feedback import pairs_counted
from clocktowers_tui.games.wild_wild_pattern.words import pattern_words
from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import Declared, Phase, PlayedInPair, Practice, View
from protocol.games.wild_wild_pattern.bank import Play, plays
from protocol.games.wild_wild_pattern.cards import is_pattern
from protocol.games.wild_wild_pattern.pattern import PLACES

_AFTER: Final = (Phase.TAKE, Phase.CHALLENGE, Phase.LAY, Phase.READY, Phase.OVER)


def missed(view: View) -> Sequence[Play] | None:
    """What there was, what is there most often first: after a hit of the player's own only what
    would have won more. None where it is not told, or nothing was better."""
    if view.options.practice is Practice.OFF or view.phase not in _AFTER:
        return None
    if view.phase is Phase.READY and view.turn == 1:
        return None  # another round has begun
    found = _raced(view)
    if found is None:
        return None
    plays, said = makes(view, *found), own_hit(view)
    if said is None:
        return plays
    better = [play for play in plays if _worth(play) > (said.wild, said.anchors >= TWO_CARDS)]
    return better or None


def own_hit(view: View) -> Declared | None:
    """What the player has declared in this turn, if it was right."""
    said = view.declared
    return said if said is not None and said.anchors and said.seat == view.seat else None


def is_second_card(view: View) -> bool:
    """Whether the player takes the second of two cards."""
    said = own_hit(view)
    two = said is not None and said.anchors >= TWO_CARDS
    return two and view.phase is Phase.TAKE and view.takes == 1


TWO_CARDS: Final = 3
"""So many anchors win two cards."""


def _worth(play: Play) -> tuple[bool, bool]:
    return play.pairs.is_wild, len(play.pairs.anchors) >= TWO_CARDS


def makes(view: View, wheel: bytes, card: int) -> Sequence[Play]:
    """What this card makes on this Wheel, what is there most often first."""
    return _plays(wheel, card, view.options.played_in_pair is PlayedInPair.REQUIRED)


@lru_cache(maxsize=1)
def _plays(wheel: bytes, card: int, in_pair: bool) -> Sequence[Play]:
    found = plays(wheel, card, in_pair=in_pair)
    return sorted(found, key=lambda play: -len(play.pairs.anchors))


def _raced(view: View) -> tuple[bytes, int] | None:
    """The Wheel as it was in the race, and the player's card."""
    said, wheel, card = view.declared, view.wheel, view.card
    if said is not None and len(said.wheel) == PLACES:
        wheel = said.wheel[: said.place] + bytes((said.covered,)) + said.wheel[said.place + 1 :]
        card = said.wheel[said.place] if said.seat == view.seat else card
    elif view.phase is not Phase.LAY or view.winner is not None or not all(view.in_hand):
        return None  # a Click!, or somebody has laid a card
    return (wheel, card) if is_pattern(card) and all(wheel) else None


def there(view: View) -> Sequence[str]:
    """What the player's card, or the clicked one, makes on this Wheel; a line for each."""
    found = makes(view, view.wheel, view.clicked or view.card)
    return missed_words(found) if found else ()


def missed_words(found: Sequence[Play]) -> list[str]:
    """A line for each."""
    if not found:
        return [_("No pattern was there for your card.")]
    text = _("{place}: {pattern} ({pairs})")
    return [
        text.format(
            place=play.place + 1,
            pattern=pattern_words(play.pattern),
            pairs=pairs_counted(len(play.pairs.anchors)),
        )
        for play in found
    ]
