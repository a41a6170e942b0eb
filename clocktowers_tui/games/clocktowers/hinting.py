"""A hint as the player's own choice, and what speaks for it.

Law: all of it follows from the view, so a hint tells nothing that the player could not see.
"""

from collections.abc import Iterator, Sequence

from clocktowers_tui.games.advising import Advice
from clocktowers_tui.games.clocktowers.choosing import Selection, Stage
from clocktowers_tui.games.clocktowers.marks import NEW, OUT
from clocktowers_tui.games.clocktowers.words import card_words, pile_words
from clocktowers_tui.text.i18n import _, ngettext
from protocol.games.clocktowers import (
    FIRST_CLOCK,
    FIRST_ROOF,
    STOREYS,
    Action,
    Choice,
    Discard,
    Draw,
    Play,
    View,
)


def towards(view: View, selection: Selection, action: Action) -> Selection:
    """The selection that a key would play so; the same one for what the view does not list."""
    if not any(choice.action == action for choice in view.legal):
        return selection
    match action:
        case Play(card=card, tower=tower):
            place = NEW if tower is None else tower
            return Selection(Stage.TOWER, card=view.hand.index(card), tower=place)
        case Discard(card=card):
            return Selection(Stage.TOWER, card=view.hand.index(card), tower=OUT)
        case Draw(pile=pile):
            return Selection(Stage.PILE, pile=pile)


def advice(view: View, action: Action, names: Sequence[str]) -> Advice | None:
    """What to say of a hint; None for an action that the view does not list."""
    choice = next((choice for choice in view.legal if choice.action == action), None)
    match action:
        case _ if choice is None:
            return None
        case Play(card=card) if card >= FIRST_ROOF:
            brings = ngettext("{n} point at once", "{n} points at once", choice.points)
            reason = _why_roof(view, choice, names)
            return Advice(_goes(action), reason, brings.format(n=choice.points))
        case Play(card=card) if card >= FIRST_CLOCK:
            return Advice(_goes(action), _why_clock(view, choice))
        case Play():
            return Advice(_goes(action), _why_floor(view, choice))
        case Discard(card=card):
            goes = _("discard {card}").format(card=card_words(card))
            return Advice(goes, _("it helps your towers least"))
        case Draw(pile=pile):
            card = view.piles[pile]
            goes = _("draw {card} from the {pile}")
            found = goes.format(card=card_words(card), pile=pile_words(pile))
            return Advice(found, _why_drawn(view, card))


def _goes(play: Play) -> str:
    card = card_words(play.card)
    if play.tower is None:
        return _("{card} on a new tower").format(card=card)
    return _("{card} on tower {n}").format(card=card, n=play.tower + 1)


# Reasons -----------------------------------------------------------------------------------------


def _why_roof(view: View, choice: Choice, names: Sequence[str]) -> str:
    """It takes a step of the ladder that somebody waits for; else where the ladder goes."""
    assert isinstance(choice.action, Play)
    roof = card_words(choice.action.card)
    if len(view.ladder) > 1:
        return _("your next {roof} then needs height {height}").format(
            roof=roof, height=choice.next_height
        )
    for seat in _waiting(view, choice):
        return _("{name} has a tower of this height, too").format(name=names[seat])
    return _("it also lifts everybody's next {roof}").format(roof=roof)


def _waiting(view: View, choice: Choice) -> Iterator[int]:
    """The other seats with a tower of the very height that this roof is put on."""
    for seat, town in enumerate(view.towns):
        begun = (t for t, worth in zip(town.towers, town.points, strict=True) if not worth)
        waits = (t[-1] >= FIRST_CLOCK and _height(t) == choice.height for t in begun)
        if seat != view.seat and any(waits):
            yield seat


def _why_clock(view: View, choice: Choice) -> str:
    for card, where in ((view.hand, _("your {roof} fits on it next")), _on_top(view)):
        if roof := next((one for one in card if _fits(view, one, choice.height)), 0):
            return where.format(roof=card_words(roof))
    return _("it can take a roof next")


def _on_top(view: View) -> tuple[bytes, str]:
    return view.piles, _("the open {roof} fits on it")


def _why_floor(view: View, choice: Choice) -> str:
    assert isinstance(choice.action, Play)
    for cards, why in (
        (view.hand, _("your {roof} needs that height")),
        (view.piles, _("the open {roof} needs that height")),
        (range(FIRST_ROOF, len(STOREYS)), _("the next {roof} needs that height")),
    ):
        if roof := next((one for one in cards if _fits(view, one, choice.height)), 0):
            return why.format(roof=card_words(roof))
    if choice.action.tower is None:
        return _("more towers can take more roofs")
    return _("the next roofs need higher towers")


def _why_drawn(view: View, card: int) -> str:
    for number, tower in _own_towers(view):
        has_clock = tower[-1] >= FIRST_CLOCK
        if card >= FIRST_ROOF and has_clock and _fits(view, card, _height(tower)):
            return _("it fits on your tower {n}").format(n=number)
        if FIRST_CLOCK <= card < FIRST_ROOF and not has_clock:
            return _("your tower {n} has no clock yet").format(n=number)
    if card >= FIRST_ROOF:
        return _("one of your towers can grow to its height")
    return _("your towers can use it")


def _own_towers(view: View) -> Iterator[tuple[int, bytes]]:
    """Those that are not complete, by their number on the board."""
    if view.seat is not None:
        town = view.towns[view.seat]
        towers = enumerate(zip(town.towers, town.points, strict=True), 1)
        yield from ((number, tower) for number, (tower, points) in towers if not points)


def _fits(view: View, card: int, height: int) -> bool:
    """Whether this is a roof for the player's tower of that height now."""
    if card < FIRST_ROOF:
        return False
    row = view.ladder[(view.seat or 0) % len(view.ladder)]
    return bool(row[card - FIRST_ROOF] >> height & 1)


def _height(tower: bytes) -> int:
    return sum(STOREYS[card] for card in tower)
