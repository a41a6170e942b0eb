"""How the player stands, what their card could make, and what speaks for an action: hints, only in
practice; and what of a wrong declaration stays in a lesson.

Law: all of it follows from the view, so it tells nothing that the player could not see.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import eq
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import astuple, replace

from clocktowers_tui.games.face import Advice
from clocktowers_tui.games.standings import listed
from clocktowers_tui.games.wild_wild_pattern import choosing
from clocktowers_tui.games.wild_wild_pattern.actions import CLICK, PASS, PLACES
from clocktowers_tui.games.wild_wild_pattern.choosing import (
    GIVEN,
    NONE,
    NOTHING,
    RACES,
    TWO_CARDS,
    WAYS,
    Offer,
    Selection,
    What,
    asked,
    on_offer,
    own_hit,
    places,
)
from clocktowers_tui.games.wild_wild_pattern.log import pairs_counted
from clocktowers_tui.games.wild_wild_pattern.words import (
    card_title,
    card_words,
    cards_counted,
    challenge_names,
    feature_names,
    money,
    pattern_words,
)
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from clocktowers_tui.text.i18n import _, ngettext
from protocol.games.wild_wild_pattern import (
    Action,
    Click,
    Clicked,
    Declare,
    Declared,
    Lay,
    Pass,
    Passed,
    Phase,
    Ready,
    Shoot,
    Take,
    Use,
    View,
)
from protocol.games.wild_wild_pattern.bank import (
    MAX_CARDS,
    Line,
    Play,
    Prize,
    cents,
    lines,
    plays,
    prize,
)
from protocol.games.wild_wild_pattern.cards import (
    FIRST_COLOUR,
    Colour,
    Direction,
    Fault,
    Object,
    Pairs,
    colour_of,
    is_pattern,
    judged,
    made,
    object_of,
    pairs,
)


class Nearness(NamedTuple):
    """`colours` that the player has. `wild`: how many of the five that win are there; `thing`: the
    object that they must show, where five colours do not win. `lost`: a card too much is among
    them, which only leaves by a Challenge card; `twice`: the colour of several, if there is one."""

    colours: frozenset[Colour]
    wild: int
    thing: Object | None
    lost: bool
    twice: Colour | None


def nearness(view: View, seat: int) -> Nearness:
    """With one card for each colour and object, five of one object are five colours, too."""
    won = view.won[seat]
    colours = Counter(map(colour_of, won))
    thing, wild = None, len(colours)
    if not view.options.five_colours_win:
        thing, wild = next(iter(Counter(map(object_of, won)).most_common(1)), (None, 0))
    twice = next((colour for colour, n in colours.most_common(1) if n > 1), None)
    return Nearness(frozenset(colours), wild, thing, len(won) > wild, twice)


# What the player's card could have made in the turn that is over ---------------------------------


_AFTER: Final = (Phase.TAKE, Phase.CHALLENGE, Phase.LAY, Phase.READY, Phase.OVER)


def missed(view: View) -> Sequence[Play] | None:
    """What there was to win: after a hit of the player's own only what would have won more; after
    a race only one, for a glance. None where nothing was better."""
    if view.phase not in _AFTER:
        return None
    if view.phase is Phase.READY and view.turn == 1:
        return None  # another round has begun
    found = _raced(view)
    if found is None:
        return None
    said = own_hit(view)
    worth = better(view, *found, said)
    if said is not None and not worth:
        return None
    return worth if view.options.practises else worth[:1]


def better(
    view: View, wheel: bytes, card: int, came: Declared | None, least: Prize = Prize.CLOSED
) -> Sequence[Play]:
    """What this card made on this Wheel that could bring the player more than their own hit, or
    without one more than the `least`; what wins the match first, then what is there most often."""
    if came is not None and came.anchors and came.pattern is not None:
        hit = Play(came.place, came.pattern, pairs(came.wheel, came.pattern))
        least = max(least, brings(view, wheel, card, hit))
    found = [(brings(view, wheel, card, play), play) for play in makes(view, wheel, card)]
    found.sort(key=lambda one: one[0] is not Prize.MATCH)
    return [play for gain, play in found if gain > least]


def brings(view: View, wheel: bytes, card: int, play: Play) -> Prize:
    """What the player's card can bring by this play."""
    won = view.won[view.seat or 0]
    own = bytes(one for one in won if one not in (*wheel, card))  # not what this turn has brought
    return prize(own, wheel, card, play, five_colours_win=view.options.five_colours_win)


def nothing_words(view: View) -> str:
    """Why nothing was to win in the race that is shown or has just ended."""
    if better(view, *_race(view), None, Prize.NOTHING):
        return _("Every pattern there would have closed your way to WILD.")
    return _("There was nothing to win with your card.")


def makes(view: View, wheel: bytes, card: int) -> Sequence[Play]:
    """What this card makes on this Wheel, what is there most often first."""
    return _plays(wheel, card, view.options.in_pair)


@lru_cache(maxsize=1)
def _plays(wheel: bytes, card: int, in_pair: bool) -> Sequence[Play]:
    return most_first(plays(wheel, card, in_pair=in_pair))


def most_first(found: Iterable[Play]) -> Sequence[Play]:
    """What is there most often first; then what lets the player choose a card, a colour."""
    return sorted(found, key=lambda play: (-len(play.pairs.anchors), play.pattern.has_suit))


def _raced(view: View) -> tuple[bytes, int] | None:
    """The Wheel as it was in the race, and the player's card."""
    said, wheel, card = view.declared, view.wheel, view.card
    if said is not None and len(said.wheel) == len(PLACES):
        wheel = said.wheel[: said.place] + bytes((said.covered,)) + said.wheel[said.place + 1 :]
        card = said.wheel[said.place] if said.seat == view.seat else card
    elif view.phase is not Phase.LAY or view.winner is not None or not all(view.in_hand):
        return None  # a Click!, or somebody has laid a card
    return (wheel, card) if is_pattern(card) and all(wheel) else None


def _race(view: View) -> tuple[bytes, int]:
    """Of the race that is shown or has just ended."""
    return _raced(view) or (view.wheel, view.clicked or view.card)


Tried: TypeAlias = Declared | Clicked | Passed | None
"""What came of the player's card."""


def there(view: View, came: Tried = None) -> Sequence[str]:
    """What the player gains by their card, or the clicked one, on this Wheel; a line for each, the
    first with the card. `came`: of their own shot, then only what gains more."""
    said = came if isinstance(came, Declared) else None
    card = view.clicked or view.card
    if not (found := better(view, view.wheel, card, said)):
        return ()
    best, *others = missed_words(view, found)
    best = _("with your {card} {pattern}").format(card=card_title(card), pattern=best)
    won = len(view.won[view.seat or 0]) + (1 if said is None or said.anchors < TWO_CARDS else 2)
    if said is not None and said.anchors and won > MAX_CARDS:
        why = _("your {pairs} made 6 cards, and for 6 the Bank pays nothing")
        best = f"{best}; {why.format(pairs=pairs_counted(said.anchors))}"
    return [best, *others]


def best(view: View, came: Tried = None) -> View:
    """With the first that `there` tells of shot and declared, if there is one."""
    said = came if isinstance(came, Declared) else None
    for play in better(view, view.wheel, view.clicked or view.card, said)[:1]:
        for action in (Shoot(play.place), Declare(play.pattern)):
            view = (tried(view, action) or (view, None))[0]
    return view


def tried(view: View, action: Action | None) -> tuple[View, Tried] | None:
    """See `Face`. At the end nobody chooses, and the board shows what was declared and missed."""
    seat = view.seat or 0
    match action:
        case None if asked(view) in RACES:
            return replace(view, due_ms=None), None
        case Shoot(place=place) if asked(view) in RACES:
            wheel, covered = bytearray(view.wheel), view.wheel[place]
            wheel[place] = view.clicked or view.card
            shot = replace(view, phase=Phase.DECLARE, acting=seat, wheel=bytes(wheel))
            return replace(shot, place=place, covered=covered), None
        case Declare(pattern=said) if view.place is not None and said.is_well_formed:
            at, covered, in_pair = view.place, view.covered, view.options.in_pair
            found = judged(view.wheel, at, covered, said, in_pair=in_pair)
            fault, hit = (found, Pairs((), 0)) if isinstance(found, Fault) else (None, found)
            came = Declared(seat, said, len(hit.anchors), hit.is_wild, fault)
            came = replace(came, wheel=view.wheel, place=at, covered=covered)
            return replace(view, phase=Phase.OVER, acting=None, declared=came), came
        case Pass() if asked(view) is Phase.DECLARE:
            came = Declared(seat, None, 0)
            return replace(view, phase=Phase.OVER, acting=None, declared=came), came
        case Click() | Pass() if asked(view) in RACES:
            gone = Clicked(seat, view.card) if isinstance(action, Click) else Passed(seat)
            return replace(view, phase=Phase.OVER), gone
    return None


def missed_title(view: View) -> str:
    """What these lines tell."""
    return _("You could have shot") if own_hit(view) is None else _("You could have won more")


def missed_words(view: View, found: Sequence[Play], most: int | None = None) -> list[str]:
    """A line for each, or for so many and how many more there are; where there is none, why."""
    if not found:
        return [nothing_words(view)]
    text, race = _("on {place}: {pattern} ({pairs})"), _race(view)
    wins = _("on {place}: {pattern} ({pairs}): that wins the match")
    said = [
        (wins if brings(view, *race, play) is Prize.MATCH else text).format(
            place=play.place + 1,
            pattern=pattern_words(play.pattern),
            pairs=pairs_counted(len(play.pairs.anchors)),
        )
        for play in found[:most]
    ]
    more = len(found) - len(said)
    if more:
        said.append(ngettext("and {n} more", "and {n} more", more).format(n=more))
    return said


# How the player stands: what is still missing for WILD, and what the Target brings ---------------


def how_you_stand(view: View) -> Iterator[str]:
    """What helps to look at the Wheel, or to choose a card; the most needed first."""
    over = view.phase is Phase.OVER or choosing.wild(view)
    if view.seat is None or not view.standing[view.seat] or over:
        return
    if asked(view) in RACES:
        yield _("Find an object that lies here twice: what follows both?")
    found = nearness(view, view.seat)
    lacking = [FIRST_COLOUR + one for one in Colour if one not in found.colours]
    missing = [feature_names(one).words for one in lacking]
    if found.lost:
        yield _lost(found.twice)
    elif found.thing is None and missing:
        yield _("WILD wins at once: you still need {colours}.").format(colours=listed(missing))
    for card in view.challenges[view.seat]:
        said = _("Challenge card: win a turn, then you may play {card}: {does}.")
        yield said.format(card=card_words(card), does=challenge_names(card).does)
    target = feature_names(view.targets[view.seat]).words
    yield _("Your Target: the Bank pays more for each {target}.").format(target=target)


def _lost(colour: Colour | None) -> str:
    if colour is None:
        return _("Your cards show several objects: WILD only by a Challenge card.")
    words = feature_names(FIRST_COLOUR + colour).words
    return _("You have {colour} twice: WILD only by a Challenge card.").format(colour=words)


# A hint as the player's own choice, and what speaks for it -------------------------------------


def towards(view: View, selection: Selection, action: Action) -> Selection:
    """The selection from which one key does it; the same one where no cursor may rest, as in a
    race in earnest, and for what is impossible."""
    if asked(view) in RACES and not view.options.practises:
        return selection
    if isinstance(action, Click | Pass):
        return NOTHING._replace(cursor=NONE if isinstance(action, Pass) else GIVEN)
    begun = [NOTHING]
    for chosen in begun:
        for offer in on_offer(view, chosen):
            step = choosing.pick(view, chosen, offer)
            if step.action == action:
                return chosen._replace(cursor=offer)
            if step.action is None and step.selection not in begun:
                begun.append(step.selection)
    return selection


def advice(
    view: View, action: Action, keymap: Keymap = DEFAULT_KEYS, then: object = None
) -> Advice:
    """What to say of a hint. `then`: the declaration after a shot, if it says one."""
    match action:
        case Ready():
            what = _("{key}: ready").format(key=keymap.name(actions.CHOOSE))
            return Advice(what, _("then all see their cards at the same moment"))
        case Shoot(place=place, clicked=clicked):
            card = view.clicked if clicked else view.card
            what = _("shoot at card {key}, then declare: {pattern}")
            best = _best(view, card, place, then)
            pattern = "?" if best is None else pattern_words(best.pattern)
            why = "" if best is None else _what_it_wins(view, view.wheel, card, best)
            return Advice(what.format(key=keymap.name(PLACES[place]), pattern=pattern), why)
        case Click():
            what = _("{key}, Click!").format(key=keymap.name(CLICK))
            return Advice(what, _why_not_shot(view))
        case Pass():
            what = _("pass with {key}").format(key=keymap.name(PASS))
            return Advice(what, _why_passed(view))
        case Declare(pattern=pattern):
            at, covered, in_pair = view.place or 0, view.covered, view.options.in_pair
            play = Play(at, pattern, made(view.wheel, at, covered, pattern, in_pair=in_pair))
            wheel = view.wheel[:at] + bytes((covered,)) + view.wheel[at + 1 :]
            return Advice(pattern_words(pattern), _what_it_wins(view, wheel, view.wheel[at], play))
        case Take(place=place):
            card = view.wheel[place]
            what = _("take card {n}").format(n=place + 1)
            named = f"{what}: {card_words(card)}" if card else what
            return Advice(named, _why_taken(view, card))
        case Lay(place=place):
            what = _("lay it with {key}").format(key=keymap.name(PLACES[place]))
            alone = len(places(view)) == 1
            why = _("it is the only place") if alone else _("that costs you nothing")
            return Advice(what, why)
        case Use(challenge=card):
            return Advice(card_words(card), challenge_names(card).does)


def _best(view: View, card: int, place: int, then: object) -> Play | None:
    """Of those that the card makes there, the one that is declared `then`; else the one that brings
    most, of two alike the one with most anchors."""
    found = [play for play in makes(view, view.wheel, card) if play.place == place]
    planned = [play for play in found if Declare(play.pattern) == then]
    return max(
        planned or found, key=lambda play: brings(view, view.wheel, card, play), default=None
    )


def _what_it_wins(view: View, wheel: bytes, card: int, play: Play) -> str:
    """`wheel`: before the shot."""
    if play.pairs.is_wild:
        return _("all cards are in it: that wins the match")
    n = len(play.pairs.anchors)
    won = cards_counted(1 + (n >= TWO_CARDS))
    said = _("{pairs} win {cards}")
    if brings(view, wheel, card, play) is Prize.MATCH:
        said = _("{pairs} win {cards}: WILD, which wins the match")
    return said.format(pairs=pairs_counted(n), cards=won)


def _why_taken(view: View, card: int) -> str:
    """What the Bank would pay more."""
    assert view.seat is not None
    if is_pattern(card):
        own, target = view.won[view.seat], Object(view.targets[view.seat])
        win = view.options.five_colours_win
        paid, more = (
            cents(lines(cards, target, five_colours_win=win))
            for cards in (own, own + bytes((card,)))
        )
        if Line.WILD in lines(own + bytes((card,)), target, five_colours_win=win):
            return _("it makes WILD, which wins the match")
        if more > paid:
            return _("the Bank pays {money} more").format(money=money(more - paid))
        near = nearness(view, view.seat)
        if near.thing is None and not near.lost and colour_of(card) not in near.colours:
            return _("it brings a new colour for WILD")
    held = min(len(view.won[view.seat]) + 1, MAX_CARDS)
    return _("you then have {n} of the 5 cards for the Bank").format(n=held)


def _why_passed(view: View) -> str:
    if asked(view) is Phase.CHALLENGE:
        return _("you keep the Challenge card for a later win")
    if asked(view) is Phase.DECLARE:
        return _("no pattern is true there: you lose the card in any case")
    return _why_not_shot(view)


def _why_not_shot(view: View) -> str:
    card = view.clicked or view.card
    if not (is_pattern(card) and all(view.wheel) and makes(view, view.wheel, card)):
        return _("this card makes no pattern anywhere")
    worth = better(view, view.wheel, card, None)
    if not worth and better(view, view.wheel, card, None, Prize.NOTHING):
        return _("every pattern there would close your way to WILD")
    return "" if worth else _("any pattern would win more cards than the Bank takes")


# In a lesson -------------------------------------------------------------------------------------


def corrected(
    action: Action, sought: Sequence[Action], names: Callable[[Offer], str]
) -> tuple[Selection, str]:
    """The keys of a wrong declaration up to its first wrong key, which the player keeps, and what
    was wrong. It never says what completes the pattern: the player is to find that. Of those
    `sought` the declaration is compared with the one that is most like it. `names`: what follows
    the word for a direction or a feature, as its key in brackets."""
    patterns = [one.pattern for one in sought if isinstance(one, Declare)]
    if not isinstance(action, Declare) or not patterns:
        return NOTHING, ""
    said = action.pattern
    right = max(patterns, key=lambda one: sum(map(eq, astuple(said), astuple(one))))
    if said.direction is not right.direction:
        text = (
            # TRANSLATORS: {key}: a blank and a key in brackets; or nothing.
            _("Not “after” but “before”{key}.")
            if right.direction is Direction.BEFORE
            # TRANSLATORS: {key}: a blank and a key in brackets; or nothing.
            else _("Not “before” but “after”{key}.")
        )
        return NOTHING, text.format(key=names(WAYS[right.direction]))
    way = NOTHING._replace(direction=said.direction)
    if said.anchor != right.anchor:
        # TRANSLATORS: {key}: a blank and a key in brackets; or nothing.
        return way, _("Not {said} but {sought}{key}.").format(
            said=feature_names(said.anchor).words,
            sought=feature_names(right.anchor).words,
            key=names(Offer(What.FEATURE, right.anchor)),
        )
    partner = feature_names(said.partner).words
    return way._replace(anchor=said.anchor), _("You declared {said}.").format(said=partner)
