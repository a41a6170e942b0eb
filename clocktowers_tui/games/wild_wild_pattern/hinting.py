"""A hint as the player's own choice, and what speaks for it, only in practice; and what of a wrong
declaration stays in a lesson.

Law: all of it follows from the view, so a hint tells nothing that the player could not see.
"""

from collections.abc import Callable, Sequence
from operator import eq

from msgspec.structs import astuple

from clocktowers_tui.games.face import Advice
from clocktowers_tui.games.wild_wild_pattern import choosing
from clocktowers_tui.games.wild_wild_pattern.actions import CLICK, PASS, PLACES
from clocktowers_tui.games.wild_wild_pattern.choosing import (
    NOTHING,
    RACES,
    TWO_CARDS,
    WAYS,
    Offer,
    Selection,
    What,
    asked,
    on_offer,
    places,
)
from clocktowers_tui.games.wild_wild_pattern.log import pairs_counted
from clocktowers_tui.games.wild_wild_pattern.standing import brings, makes, nearness
from clocktowers_tui.games.wild_wild_pattern.words import (
    card_words,
    cards_counted,
    challenge_names,
    feature_names,
    money,
    pattern_words,
)
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import (
    Action,
    Click,
    Declare,
    Lay,
    Pass,
    Phase,
    Ready,
    Shoot,
    Take,
    Use,
    View,
)
from protocol.games.wild_wild_pattern.bank import MAX_CARDS, Play, cents, lines
from protocol.games.wild_wild_pattern.cards import (
    Direction,
    Object,
    Pairs,
    colour_of,
    is_pattern,
    made,
)


def towards(view: View, selection: Selection, action: Action) -> Selection:
    """The selection from which one key does it; the same one where no cursor may rest, as in a
    race in earnest, and for what is impossible."""
    if asked(view) in RACES and not view.options.practises:
        return selection
    begun = [NOTHING]
    for chosen in begun:
        for offer in on_offer(view, chosen):
            step = choosing.pick(view, chosen, offer)
            if step.action == action:
                return chosen._replace(cursor=offer)
            if step.action is None and step.selection not in begun:
                begun.append(step.selection)
    return selection


def advice(view: View, action: Action, keymap: Keymap = DEFAULT_KEYS) -> Advice:
    """What to say of a hint."""
    match action:
        case Ready():
            what = _("{key}: ready").format(key=keymap.name(actions.CHOOSE))
            return Advice(what, _("then all see their cards at the same moment"))
        case Shoot(place=place, clicked=clicked):
            card = view.clicked if clicked else view.card
            what = _("shoot at card {key}, then declare: {pattern}")
            best = _best(view, card, place)
            pattern = "?" if best is None else pattern_words(best.pattern)
            why = "" if best is None else _what_it_wins(best.pairs)
            return Advice(what.format(key=keymap.name(PLACES[place]), pattern=pattern), why)
        case Click():
            what = _("{key}, Click!").format(key=keymap.name(CLICK))
            found = makes(view, view.wheel, view.card)
            why = _("any pattern would win more cards than the Bank takes")
            return Advice(what, why if found else _("your card makes no pattern anywhere"))
        case Pass():
            what = _("pass with {key}").format(key=keymap.name(PASS))
            return Advice(what, _why_passed(view))
        case Declare(pattern=pattern):
            at, covered, in_pair = view.place or 0, view.covered, view.options.in_pair
            pairs = made(view.wheel, at, covered, pattern, in_pair=in_pair)
            return Advice(pattern_words(pattern), _what_it_wins(pairs))
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


def _best(view: View, card: int, place: int) -> Play | None:
    """Of those that the card makes there, the one that brings most; of two alike the one with most
    anchors."""
    found = [play for play in makes(view, view.wheel, card) if play.place == place]
    return max(found, key=lambda play: brings(view, view.wheel, card, play), default=None)


def _what_it_wins(found: Pairs) -> str:
    if found.is_wild:
        return _("all cards are in it: that wins the match")
    n = len(found.anchors)
    won = cards_counted(1 + (n >= TWO_CARDS))
    return _("{pairs} win {cards}").format(pairs=pairs_counted(n), cards=won)


def _why_taken(view: View, card: int) -> str:
    """What the Bank would pay more."""
    assert view.seat is not None
    if is_pattern(card):
        own, target = view.won[view.seat], Object(view.targets[view.seat])
        paid, more = (
            cents(lines(cards, target, five_colours_win=view.options.five_colours_win))
            for cards in (own, own + bytes((card,)))
        )
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
        return _("no pattern is true there")
    card = view.clicked if view.phase is Phase.CLICKED else view.card
    if is_pattern(card) and all(view.wheel) and not makes(view, view.wheel, card):
        return _("this card makes no pattern anywhere")
    return _("passing costs you nothing")


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
