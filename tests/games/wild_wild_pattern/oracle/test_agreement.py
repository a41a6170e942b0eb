"""The engine and the oracle say the same of every race; and of what is so rare that no match of
chance comes to it, laid out here."""

import json
from collections import Counter
from random import Random

import pytest

from protocol.games.wild_wild_pattern import DecidedBy, Mode, Options
from protocol.games.wild_wild_pattern.cards import CARD_NAMES
from protocol.ids import Seat
from server.games.contract import Moment, run_clock
from server.games.wild_wild_pattern.state import State
from server.recording.records import line
from tests.games.wild_wild_pattern.oracle.cards import SUIT
from tests.games.wild_wild_pattern.oracle.matches import NOTATION, RULES, originals, played, theirs
from tests.games.wild_wild_pattern.oracle.record import OPTIONS, act
from tests.games.wild_wild_pattern.oracle.table import OracleRace, due, run_to
from tests.games.wild_wild_pattern.oracle.test_counts import alternating, byte_of, bytes_of
from tests.oracle.judging import Json
from tests.oracle.record_oracle import verdict

READY = {"do": "ready"}


def test_both_play_every_table_alike() -> None:
    reasons, dos, slow = Counter[str](), Counter[str](), 0
    for original in originals():
        record = json.loads(original)
        assert verdict(record) is None
        reasons[record["outcome"]["decided_by"]] += 1
        dos.update(ply["action"]["do"] for ply in record["plies"])
        slow += any("lags_ms" in ply for ply in record["plies"])
    assert len(dos) == 8 and min(dos.values()) > 50, "the matches are too much alike"
    assert reasons.keys() >= {DecidedBy.MONEY, DecidedBy.LAST, DecidedBy.WILD} and slow > 40


def test_the_oracle_agrees_with_simulated_matches() -> None:
    """At all tables the matches of chance above agree."""
    assert all(verdict(json.loads(original)) is None for original in theirs())


def still(mode: Mode) -> Json:
    """A match in which nobody does anything."""
    return played(Options(mode=mode, race_limit_s=30), 3, Random("nobody"), idle=1)


@pytest.mark.parametrize(
    ("mode", "by"), [(Mode.SALOON, DecidedBy.ROUNDS), (Mode.VIVO, DecidedBy.LEVEL)]
)
def test_a_match_in_which_nobody_does_anything_ends_alike(mode: Mode, by: DecidedBy) -> None:
    """The clock alone: every race runs out, and after so many rounds all are level."""
    record = json.loads(line(still(mode)))
    assert record["plies"] == [] and record["outcome"]["decided_by"] == by
    assert verdict(record) is None


def both_do(
    state: State, match: OracleRace, steps: list[tuple[int, int, Json]], lags: list[int]
) -> None:
    """The same in both: at what time, which seat, what."""
    for at_ms, seat, action in steps:
        run_to(match, at_ms)
        run_clock(RULES, state, at_ms)
        act(match, seat, action, list(lags))
        moment = Moment(at_ms, tuple(lags))
        RULES.apply(state, Seat(seat), NOTATION.moves.from_record(action), moment)


def test_the_wild_wild_pattern_ends_a_match_alike() -> None:
    """So rare that it is laid out here: one card is missing, and seat 0 has it in its hand."""
    seed, ring = bytes(32), alternating(Random("wild"))
    state, match = RULES.setup(Options(), 2, seed), OracleRace({}, 2, seed)
    (thing, _), (_, colour) = ring[1].split("-"), ring[0].split("-")
    other = next(card for card in SUIT if thing not in card and colour not in card)
    match.wheel, match.hand[0] = [ring[0], other, *ring[2:]], ring[1]
    state.wheel, state.hand[0] = bytes_of(match.wheel), byte_of(ring[1])
    steps: list[tuple[int, int, Json]] = [
        (0, 0, READY),
        (0, 1, READY),
        (0, 0, {"do": "shoot", "place": 1, "clicked": False}),
        (0, 0, {"do": "declare", "direction": "after", "anchor": colour, "partner": thing}),
    ]
    both_do(state, match, steps, [0, 0])
    assert match.result == NOTATION.outcome_to_record(RULES.outcome(state))
    assert match.result["decided_by"] == DecidedBy.WILD_PATTERN
    assert due(match) is None is RULES.deadline(state)


def test_what_is_due_at_one_moment_happens_alike() -> None:
    """A shot is decided when another seat gets a card: that seat's slow line is waited for no more,
    and what follows has its time from then."""
    seed, lags = bytes(32), [100, 0, 50]
    state, match = RULES.setup(Options(), 3, seed), OracleRace({}, 3, seed)
    match.hand = {0: "1-dollar", 1: "star-red", 2: "loot-azure"}
    state.hand = [CARD_NAMES.index(name) for name in match.hand.values()]
    shoot = {"do": "shoot", "place": 1, "clicked": False}
    steps = [(0, 0, READY), (0, 1, READY), (0, 2, READY), (950, 1, shoot)]
    both_do(state, match, steps, lags)
    assert due(match) == 1000 == RULES.deadline(state)
    assert match.waiting[0] == 1000 == state.waits[0]
    run_to(match, 1000)
    run_clock(RULES, state, 1000)
    assert due(match) == 16_000 == RULES.deadline(state)
    assert CARD_NAMES[state.hand[0]] == match.hand[0]


def test_when_nobody_can_get_a_card_the_round_is_over_alike() -> None:
    """Both have found Challenge cards, and the deck is empty."""
    seed = bytes(32)
    state, match = RULES.setup(Options(), 2, seed), OracleRace({}, 2, seed)
    match.hand, match.out, match.deck = {0: "trade", 1: "1-card"}, match.deck, []
    state.hand = [CARD_NAMES.index(card) for card in match.hand.values()]
    state.out, state.deck = state.deck, b""
    both_do(state, match, [(0, 0, READY), (0, 1, READY)], [0, 0])
    run_to(match, 1000)
    run_clock(RULES, state, 1000)
    assert (match.round, match.phase) == (state.round, state.phase) == (2, "ready")
    assert match.wheel == [CARD_NAMES[card] for card in state.wheel]


def test_the_one_who_is_ready_at_last_is_in_time() -> None:
    """Nobody does anything in three level rounds, but one is ready in the very last turn. With
    another minute's delay it would be too late."""
    match, end_ms = OracleRace({"mode": "vivo", "race_limit_s": 30}, 3, bytes(32)), 0
    while (due_ms := due(match)) is not None:
        end_ms = due_ms
        run_to(match, due_ms)
    record = json.loads(line(still(Mode.VIVO)))
    record["plies"] = [{"seat": 0, "action": READY, "at_ms": end_ms - 30_001}]
    assert verdict(record) is None
    record["plies"][0]["at_ms"] += 60_000
    assert verdict(record) == "ply 0"


def test_the_options_are_the_games() -> None:
    assert list(OPTIONS) == list(Options.__struct_fields__)
