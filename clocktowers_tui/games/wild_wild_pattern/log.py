"""The log, a line for each event, and what came of a declaration in one loud word."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from clocktowers_tui.games.face import deed
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.games.standings import listed
from clocktowers_tui.games.wild_wild_pattern.words import (
    capital,
    card_title,
    card_words,
    cards_counted,
    challenge_names,
    feature_names,
    in_short,
    money,
    pattern_words,
)
from clocktowers_tui.text.i18n import N_, _, ngettext, pgettext
from protocol.games.wild_wild_pattern import (
    Aimed,
    Banked,
    Clicked,
    Declared,
    Drew,
    Event,
    Filled,
    Found,
    Idled,
    Passed,
    Replaced,
    Reshuffled,
    RoundBegan,
    Seen,
    Shot,
    TurnBegan,
    Used,
    Visit,
    WasLaid,
    WasReady,
    WentOut,
    Won,
)
from protocol.games.wild_wild_pattern.bank import MAX_CARDS, verdict
from protocol.games.wild_wild_pattern.cards import (
    PLACES,
    SHOOTS_OFF,
    Direction,
    Fault,
    Pattern,
    colour_of,
    is_pattern,
)
from protocol.ids import Seat


def wild_word() -> str:
    return pgettext("in the middle, 7 cells", "WILD!")


def loud(declared: Declared) -> str:
    """In 7 cells."""
    if declared.wild:
        return wild_word()
    if declared.anchors:
        return pgettext("in the middle, 7 cells", "HIT!")
    if declared.late:
        return pgettext("in the middle, 7 cells", "TIME!")
    return pgettext("in the middle, 7 cells", "WRONG!")


def spoken(declared: Declared, names: Sequence[str], you: Seat | None) -> str:
    """Who declared what, and what came of it."""
    told = partial(deed, names, you, declared.seat)
    if (pattern := declared.pattern) is not None:
        words = pattern_words(pattern)
        who = told(_("You declare: {pattern}"), _("{name} declares: {pattern}"), pattern=words)
        return f"{who}. {came_of(declared, pattern)}"
    if declared.late:
        return told(
            _("Your time ran out: that counts as wrong"),
            _("{name} ran out of time: that counts as wrong"),
        )
    return told(
        _("You pass after the shot: that counts as wrong"),
        _("{name} passes after the shot: that counts as wrong"),
    )


def came_of(declared: Declared, pattern: Pattern) -> str:
    """Where it is so, and how often; or why it is worth nothing."""
    if declared.wild:
        return _("A Wild Wild Pattern!")
    if declared.anchors:
        said = _("HIT! {pairs}").format(pairs=pairs_counted(declared.anchors))
        if not declared.wheel:
            return said
        found, _against = verdict(declared.wheel, pattern)
        return f"{said}: {listed([f'{at + 1}-{(at + 1) % PLACES + 1}' for at in found.links])}"
    match declared.fault:
        case Fault.OLD:
            return _("Wrong: not new, the pattern was there before the shot")
        case Fault.APART:
            return _("Wrong: the card just shot must be in a pair, and is in none")
        case _ if declared.wheel:
            return _untrue(declared.wheel, pattern)
        case _:
            return _("That is wrong")


def pairs_counted(n: int) -> str:
    """How often a pattern is there."""
    return ngettext("{n} pair", "{n} pairs", n).format(n=n)


def _untrue(wheel: bytes, pattern: Pattern) -> str:
    found, against = verdict(wheel, pattern)
    if against is None:
        text = (
            _("Wrong: a pattern takes two cards, and only one shows this: {feature}")
            if found.anchors
            else _("Wrong: no card of the Wheel shows this: {feature}")
        )
        return text.format(feature=feature_names(pattern.anchor).words)
    beside = found.beside(against)
    text = (
        _("Wrong: before {place} ({card}) comes {next} ({other}), not {partner}")
        if pattern.direction is Direction.BEFORE
        else _("Wrong: after {place} ({card}) comes {next} ({other}), not {partner}")
    )
    return text.format(
        place=against + 1,
        card=_inside(wheel[against], pattern),
        next=beside + 1,
        other=_inside(wheel[beside], pattern),
        partner=in_short(pattern.partner),
    )


def _inside(card: int, pattern: Pattern) -> str:
    """A card's words inside of brackets; its suit only where that matters."""
    if not pattern.has_suit:
        return card_title(card)
    return card_words(card).replace(" (", ", ").replace(")", "")


# The log: a line for each event; the player's own seat is "you" in every line.
#
# Law: only ASCII of our own, so that every glyph set can show it.


_SAID: Final[Mapping[type, Sequence[str]]] = {
    RoundBegan: (N_("Round {n}: new cards"),),
    TurnBegan: (N_("Turn {n}"),),
    Idled: (N_("Nobody shot: nobody wins this turn"),),
    Filled: (N_("From the deck into place {place}: {card}"),),
    Reshuffled: (N_("The deck is shuffled, and a new Wheel is laid"),),
    Found: (
        N_("You keep a Challenge card: {card} ({does}). Win a turn to play it"),
        N_("{name} keeps a Challenge card for a won turn: {card} ({does})"),
    ),
    Replaced: (N_("You draw another card"), N_("{name} draws another card")),
    Passed: (N_("You pass"), N_("{name} passes")),
    Shot: (
        N_("You shoot at {place}, {covered}, with {card}"),
        N_("{name} shoots at {place}, {covered}, with {card}"),
    ),
    Clicked: (N_("Click! You give up {card}"), N_("Click! {name} gives up {card}")),
    Won: (N_("You win {card}"), N_("{name} wins {card}")),
    WasLaid: (
        N_("You lay the card left in your hand {where}: {card}"),
        N_("{name} lays the card left in hand {where}: {card}"),
    ),
}
"""What has happened; where a seat has done it, to its player and to the others."""
_NO_OTHER: Final[Sequence[str]] = (
    N_("The deck has no other card for you"),
    N_("The deck has no other card for {name}"),
)


def phrase(event: Event, names: Sequence[str], you: Seat | None) -> str:
    """An event as a line of the log; "" for what the board shows while it matters: who is ready,
    the player's own card, and that their shot has arrived."""
    match event:
        case WentOut():
            text = _("{card} leaves the game")
            if not is_pattern(event.card):
                text = _("The Challenge card {card} leaves the game")
            return capital(text.format(card=card_words(event.card)))
        case Banked():
            return _banked(event, names, you)
        case Used():
            return _used(event, names, you)
        case Declared():
            return spoken(event, names, you)
        case Replaced(empty=True):
            said = _NO_OTHER
        case Won(late=True):
            said = N_("Time was up: you got {card}"), N_("Time was up: {name} got {card}")
        case WasReady() | Seen() | Drew() | Aimed():
            return ""
        case _:
            said = _SAID[type(event)]
    cards = {name: getattr(event, name, 0) for name in ("card", "covered")}
    told = {
        **{name: card_words(card) for name, card in cards.items() if card},
        "does": challenge_names(event.card).does if isinstance(event, Found) else "",
        "place": (place := (getattr(event, "place", 0) or 0) + 1),
        "where": _laid(event, place) if isinstance(event, WasLaid) else "",
        "n": getattr(event, "round", getattr(event, "turn", 0)),
    }
    yours, theirs = _(said[0]), _(said[-1])
    return deed(names, you, getattr(event, "seat", 0), yours, theirs, **told)


def _laid(event: WasLaid, place: int) -> str:
    """Where, and why there (rules: A turn, 6)."""
    if not event.covered:
        return _("on place {place}, which was free").format(place=place)
    alike = colour_of(event.card) == colour_of(event.covered)
    return (_("on {place}, of the same colour") if alike else _("on {place}")).format(place=place)


def opens_turn(event: Event, acting: Seat | None) -> bool:
    """A turn begins when everybody gets a card, a round with another Wheel."""
    return isinstance(event, TurnBegan | RoundBegan)


def _used(event: Used, names: Sequence[str], you: Seat | None) -> str:
    challenge = card_words(event.challenge)
    yours, theirs = _("You play “{challenge}”"), _("{name} plays “{challenge}”")
    said = deed(names, you, event.seat, yours, theirs, challenge=challenge)
    if event.cents:
        return f"{said}: {money(event.cents)}"
    if event.wanted is None:
        return said
    if event.challenge in SHOOTS_OFF and event.victim is not None:
        yours, theirs = _("you lose {card}"), _("{name} loses {card}")
        loses = deed(names, you, event.victim, yours, theirs, card=card_words(event.wanted))
        return f"{sentence(said)} {capital(loses)}"
    said += f": {card_words(event.wanted)}"
    if event.victim is not None:
        said += " " + _("of {name}").format(name=names[event.victim])
    if event.given is not None:
        said += " " + _("for {card}").format(card=card_words(event.given))
    return said


def _banked(event: Banked, names: Sequence[str], you: Seat | None) -> str:
    paid = ", ".join(_paid(visit, names) for visit in event.visits)
    said = _("The Bank pays: {paid}").format(paid=paid)
    gone = [visit.seat for visit in event.visits if visit.eliminated]
    return ". ".join([said, *_eliminated(gone, names, you)])


def _paid(visit: Visit, names: Sequence[str]) -> str:
    """With too many cards, also why it is nothing."""
    said = f"{names[visit.seat]} {money(visit.paid)}"
    n = len(visit.cards)
    return f"{said} ({cards_counted(n)})" if n > MAX_CARDS else said


def _eliminated(gone: Sequence[int], names: Sequence[str], you: Seat | None) -> Iterator[str]:
    others = [names[seat] for seat in gone if seat != you]
    if others:
        out = ngettext("{names} is out", "{names} are out", len(others))
        yield out.format(names=listed(others))
    if you in gone:
        yield _("You are out")
