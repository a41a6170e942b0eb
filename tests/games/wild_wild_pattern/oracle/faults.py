"""Ways to pay and to declare wrongly, each planted in the game's own code; the oracle notices."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

import pytest

from protocol.games.wild_wild_pattern import bank, pattern
from protocol.games.wild_wild_pattern.bank import Line
from protocol.games.wild_wild_pattern.cards import FEATURE_BITS, Object, colour_of
from protocol.games.wild_wild_pattern.pattern import PLACES, STEP, Direction, Pairs, Pattern

Patch: TypeAlias = pytest.MonkeyPatch
Fault: TypeAlias = Callable[[Patch], None]


# The Bank ----------------------------------------------------------------------------------------


def at_least_instead_of_exactly(patch: Patch) -> None:
    more = {**bank._COLOUR, 4: Line.THREE_COLOUR}
    patch.setattr(bank, "_COLOUR", more)


def no_card_of_a_suit_pays_as_one(patch: Patch) -> None:
    patch.setattr(bank, "_SUIT", {**bank._SUIT, 4: Line.ONE_OF_A_SUIT})


def a_line_is_paid_for_each_pair(patch: Patch) -> None:
    def each(cards: bytes, target: Object, *, five_colours_win: bool) -> list[Line]:
        met = real(cards, target, five_colours_win=five_colours_win)
        counts = [*Counter(map(colour_of, cards)).values()]
        twice = Line.TWO_COLOUR in met and counts.count(2) > 1
        return [Line.TWO_COLOUR, *met] if twice else met

    real = bank.lines
    patch.setattr(bank, "lines", each)


def six_cards_are_paid(patch: Patch) -> None:
    real = bank.lines
    patch.setattr(
        bank,
        "lines",
        lambda cards, target, five_colours_win: real(
            cards[:5] if len(cards) == 6 else cards, target, five_colours_win=five_colours_win
        ),
    )


def only_five_cards_are_paid(patch: Patch) -> None:
    real = bank.lines
    patch.setattr(
        bank,
        "lines",
        lambda cards, target, five_colours_win: (
            real(cards, target, five_colours_win=five_colours_win) if len(cards) == 5 else []
        ),
    )


def five_colours_always_win(patch: Patch) -> None:
    real = bank.lines
    patch.setattr(
        bank,
        "lines",
        lambda cards, target, five_colours_win: real(cards, target, five_colours_win=True),
    )


def five_colours_are_paid_where_they_win(patch: Patch) -> None:
    real = bank.lines

    def both(cards: bytes, target: Object, *, five_colours_win: bool) -> list[Line]:
        met = real(cards, target, five_colours_win=five_colours_win)
        wins = five_colours_win and len({*map(colour_of, cards)}) == len(cards) == 5
        return [line for line in Line if line in met or (wins and line is Line.FIVE_COLOURS)]

    patch.setattr(bank, "lines", both)


def five_of_an_object_win_nothing(patch: Patch) -> None:
    def without(cards: bytes, target: Object, *, five_colours_win: bool) -> list[Line]:
        met = real(cards, target, five_colours_win=five_colours_win)
        # With one card a colour and object they are five colours, too: seen only if those pay.
        return met if five_colours_win else [line for line in met if line is not Line.WILD]

    real = bank.lines
    patch.setattr(bank, "lines", without)


def the_target_does_not_matter(patch: Patch) -> None:
    real = bank.lines
    patch.setattr(
        bank,
        "lines",
        lambda cards, target, five_colours_win: real(
            cards, Object.PISTOL, five_colours_win=five_colours_win
        ),
    )


def pays_another_sum(line: Line) -> Fault:
    def fault(patch: Patch) -> None:
        patch.setitem(bank.CENTS, line, bank.CENTS[line] + 10)

    fault.__name__ = f"{line}_pays_more"
    return fault


def is_forgotten(line: Line) -> Fault:
    def fault(patch: Patch) -> None:
        real = bank.lines
        patch.setattr(
            bank,
            "lines",
            lambda cards, target, five_colours_win: [
                met
                for met in real(cards, target, five_colours_win=five_colours_win)
                if met is not line
            ],
        )

    fault.__name__ = f"{line}_is_forgotten"
    return fault


# Patterns ----------------------------------------------------------------------------------------


def once_is_enough(patch: Patch) -> None:
    patch.setattr(pattern, "MIN_ANCHORS", 1)


def thrice_is_needed(patch: Patch) -> None:
    patch.setattr(pattern, "MIN_ANCHORS", 3)


def before_is_after(patch: Patch) -> None:
    patch.setattr(pattern, "STEP", {Direction.BEFORE: 1, Direction.AFTER: -1})


def partners_may_lie_two_places_off(patch: Patch) -> None:
    patch.setattr(pattern, "STEP", {Direction.BEFORE: -2, Direction.AFTER: 2})


def _pairs_if(holds: Callable[[Iterable[bool]], bool], *, round_the_top: bool = True) -> Fault:
    """The pattern found with another word for `always`, or on a Wheel that is cut at the top."""

    def pairs(wheel: bytes, asked: Pattern) -> Pairs:
        step = STEP[asked.direction]
        anchors = [at for at in range(PLACES) if FEATURE_BITS[wheel[at]] >> asked.anchor & 1]
        beside = [
            bool(FEATURE_BITS[wheel[(at + step) % PLACES]] >> asked.partner & 1)
            and (round_the_top or 0 <= at + step < PLACES)
            for at in anchors
        ]
        return Pairs(tuple(anchors) if len(anchors) > 1 and holds(beside) else (), step)

    return lambda patch: patch.setattr(pattern, "pairs", pairs)


def now_and_then_is_always(patch: Patch) -> None:
    _pairs_if(any)(patch)


def the_wheel_is_cut_at_the_top(patch: Patch) -> None:
    _pairs_if(all, round_the_top=False)(patch)


def an_old_pattern_counts(patch: Patch) -> None:
    def made(wheel: bytes, place: int, covered: int, asked: Pattern, *, in_pair: bool) -> Pairs:
        now = pattern.pairs(wheel, asked)
        return now if not in_pair or place in now.places else Pairs((), now.step)

    patch.setattr(pattern, "made", made)


def _with_in_pair(value: bool) -> Fault:
    real = pattern.made
    return lambda patch: patch.setattr(
        pattern,
        "made",
        lambda wheel, place, covered, asked, in_pair: real(
            wheel, place, covered, asked, in_pair=value
        ),
    )


def the_played_card_may_lie_anywhere(patch: Patch) -> None:
    _with_in_pair(False)(patch)


def the_played_card_must_be_in_a_pair(patch: Patch) -> None:
    _with_in_pair(True)(patch)


def the_covered_card_is_forgotten(patch: Patch) -> None:
    real = pattern.made
    patch.setattr(
        pattern,
        "made",
        lambda wheel, place, covered, asked, in_pair: real(wheel, place, 0, asked, in_pair=in_pair),
    )


def only_anchors_are_in_pairs(patch: Patch) -> None:
    patch.setattr(Pairs, "places", property(lambda found: frozenset(found.anchors)))


def four_anchors_are_wild(patch: Patch) -> None:
    patch.setattr(Pairs, "is_wild", property(lambda found: len(found.anchors) >= PLACES // 2))


BANK_FAULTS: Final[list[Fault]] = [
    at_least_instead_of_exactly,
    no_card_of_a_suit_pays_as_one,
    a_line_is_paid_for_each_pair,
    six_cards_are_paid,
    only_five_cards_are_paid,
    five_colours_always_win,
    five_colours_are_paid_where_they_win,
    five_of_an_object_win_nothing,
    the_target_does_not_matter,
    *map(pays_another_sum, Line),
    *map(is_forgotten, Line),
]

PATTERN_FAULTS: Final[list[Fault]] = [
    once_is_enough,
    thrice_is_needed,
    before_is_after,
    partners_may_lie_two_places_off,
    now_and_then_is_always,
    the_wheel_is_cut_at_the_top,
    an_old_pattern_counts,
    the_played_card_may_lie_anywhere,
    the_played_card_must_be_in_a_pair,
    the_covered_card_is_forgotten,
    only_anchors_are_in_pairs,
    four_anchors_are_wild,
]
