"""Clocktowers in sentences and typed commands, for plain mode."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from clocktowers_tui.games.advising import advice_in_words
from clocktowers_tui.games.clocktowers import hinting
from clocktowers_tui.games.clocktowers.actions import (
    CLOCKS,
    DISCARD,
    FLOORS,
    NEW_TOWER,
    NUMBERS,
    ROOFS,
)
from clocktowers_tui.games.clocktowers.choosing import Selection, Stage, place, targets
from clocktowers_tui.games.clocktowers.ladder import (
    floors_in_words,
    heights,
    heights_in_words,
    ladder_title,
)
from clocktowers_tui.games.clocktowers.marks import NEW
from clocktowers_tui.games.clocktowers.needs import needed
from clocktowers_tui.games.clocktowers.words import (
    card_phrase,
    colour_words,
    pile_words,
)
from clocktowers_tui.games.spoken import Order, Read, Spoken, number, sentence
from clocktowers_tui.games.standings import points_in_words, ranked
from clocktowers_tui.text.i18n import N_, _
from protocol.games.clocktowers import (
    FIRST_ROOF,
    STOREYS,
    Action,
    Discard,
    Draw,
    Outcome,
    Phase,
    Pile,
    Play,
    View,
    height_of,
    ladder_of,
)

_NEW: Final = ("new", "n")
_PILES: Final = {"floors": Pile.FLOOR, "clocks": Pile.CLOCK, "roofs": Pile.ROOF}


class SpokenClocktowers:
    """See `Spoken`."""

    orders: Sequence[Order] = (
        Order(
            "play",
            N_("play a card of your hand on that tower, or on a new one"),
            "p",
            "CARD TOWER|new",
            (*NUMBERS, NEW_TOWER),
        ),
        Order("discard", N_("discard a card, face down"), "x", "CARD", (DISCARD,)),
        Order("floors", N_("draw from the floors"), "f", actions=(FLOORS,)),
        Order("clocks", N_("draw from the clocks"), "c", actions=(CLOCKS,)),
        Order("roofs", N_("draw from the roofs"), "r", actions=(ROOFS,)),
    )

    def turn(self, view: View, names: Sequence[str]) -> Sequence[str]:
        """Each card of the hand and where it goes; what stands there; then the piles."""
        if view.seat is None or view.turn != view.seat:
            return []
        match view.phase:
            case Phase.PLAY:
                return [*_hand(view), *_open_towers(view), _piles(view)]
            case Phase.DRAW:
                return [_piles(view, counted=False)]
            case Phase.OVER:
                return []

    def standing(self, view: View) -> Sequence[str]:
        """Hand and piles are another each time."""
        return []

    def parts(self, view: View, names: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Points, hand, towers with the player's own first, piles with the next roofs."""
        seats = sorted(range(len(view.towns)), key=lambda seat: seat != view.seat)
        towers = [line for seat in seats for line in _towers(view, seat, names)]
        hand = _hand(view) if view.seat is not None else []
        points = ", ".join(f"{names[seat]} {points_in_words(view.points[seat])}" for seat in seats)
        piles = [_piles(view), _next_roofs(view, names)] if view.phase is not Phase.OVER else []
        told = _("Points: {points}.").format(points=points)
        return {"points": [told], "hand": hand, "towers": towers, "piles": piles}

    def ending(self, view: View, outcome: Outcome, names: Sequence[str]) -> Sequence[str]:
        """Tower by tower, the winner's first."""
        return [line for seat in ranked(outcome) for line in _towers(view, seat, names)]

    def read(self, view: View, names: Sequence[str], word: str, rest: Sequence[str]) -> Read:
        """Only numbers are a card and a tower."""
        if word in _PILES:
            return Draw(_PILES[word])
        at = number(rest) - 1
        if not 0 <= at < len(view.hand):
            return [_which_card(view)]
        if word == "discard":
            return Discard(view.hand[at])
        return _play(view, at, [one for one in rest[1:] if one != "on"])

    def typed(self, view: View, action: Action) -> str:
        """Cards by their number in the hand."""
        match action:
            case Play(card=card, tower=tower):
                where = "new" if tower is None else tower + 1
                return f"play {view.hand.index(card) + 1} {where}"
            case Discard(card=card):
                return f"discard {view.hand.index(card) + 1}"
            case Draw(pile=pile):
                return next(word for word, one in _PILES.items() if one == pile)

    def does(self, view: View, action: Action) -> str:
        """As the log says it."""
        return hinting.goes(view, action)

    def wrong(self, action: Action, sought: Sequence[Action]) -> str:
        """The step says what to do."""
        return ""

    def advice(self, view: View, action: Action, names: Sequence[str]) -> str:
        """With the reason that a hint gives."""
        found = hinting.advice(view, action, names)
        return "" if found is None else sentence(advice_in_words(found))


def _which_card(view: View) -> str:
    if not view.hand:
        return _("You are watching: you cannot play.")
    return _("Name a card by its number, from 1 to {n}.").format(n=len(view.hand))


def _play(view: View, at: int, where: Sequence[str]) -> Read:
    if where and where[0] in _NEW:
        return Play(view.hand[at], None)
    if where:
        tower = number(where)
        if tower < 1:
            return [_("Name a tower by its number, or say: new.")]
        return Play(view.hand[at], min(tower, len(STOREYS)) - 1)
    places = [place(one) for one in targets(view, Selection(Stage.TOWER, card=at))]
    if len(places) == 1:
        return Play(view.hand[at], None if places[0] == NEW else places[0])
    if not places:
        return [needed(view, view.hand[at])]
    said = _("Which tower? {towers}: for example {example}.")
    example = f"play {at + 1} {_place(places[0])}"
    return [said.format(towers=", ".join(map(_place, places)), example=example)]


def _place(tower: int) -> str:
    return "new" if tower == NEW else str(tower + 1)


def _hand(view: View) -> list[str]:
    """A line for each card, with its number and the towers that take it now."""
    lines = []
    for at, card in enumerate(view.hand):
        said = _("Card {n}: {card}").format(n=at + 1, card=card_phrase(card))
        places = [place(one) for one in targets(view, Selection(Stage.TOWER, card=at))]
        if view.turn == view.seat and view.phase is Phase.PLAY:
            said += "; " + (_towers_for(places) if places else _("no tower takes it now"))
        lines.append(said + ".")
    return lines


def _open_towers(view: View) -> Iterator[str]:
    """The player's towers that take a card of the hand."""
    hand = range(len(view.hand))
    taking = {place(one) for at in hand for one in targets(view, Selection(Stage.TOWER, card=at))}
    if towers := sorted(taking - {NEW}):
        assert view.seat is not None
        stands = view.towns[view.seat].towers
        told = (f"{one + 1} {', '.join(map(card_phrase, stands[one]))}" for one in towers)
        yield _("Your towers that can grow: {towers}.").format(towers="; ".join(told))


def _towers_for(places: Sequence[int]) -> str:
    named = [_("a new tower") if one == NEW else str(one + 1) for one in places]
    if places == [NEW]:
        return _("it starts a new tower")
    return _("it goes on tower {towers}").format(towers=_(" or ").join(named))


def _piles(view: View, *, counted: bool = True) -> str:
    """The card on each pile, and how many it has, which is told once a turn."""
    told = []
    for pile, (card, left) in enumerate(zip(view.piles, view.left, strict=True)):
        said = _("{card}, {n} left") if counted else "{card}"
        said = said.format(card=card_phrase(card), n=left)
        said = said if left else _("none left")
        told.append(f"{pile_words(pile)}: {said}")
    return _("On the piles: {piles}.").format(piles="; ".join(told))


def tower_words(tower: bytes, points: int) -> str:
    """A tower from the ground up, how high it is, and what it has scored."""
    cards = ", ".join(map(card_phrase, tower))
    high = floors_in_words([height_of(tower)])
    return f"{cards}; {high}" + (f"; {points_in_words(points)}" if points else "")


def _towers(view: View, seat: int, names: Sequence[str]) -> Iterator[str]:
    town, mine = view.towns[seat], seat == view.seat
    if not town.towers:
        said = _("You have no tower.") if mine else _("{name} has no tower.")
        yield said.format(name=names[seat])
    for n, (tower, points) in enumerate(zip(town.towers, town.points, strict=True), 1):
        said = _("Your tower {n}: {cards}.") if mine else _("Tower {n} of {name}: {cards}.")
        yield said.format(n=n, name=names[seat], cards=tower_words(tower, points))


def _next_roofs(view: View, names: Sequence[str]) -> str:
    """At which height the next roof of each colour fits."""
    whose = view.seat if view.seat is not None else view.turn or 0
    row = ladder_of(view, whose)
    fits = [
        f"{colour_words(FIRST_ROOF + colour)} {heights_in_words(heights(mask))}"
        for colour, mask in enumerate(row)
    ]
    return f"{ladder_title(view, names)}: {', '.join(fits)}."


SPOKEN: Final[Spoken] = SpokenClocktowers()
