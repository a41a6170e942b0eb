"""The end of a match in lines, the proof of its shuffles, the story of each card, reactions."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from clocktowers_tui.games.face import Story, plies_of
from clocktowers_tui.games.spans import wrapped
from clocktowers_tui.games.standings import ResultLine, ranked, winners_in_words
from clocktowers_tui.games.wild_wild_pattern.sheet import met
from clocktowers_tui.games.wild_wild_pattern.words import card_words, line_words, money
from clocktowers_tui.text.fitting import aligned
from clocktowers_tui.text.i18n import N_, _
from protocol.games import Switch
from protocol.games.wild_wild_pattern import (
    SEATS,
    Banked,
    Clicked,
    DecidedBy,
    Declared,
    Drew,
    Event,
    Filled,
    Found,
    Mode,
    Outcome,
    Reshuffled,
    RoundBegan,
    Shot,
    Used,
    View,
    Visit,
    WasLaid,
    WentOut,
    Won,
)
from protocol.games.wild_wild_pattern.bank import MAX_CARDS, Line
from protocol.games.wild_wild_pattern.cards import CARDS, SHOOTS_OFF, Challenge
from protocol.games.wild_wild_pattern.options import SALOON_CENTS, Wheel, reshuffled, round_deal

_INDENT: Final = "  "
_WITHIN: Final = "\N{NO-BREAK SPACE}"
"""Stands between the words of a card while lines are broken."""


def result_lines(
    view: View, outcome: Outcome, names: Sequence[str], width: int
) -> list[ResultLine]:
    """The winners and why; then a line a seat, best first."""
    said, won = _WHY[outcome.decided_by], outcome.scores[outcome.winners[0]]
    if outcome.decided_by is DecidedBy.WILD and not view.options.five_colours_win:
        said = _FIVE_OBJECTS
    if (
        outcome.decided_by is DecidedBy.MONEY
        and sum(one > SALOON_CENTS for one in outcome.scores) > 1
    ):
        said = N_("{money}, the most of all above $3")
    who, why = winners_in_words(outcome, names, view.seat), _(said).format(money=money(won))
    first = ResultLine(f"{who}: {why}", "bold")
    return [first, *_standings(view, outcome, names, width)]


_WHY: Final = {
    DecidedBy.WILD_PATTERN: N_("all 8 cards in one, the Wild Wild Pattern"),
    DecidedBy.WILD: N_("WILD, five colours at the Bank"),
    DecidedBy.MONEY: N_("{money}, nobody else has more than $3"),
    DecidedBy.ROUNDS: N_("{money}, the most after the last round"),
    DecidedBy.LAST: N_("all the others are out"),
    DecidedBy.LEVEL: N_("tied three times in a row"),
}
"""What stands behind the winners' names."""
_FIVE_OBJECTS: Final = N_("WILD, five of one object at the Bank")
"""Five of one object are five colours, too: with one card for each of both."""


def _standings(view: View, outcome: Outcome, names: Sequence[str], width: int) -> list[ResultLine]:
    seats = ranked(outcome)
    rows = [_place(view, outcome, names, seat) for seat in seats]
    return [
        ResultLine(text, "bold" if seat in outcome.winners else "")
        for seat, text in zip(seats, aligned(rows, (1, 0, 0), width), strict=True)
    ]


def _place(view: View, outcome: Outcome, names: Sequence[str], seat: int) -> list[str]:
    # TRANSLATORS: a player who no longer plays.
    out = _("out") if view.options.mode is Mode.VIVO and not view.standing[seat] else ""
    won = _("wins") if seat in outcome.winners else out
    return [names[seat], money(outcome.scores[seat]), won]


# Round by round ----------------------------------------------------------------------------------


_HEAD: Final = (
    *(N_("Round"), N_("Player"), N_("Hits"), N_("Cards"), N_("Bank")),
    *(N_("Challenge"), N_("Sum")),
)


def rounds(events: Sequence[Event], names: Sequence[str], width: int) -> list[ResultLine]:
    """Of each round and seat how often it hit, what it brought to the Bank, what that and Challenge
    cards paid, and the sum; then which Challenge cards those were."""
    rows, number, played = [[_(word) for word in _HEAD]], 0, list[ResultLine]()
    hits, drawn = Counter[int](), Counter[int]()
    for event in events:
        match event:
            case RoundBegan():
                number, hits, drawn = event.round, Counter(), Counter()
            case Declared(anchors=anchors) if anchors:
                hits[event.seat] += 1
            case Used(cents=cents) if cents:
                drawn[event.seat] += cents
                said = _("Round {n}, {name}: Challenge card “{card}”")
                card, name = card_words(event.challenge), names[event.seat]
                played.append(ResultLine(said.format(n=number, name=name, card=card)))
            case Banked():
                for n, visit in enumerate(event.visits):
                    told = number if not n else "", names[visit.seat], hits[visit.seat]
                    own = money(drawn[visit.seat]) if drawn[visit.seat] else ""
                    paid = len(visit.cards), money(visit.paid), own, money(visit.money)
                    rows.append([*map(str, (*told, *paid))])
    if not rows[1:]:
        return []
    first, *others = aligned(rows, (0, 1, 0, 0, 0, 0, 0), width)
    return [ResultLine(first, "dim"), *map(ResultLine, others), *played, ResultLine("")]


# The last visit ----------------------------------------------------------------------------------


def result_details(
    view: View, outcome: Outcome, names: Sequence[str], width: int
) -> list[ResultLine]:
    """For each seat that was at the Bank last, the lines that it met."""
    found = [ResultLine(_("The last visit to the Bank:"), "bold")] if view.bank else []
    for visit in sorted(view.bank, key=lambda one: ranked(outcome).index(one.seat)):
        title = f"{names[visit.seat]}: {money(visit.paid)}"
        found += [ResultLine(title, "bold"), *_indented(view, visit, width), ResultLine("")]
    return found


def _indented(view: View, visit: Visit, width: int) -> Iterator[ResultLine]:
    for text in _lines(view, visit):
        for row in wrapped(text, max(1, width - len(_INDENT))):
            yield ResultLine(_INDENT + row.replace(_WITHIN, " "))


def _lines(view: View, visit: Visit) -> Iterator[str]:
    if visit.cards:
        yield ", ".join(card_words(card).replace(" ", _WITHIN) for card in sorted(visit.cards))
    if len(visit.cards) > MAX_CARDS:
        yield _("With more than five cards you get nothing.")
    yield from met_words(view, visit)


def met_words(view: View, visit: Visit) -> Iterator[str]:
    """What a visit to the Bank brings, and for what."""
    for line in met(visit, view.options):
        pays = _("wins the match") if line is Line.WILD else money(line.cents)
        yield f"{line_words(line)}: {pays}"


# Shuffles again from the seed shown at the end, and compares that with what was seen of the
# match.
#
# Law: only a contradiction counts against the seed. What was not seen leaves the question open,
# so a gap in the events accuses nobody.


def same_deal(events: Sequence[Event], view: View, seed: bytes) -> bool | None:
    """See `Face.same_deal`: each round's Targets and Wheel, and the new Wheels within a round, as
    the shuffles of that seed give them one after the other."""
    if len(view.won) not in SEATS:
        return False
    openings = [event.round for event in events if isinstance(event, RoundBegan)]
    if openings != list(range(1, len(openings) + 1)):
        return None
    if not all(_agree(events, len(view.won), seed)):
        return False
    return True if openings and len(openings) == view.round else None


def _agree(events: Sequence[Event], seats: int, seed: bytes) -> Iterator[bool]:
    """For each shuffle, whether it is the seed's. `held`: the cards in front of players, who keep
    them when the rest is shuffled."""
    held: set[int] = set()
    standing, shuffle = list(range(seats)), 0
    for event in events:
        match event:
            case RoundBegan():
                dealt = round_deal(seed, shuffle)
                # The first Targets go to those who are still in the match, ascending.
                targets = [event.targets[seat] for seat in standing]
                yield targets == [*dealt.targets[: len(standing)]] and _is_wheel(event, dealt.wheel)
                held = set()
                shuffle += 1
            case Reshuffled():
                cards = bytes(card for card in CARDS if card not in held)
                yield _is_wheel(event, reshuffled(seed, shuffle, cards))
                shuffle += 1
            case Banked():
                gone = [visit.seat for visit in event.visits if visit.eliminated]
                standing = [seat for seat in standing if seat not in gone]
            case Found(card=card) | Won(card=card):
                held.add(card)
            case Used(challenge=challenge, wanted=wanted):
                held.discard(challenge)
                if challenge in SHOOTS_OFF:
                    held.discard(wanted or 0)
                elif challenge == Challenge.ONE_CARD:
                    held.add(wanted or 0)


def _is_wheel(event: RoundBegan | Reshuffled, wheel: Wheel) -> bool:
    shown = (event.wheel, event.left, event.gone)
    return shown == (wheel.cards, len(wheel.deck), wheel.gone)


# The story of each card, wherever it goes --------------------------------------------------------


def stories(told: Sequence[Sequence[Event]], names: Sequence[str]) -> Sequence[Story]:
    """Of all cards that were played, in the order in which they were first seen."""
    return [Story(card_words(card), plies) for card, plies in plies_of(told, _cards).items()]


def _cards(event: Event) -> Sequence[int]:
    """Those that it happens to; a new Wheel tells nothing of its eight."""
    match event:
        case Shot() | WasLaid():
            return tuple(filter(None, (event.card, event.covered)))
        case Used():
            return tuple(filter(None, (event.challenge, event.wanted, event.given)))
        case Clicked() | Drew() | Filled() | Found() | WentOut() | Won():
            return (event.card,)
        case _:
            return ()


# How soon a player shot or clicked, out of a match's record --------------------------------------


class _Action(Struct):
    do: str
    clicked: bool = False


class _Ply(Struct):
    seat: int
    action: _Action
    at_ms: int | None = None


class _Record(Struct):
    """What is read of it."""

    seats: list[Any]
    plies: list[_Ply]
    options: dict[str, Any] = {}


def reactions_ms(record: bytes, seat: int) -> Sequence[int]:
    """From the moment at which all were ready to the seat's own try, for each race with both. None
    where nobody hurries, in practice, and none where `record` is no record."""
    try:
        read = msgspec.json.decode(record, type=_Record)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ()
    if read.options.get("practice") == Switch.ON:
        return ()
    found, ready, began_ms, now_ms = list[int](), set[int](), None, 0
    for ply in read.plies:
        now_ms = now_ms if ply.at_ms is None else ply.at_ms
        tries = ply.action.do in ("shoot", "click") and not ply.action.clicked
        if ply.action.do == "ready":
            ready.add(ply.seat)
            began_ms = now_ms if len(ready) == len(read.seats) else None
            continue
        if tries and ply.seat == seat and began_ms is not None:
            found.append(now_ms - began_ms)
        ready.clear()
        began_ms = began_ms if tries and ply.seat != seat else None
    return found
