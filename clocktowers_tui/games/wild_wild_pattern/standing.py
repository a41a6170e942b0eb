"""How the player stands: what is still missing for WILD, and what the Target brings."""

from collections.abc import Iterator

from clocktowers_tui.games.standings import listed
from clocktowers_tui.games.wild_wild_pattern.challenges import challenge_does, challenge_words
from clocktowers_tui.games.wild_wild_pattern.nearness import colour_twice, nearness
from clocktowers_tui.games.wild_wild_pattern.offers import Task, task
from clocktowers_tui.games.wild_wild_pattern.words import feature_names
from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import Phase, View
from protocol.games.wild_wild_pattern.cards import FIRST_COLOUR, Colour


def how_you_stand(view: View) -> Iterator[str]:
    """What helps to look at the Wheel, or to choose a card; the most needed first."""
    if view.seat is None or not view.standing[view.seat] or view.phase is Phase.OVER:
        return
    if task(view) is Task.SHOOT:
        yield _("Find an object that lies here twice: what follows both?")
    found = nearness(view, view.seat)
    lacking = [FIRST_COLOUR + one for one in Colour if one not in found.colours]
    missing = [feature_names(one).words for one in lacking]
    if found.lost:
        yield _lost(view.won[view.seat])
    elif found.thing is None and missing:
        yield _("WILD wins at once: you still need {colours}.").format(colours=listed(missing))
    for card in view.challenges[view.seat]:
        said = _("Win a turn, then you may play {card}: {does}.")
        yield said.format(card=challenge_words(card), does=challenge_does(card))
    target = feature_names(view.targets[view.seat]).words
    yield _("Your Target: the Bank pays more for each {target}.").format(target=target)


def _lost(cards: bytes) -> str:
    colour = colour_twice(cards)
    if colour is None:
        return _("Your cards show several objects: WILD only by a Challenge card.")
    words = feature_names(FIRST_COLOUR + colour).words
    return _("You have {colour} twice: WILD only by a Challenge card.").format(colour=words)
