"""How to read the Wheel, what a pattern is, what it pays: beside the Wheel, and first in help."""

from collections.abc import Iterator, Sequence
from typing import Final

from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import FiveColours, Mode, Options, PlayedInPair


def goal(options: Options) -> Sequence[str]:
    """Sentences, the most needed first."""
    return [sentence for paragraph in paragraphs(options) for sentence in paragraph]


def brief(options: Options) -> Sequence[str]:
    """One line each in the 42 columns beside the Wheel."""
    return [
        _("Cover a card: make a new pattern."),
        _("Say a suit: you win the card under yours."),
        _("Say a colour: you choose the card you win."),
        *_wins(options),
    ][:_BRIEF]


_BRIEF: Final = 6


def paragraphs(options: Options) -> Sequence[Sequence[str]]:
    """What a pattern is; what it pays; how one wins."""
    return [[*_patterns(options)], [*_pays()], [*_wins(options)]]


def _patterns(options: Options) -> Iterator[str]:
    yield _("A pattern: after (or before) every A comes a B.")
    yield _("An A with its B is a pair: you need two.")
    yield _("One is an object, one a colour or a suit.")
    yield _("Cover a card: make a new pattern.")
    if options.played_in_pair is PlayedInPair.REQUIRED:
        yield _("Be first! Your card must be in a pair.")
    else:
        yield _("Be first!")
    yield _("A pattern that was there before is wrong.")


def _pays() -> Iterator[str]:
    yield _("Say a suit: you win the card under yours.")
    yield _("Say a colour: you choose the card you win.")
    yield _("Three pairs or more win you two cards.")
    yield _("If you are wrong you lose your card, and each opponent takes one.")


def _wins(options: Options) -> Iterator[str]:
    yield wild(options)
    if options.mode is Mode.SALOON:
        yield _("Be the richest above $3 when a round ends.")
    else:
        yield _("After each round the poorest are out.")
    yield _("Five cards end the round: the Bank pays.")
    yield _("With 6 cards the Bank pays nothing.")


def wild(options: Options) -> str:
    """What WILD is. With one card for each colour and object, five of one object are five colours,
    too."""
    if options.five_colours is FiveColours.WIN:
        return _("WILD: five colours win the match at once.")
    return _("WILD: five of one object win it at once.")
