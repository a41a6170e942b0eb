"""What an action costs that another keeps, for a review.

Law: all of it follows from the view. A fact that holds after both actions is no cost: each kind is
told only where the other action costs less of it.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from clocktowers_tui.games.clocktowers.choosing import NEW, lost, place, plays, worth, worths
from clocktowers_tui.games.clocktowers.hinting import listed
from clocktowers_tui.games.clocktowers.ladder import (
    fits,
    fitting,
    floors_in_words,
    heights,
    is_needed,
    open_towers,
    own_towers,
    rooflessness,
    row_of,
    to_come,
)
from clocktowers_tui.games.clocktowers.sentences import costs_anywhere, goes_now, worth_less
from clocktowers_tui.games.clocktowers.words import card_phrase, card_words
from clocktowers_tui.games.face import Cost
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.games.standings import points_in_words
from clocktowers_tui.text.i18n import _
from protocol.games.clocktowers import (
    ANIMALS,
    CODES,
    FIRST_CLOCK,
    FIRST_ROOF,
    PILES,
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

_ROOFS: Final = range(FIRST_ROOF, len(CODES))
_MOUSE: Final = bytes((CODES.index("Km"),))
_MISSING: Final = {1: "clock", 2: "floor"}
"""By how far a roof is from a tower."""
_MOST: Final = 2
"""More reasons for one mistake nobody reads."""
_NAMED: Final = 2
"""So many colours of roofs are named."""


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
    kept, told = dict[str, int](), dict[str, _Cost]()
    for one in _costs_of(view, other, played, names):
        kept[one.kind] = max(one.much, kept.get(one.kind, 0))
    for one in _costs_of(view, played, other, names):
        if one.much > kept.get(one.kind, 0):
            told.setdefault(one.kind, one)
    own, most = view.seat or 0, [*told.values()][:_MOST]
    return [
        Cost(own if one.to is None else one.to, sentence(one.said), points=POINT * one.much)
        for one in most
    ]


def _costs_of(view: View, choice: Choice, instead: Choice, names: Sequence[str]) -> Iterator[_Cost]:
    then, other = _after(view, choice), _after(view, instead)
    towers = view.towns[view.seat or 0].towers
    match choice.action:
        case Draw():
            yield from _no_place(then)
        case Discard(card=card):
            brings = [1 + one.points for one in plays(view, card).values()]
            if brings and card != getattr(instead.action, "card", 0):
                yield _Cost("thrown away", max(brings), goes_now(view, card))
            elif brings and card < FIRST_CLOCK and place(instead) == NEW:
                said = _("it could begin a new tower, for up to {points}")
                points = points_in_words(worth(view, bytes((card,))))
                yield _Cost("thrown away", 1, said.format(points=points))
        case Play(card=card) if card >= FIRST_ROOF:
            yield from _costs_of_roof(view, choice, card, other)
        case Play(card=card):
            n = 1 + (len(towers) if place(choice) == NEW else place(choice))
            if less := worth_less(*worths(view, choice)):
                said = _("tower {n}: {worth}").format(n=n, worth=less)
                yield _Cost("worth", lost(view, choice), said)
            elif card == getattr(instead.action, "card", 0):
                yield from _costs_of_place(view, n, choice, instead)
    if isinstance(choice.action, Draw) and isinstance(instead.action, Draw):
        yield from _held_roofs(then, other, view)
        yield from _costs_of_drawing(view, then, choice.action.pile, instead.action.pile, names)
    else:
        yield from _held_roofs(then, other)
        mice, others = ({*_held(one, Pile.CLOCK)} for one in (then, other))
        if mice == {_MOUSE} and others - mice:
            yield _Cost("mice", 1, _("you keep no clock without a mouse for another tower"))
    low = [*_too_low(then, len(towers))]
    yield from low or _taken_nowhere(then, other)


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


# What the hand and the towers lack then ----------------------------------------------------------


def _no_place(then: View) -> Iterator[_Cost]:
    """After a draw; the next heights may rise until the player's turn."""
    begun = any(open_towers(then))
    ready = [height_of(tower) for _n, tower in own_towers(then) if tower[-1] >= FIRST_CLOCK]
    for card in then.hand:
        if card < FIRST_CLOCK or (begun and card < FIRST_ROOF):
            return
        if any(is_needed(then, card, height) for height in ready):
            return
    said = _("you can then only discard: no tower of yours takes a card of your hand")
    yield _Cost("no place", 1, said)


class _Way(NamedTuple):
    """How far a roof of the hand is from a tower, and what is missing; `points`: what it brings at
    most with the floors and clocks of the hand."""

    far: int = 0
    missing: str = ""
    points: int = 0


def _held_roofs(then: View, other: View, before: View | None = None) -> Iterator[_Cost]:
    """Of the roofs of the hand that are farther from a tower than after the other action, or bring
    less, the one that is farthest. `before` a draw: it is the other card that brings more."""
    found = list[_Cost]()
    for roof in {*then.hand}.intersection(_ROOFS):
        way, less = _way(then, roof), _way(other, roof) if roof in other.hand else _Way()
        if way.far > less.far:
            kind = _MISSING.get(way.far, CODES[roof])
            found.append(_Cost(kind, 1 + way.far, way.missing))
        elif 0 < way.points < less.points and (
            before is None or less.points > _way(before, roof).points
        ):
            said = _("with the cards that you then hold your {roof} brings {points}, not {more}")
            points = points_in_words(way.points)
            said = said.format(roof=card_words(roof), points=points, more=less.points)
            found.append(_Cost(CODES[roof], 1, said))
    yield from sorted(found, key=lambda one: -one.much)[:1]


def _taken_nowhere(then: View, other: View) -> Iterator[_Cost]:
    """Roofs to come that a tower takes only after the other action."""
    taken, more = (
        {
            roof
            for roof in to_come(one)
            if any(fits(one, roof, height_of(tower)) for _n, tower in own_towers(one))
        }
        for one in (then, other)
    )
    lacking = more - taken
    if taken < more and then.ladder == other.ladder and not lacking & {*then.hand}:
        cards = _(" or ").join(map(card_phrase, sorted(lacking)))
        if len(lacking) > _NAMED:
            cards = _("roofs in {n} of {all} colours").format(n=len(lacking), all=len(_ROOFS))
        said = _("no tower of yours then takes {cards}")
        yield _Cost(
            "taken nowhere", len(lacking), said.format(cards=cards if taken else _("a roof"))
        )


def _way(then: View, roof: int) -> _Way:
    name, row, clocks = card_words(roof), row_of(then, roof), _held(then, Pile.CLOCK)
    grown = [
        (n, tower + floor)
        for n, tower in own_towers(then)
        for floor in (b"", *_held(then, Pile.FLOOR))
        if not floor or tower[-1] < FIRST_CLOCK
    ]
    takes = [(n, tower) for n, tower in grown if fits(then, roof, height_of(tower))]
    if takes:
        ready = [tower for _n, tower in takes if tower[-1] >= FIRST_CLOCK]
        open_ = [(n, tower) for n, tower in takes if tower[-1] < FIRST_CLOCK]
        pays = [tower + clock for _n, tower in open_ for clock in clocks or [b""]]
        points = max(worth(then, tower) for tower in ready + pays)
        if ready or clocks:
            return _Way(points=points)
        said = _("tower {n} needs a clock for your {roof}, and you hold none")
        return _Way(1, said.format(n=open_[0][0], roof=name), points)
    low = [(height_of(tower), n) for n, tower in open_towers(then)]
    height, n = max((each for each in low if row >> each[0] + 1), default=(0, 0))
    if not row:
        return _Way(4, _("the {roof} fits no tower any more").format(roof=name))
    said = _("no tower of yours takes the {roof} yet: it needs {floors}")
    if n:
        said = _("your {roof} needs {floors}, tower {n} has {height}, and you hold no floor for it")
    needs = floors_in_words(heights(row))
    return _Way(2 if n else 3, said.format(roof=name, floors=needs, n=n, height=height))


def _too_low(then: View, old: int) -> Iterator[_Cost]:
    """Towers that no roof fits. `old`: towers before; a new one has time."""
    floors = bool(then.left[Pile.FLOOR] or _held(then, Pile.FLOOR))
    for n, tower in own_towers(then):
        height = height_of(tower)
        fit = rooflessness(then, height, grows=floors and tower[-1] < FIRST_CLOCK)
        if fit and n <= old:
            said = _("no roof fits tower {n} yet: it has {floors}")
            if fit > 1:
                said = _("no roof fits tower {n} any more: it has {floors}")
            said = said.format(n=n, floors=floors_in_words([height]))
            yield _Cost(f"no roof fits {n}", fit, said)


def _held(view: View, pile: int) -> list[bytes]:
    return [bytes((card,)) for card in view.hand if PILES[card] == pile]


# What the action itself costs --------------------------------------------------------------------


def _costs_of_roof(view: View, choice: Choice, card: int, other: View) -> Iterator[_Cost]:
    """`other`: after the other action."""
    n, roof = 1 + place(choice), card_words(card)
    best = max(plays(view, card).values(), key=lambda one: one.points)
    if best.points > choice.points:
        said = _("on tower {n} the {roof} brings {points}")
        points = points_in_words(best.points)
        said = said.format(n=1 + place(best), roof=roof, points=points)
        yield _Cost("pays more", best.points - choice.points, said)
    if card in other.hand and fits(other, card, choice.height):
        said = _("tower {n} could wait: your {roof} can go there next turn, too")
        yield _Cost("could wait", 1, said.format(n=n, roof=roof))


def _costs_of_place(view: View, n: int, choice: Choice, instead: Choice) -> Iterator[_Cost]:
    """Of a floor or a clock on tower `n`, where another tower would bring more with it."""
    points, more = worths(view, choice)[1], worths(view, instead)[1]
    said = _("tower {n} brings {points} at most, tower {m} can bring {more}")
    if place(instead) == NEW:
        said = _("tower {n} brings {points} at most, a new tower can bring {more}")
    if points < more:
        said = said.format(n=n, points=points_in_words(points), m=1 + place(instead), more=more)
        yield _Cost("worth", 1, said)


def _costs_of_drawing(
    view: View, then: View, pile: int, other: int, names: Sequence[str]
) -> Iterator[_Cost]:
    card, begun, clocks = view.piles[pile], [*open_towers(view)], _held(view, Pile.CLOCK)
    if other == Pile.ROOF:
        yield from _left_for_another(view, view.piles[other], names)
    best = min(_held(then, Pile.CLOCK), default=b"")
    if best and (said := costs_anywhere(view, best[0])):
        yield _Cost("worth", 1, said)
    if card >= FIRST_ROOF and card in view.hand:
        said = _("you hold a {roof} already: the next one needs one floor more")
        yield _Cost("another", 1, said.format(roof=card_words(card)))
    elif PILES[card] == Pile.CLOCK and len(begun) <= len(clocks):
        yield _Cost("another", 1, _("no tower of yours needs another clock"))
    if other == Pile.CLOCK and not clocks:
        said = _("tower {n} needs a clock, and you hold none") if begun else _("you hold no clock")
        yield _Cost("clock", 1, said.format(n=begun[0][0] if begun else 0))
    elif other == Pile.CLOCK and len(begun) > len(clocks):
        said = _("{n} towers of yours need a clock, and you hold {held}")
        yield _Cost("clock", 1, said.format(n=len(begun), held=len(clocks)))
    if other == Pile.FLOOR and not _held(view, Pile.FLOOR):
        yield _Cost("floor", 1, _("you hold no floor: you can begin no tower"))
    if other == Pile.ROOF:
        yield from _without_roof(then, view.piles[other])
    if other != Pile.ROOF and ANIMALS[view.piles[other]] != "m":
        yield from _wanted_by_another(view, view.piles[other], names)
    if ANIMALS[card] == "m" and view.left[pile] > 1:
        seat = ((view.seat or 0) + 1) % len(view.towns)
        said = _("now {name} can draw the card below it, which may have no mouse")
        yield _Cost("uncovered", 1, said.format(name=names[seat]), seat)


def _without_roof(then: View, roof: int) -> Iterator[_Cost]:
    """The tower that this roof fits, and none of the hand."""
    if max(then.hand) < FIRST_ROOF:
        yield _Cost("roof", 1, _("you hold no roof"))
    for n, tower in own_towers(then):
        height = height_of(tower)
        if fits(then, roof, height) and not any(fitting(then, then.hand, height)):
            yield _Cost("roof", 1, _("you hold no roof for tower {n}").format(n=n))


def _wanted_by_another(view: View, card: int, names: Sequence[str]) -> Iterator[_Cost]:
    """A clock that the next of the others can take for a tower, or a floor for a new one."""
    seat = ((view.seat or 0) + 1) % len(view.towns)
    begun = enumerate(view.towns[seat].towers, 1)
    wants = [(worth(view, tower), n) for n, tower in begun if tower[-1] < FIRST_CLOCK]
    said = _("now {name} can draw {card} for their tower {n}: {points}")
    if card < FIRST_CLOCK:
        wants = [(worth(view, bytes((card,))), 0)]
        said = _("now {name} can draw {card} for a new tower: {points}")
    for points, n in sorted(wants)[-1:]:
        parts = {"card": card_phrase(card), "n": n, "points": points_in_words(points)}
        yield _Cost(f"wanted {PILES[card]}", 1, said.format(name=names[seat], **parts), seat)


def _left_for_another(view: View, roof: int, names: Sequence[str]) -> Iterator[_Cost]:
    """The tower that pays most of those that the roof completes, now or later, for the first of the
    others who has one."""
    own, seats = view.seat or 0, len(view.towns)
    for seat in ((own + n) % seats for n in range(1, seats)):
        town, takes = view.towns[seat], ladder_of(view, seat)[roof - FIRST_ROOF]
        fit = [
            (tower[-1] >= FIRST_CLOCK, worth(view, tower), n)
            for n, tower in enumerate(town.towers)
            if not town.points[n] and takes >> height_of(tower) & 1
        ]
        if fit:
            ready, points, n = max(fit)
            said = _("now {name} can draw {card}: it fits their tower {n} once that has a clock")
            if ready:
                said = _("now {name} can complete a tower with {card}: {points}")
            parts = {"points": points_in_words(points), "card": card_phrase(roof), "n": n + 1}
            yield _Cost("left", ready * points + 1, said.format(name=names[seat], **parts), seat)
            return
