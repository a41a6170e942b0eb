"""What a seat could shoot with in a match that is over, and what it did."""

from collections.abc import Iterator

import pytest

from clocktowers_tui.games.wild_wild_pattern.reactions import reactions_ms
from protocol.games.wild_wild_pattern import REPLACED_MS, Pass, PlayedInPair
from protocol.games.wild_wild_pattern.verdict import plays
from protocol.ids import Seat
from server.games.contract import Chance, Moment
from server.games.registry import GAMES
from server.games.wild_wild_pattern.reviewing import CLICK, chances
from server.recording.bot_matches import Series, play
from server.recording.records import line, read
from server.replaying.reel import Reel

GAME = GAMES["wild_wild_pattern"]


def record(number: int, *levels: str) -> bytes:
    options = GAME.notation.options_from_record({})
    return line(play(Series(GAME, options, levels or ("hard", "random"), 3), number))


def found(written: bytes) -> Iterator[Chance]:
    for seat in (Seat(0), Seat(1)):
        yield from chances(Reel(read(written, GAMES)).plies, seat)


def right(one: Chance) -> set[int]:
    """The places where its card makes something."""
    in_pair = one.view.options.played_in_pair is PlayedInPair.REQUIRED
    card = one.view.clicked or one.view.card
    return {each.place for each in plays(one.view.wheel, card, in_pair=in_pair)}


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
    idle = [one for one in all_found if one.place is None and right(one)]
    clicks = [one for one in all_found if one.place == CLICK]
    assert hits and wrong and idle and clicks
    assert all(one.place in right(one) and one.came.anchors for one in hits)
    assert not any(one.missed for one in hits)
    assert all(one.missed for one in [*wrong, *idle])
    assert all(one.missed == bool(right(one)) for one in clicks)


def test_a_right_place_without_a_right_declaration_is_no_hit() -> None:
    """The first hit of a match, if its player declares nothing, or not in time."""
    plies = Reel(read(record(0), GAMES)).plies
    hit = next(one for one in chances(plies, Seat(0)) if one.hit)
    at = next(n for n, ply in enumerate(plies) if n > hit.number and ply.state.declared)
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
    beaten = GAME.rules.copy(plies[hit.number].state)
    beaten.acting = 1
    course = [*plies[: hit.number], plies[hit.number]._replace(state=beaten), *plies[at:]]
    found = next(one for one in chances(course, Seat(0)) if one.number == hit.number)
    assert found == hit._replace(hit=False, came=None), "somebody was quicker: no mistake"


def test_who_found_a_challenge_card_saw_the_next_one_later(all_found: list[Chance]) -> None:
    late = [one for one in all_found if one.seen_ms > one.began_ms and not one.view.clicked]
    assert late and all((one.seen_ms - one.began_ms) % REPLACED_MS == 0 for one in late)


def test_each_card_counts_once(all_found: list[Chance]) -> None:
    for number in range(3):
        for seat in (Seat(0), Seat(1)):
            told = [
                (one.view.round, one.view.turn, one.view.card, one.view.clicked)
                for one in chances(Reel(read(record(number), GAMES)).plies, seat)
            ]
            assert len(told) == len(set(told))
    assert all(one.tried_ms is None or one.tried_ms >= one.seen_ms for one in all_found)
