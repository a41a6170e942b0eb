"""What a seat could shoot with in a match that is over, and how its declarations are judged."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from random import Random

import pytest

from clocktowers_tui.games.wild_wild_pattern.result import reactions_ms
from protocol.games.wild_wild_pattern import (
    REPLACED_MS,
    Declare,
    Declared,
    Options,
    Pass,
    Phase,
    PlayedInPair,
    Shoot,
)
from protocol.games.wild_wild_pattern.bank import (
    MAX_CARDS,
    Line,
    Prize,
    in_play,
    lines,
    plays,
    prize,
    verdict,
)
from protocol.games.wild_wild_pattern.cards import (
    MIN_ANCHORS,
    PATTERN_CARDS,
    PATTERNS,
    PLACES,
    Direction,
    Fault,
    Object,
    Pairs,
    Pattern,
)
from protocol.ids import Seat
from server.games.contract import Chance, Moment
from server.games.registry import GAMES
from server.games.wild_wild_pattern.state import CLICK, State, copy
from server.games.wild_wild_pattern.view import chances
from server.recording.bot_matches import Series, play
from server.recording.records import line, read
from server.recording.reel import Reel
from tests.games.wild_wild_pattern.positions import cards, do, racing, said

GAME = GAMES["wild_wild_pattern"]


def record(number: int, *levels: str) -> bytes:
    options = GAME.notation.options_from_record({})
    return line(play(Series(GAME, options, levels or ("hard", "random"), 3), number))


def found(written: bytes) -> Iterator[Chance]:
    for seat in (Seat(0), Seat(1)):
        yield from chances(Reel(read(written, GAMES)).plies, seat)


def right(one: Chance, least: Prize = Prize.NOTHING) -> set[int]:
    """The places where its card makes something that brings so much."""
    view, card = one.view, one.view.clicked or one.view.card
    brings = partial(prize, view.won[view.seat], view.wheel, card, five_colours_win=True)
    made = plays(view.wheel, card, in_pair=view.options.in_pair)
    return {each.place for each in made if brings(each) >= least}


@pytest.fixture(scope="module")
def all_found() -> list[Chance]:
    return [one for number in range(6) for one in found(record(number))]


def test_a_reaction_is_what_the_numbers_of_a_record_say() -> None:
    written = record(0)
    plies = Reel(read(written, GAMES)).plies
    for seat in (Seat(0), Seat(1)):
        tried = [
            one.tried_ms - one.began_ms
            for one in chances(plies, seat)
            if one.tried_ms is not None and not one.view.clicked
        ]
        assert tried == list(reactions_ms(written, seat)) and tried


def test_it_tells_what_was_missed(all_found: list[Chance]) -> None:
    hits = [one for one in all_found if one.hit]
    wrong = [one for one in all_found if one.place not in (None, CLICK, *right(one))]
    idle = [one for one in all_found if one.place is None and right(one, Prize.SOME)]
    clicks = [one for one in all_found if one.place == CLICK]
    assert hits and wrong and idle and clicks
    assert all(one.place in right(one) and one.came.anchors for one in hits)
    assert not any(one.missed for one in hits if not right(one, Prize.MATCH))
    costly = [one for one in found(record(13, "easy", "easy")) if one.hit and one.missed]
    assert costly and all(right(one, Prize.MATCH) for one in costly)
    assert all(one.missed for one in [*wrong, *idle])
    assert all(one.missed == bool(right(one, Prize.SOME)) for one in clicks)


def test_a_right_place_without_a_right_declaration_is_no_hit() -> None:
    """The first hit of a match, if its player declares nothing, or not in time."""
    plies = Reel(read(record(0), GAMES)).plies
    hit = next(one for one in chances(plies, Seat(0)) if one.hit)
    at = hit.number
    shot = next(n for n in range(at, 0, -1) if isinstance(plies[n].action, Shoot))
    late, nothing = (GAME.rules.copy(plies[at - 1].state) for _ in range(2))
    due_ms = GAME.rules.deadline(late)
    assert due_ms is not None and not late.declared
    GAME.rules.tick(late, due_ms)
    GAME.rules.apply(nothing, Seat(0), Pass(), Moment(plies[at].at_ms))
    for state in (late, nothing):
        course = [*plies[:at], plies[at]._replace(state=state)]
        found = next(one for one in chances(course, Seat(0)) if one.number == hit.number)
        assert found == hit._replace(hit=False, missed=True, came=state.declared)
        assert found.came.late == (state is late)
    beaten = GAME.rules.copy(plies[shot].state)
    beaten.acting = 1
    course = [*plies[:shot], plies[shot]._replace(state=beaten), *plies[at:]]
    found = next(one for one in chances(course, Seat(0)) if one.number == shot)
    assert found == hit._replace(number=shot, hit=False, came=None), (
        "somebody was quicker: no mistake"
    )


def test_each_card_counts_once_and_one_for_a_challenge_card_later(all_found: list[Chance]) -> None:
    for number in range(3):
        views = [one.view for one in found(record(number))]
        told = [(one.seat, one.round, one.turn, one.card, one.clicked) for one in views]
        assert len(told) == len(set(told))
    assert all(one.tried_ms is None or one.tried_ms >= one.seen_ms for one in all_found)
    late = [one for one in all_found if one.seen_ms > one.began_ms and not one.view.clicked]
    assert late and all((one.seen_ms - one.began_ms) % REPLACED_MS == 0 for one in late)


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
                found, against = verdict(told.wheel, pattern)
                is_so = len(found.anchors) >= MIN_ANCHORS and against is None
                assert is_so is (told.fault is not Fault.UNTRUE)
                if told.anchors:
                    assert len(found.anchors) == told.anchors
                    right[place, pattern] = told.anchors
        made = plays(state.wheel, state.hand[0], in_pair=in_pair)
        assert {(at, pattern): len(pairs.anchors) for at, pattern, pairs in made} == right
        assert right


def choices(state: State) -> Iterator[State]:
    """All that the seat can take."""
    if state.phase is not Phase.TAKE:
        yield state
        return
    for take in GAME.rules.legal_actions(state, Seat(0)):
        taken = copy(state)
        do(taken, 0, take)
        yield from choices(taken)


LACKS_WHITE = "star-red loot-azure barrel-yellow wanted-grey"
TWICE_RED = "star-red loot-red barrel-yellow wanted-grey"


@pytest.mark.parametrize(("own", "lacks_one"), [(TWICE_RED, False), (LACKS_WHITE, True)])
def test_what_a_pattern_brings_is_what_its_player_can_make_of_it(own: str, lacks_one: bool) -> None:
    random, told, held = Random(1), set[Prize](), cards(own)
    for _ in range(12):
        state = racing()
        state.won[0] = held
        *wheel, card = random.sample([one for one in PATTERN_CARDS if one not in held], 9)
        state.wheel, state.hand[0] = bytes(wheel), card
        for one in plays(state.wheel, card, in_pair=True):
            shot = copy(state)
            do(shot, 0, Shoot(one.place))
            do(shot, 0, Declare(one.pattern))
            after = [*choices(shot)]
            wins = any(each.result is not None for each in after)
            ended = all(each.round > state.round for each in after)
            paid = any(each.bank and each.bank[0].paid for each in after)
            gain = prize(held, state.wheel, card, one, five_colours_win=True)
            assert (gain is Prize.MATCH) is wins
            assert (gain is Prize.CLOSED) is (not wins and ended and paid and lacks_one)
            assert (gain is Prize.NOTHING) is (not wins and ended and not paid)
            told.add(gain)
    assert told >= ({Prize.CLOSED, Prize.MATCH} if lacks_one else {Prize.NOTHING, Prize.SOME})


WHEEL = cards(
    "star-red loot-azure star-white pistol-red barrel-red dynamite-grey bottle-white loot-grey"
)


def test_a_wrong_one_has_its_first_counterexample() -> None:
    """After the star on 1 comes an azure card, after that on 3 a red one."""
    found, against = verdict(WHEEL, Pattern(Direction.AFTER, STAR, RED))
    assert (found, against, found.beside(0)) == (Pairs((0, 2), 1), 0, 1)
    found, against = verdict(WHEEL, Pattern(Direction.BEFORE, STAR, COIN))
    assert (against, found.beside(0)) == (0, 7)
    assert verdict(WHEEL, Pattern(Direction.AFTER, 0, RED)) == (Pairs((3,), 1), None)


@pytest.mark.parametrize("win", [True, False])
def test_each_line_is_met_by_some_cards_and_no_other(win: bool) -> None:
    random, cards = Random(1), list(PATTERN_CARDS)
    some = [tuple(random.sample(cards, random.randint(1, MAX_CARDS))) for _ in range(2000)]
    # What is rare: much of one object or of one colour.
    rare = [*combinations(cards[:5], 4), tuple(cards[:5]), *combinations(cards[::5], 4)]
    hands = [*some, *rare, tuple(cards[:40:5][:5])]
    met = {
        line for hand in hands for line in lines(bytes(hand), Object.PISTOL, five_colours_win=win)
    }
    assert met == set(in_play(five_colours_win=win))
    assert (Line.FIVE_COLOURS in met) is not win
