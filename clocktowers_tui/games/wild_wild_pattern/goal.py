"""How to read the Wheel, what a pattern is, what it pays: beside the Wheel, and first in help."""

from collections.abc import Iterator, Sequence

from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import FiveColours, Mode, Options, PlayedInPair


def goal(options: Options) -> Sequence[str]:
    """A sentence each, the most needed first."""
    return [*_patterns(options), *_pays(), *_wins(options)]


def _patterns(options: Options) -> Iterator[str]:
    yield _("A pattern: after (or before) every A comes a B.")
    yield _("There are two A or more. Clockwise is after: 2 comes after 1.")
    yield _("One is an object, the other a colour or a suit.")
    yield _("Cover a card with yours to make a pattern. Be first!")
    if options.played_in_pair is PlayedInPair.REQUIRED:
        yield _("Your card must be in one of its pairs.")
    yield _("A pattern that was there before is wrong.")


def _pays() -> Iterator[str]:
    yield _("With a suit you win the card that you covered.")
    yield _("With a colour you choose any card but yours.")
    yield _("A pattern found 3 times wins two, and one may be yours.")
    yield _("A wrong one costs your card, and each opponent takes one.")


def _wins(options: Options) -> Iterator[str]:
    yield _("Five cards end the round: the Bank pays. More than five get nothing.")
    yield wild(options)
    if options.mode is Mode.SALOON:
        yield _("Or be the richest, with more than 3 dollars.")
    else:
        yield _("The poorest are out after each round.")


def wild(options: Options) -> str:
    """What WILD is. With one card for each colour and object, five of one object are five colours,
    too."""
    if options.five_colours is FiveColours.WIN:
        return _("WILD: five cards of five colours win the match at once.")
    return _("WILD: five cards of one object win the match at once.")
