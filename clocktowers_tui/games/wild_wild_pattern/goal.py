"""How to read the Wheel, what a pattern is, what it pays: beside the Wheel, and first in help."""

from collections.abc import Iterator, Sequence

from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import FiveColours, Mode, Options


def goal(options: Options) -> Sequence[str]:
    """A sentence each, the most needed first."""
    return [
        _("A new pattern: after (or before) every A comes a B, at least twice."),
        _("One of the two is an object, the other a colour or a suit."),
        _("Clockwise is after: 2 comes after 1, and 1 after 8."),
        _("Cover a card with yours to make one that was not there. Be first!"),
        *_pays(),
        *_wins(options),
    ]


def _pays() -> Iterator[str]:
    yield _("With a suit you win the covered card, with a colour any card.")
    yield _("A pattern that is there 3 times wins two cards.")
    yield _("A wrong one gives each opponent a card.")


def _wins(options: Options) -> Iterator[str]:
    yield _("Five cards end the round: the Bank pays. More than five get nothing.")
    if options.five_colours is FiveColours.WIN:
        yield _("WILD: five colours on five cards win the match at once.")
    else:
        yield _("WILD: five cards of one object win the match at once.")
    if options.mode is Mode.SALOON:
        yield _("Else the richest player above 3 dollars wins.")
    else:
        yield _("The poorest are out after each round.")
