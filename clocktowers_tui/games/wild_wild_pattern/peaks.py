"""Which moments of a match are worth a motion, and where they are seen. Pure."""

from typing import Final, NamedTuple, TypeAlias

from clocktowers_tui.games.motion import Shine, fitting
from clocktowers_tui.games.wild_wild_pattern.sight import Sight, news
from protocol.games.wild_wild_pattern import Phase, View
from protocol.games.wild_wild_pattern.pattern import PLACES, pairs


class Hit(NamedTuple):
    """A declared pattern is true: `places` are its cards, each anchor before its partner."""

    seat: int
    places: tuple[int, ...]


class Win(NamedTuple):
    """The match is over, and this seat has won it alone."""

    seat: int


Peak: TypeAlias = Hit | Win

_HURRIED: Final = (Phase.RACE, Phase.CLICKED, Phase.DECLARE)


def hurried(view: View) -> bool:
    """Whether somebody may be counting seconds: then nothing moves."""
    return view.phase in _HURRIED


def peak(before: View, after: View) -> Peak | None:
    """What has happened between the two; None for nothing."""
    if after.outcome is not None and before.outcome is None:
        winners = after.outcome.winners
        return Win(winners[0]) if len(winners) == 1 else None
    said = news(after)
    if said is None or said.pattern is None or said == before.declared:
        return None
    if said.fault is not None or not said.wheel:
        return None
    found = pairs(said.wheel, said.pattern)
    places = [place for anchor in found.anchors for place in (anchor, anchor + found.step)]
    return Hit(said.seat, tuple(dict.fromkeys(place % PLACES for place in places)))


def shine(sight: Sight, peak: Peak) -> Shine | None:
    """A hit lights its cards pair by pair, a win the whole Wheel."""
    if "wheel" not in sight.places:
        return None
    places = peak.places if isinstance(peak, Hit) else range(PLACES)
    return Shine("wheel", fitting([sight.layout.places[place] for place in places]))
