"""What an action costs that another keeps, for a review.

Law: all of it follows from the view. A fact that holds of both actions is no cost: each kind is
told only where the other action costs less of it.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from clocktowers_tui.games.clocktowers.choosing import lost, plays, roofless, worth, worths
from clocktowers_tui.games.clocktowers.hinting import FEW, listed, plan_for, roofs_in_words
from clocktowers_tui.games.clocktowers.ladder import (
    fitting,
    floors_in_words,
    heights,
    rooflessness,
    row_of,
    to_come,
)
from clocktowers_tui.games.clocktowers.sentences import goes_now, worth_less
from clocktowers_tui.games.clocktowers.words import card_phrase, card_words
from clocktowers_tui.games.face import Cost
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.games.standings import points_in_words
from clocktowers_tui.text.i18n import _, ngettext
from protocol.games import Prospect
from protocol.games.clocktowers import (
    CODES,
    COPIES,
    FIRST_CLOCK,
    FIRST_ROOF,
    STOREYS,
    Action,
    Choice,
    Discard,
    Draw,
    Gets,
    Pile,
    Play,
    View,
    height_of,
    ladder_of,
)

_MOUSE: Final = CODES.index("Km")
"""A clock."""
_ROOFS: Final = range(FIRST_ROOF, len(CODES))
_TOWERS: Final = sum(COPIES[:FIRST_CLOCK])
"""No more can stand: each begins with a floor."""
_MOST: Final = 2
"""More reasons for one mistake nobody reads."""


def prospect_in_words(one: Prospect) -> str:
    """A roof, and where; see `Gets`. "" for what no town can have."""
    roof, at = card_phrase(one.what) if one.what else _("a roof"), one.where
    match one.kind:
        case Gets.ROOF if at < _TOWERS and one.what in (0, *_ROOFS):
            return _("{roof} on tower {n}").format(roof=roof, n=at + 1)
        case Gets.ROOFS if 1 < at <= _TOWERS:
            return _("roofs on {n} towers").format(n=at)
    return _("a roof on a new tower") if one.kind == Gets.NEW_TOWER else ""


class _Cost(NamedTuple):
    """`to`: another seat, which has more by it."""

    kind: str
    much: int
    said: str
    to: int | None = None


def costs(view: View, action: Action, instead: Action, names: Sequence[str]) -> list[Cost]:
    """What weighs most comes first."""
    played, other = listed(view, action), listed(view, instead)
    if played is None or other is None:
        return []
    kept = {one.kind: one.much for one in _costs_of(view, other, action, names)}
    found = _costs_of(view, played, instead, names)
    told = [one for one in found if one.much > kept.get(one.kind, 0)]
    own = view.seat or 0
    return [Cost(own if one.to is None else one.to, sentence(one.said)) for one in told[:_MOST]]


def _costs_of(view: View, choice: Choice, instead: Action, names: Sequence[str]) -> Iterator[_Cost]:
    match choice.action:
        case Discard(card=card):
            brings = [1 + one.points for one in plays(view, card).values()]
            if brings and card != getattr(instead, "card", 0):
                yield _Cost("thrown away", max(brings), goes_now(view, card))
        case Play(card=card) if card >= FIRST_ROOF:
            yield from _costs_of_roof(view, choice, choice.action)
        case Play():
            yield from _costs_of_building(view, choice, choice.action)
            yield from _mouse_elsewhere(view, choice.action, instead)
        case Draw(pile=pile):
            yield from _costs_of_drawing(view, pile, getattr(instead, "pile", pile), names)


def _costs_of_roof(view: View, choice: Choice, play: Play) -> Iterator[_Cost]:
    if view.hand.count(play.card) > 1:
        said = _("your next {roof} then needs {floors}")
        needs = floors_in_words([choice.next_height])
        yield _Cost("next roof", 1, said.format(roof=card_words(play.card), floors=needs))
    takes = len([*fitting(view, to_come(view), choice.height)])
    if takes > FEW:
        said = _("tower {n} could wait: it takes {roofs}")
        roofs = roofs_in_words(view, choice.height)
        yield _Cost("could wait", takes, said.format(n=1 + (play.tower or 0), roofs=roofs))


def _costs_of_building(view: View, choice: Choice, play: Play) -> Iterator[_Cost]:
    towers = view.towns[view.seat or 0].towers
    n, height = 1 + (len(towers) if play.tower is None else play.tower), choice.height
    if less := worth_less(*worths(view, choice)):
        yield _Cost("worth", lost(view, choice), _("tower {n}: {worth}").format(n=n, worth=less))
    is_closed = play.card >= FIRST_CLOCK
    if is_closed:
        yield from _shut_out(view, n, height)
    fits = roofless(view, choice)
    # Of a tower that grows, only what has changed; a new one has time.
    was = 0 if is_closed else 1
    if not is_closed and play.tower is not None:
        was = rooflessness(view, height - STOREYS[play.card], grows=True)
    if fits > was:
        never = _("no roof fits tower {n} any more")
        said = _("no roof fits tower {n} yet") if fits == 1 else never
        yield _Cost("no roof", fits, said.format(n=n))


def _mouse_elsewhere(view: View, play: Play, instead: Action) -> Iterator[_Cost]:
    """The clock with a mouse that stays in the hand, where it would cost this tower less than it
    costs one without animals."""
    if play.tower is None or (play.card, instead) != (FIRST_CLOCK, Play(_MOUSE, play.tower)):
        return
    tower = view.towns[view.seat or 0].towers[play.tower]
    here = worth(view, tower) - worth(view, tower + bytes((_MOUSE,)))
    there = worth(view, b"") - worth(view, bytes((_MOUSE,)))
    if here < there:
        said = _("a mouse costs {points} here, {more} on a tower without animals")
        said = said.format(points=points_in_words(here), more=there)
        yield _Cost("mouse", there - here, said)


def _shut_out(view: View, n: int, height: int) -> Iterator[_Cost]:
    """A roof of the hand that needs a higher tower, where none of the hand goes on this one."""
    held = [card for card in view.hand if card >= FIRST_ROOF]
    higher = [roof for roof in held if row_of(view, roof) >> height + 1]
    if higher and not any(fitting(view, held, height)):
        said = _("tower {n} then grows no more: your {roof} needs {floors}")
        needs = floors_in_words(heights(row_of(view, higher[0])))
        yield _Cost("closed", 1, said.format(n=n, roof=card_words(higher[0]), floors=needs))


def _costs_of_drawing(view: View, pile: int, other: int, names: Sequence[str]) -> Iterator[_Cost]:
    if other == Pile.ROOF:
        yield from _left_for_another(view, view.piles[other], names)
    plan = plan_for(view, pile)
    if plan is not None and plan.place is not None and plan.place >= 0:
        tower = view.towns[view.seat or 0].towers[plan.place]
        was, now = worth(view, tower), worth(view, tower + view.piles[pile : pile + 1])
        if less := worth_less(was, now):
            said = _("tower {n}: {worth}").format(n=plan.place + 1, worth=less)
            yield _Cost("worth", was - now, said)
    begun = sum(not points for town in view.towns for points in town.points)
    if other == Pile.ROOF and view.left[other] <= begun:
        left = ngettext("{n} roof is left", "{n} roofs are left", view.left[other])
        towers = ngettext("{n} tower has none yet", "{n} towers have none yet", begun)
        said = f"{left.format(n=view.left[other])}, {towers.format(n=begun)}"
        yield _Cost("few roofs", 1, said)
    if view.hand.count(view.piles[pile]):
        yield _Cost("another", 1, _("you hold another one like it"))
    if other == Pile.FLOOR and not any(card < FIRST_CLOCK for card in view.hand):
        yield _Cost("no floor", 1, _("you hold no floor"))


def _left_for_another(view: View, roof: int, names: Sequence[str]) -> Iterator[_Cost]:
    """The tower that pays most of those that the roof completes for the first of the others who
    has one."""
    own, seats = view.seat or 0, len(view.towns)
    for seat in ((own + n) % seats for n in range(1, seats)):
        town, takes = view.towns[seat], ladder_of(view, seat)[roof - FIRST_ROOF]
        pays = [
            worth(view, tower)
            for tower, points in zip(town.towers, town.points, strict=True)
            if not points and tower[-1] >= FIRST_CLOCK and takes >> height_of(tower) & 1
        ]
        if pays:
            said = _("now {name} can complete a tower with {card}: {points}")
            paid = points_in_words(max(pays))
            said = said.format(name=names[seat], card=card_phrase(roof), points=paid)
            yield _Cost("left", max(pays), said, seat)
            return
