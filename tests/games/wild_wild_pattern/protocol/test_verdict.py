"""What is said of a declaration agrees with the server's own judge."""

from random import Random

from protocol.games.wild_wild_pattern import Declare, Declared, Options, PlayedInPair, Shoot
from protocol.games.wild_wild_pattern.cards import PATTERN_CARDS
from protocol.games.wild_wild_pattern.pattern import PATTERNS, PLACES, Direction, Fault, Pattern
from protocol.games.wild_wild_pattern.verdict import Verdict, plays, verdict
from server.games.wild_wild_pattern.state import State, copy
from tests.games.wild_wild_pattern.positions import cards, do, racing, said

STAR, RED, COIN = 2, 8, 13


def judged_by_the_server(state: State, place: int, pattern: Pattern) -> Declared:
    match = copy(state)
    do(match, 0, Shoot(place))
    [told] = said(do(match, 0, Declare(pattern)), Declared)
    assert isinstance(told, Declared)
    return told


def test_all_that_a_card_can_make_is_what_the_server_calls_right() -> None:
    random = Random(1)
    for option in PlayedInPair:
        in_pair = option is PlayedInPair.REQUIRED
        state = racing(options=Options(played_in_pair=option))
        state.wheel = bytes(random.sample(PATTERN_CARDS, PLACES))
        unseen = [card for card in PATTERN_CARDS if card not in state.wheel]
        state.hand = random.sample(unseen, 2)
        right = {}
        for place in range(PLACES):
            for pattern in PATTERNS:
                told = judged_by_the_server(state, place, pattern)
                said_of_it = verdict(told, in_pair=in_pair)
                assert said_of_it is not None and said_of_it.fault == told.fault
                assert (said_of_it.against is None) is not _is_gainsaid(told)
                if told.anchors:
                    right[place, pattern] = told.anchors
        found = plays(state.wheel, state.hand[0], in_pair=in_pair)
        assert {(at, pattern): len(pairs.anchors) for at, pattern, pairs in found} == right
        assert right


def _is_gainsaid(told: Declared) -> bool:
    """Untrue, and not only because there are too few anchors."""
    alone = verdict(told, in_pair=False)
    assert alone is not None
    return told.fault is Fault.UNTRUE and (len(alone.anchors) > 1 or alone.against is not None)


WHEEL = cards(
    "star-red loot-azure star-white pistol-red barrel-red dynamite-grey bottle-white loot-grey"
)


def said_of(pattern: Pattern) -> Verdict:
    found = verdict(Declared(0, pattern, 0, wheel=WHEEL, place=3, covered=40), in_pair=True)
    assert found is not None
    return found


def test_a_wrong_one_has_its_first_counterexample() -> None:
    """After the star on 1 comes an azure card, after that on 3 a red one."""
    found = said_of(Pattern(Direction.AFTER, STAR, RED))
    assert found == Verdict(Fault.UNTRUE, (0, 2), against=0, step=1)
    assert found.beside(0) == 1
    found = said_of(Pattern(Direction.BEFORE, STAR, COIN))
    assert (found.fault, found.against) == (Fault.UNTRUE, 0) and found.beside(0) == 7


def test_one_anchor_with_its_partner_has_none() -> None:
    found = said_of(Pattern(Direction.AFTER, 0, RED))
    assert found == Verdict(Fault.UNTRUE, (3,), against=None, step=1)


def test_of_nothing_there_is_nothing_to_say() -> None:
    assert verdict(Declared(0, None, 0, late=True, wheel=WHEEL), in_pair=True) is None
    assert verdict(Declared(0, Pattern(Direction.AFTER, 0, RED), 2), in_pair=True) is None
