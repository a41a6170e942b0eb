"""The end of a match in lines: who won and why, what all have, and the last visit to the Bank."""

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from clocktowers_tui.games.spans import wrapped
from clocktowers_tui.games.standings import ResultLine, called, ranked, winners_in_words
from clocktowers_tui.games.wild_wild_pattern.sheet import met
from clocktowers_tui.games.wild_wild_pattern.words import card_words, line_words, money
from clocktowers_tui.text.columns import aligned
from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import DecidedBy, FiveColours, Mode, Outcome, View, Visit
from protocol.games.wild_wild_pattern.bank import CENTS, MAX_CARDS, Line

_INDENT: Final = "  "
_WITHIN: Final = "\N{NO-BREAK SPACE}"
"""Stands between the words of a card while lines are broken."""


def result_lines(
    view: View, outcome: Outcome, names: Sequence[str], width: int
) -> list[ResultLine]:
    """The winners, what decided, and a line a seat, best first."""
    first = ResultLine(winners_in_words(outcome, names, view.seat), "bold")
    return [
        first,
        ResultLine(_decided(view, outcome, names)),
        ResultLine(""),
        *_standings(view, outcome, names, width),
    ]


def _decided(view: View, outcome: Outcome, names: Sequence[str]) -> str:
    match outcome.decided_by:
        case DecidedBy.WILD_PATTERN:
            return _("All eight cards of the Wheel in one: the Wild Wild Pattern!")
        case DecidedBy.WILD:
            return _wild(view, outcome, names)
        case DecidedBy.MONEY:
            return _("The richest player above 3 dollars wins.")
        case DecidedBy.ROUNDS:
            return _("The richest wins after the last round.")
        case DecidedBy.LAST:
            return _("All the others are out.")
        case DecidedBy.LEVEL:
            return _("Tied three times in a row: all players left win.")
        case _:
            assert_never(outcome.decided_by)


def _wild(view: View, outcome: Outcome, names: Sequence[str]) -> str:
    """Five of one object are five colours, too: with one card for each of both."""
    who = called(outcome.winners, names, view.seat)
    if view.options.five_colours is FiveColours.WIN:
        said = _("WILD! {names} brought all five colours to the Bank.")
    else:
        said = _("WILD! {names} brought five of one object to the Bank.")
    return said.format(names=who)


def _standings(view: View, outcome: Outcome, names: Sequence[str], width: int) -> list[ResultLine]:
    seats = ranked(outcome)
    rows = [_place(view, outcome, names, seat) for seat in seats]
    return [
        ResultLine(text, "bold" if seat in outcome.winners else "")
        for seat, text in zip(seats, aligned(rows, (1, 0, 0), width), strict=True)
    ]


def _place(view: View, outcome: Outcome, names: Sequence[str], seat: int) -> list[str]:
    out = _("out") if view.options.mode is Mode.VIVO and not view.standing[seat] else ""
    won = _("wins") if seat in outcome.winners else out
    return [names[seat], money(outcome.scores[seat]), won]


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
    for line in met(visit, view.options):
        pays = _("wins the match") if line is Line.WILD else money(CENTS[line])
        yield f"{line_words(line)}: {pays}"
