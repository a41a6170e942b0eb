"""The log: a line for each event; the player's own seat is "you" in every line.

Law: only ASCII of our own, so that every glyph set can show it.
"""

from collections.abc import Iterator, Sequence
from typing import assert_never

from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.games.standings import listed
from clocktowers_tui.games.wild_wild_pattern.challenges import challenge_does, challenge_words
from clocktowers_tui.games.wild_wild_pattern.feedback import spoken
from clocktowers_tui.games.wild_wild_pattern.words import (
    capital,
    card_words,
    cards_counted,
    money,
)
from clocktowers_tui.text.i18n import _, ngettext
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
from protocol.games.wild_wild_pattern.bank import MAX_CARDS
from protocol.games.wild_wild_pattern.cards import Challenge, is_pattern
from protocol.ids import Seat


def phrase(event: Event, names: Sequence[str], you: Seat | None) -> str:
    """An event as a line of the log; "" for what the board shows while it matters: who is ready,
    the player's own card, and that their shot has arrived."""
    match event:
        case RoundBegan():
            return _("Round {n}: new cards").format(n=event.round)
        case TurnBegan():
            return _("Turn {n}").format(n=event.turn)
        case WasReady() | Seen() | Drew() | Aimed():
            return ""
        case Idled():
            return _("Nobody shot: nobody wins this turn")
        case WentOut():
            if not is_pattern(event.card):
                return _("The Challenge card {card} leaves the game").format(
                    card=challenge_words(event.card)
                )
            return capital(_("{card} leaves the game").format(card=card_words(event.card)))
        case Filled():
            return _("From the deck into place {place}: {card}").format(
                card=card_words(event.card), place=event.place + 1
            )
        case Reshuffled():
            return _("The deck is shuffled, and a new Wheel is laid")
        case Banked():
            return _banked(event, names, you)
        case Used():
            return _used(event, names, you)
        case Declared():
            return spoken(event, names, you)
        case Found() | Replaced() | Shot() | Clicked() | Passed() | Won() | WasLaid():
            return _of_a_seat(event, names, mine=event.seat == you)
        case _:
            assert_never(event)


_OfASeat = Found | Replaced | Shot | Clicked | Passed | Won | WasLaid


def opens_turn(event: Event, acting: Seat | None) -> bool:
    """A turn begins when everybody gets a card, a round with another Wheel."""
    return isinstance(event, TurnBegan | RoundBegan)


def _of_a_seat(event: _OfASeat, names: Sequence[str], *, mine: bool) -> str:
    match event:
        case Found():
            text = (
                _("You keep a Challenge card: {card} ({does}). Win a turn to play it")
                if mine
                else _("{name} keeps a Challenge card: {card} ({does})")
            )
            text = text.replace("{card}", challenge_words(event.card))
            text = text.replace("{does}", challenge_does(event.card))
        case Replaced():
            text = _replaced(event, mine=mine)
        case Shot():
            text = (
                _("You cover {place}, {covered}, with {card}")
                if mine
                else _("{name} covers {place}, {covered}, with {card}")
            )
        case Clicked():
            text = _("Click! You give up {card}") if mine else _("Click! {name} gives up {card}")
        case Passed():
            text = _("You pass") if mine else _("{name} passes")
        case Won(late=True):
            text = _("Time was up: you got {card}") if mine else _("Time was up: {name} got {card}")
        case Won():
            text = _("You win {card}") if mine else _("{name} wins {card}")
        case WasLaid():
            text = (
                _("You did not shoot: {card} goes to {place}")
                if mine
                else _("{name} did not shoot: {card} goes to {place}")
            )
        case _:
            assert_never(event)
    return _filled(text, event, names)


def _filled(text: str, event: _OfASeat, names: Sequence[str]) -> str:
    place = getattr(event, "place", None)
    return text.format(
        name=names[event.seat],
        card=card_words(getattr(event, "card", 0)) if getattr(event, "card", 0) else "",
        covered=card_words(event.covered) if isinstance(event, Shot) else "",
        place="" if place is None else place + 1,
    )


def _replaced(event: Replaced, *, mine: bool) -> str:
    if event.empty:
        return (
            _("The deck has no other card for you")
            if mine
            else _("The deck has no other card for {name}")
        )
    return _("You draw another card") if mine else _("{name} draws another card")


def _used(event: Used, names: Sequence[str], you: Seat | None) -> str:
    text = _("You play {challenge}") if event.seat == you else _("{name} plays {challenge}")
    said = text.format(name=names[event.seat], challenge=challenge_words(event.challenge))
    if event.cents:
        return f"{said}: {money(event.cents)}"
    if event.wanted is None:
        return said
    if event.challenge in (Challenge.PIANO_PLAYER, Challenge.HANDS_UP) and event.victim is not None:
        loses = _("you lose {card}") if event.victim == you else _("{name} loses {card}")
        loses = loses.replace("{card}", card_words(event.wanted))
        return f"{sentence(said)} {capital(loses.replace('{name}', names[event.victim]))}"
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
