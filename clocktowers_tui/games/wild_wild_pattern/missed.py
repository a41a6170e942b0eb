"""In practice: what the player's card could have made in the turn that is over."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from clocktowers_tui.games.wild_wild_pattern.feedback import times
from clocktowers_tui.games.wild_wild_pattern.words import pattern_words
from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import Phase, PlayedInPair, Practice, View
from protocol.games.wild_wild_pattern.cards import is_pattern
from protocol.games.wild_wild_pattern.pattern import PLACES
from protocol.games.wild_wild_pattern.verdict import Play, plays

_AFTER: Final = (Phase.TAKE, Phase.CHALLENGE, Phase.LAY, Phase.READY, Phase.OVER)


def missed(view: View) -> Sequence[Play] | None:
    """What there was, what is there most often first; None where it is not told."""
    if view.options.practice is Practice.OFF or view.phase not in _AFTER:
        return None
    found = _raced(view)
    if found is None:
        return None
    in_pair = view.options.played_in_pair is PlayedInPair.REQUIRED
    return _plays(*found, in_pair)


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


def missed_words(found: Sequence[Play]) -> list[str]:
    """A line for each."""
    if not found:
        return [_("No pattern was there for your card.")]
    text = _("{place}: {pattern} ({times})")
    return [
        text.format(
            place=play.place + 1,
            pattern=pattern_words(play.pattern),
            times=times(len(play.pairs.anchors)),
        )
        for play in found
    ]
