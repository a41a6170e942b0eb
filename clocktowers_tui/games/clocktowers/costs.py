"""What an action costs that another keeps, for a review.

Laws: all of it follows from the view, and is about a card or a tower in which the two actions
differ. A fact that holds after both is no cost. Its points are those that it takes, or what losing
time costs; what says more of a tower than of the match counts less.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import Final, NamedTuple

from msgspec.structs import replace

from clocktowers_tui.games.clocktowers.choosing import (
    NEW,
    lost,
    place,
    plays,
    roofless,
    worth,
    worths,
)
from clocktowers_tui.games.clocktowers.hinting import listed, plan_for
from clocktowers_tui.games.clocktowers.ladder import (
    fits,
    fitting,
    floors_in_words,
    gets,
    is_needed,
    open_towers,
    own_towers,
    roofless_towers,
    rooflessness,
    roofs,
)
from clocktowers_tui.games.clocktowers.sentences import goes_now, worth_less
from clocktowers_tui.games.clocktowers.words import card_phrase, card_words
from clocktowers_tui.games.face import Brought, Cost
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.games.standings import listed as listed_words, points_in_words
from clocktowers_tui.text.i18n import _, ngettext
from protocol.games.clocktowers import (
    FIRST_CLOCK,
    FIRST_ROOF,
    LATER_TOWERS,
    PILES,
    STOREYS,
    Action,
    Choice,
    Discard,
    Draw,
    Pile,
    Play,
    Town,
    View,
    height_of,
    ladder_of,
)
from protocol.recording import POINT

_MOST: Final = 2
"""More reasons for one mistake nobody reads."""
_TURN: Final = 3 * POINT // 2
"""What a turn is worth in which nothing is built; about a fourth of the points of a match."""
_NEED: Final = POINT
"""What it is worth to draw a card that is needed, beside one that waits."""
_LEAST: Final = POINT // 5
"""Less of a tower's points is not told."""


def costs(view: View, action: Action, instead: Action, names: Sequence[str]) -> list[Cost]:
    """What weighs most comes first."""
    played, other = listed(view, action), listed(view, instead)
    if played is None or other is None:
        return []
    then, kept = _after(view, played), _after(view, other)
    new = 1 + len(view.towns[view.seat or 0].towers)
    less, more = _best(then, new), _best(kept, new)
    ahead = (less.points if less else 0) - (more.points if more else 0)
    plan = [*_plan(view, played, other, less, more, new)]
    if isinstance(played.action, Draw) and isinstance(other.action, Draw):
        found, better = plan[:], other.action.pile
        if better == Pile.ROOF:
            found += _left(view, view.piles[better], names, max(0, ahead))
        if not plan and _waits(then) and not _waits(kept) and _serves(view, view.piles[better]):
            said = _("you can then only discard: no tower of yours takes a card of your hand")
            found.append(Cost(view.seat or 0, said, points=_TURN))
        elif not plan and ahead <= 0:
            found += _needed(view, played.action.pile, better)
    else:
        found = [*plan, *_of_playing(view, played, other, then, plan)]
    found.sort(key=lambda one: -one.points)
    return [one._replace(said=sentence(one.said)) for one in found[:_MOST]]


def _after(view: View, choice: Choice) -> View:
    """What the player has then, as far as it follows from the view."""
    seat, action = view.seat or 0, choice.action
    if isinstance(action, Draw):
        return replace(view, hand=view.hand + view.piles[action.pile : action.pile + 1])
    view = replace(view, hand=view.hand.replace(bytes((action.card,)), b"", 1))
    if isinstance(action, Discard):
        return view
    town, row = view.towns[seat], bytearray(ladder_of(view, seat))
    # A new one is the last.
    towers, points = [*town.towers, b""], [*town.points, 0]
    towers[place(choice)] += bytes((action.card,))
    points[place(choice)] = choice.points
    many = len(towers) if towers[-1] else len(town.towers)
    if choice.points:
        row[action.card - FIRST_ROOF] = 1 << choice.next_height
    towns, ladder = [*view.towns], [*view.ladder]
    towns[seat] = Town(towers[:many], bytes(points[:many]))
    ladder[seat % len(ladder)] = bytes(row)
    return replace(view, towns=towns, ladder=ladder)


# What the cards of the hand complete -------------------------------------------------------------


class _Way(NamedTuple):
    """That a roof of the hand completes tower `n`, the first being 1, for so many points; with
    `cards` of the hand beside it."""

    points: int
    soon: int
    n: int
    roof: int
    cards: bytes


def _best(then: View, new: int, roof: int = 0) -> _Way | None:
    """The one that brings most, and of these the soonest; of this roof, 0 = of any. `new`: the
    number of a new tower."""
    roofs = [card for card in then.hand if card >= FIRST_ROOF and roof in (0, card)]
    found = (
        _Way(worth(then, tower + cards), -len(cards), n, roof, cards)
        for n, tower in (*own_towers(then), (new, b""))
        for cards in _completing(then.hand, tower)
        for roof in roofs
        if fits(then, roof, height_of(tower + cards))
    )
    return max(found, key=lambda way: (way.points, way.soon, -way.n, -way.roof), default=None)


def _completing(hand: bytes, tower: bytes) -> Iterator[bytes]:
    """The cards of the hand that a tower needs before its roof: none of one with a clock."""
    if tower and tower[-1] >= FIRST_CLOCK:
        yield b""
        return
    floors, clocks = (sorted(_held(hand, pile)) for pile in (Pile.FLOOR, Pile.CLOCK))
    for some in chain.from_iterable(combinations(floors, n) for n in range(not tower, 2)):
        yield from (b"".join((*some, clock)) for clock in clocks)


def _held(hand: bytes, pile: int) -> set[bytes]:
    return {bytes((card,)) for card in hand if PILES[card] == pile}


def _plan(
    view: View, played: Choice, other: Choice, less: _Way | None, more: _Way | None, new: int
) -> Iterator[Cost]:
    """A tower that the hand completes after the other action alone: by the card of that action, or
    by the one that is played. `less`, `more`: the best after either."""
    seat, card = view.seat or 0, getattr(played.action, "card", 0)
    gain = more.points - (less.points if less else 0) - played.points if more else 0
    fewer, roof = (less.points, less.roof) if less else (played.points, card)
    # A point alone speaks for another tower of the same roof.
    if more is None or other.points or gain <= (fewer > 0 and roof != more.roof):
        return
    points = points_in_words(more.points)
    told = {"roof": card_words(more.roof), "n": more.n, "points": points}
    drawn = view.piles[other.action.pile] if isinstance(other.action, Draw) else 0
    on_it = (place(other) + 1 or new) == more.n
    put = [other.action.card] if isinstance(other.action, Play) and on_it else []
    told["cards"] = listed_words([card_phrase(one) for one in (*put, *more.cards)])
    if drawn == more.roof:
        said = _("the {roof} would complete tower {n}, for {points}")
        if more.cards:
            said = _("with {cards} from your hand the {roof} would complete tower {n}: {points}")
        if more.n == new:
            said = _("with {cards} from your hand the {roof} would complete a new tower: {points}")
    elif drawn or put:
        said = _("with {cards} your {roof} would complete tower {n}: {points}")
        if more.n == new:
            said = _("with {cards} your {roof} would complete a new tower: {points}")
    elif more.cards and card in (*more.cards, more.roof):
        said = _("you need {card} for tower {n}: {points} with your {roof}")
        if card == more.roof:
            said = _("you need the {roof} for tower {n}: {points}")
    else:
        return
    said = said.format(card=card_phrase(card) if card else "", **told)
    if fewer and roof == more.roof:
        said = _("{said}, not {fewer}").format(said=said, fewer=fewer)
    yield Cost(seat, said, points=POINT * gain, aims=True)


# What a play or a discard costs ------------------------------------------------------------------


def _of_playing(
    view: View, played: Choice, other: Choice, then: View, plan: Sequence[Cost]
) -> Iterator[Cost]:
    seat, card = view.seat or 0, getattr(played.action, "card", 0)
    roof, n = getattr(other.action, "card", 0), 1 + place(other)
    same, goes_out = card == roof, isinstance(played.action, Discard)
    told = {"roof": card_words(roof), "n": n, "points": points_in_words(other.points)}
    completes = max((one.points for one in plays(view, card).values()), default=0)
    if goes_out and completes:
        yield Cost(seat, goes_now(view, card), points=POINT * completes)
    elif other.points and not played.points:
        may = _best(then, 0, roof)
        if may is None or may.points <= other.points:
            said = _("the {roof} completes tower {n} now, for {points}").format_map(told)
            yield Cost(seat, said, points=POINT * other.points)
    elif other.points > played.points and same:
        said = _("on tower {n} the {roof} brings {points}").format_map(told)
        yield Cost(seat, said, points=POINT * (other.points - played.points))
    elif goes_out and same and not (plan or lost(view, other) or roofless(view, other)):
        said = _("it could go on tower {n}, for up to {points}")
        if place(other) == NEW:
            said = _("it could begin a new tower, for up to {points}")
        points = worths(view, other)[1]
        said = said.format(n=n, points=points_in_words(points))
        yield Cost(seat, said, points=POINT * points)
    if isinstance(played.action, Play) and card < FIRST_ROOF:
        yield from _of_place(view, played, other, plan)


def _of_place(view: View, played: Choice, other: Choice, plan: Sequence[Cost]) -> Iterator[Cost]:
    """Of a floor or a clock: what the tower is worth less, and that no roof fits it."""
    seat, n, card = view.seat or 0, 1 + place(played), getattr(played.action, "card", 0)
    less, fewer = lost(view, played), lost(view, other)
    # A point alone speaks for another place of the same card, or another card on the same place.
    moved = getattr(other.action, "card", 0) == card
    near = isinstance(other.action, Play) and (moved or place(other) == place(played))
    if less > fewer and (less > 1 or near):
        said = _("tower {n}: {worth}").format(n=n, worth=worth_less(*worths(view, played)))
        yield Cost(seat, said, POINT * (less - fewer), aims=isinstance(other.action, Discard))
    # A floor may be the first of two: nothing is lost unless a roof fitted before, or could come.
    floor, before = card < FIRST_CLOCK, played.height - STOREYS[card]
    more_floors = view.left[Pile.FLOOR] or sum(one < FIRST_CLOCK for one in view.hand) > floor
    was = rooflessness(view, before, grows=bool(more_floors))
    grows = floor and rooflessness(view, before) > 0
    fit, built = roofless(view, played), isinstance(other.action, Play) and not other.points
    if n and not plan and was < 2 and fit > max(grows, roofless(view, other) if built else 0):
        said = _("no roof fits tower {n} yet: it has {floors}")
        if fit > 1:
            said = _("no roof fits tower {n} any more: it has {floors}")
        said = said.format(n=n, floors=floors_in_words([played.height]))
        yield Cost(seat, said, POINT * worths(view, played)[0] if fit > 1 else _NEED)


# What a draw costs -------------------------------------------------------------------------------


def _needed(view: View, pile: int, better: int) -> Iterator[Cost]:
    """That the other card is needed, and the one that is drawn is not."""
    seat, wanted = view.seat or 0, view.piles[better]
    if _need(view, pile):
        return
    if said := _need(view, better):
        yield Cost(seat, said, _TURN if better == Pile.FLOOR else _NEED, aims=True)
    elif better == Pile.FLOOR:
        most = max((worth(view, floor) for floor in _held(view.hand, Pile.FLOOR)), default=0)
        points = worth(view, bytes((wanted,)))
        if not most or points - most < 2:
            return
        said = _worth_more()
        told = {"card": card_phrase(wanted), "points": points_in_words(points), "most": most}
        yield Cost(seat, said.format_map(told), points=POINT * (points - most), aims=True)


def _need(view: View, pile: int) -> str:
    """What the player lacks of this kind, whose open card is that; "" for nothing."""
    card, held = bytes((view.piles[pile],)), _held(view.hand, pile)
    begun = [one for one in open_towers(view) if not rooflessness(view, height_of(one[1]))]
    if pile == Pile.ROOF:
        said = _("tower {n} can bring {points}, but you hold no roof for it")
        more, found = b"", []
        for n, tower in own_towers(view):
            if [*fitting(view, card + view.hand, height_of(tower))] == [*card]:
                found.append((n, tower))
    elif pile == Pile.CLOCK:
        said = _("tower {n} can bring {points}, but you hold no clock")
        more, found = card, begun if not held else []
    else:
        plan = None if begun or held else plan_for(view, pile)
        if plan is not None and plan.place == NEW:
            return _("you hold no floor: you can begin no tower")
        said = _("tower {n} can bring {points}, but is too low, and you hold no floor")
        more, found = card, [one for one in open_towers(view) if plan and one[0] - 1 == plan.place]
    if not found:
        return ""
    n, tower = max(found, key=lambda one: (one[1][-1] >= FIRST_CLOCK, worth(view, one[1] + more)))
    return said.format(n=n, points=points_in_words(worth(view, tower + more)))


def _worth_more() -> str:
    return _("with {card} a tower can bring {points}, with your floors {most} at most")


def _waits(then: View) -> bool:
    """Whether nothing can be built with the hand; the next heights may rise until then."""
    begun = any(open_towers(then))
    ready = [height_of(tower) for _n, tower in own_towers(then) if tower[-1] >= FIRST_CLOCK]
    return not any(
        card < FIRST_CLOCK
        or (begun and card < FIRST_ROOF)
        or any(is_needed(then, card, height) for height in ready)
        for card in then.hand
    )


def _serves(view: View, card: int) -> bool:
    """Whether this card, drawn where nothing can be built, can help a tower to a roof."""
    begun = dict(open_towers(view)).keys() - roofless_towers(view)
    starts = card < FIRST_CLOCK and rooflessness(view, 0, grows=True) < 2
    clock = card >= FIRST_CLOCK or gets(view, Pile.CLOCK)
    return card >= FIRST_ROOF or (clock and bool(begun or starts))


def _left(view: View, roof: int, names: Sequence[str], ahead: int) -> Iterator[Cost]:
    """The tower that pays most of those that the roof completes now, for the first of the others
    who has one, and is not known to hold another roof for it. `ahead`: the points by which the hand
    completes more than with the roof."""
    own, seats = view.seat or 0, len(view.towns)
    for seat in ((own + n) % seats for n in range(1, seats)):
        town, row = view.towns[seat], ladder_of(view, seat)
        takes = row[roof - FIRST_ROOF]
        for card in view.known[seat] if view.known else b"":
            takes &= ~(row[card - FIRST_ROOF] if card >= FIRST_ROOF else 0)
        points = max(
            (
                worth(view, tower)
                for tower, pays in zip(town.towers, town.points, strict=True)
                if not pays and tower[-1] >= FIRST_CLOCK and takes >> height_of(tower) & 1
            ),
            default=0,
        )
        if points > ahead:
            said = _("now {name} can complete a tower with {card}: {points}")
            told = {"points": points_in_words(points), "card": card_phrase(roof)}
            said = said.format(name=names[seat], **told)
            yield Cost(seat, said, points=POINT * (points - ahead), aims=True)
            return


# What comes later --------------------------------------------------------------------------------


def later(
    view: View, action: Action, instead: Action, parts: Sequence[Brought], names: Sequence[str]
) -> list[Cost]:
    """Which towers bring their player less, or another more, and why: by what the two actions leave
    on the table. Of what has no cause that can be seen nothing is told."""
    played, other = listed(view, action), listed(view, instead)
    if played is None or other is None:
        return []
    ways = _Ways(view, played, other, _after(view, played), _after(view, other))
    found = [one for seat, its in enumerate(parts) for one in _brings(ways, seat, its, names[seat])]
    return sorted(found, key=lambda one: -one.points)


class _Ways(NamedTuple):
    """Two actions, and what the player has after either."""

    view: View
    played: Choice
    other: Choice
    then: View
    kept: View

    @property
    def drawn(self) -> int:
        """The card that the better one draws; 0 for none."""
        action = self.other.action
        return self.view.piles[action.pile] if isinstance(action, Draw) else 0


def _brings(ways: _Ways, seat: int, parts: Brought, name: str) -> Iterator[Cost]:
    """By tower."""
    own = seat == ways.view.seat
    for part, (less, more) in parts.items():
        at = None if part == LATER_TOWERS else int(part)
        if (cost := more - less if own else less - more) < _LEAST:
            continue
        if not own:
            why = _of_rival(ways, seat, at, name)
        else:
            why = _of_new(ways) if at is None else _of_tower(ways, at)
        if why:
            yield Cost(seat, sentence(why), cost, aims=own)
        elif not own and at is None and ways.drawn:
            said = _("{name} can now take {card} for a new tower")
            yield Cost(seat, sentence(said.format(name=name, card=card_phrase(ways.drawn))))


def _of_tower(ways: _Ways, at: int) -> str:
    """Why a tower of the player's gets less; "" where nothing shows it."""
    town, drawn, n = ways.kept.towns[ways.view.seat or 0], ways.drawn, at + 1
    less, more = ways.then.towns[ways.view.seat or 0].towers[at], town.towers[at]
    low, high = height_of(less), height_of(more)
    if town.points[at]:
        return ""
    right = [*fitting(ways.kept, ways.kept.hand, high)]
    if right and not [*fitting(ways.then, ways.then.hand, low)]:
        told = {"n": n, "roof": card_words(right[0]), "floors": floors_in_words([high])}
        if low != high:
            return _("tower {n} needs {floors} for your {roof}").format_map(told)
        if right[0] not in ways.then.hand:
            return _completed(ways, right[0], n, more)
        return _("your {roof} is right for tower {n}, but then no more").format_map(told)
    then, kept = (
        len({*fitting(after, roofs(ways.view), height)})
        for after, height in ((ways.then, low), (ways.kept, high))
    )
    if kept > then and not then:
        said = _("no roof fits tower {n} yet: it has {floors}")
        return said.format(n=n, floors=floors_in_words([low]))
    if kept > then and low == high:
        said = _("{many} of the 5 roof colours fit tower {n}, then only {few}")
        return said.format(n=n, many=kept, few=then)
    if kept > then:
        said = _("on tower {n} with {more} {many} of the 5 roof colours fit, with {low} only {few}")
        return said.format(n=n, more=floors_in_words([high]), many=kept, low=low, few=then)
    bare, had = less[-1] < FIRST_CLOCK, bool(_held(ways.then.hand, Pile.CLOCK))
    gone = getattr(ways.played.action, "card", 0)
    if bare and more[-1] >= FIRST_CLOCK:
        return _("tower {n} has no clock yet").format(n=n)
    if bare and not had and Pile.CLOCK in (PILES[drawn], PILES[gone]):
        return _("tower {n} has no clock yet, and you then hold none").format(n=n)
    if bare and PILES[drawn] == Pile.FLOOR and not then:
        return _("tower {n} is too low for any roof now: it needs one more floor").format(n=n)
    if drawn >= FIRST_ROOF and fits(ways.view, drawn, high):
        return _completed(ways, drawn, n, more)
    return _once_higher(ways, n, low, then) if bare else ""


def _once_higher(ways: _Ways, n: int, high: int, now: int) -> str:
    """That a floor which the other move keeps or draws makes tower `n` higher, so that more roofs
    fit than `now`; or that a roof fits it then."""
    card = ways.drawn or getattr(ways.played.action, "card", 0)
    if card and card < FIRST_CLOCK:
        higher = high + STOREYS[card]
        if right := [*fitting(ways.view, ways.then.hand, higher)]:
            said = _("with {card} your {roof} would fit tower {n}")
            return said.format(card=card_phrase(card), roof=card_words(right[0]), n=n)
        many = len({*fitting(ways.view, roofs(ways.view), higher)})
        if many > now:
            said = _("with {card} {many} of the 5 roof colours would fit tower {n}, not {few}")
            return said.format(card=card_phrase(card), many=many, n=n, few=now)
    elif card >= FIRST_ROOF and not ways.played.points:
        for higher in range(high + 1, high + 3):
            if fits(ways.kept, card, higher):
                told = {"roof": card_words(card), "floors": floors_in_words([higher]), "n": n}
                return _("the {roof} fits tower {n} once it has {floors}").format_map(told)
    return ""


def _completed(ways: _Ways, roof: int, n: int, tower: bytes) -> str:
    """What a roof that fits this tower brings, with a clock of the hand or without one."""
    clock, clocks = b"", _held(ways.kept.hand, Pile.CLOCK)
    said = _("the {roof} would complete tower {n}, for {points}")
    if tower[-1] < FIRST_CLOCK:
        said = _("the {roof} fits tower {n} once it has a clock")
        if clocks:
            clock = max(clocks, key=lambda one: worth(ways.view, tower + one))
            said = _("with {cards} from your hand the {roof} would complete tower {n}: {points}")
    points = points_in_words(worth(ways.view, tower + clock))
    cards = card_phrase(clock[0]) if clock else ""
    return said.format(roof=card_words(roof), n=n, points=points, cards=cards)


def _of_new(ways: _Ways) -> str:
    """Why the towers that the player is still to begin bring less."""
    hand, drawn, gone = ways.then.hand, ways.drawn, getattr(ways.played.action, "card", 0)
    begins = isinstance(ways.other.action, Play) and place(ways.other) == NEW
    floors, card = _held(hand, Pile.FLOOR), drawn or gone
    if begins and isinstance(ways.played.action, Discard):
        cards = sum(ways.view.left) + sum(ways.view.hands)  # one goes out in each turn
        left = (cards - 1) // len(ways.view.towns)
        said = ngettext(
            "you have {n} more turn: a tower begun now may still get its clock and roof",
            "you have {n} more turns: a tower begun now may still get its clock and roof",
            left,
        )
        return said.format(n=left)
    if begins:
        return ""
    if card and card < FIRST_CLOCK:
        if not floors:
            return _("you then hold no floor to begin a tower with")
        points, most = (
            worth(ways.view, bytes((card,))),
            max(worth(ways.view, one) for one in floors),
        )
        if points > most:
            told = {"card": card_phrase(card), "points": points_in_words(points), "most": most}
            return _worth_more().format_map(told)
        begun = any(open_towers(ways.then))
        return "" if begun else _("you have one floor, and no tower is begun")
    if card and card < FIRST_ROOF:
        held = _held(hand, Pile.CLOCK)
        return "" if held else _("your next tower needs a clock, and you then hold none")
    if card and not ways.played.points:
        low = [height for height in range(1, 3) if fits(ways.kept, card, height)]
        said = _("the {roof} takes a low tower: {floors}")
        return said.format(roof=card_words(card), floors=floors_in_words(low)) if low else ""
    return ""


def _of_rival(ways: _Ways, seat: int, at: int | None, name: str) -> str:
    """Why a tower of another's gets more, or the towers that they are still to begin."""
    drawn, n = ways.drawn, (at or 0) + 1
    tower = b"" if at is None else ways.view.towns[seat].towers[at]
    high, rows = height_of(tower), ladder_of(ways.view, seat)
    ladders = zip(ladder_of(ways.then, seat), ladder_of(ways.kept, seat), strict=True)
    for roof, (then, kept) in enumerate(ladders, FIRST_ROOF):
        if then & ~kept & (0b110 if at is None else 1 << high):
            said = _("{card} fits tower {n} of {name}; your {roof} would have ended that")
            if at is None:
                said = _("{card} goes on low towers; your {roof} would have ended that")
            return said.format(card=card_phrase(roof), n=n, name=name, roof=card_words(roof))
    if not drawn:
        return ""
    if at is None:
        town = ways.view.towns[seat]
        begun = any(not pays for pays in town.points)
        said = _("{name} can now take {card}, and has no tower under way")
        if begun or drawn >= FIRST_CLOCK:
            return ""
        return said.format(name=name, card=card_phrase(drawn))
    uses = tower[-1] < FIRST_CLOCK
    if drawn >= FIRST_ROOF:
        uses = bool(rows[drawn - FIRST_ROOF] >> high & 1)
    elif drawn < FIRST_CLOCK:
        uses = uses and any(mask >> high + STOREYS[drawn] & 1 for mask in rows)
    said = _("{name} can now take {card} for tower {n} of {name}")
    return said.format(name=name, card=card_phrase(drawn), n=n) if uses else ""
