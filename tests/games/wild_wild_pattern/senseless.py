"""An honest match of four, and what a lying server may say instead."""

from typing import Any, Final

from msgspec.structs import replace

from protocol.games.wild_wild_pattern import (
    Declared,
    Drew,
    Options,
    Passed,
    Phase,
    RoundBegan,
    Seen,
    Shot,
    Used,
    View,
    WasReady,
    Won,
)
from protocol.games.wild_wild_pattern.cards import CARDS, Challenge, Direction, Pattern
from tests.games.wild_wild_pattern.boards import BANKED, TARGETS, WHEEL, declaring, visits
from tests.stage.nonsense import END, MISSED, UPDATE, Sample, plain

_EVENT: Final = ("events", 0)
_WHEEL: Final = ("view", "wheel")
_VISIT: Final = [0, b"\1\2", 0, 10, 10, False]

_WRONG: Final[Any] = {
    "an event of a seat beyond the table": (UPDATE, {_EVENT: plain(Passed(4))}),
    "one missed of such a seat": (MISSED, {_EVENT: plain(Won(-9, 1))}),
    "a card below all bytes": (UPDATE, {_EVENT: plain(Won(1, -1))}),
    "a victim beyond the table": (UPDATE, {_EVENT: plain(Used(1, 41, 3, None, 7))}),
    "a choice of nobody's": (UPDATE, {("view", "acting"): 7}),
    "money of five": (UPDATE, {("view", "money"): [0] * 5}),
    "a Wheel of seven": (UPDATE, {_WHEEL: WHEEL[:7]}),
    "a Challenge card on the Wheel": (UPDATE, {_WHEEL: bytes((41,)) + WHEEL[1:]}),
    "an unknown card on the Wheel": (UPDATE, {_WHEEL: bytes((88,)) + WHEEL[1:]}),
    "an unknown target": (UPDATE, {("view", "targets"): b"\x63" * 4}),
    "scores of two": (END, {("outcome", "scores"): [1, 2]}),
    "a winner beyond the table": (END, {("outcome", "winners"): [6]}),
}
_LIES: Final[Any] = {
    "an unknown card": (UPDATE, {_EVENT: plain(Drew(99))}),
    "a card beyond all bytes": (UPDATE, {_EVENT: plain(Drew(2**40))}),
    "a Challenge card that is shot": (UPDATE, {_EVENT: plain(Shot(1, 2, Challenge.TRADE, 3))}),
    "a shot off the Wheel": (UPDATE, {_EVENT: plain(Shot(1, 8, 1, 2))}),
    "a pattern of two colours": (
        UPDATE,
        {_EVENT: plain(Declared(1, Pattern(Direction.AFTER, 8, 9), 2))},
    ),
    "one card in two places": (UPDATE, {_WHEEL: WHEEL[:1] * 8}),
    "a place beyond the Wheel": (UPDATE, {("view", "place"): 8}),
    "an unknown card in the player's hand": (UPDATE, {("view", "card"): 60}),
    "a visit of nobody's": (UPDATE, {("view", "bank"): [[5, *_VISIT[1:]]]}),
    "two visits of one": (UPDATE, {("view", "bank"): [_VISIT, _VISIT]}),
    "more money than there is": (END, {("outcome", "scores"): [1, 2, 3, 2**60]}),
}


def choosing(challenges: int) -> View:
    """Among all cards there are, with so many Challenge cards in front of each seat."""
    return replace(
        declaring(bank=visits(BANKED), card=5),
        phase=Phase.CHALLENGE,
        acting=0,
        won=[CARDS] * 4,
        challenges=[bytes((Challenge.ONE_CARD,)) * challenges] * 4,
        money=[2**62] * 4,
    )


SAMPLE: Final = Sample(
    game="wild_wild_pattern",
    view=declaring(bank=visits(BANKED), card=5),
    events=(
        RoundBegan(1, TARGETS, WHEEL, 30, b"", Options()),
        WasReady(1),
        Seen(),
        Drew(13),
        Shot(1, 2, 15, WHEEL[2]),
        Declared(1, Pattern(Direction.AFTER, 2, 8), 2),
    ),
    outcome={"scores": [310, 20, 0, 10], "winners": [0], "decided_by": "money"},
    wrong=_WRONG,
    lies=_LIES,
    largest=choosing(7),
    keys=("greater_than_sign", "3", "d", "escape", "right"),
    sign="Target ",
)
