"""A hint in words, what speaks for it, and what a card that it draws is for.

Laws: all of it follows from the view, so a hint tells nothing that the player could not see; a
reason is a fact about the player's own cards and towers, with the points that it is worth, and
promises no other action: the next hint may know something better.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, assert_never

from clocktowers_tui.games.clocktowers.choosing import (
    NEW,
    OUT,
    plays,
    with_card,
    worth,
)
from clocktowers_tui.games.clocktowers.ladder import (
    fits,
    fitting,
    floors_in_words,
    gets,
    heights,
    is_needed,
    open_towers,
    own_towers,
    rooflessness,
    roofs,
    row_of,
    to_come,
)
from clocktowers_tui.games.clocktowers.words import card_phrase, card_words
from clocktowers_tui.games.face import Advice
from clocktowers_tui.games.standings import points_in_words
from clocktowers_tui.text.i18n import N_, _
from protocol.games.clocktowers import (
    CODES,
    FIRST_CLOCK,
    FIRST_ROOF,
    PILES,
    STOREYS,
    Action,
    Choice,
    Discard,
    Draw,
    Pile,
    Play,
    View,
    height_of,
)

FEW: Final = 2
"""Of so many colours a tower is said to be hard to complete."""


def listed(view: View, action: Action) -> Choice | None:
    """As the view lists it, with what it leads to."""
    return next((choice for choice in view.legal if choice.action == action), None)


def advice(view: View, action: Action, then: Action | None = None) -> Advice | None:
    """What to say of a hint, and of what the player does `then`; None for an action that the view
    does not list."""
    if (choice := listed(view, action)) is None:
        return None
    if isinstance(action, Draw) and (plan := plan_for(view, action.pile, then)) is not None:
        said = _FOR.get(plan.place, N_("draw {card} for tower {n}"))
        what = _(said).format(card=card_phrase(view.piles[action.pile]), n=(plan.place or 0) + 1)
        return Advice(what, plan.why)
    bringing = points_in_words(choice.points) if choice.points else ""
    return Advice(_what(view, action), next(_why(view, choice)), bringing)


def _what(view: View, action: Action) -> str:
    """What to do, in fewer words: the card lies there as if it were played."""
    match action:
        case Play(card=card, tower=tower):
            on = _("{card} on a new tower") if tower is None else _("{card} on tower {n}")
            return on.format(card=card_phrase(card), n=1 + (tower or 0))
        case _:
            return goes(view, action)


def goes(view: View, action: Action) -> str:
    """What to do, for the middle of a sentence."""
    match action:
        case Play(card=card, tower=tower):
            goes = _("put {card} on a new tower") if tower is None else _("put {card} on tower {n}")
            return goes.format(card=card_phrase(card), n=1 + (tower or 0))
        case Discard(card=card):
            return _("discard {card}").format(card=card_phrase(card))
        case Draw(pile=pile):
            return _("draw {card}").format(card=card_phrase(view.piles[pile]))


# Reasons -----------------------------------------------------------------------------------------


def _why(view: View, choice: Choice) -> Iterator[str]:
    """The reasons that hold, the best first; the last one is what stays in the hand."""
    match choice.action:
        case _ if not any(roofs(view)):
            yield _("no roof is left: any will do")
        case Draw() if sum(map(bool, view.left)) == 1:
            yield _("only this pile has cards")
        case Play(card=card) if card >= FIRST_ROOF:
            yield from _why_roof(view, choice, card)
        case Play(card=card) if card >= FIRST_CLOCK:
            yield from _why_clock(view, choice, with_card(view, choice.action))
        case Play():
            yield from _why_floor(view, choice, choice.action)
        case Discard(card=card):
            yield from _why_out(view, card)
        case Draw():
            yield _("the last of its pile: nobody else gets it")
        case _:
            assert_never(choice.action)
    others = [card for card in view.hand if card != getattr(choice.action, "card", 0)]
    kept = _("you keep {card} for later")
    yield kept.format(card=card_phrase(max(others))) if others else _("you need it least")


def _why_roof(view: View, choice: Choice, card: int) -> Iterator[str]:
    """That few others go there; else where the ladder goes, if the player may have another roof of
    that colour."""
    if not view.left[Pile.ROOF] and view.hand.count(card) == 1:
        yield _("only towers with a roof score")
    if 1 < len([*fitting(view, to_come(view), choice.height)]) <= FEW:
        floors, takes = floors_in_words([choice.height]), roofs_in_words(view, choice.height)
        yield _("only {roofs} go on {floors}").format(roofs=takes, floors=floors)
    if len(view.ladder) > 1:
        needs = floors_in_words([choice.next_height])
        yield _("your next one then needs {floors}").format(floors=needs)
    yield _("the next one needs one floor more")


def _why_clock(view: View, choice: Choice, tower: bytes) -> Iterator[str]:
    points = points_in_words(worth(view, tower))
    yield from _roofs_for(
        view,
        choice.height,
        view.hand,
        _("{points} with your {roof}").replace("{points}", points),
        _("{points} with {roofs}").replace("{points}", points),
    )
    if any(is_needed(view, roof, choice.height) for roof in roofs(view)):
        yield _("only a roof is missing, for {points}").format(points=points)
    elif not _can_be_roofed(view, choice.height):
        yield _("it gets no roof: nothing is lost")


def _why_floor(view: View, choice: Choice, play: Play) -> Iterator[str]:
    if not gets(view, Pile.CLOCK):
        yield _("it gets no roof: nothing is lost")
        return
    if _takes_any(view, choice.height):
        yield from _why_beast(view, play)  # the height speaks for no roof
    else:
        held, coming = _("right for your {roof}"), _("for {roofs}")
        yield from _roofs_for(view, choice.height, _later(view), held, coming)
    costly = [
        _can_be_roofed(view, height_of(one)) and _costs(view, one + bytes((play.card,)))
        for _n, one in open_towers(view)
    ]
    if play.tower is None and costly and all(costly) and _can_be_roofed(view, choice.height):
        yield _("on any other it costs points")
    if play.tower is None and view.left[Pile.ROOF] and _can_be_roofed(view, choice.height):
        points = points_in_words(worth(view, with_card(view, play)))
        yield _("it can bring {points}").format(points=points)
    higher = any(row_of(view, roof) >> choice.height + 1 for roof in roofs(view))
    if higher and gets(view, Pile.FLOOR, but=play.card):
        yield _("the next roofs need more floors")
    if _takes_any(view, choice.height):
        yield _("for {roofs}").format(roofs=_("any roof"))
    if not any(_can_be_roofed(view, choice.height - n) for n in (0, STOREYS[play.card])):
        yield _("it gets no roof: nothing is lost")


def _later(view: View) -> bytes:
    """The player's cards but for roofs that complete a tower now."""
    ready = [height_of(one) for _n, one in own_towers(view) if one[-1] >= FIRST_CLOCK]
    return bytes(card for card in view.hand if not any(fits(view, card, at) for at in ready))


def _roofs_for(view: View, height: int, hand: bytes, held: str, coming: str) -> Iterator[str]:
    """What goes on a tower of that height now: of these roofs of the player, of those to come."""
    for roof in fitting(view, hand, height):
        yield held.format(roof=card_words(roof))
    if found := roofs_in_words(view, height):
        yield coming.format(roofs=found)


def roofs_in_words(view: View, height: int) -> str:
    """Those to come that go on a tower of that height now."""
    found = [*fitting(view, to_come(view), height)]
    if found and len(found) == len(to_come(view)):
        return _("any roof")
    if len(found) > 1:
        return _("roofs in {n} of {all} colours").format(n=len(found), all=len(to_come(view)))
    return "".join(map(card_phrase, found))


def _takes_any(view: View, height: int) -> bool:
    """Whether any roof to come goes on a tower of that height now."""
    return roofs_in_words(view, height) == _("any roof")


def _why_beast(view: View, play: Play) -> Iterator[str]:
    """Of floors as high as this one the animals decide."""
    tower = with_card(view, play)
    others = [one for one in view.hand if STOREYS[one] == STOREYS[play.card] and one != play.card]
    points = worth(view, tower)
    least = min((worth(view, tower[:-1] + bytes((one,))) for one in others), default=points)
    if least < points:
        yield _("worth {points}, the other only {fewer}").format(points=points, fewer=least)


def _why_out(view: View, card: int) -> Iterator[str]:
    """What speaks against the card, or what the others are for."""
    goes = [one.action for one in plays(view, card).values() if isinstance(one.action, Play)]
    if not goes:
        if card >= FIRST_ROOF and not row_of(view, card):
            yield _("it fits no tower any more")
        yield _("none of your towers takes it now")
    held = sum(FIRST_CLOCK <= one < FIRST_ROOF for one in view.hand)
    if FIRST_CLOCK <= card < FIRST_ROOF and held > len([*open_towers(view)]):
        yield _("you hold more clocks than your towers need")
    if goes and card < FIRST_ROOF and all(_costs(view, with_card(view, one)) for one in goes):
        yield _("its animal costs points anywhere")
    if view.hand.count(card) > 1:
        yield _("you hold another one like it")
    others = [one for one in view.hand if PILES[one] != PILES[card]]
    if not others:
        yield _("you hold others of this kind")
    for one in sorted(others, reverse=True):
        yield from _kept(view, one)


def _kept(view: View, card: int) -> Iterator[str]:
    """Which tower the player keeps it for."""
    if card < FIRST_CLOCK:
        if _can_be_roofed(view, STOREYS[card]):
            yield _("you keep {card} for a new tower").format(card=card_phrase(card))
        return
    for number, tower in open_towers(view) if card < FIRST_ROOF else own_towers(view):
        if card < FIRST_ROOF or fits(view, card, height_of(tower)):
            yield _("you keep {card} for tower {n}").format(n=number, card=card_phrase(card))


def _costs(view: View, tower: bytes) -> bool:
    """Whether its last card makes a tower pay less."""
    return worth(view, tower) < worth(view, tower[:-1])


# What a card is drawn for ------------------------------------------------------------------------


class Plan(NamedTuple):
    """`place`: the player's tower that the card is for, `NEW`, or `OUT`: the card only covers the
    next one; None: it is kept for later."""

    place: int | None
    why: str


_FOR: Final = {
    NEW: N_("draw {card} for a new tower"),
    OUT: N_("draw {card}"),
    None: N_("draw {card} and keep it"),
}


def plan_for(view: View, pile: int, then: Action | None = None) -> Plan | None:
    """What the card is for by what the player does `then`, or the first that holds; None where
    nothing has to be said for the card."""
    if not any(roofs(view)) or sum(map(bool, view.left)) == 1:
        return None
    card = view.piles[pile]
    if card >= FIRST_ROOF:
        plans = _roof_plans(view, card)
    else:
        plans = _clock_plans(view, card) if card >= FIRST_CLOCK else _floor_plans(view, card)
    if then is not None and not isinstance(then, Draw):
        if then.card != card:
            return next(plans, Plan(None, ""))
        if isinstance(then, Play):
            place = NEW if then.tower is None else then.tower
            return next((plan for plan in plans if plan.place == place), Plan(place, ""))
        plans = iter(())
    found = next(plans, None)
    if found is None and view.left[pile] > 1:
        return Plan(OUT, _("to see the next card"))
    return found


def _floor_plans(view: View, floor: int) -> Iterator[Plan]:
    if not gets(view, Pile.CLOCK):
        return
    grown = [(n, height_of(tower) + STOREYS[floor]) for n, tower in open_towers(view)]
    for number, height in grown:
        for roof in fitting(view, _later(view), height):
            yield Plan(number - 1, _("right for your {roof}").format(roof=card_words(roof)))
    for number, height in grown:
        if takes := roofs_in_words(view, height):
            several = 1 < len([*fitting(view, to_come(view), height)]) < len(to_come(view))
            said = _("{roofs} then fit") if several else _("{roofs} then fits")
            yield Plan(number - 1, said.format(roofs=takes))
    if _can_be_roofed(view, STOREYS[floor]):
        points = points_in_words(worth(view, bytes((floor,))))
        yield Plan(NEW, _("it can bring {points}").format(points=points))


def _clock_plans(view: View, clock: int) -> Iterator[Plan]:
    """A clock in the hand serves a tower, too; none that gets no roof needs any. First those that
    the clock costs no points."""
    held = [card for card in view.hand if FIRST_CLOCK <= card < FIRST_ROOF]
    roofed = [one for one in open_towers(view) if _can_be_roofed(view, height_of(one[1]))]
    lacking = [n - 1 for n, tower in roofed if not _costs(view, tower + bytes((clock,)))]
    spared = [
        n - 1 for n, tower in roofed if all(_costs(view, tower + bytes((one,))) for one in held)
    ]
    low = [n - 1 for n, tower in roofed if rooflessness(view, height_of(tower)) == 2]
    why = dict.fromkeys(low, _("it needs one after a floor"))
    if lacking and not held:
        yield Plan(lacking[0], why.get(lacking[0], _("it has no clock yet")))
    if spared and CODES[clock] == "K-" and clock not in held:
        yield Plan(spared[0], _("you hold no clock without a mouse"))
    if len(lacking) > len(held):
        yield Plan(lacking[len(held)], _("you hold too few clocks"))
    if CODES[clock] == "K-" and gets(view, Pile.FLOOR) and _can_be_roofed(view, 1):
        said = _("your next tower needs one")
        if roofed and held:
            said = _("yours are for tower {towers}, the next needs one")
        yield Plan(None, said.format(towers=", ".join(str(n) for n, _tower in roofed)))
    if len(roofed) > len(held):
        at = roofed[len(held)][0] - 1
        yield Plan(at, why.get(at, _("it has no clock yet")))


def _roof_plans(view: View, roof: int) -> Iterator[Plan]:
    for number, tower in own_towers(view):
        height = height_of(tower)
        has_roof = any(fitting(view, view.hand, height))
        if tower[-1] >= FIRST_CLOCK and fits(view, roof, height) and not has_roof:
            points = points_in_words(worth(view, tower))
            yield Plan(number - 1, _("it completes it, for {points}").format(points=points))
    if not gets(view, Pile.CLOCK):
        return
    for number, tower in open_towers(view):
        height = height_of(tower)
        if fits(view, roof, height) and not any(fitting(view, view.hand, height)):
            yield Plan(number - 1, _("it fits once the tower has a clock"))
    if not gets(view, Pile.FLOOR) or roof in view.hand:
        return
    for number, tower in open_towers(view):
        if row_of(view, roof) >> height_of(tower) + 1:
            yield Plan(number - 1, _("the tower can grow high enough"))
    if taking := heights(row_of(view, roof)):
        floors = floors_in_words(taking)
        yield Plan(None, _("it goes on a tower of {floors}").format(floors=floors))


# What is still to be had -------------------------------------------------------------------------


def _can_be_roofed(view: View, height: int) -> bool:
    """Whether a tower of that height may get a roof: as it is, or higher."""
    return rooflessness(view, height, grows=gets(view, Pile.FLOOR)) < 2
