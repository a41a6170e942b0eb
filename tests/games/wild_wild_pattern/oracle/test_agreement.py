"""The engine and the oracle say the same of every race: played by chance, whole or spoilt."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random

import msgspec
import pytest

from protocol.games.wild_wild_pattern import (
    ChoiceLimit,
    DecidedBy,
    FiveColours,
    Lag,
    Mode,
    Options,
    PlayedInPair,
    Practice,
)
from protocol.ids import Seat
from server.games.contract import Moment, run_clock
from server.games.registry import GAMES
from server.games.wild_wild_pattern import race, turn_end
from server.games.wild_wild_pattern.game import WILD_WILD_PATTERN
from server.games.wild_wild_pattern.names import CARD_NAMES
from server.games.wild_wild_pattern.state import State
from server.recording.bot_matches import Series, play
from server.recording.check import BadRecord, check
from server.recording.records import NotARecord, line, read
from tests.games.wild_wild_pattern.oracle import mutations as wild
from tests.games.wild_wild_pattern.oracle.actions import act
from tests.games.wild_wild_pattern.oracle.clock import due, run_to
from tests.games.wild_wild_pattern.oracle.counts import alternating, byte_of, bytes_of
from tests.games.wild_wild_pattern.oracle.engine_faults import FAULTS, Fault
from tests.games.wild_wild_pattern.oracle.matches import NOTATION, RULES, played
from tests.games.wild_wild_pattern.oracle.oracle import SUIT
from tests.games.wild_wild_pattern.oracle.record import OPTIONS, first_fault
from tests.games.wild_wild_pattern.oracle.table import Match
from tests.oracle import mutations
from tests.oracle.judging import Json
from tests.oracle.mutations import Mutation
from tests.oracle.record_oracle import is_record

NO_RECORD = "no record"
TABLES = [
    (seats, Options(mode=mode, played_in_pair=in_pair, five_colours=five, race_limit_s=s, lag=lag))
    for seats, mode, in_pair, (five, s), lag in product(
        (2, 3, 4), Mode, PlayedInPair, ((FiveColours.WIN, 30), (FiveColours.PAY, 0)), Lag
    )
]
PRACTICE = [
    *((1, Options(five_colours=five, practice=Practice.ON)) for five in FiveColours),
    *((2, Options(mode=mode, practice=Practice.ON)) for mode in Mode),
    (2, Options(choice_limit=ChoiceLimit.OFF)),
]
STEP = 19
"""Has no divisor in common with the number of tables."""

NOT_HERE = ("other_first_seat", "other_option", "drop_option", "other_reason")
"""What a race has not, or has of its own."""

SPOILING = [
    *(mutate for mutate in mutations.MUTATIONS if mutate.__name__ not in NOT_HERE),
    *wild.MUTATIONS,
]


def engine_says(record: Json) -> str | None:
    """The place of the first fault, as `verify` finds it on a line of a file."""
    try:
        check(read(json.dumps(record).encode(), GAMES))
    except NotARecord:
        return NO_RECORD
    except BadRecord as error:
        return error.place
    return None


def oracle_says(record: Json) -> str | None:
    return first_fault(record) if is_record(record, ["wild_wild_pattern"]) else NO_RECORD


def matches(number: int, seed: str) -> Iterator[Json]:
    """So many; neighbours differ in seats and options, and after as many as there are tables
    there was a match at each."""
    rng, tables = Random(seed), [*TABLES, *PRACTICE]
    for n in range(number):
        seats, options = tables[n * STEP % len(tables)]
        yield played(options, seats, rng)


@cache
def theirs() -> list[bytes]:
    """That bots have played at every fifth table, which pairs every value of an option with every
    other; a third lists everything that was legal."""
    return [
        line(simulated(seats, options, n, with_legal=n % 3 == 0))
        for n, (seats, options) in enumerate([*TABLES[::5], *PRACTICE[::3]])
    ]


@cache
def originals() -> list[bytes]:
    """Played by chance at every table, and some that bots have played, with what was legal."""
    return [line(record) for record in matches(len(TABLES) + len(PRACTICE), "originals")] + [
        original for original in theirs() if b'"legal"' in original
    ]


def simulated(seats: int, options: Options, number: int, *, with_legal: bool) -> Json:
    """As the command writes it; bots of all levels race against each other."""
    levels = list(WILD_WILD_PATTERN.bots)
    seated = [levels[(number + seat) % len(levels)] for seat in range(seats)]
    return play(Series(WILD_WILD_PATTERN, options, seated, number, with_legal), 0)


def test_both_play_every_table_alike() -> None:
    reasons, dos, slow = Counter[str](), Counter[str](), 0
    for original in originals():
        record = json.loads(original)
        assert engine_says(record) is None is oracle_says(record)
        reasons[record["outcome"]["decided_by"]] += 1
        dos.update(ply["action"]["do"] for ply in record["plies"])
        slow += any("lags_ms" in ply for ply in record["plies"])
    assert len(dos) == 8 and min(dos.values()) > 50, "the matches are too much alike"
    assert reasons.keys() >= {DecidedBy.MONEY, DecidedBy.LAST, DecidedBy.WILD} and slow > 40


def test_the_oracle_agrees_with_simulated_matches() -> None:
    """At all tables the matches of chance above agree."""
    for original in theirs():
        record = json.loads(original)
        assert engine_says(record) is None is oracle_says(record)


@pytest.mark.parametrize("mutate", SPOILING, ids=lambda mutate: mutate.__name__)
def test_both_find_the_same_first_fault(mutate: Mutation) -> None:
    rng = Random(f"spoilt by {mutate.__name__}")
    for original in rng.sample(originals(), 2):
        record = json.loads(original)
        mutate(record, rng)
        assert engine_says(record) == oracle_says(record)


def test_spoilt_records_are_found_in_every_place() -> None:
    rng, verdicts = Random("in every place"), Counter[str | None]()
    for mutate in SPOILING * 2:
        record = json.loads(rng.choice(originals()))
        mutate(record, rng)
        verdict = oracle_says(record)
        assert engine_says(record) == verdict
        verdicts["ply" if verdict and verdict.startswith("ply") else verdict] += 1
    assert set(verdicts) == {None, NO_RECORD, "setup", "ply", "outcome"}
    assert verdicts[None] < sum(verdicts.values()) / 2


SLOW = Options(mode=Mode.VIVO, race_limit_s=30)


def still(mode: Mode) -> Json:
    """A match in which nobody does anything."""
    return played(msgspec.structs.replace(SLOW, mode=mode), 3, Random("nobody"), idle=1)


@pytest.mark.parametrize(
    ("mode", "by"), [(Mode.SALOON, DecidedBy.ROUNDS), (Mode.VIVO, DecidedBy.LEVEL)]
)
def test_a_match_in_which_nobody_does_anything_ends_alike(mode: Mode, by: DecidedBy) -> None:
    """The clock alone: every race runs out, and after so many rounds all are level."""
    record = json.loads(line(still(mode)))
    assert record["plies"] == [] and record["outcome"]["decided_by"] == by
    assert engine_says(record) is None is oracle_says(record)


def test_the_wild_wild_pattern_ends_a_match_alike() -> None:
    """So rare that it is laid out here: one card is missing, and seat 0 has it in its hand."""
    seed, ring = bytes(32), alternating(Random("wild"))
    state, match = RULES.setup(Options(), 2, seed), Match({}, 2, seed)
    (thing, _), (_, colour) = ring[1].split("-"), ring[0].split("-")
    other = next(card for card in SUIT if thing not in card and colour not in card)
    match.wheel, match.hand[0] = [ring[0], other, *ring[2:]], ring[1]
    state.wheel, state.hand[0] = bytes_of(match.wheel), byte_of(ring[1])
    steps: list[tuple[int, int, Json]] = [
        (0, 0, {"do": "ready"}),
        (0, 1, {"do": "ready"}),
        (0, 0, {"do": "shoot", "place": 1, "clicked": False}),
        (0, 0, {"do": "declare", "direction": "after", "anchor": colour, "partner": thing}),
    ]
    for at_ms, seat, action in steps:
        run_to(match, at_ms)
        run_clock(RULES, state, at_ms)
        act(match, seat, action, [0, 0])
        RULES.apply(state, Seat(seat), NOTATION.action_from_record(action), Moment(at_ms))
    assert match.result == NOTATION.outcome_to_record(RULES.outcome(state))
    assert match.result["decided_by"] == DecidedBy.WILD_PATTERN
    assert due(match) is None is RULES.deadline(state)


def test_what_is_due_at_one_moment_happens_alike() -> None:
    """A shot is decided when another seat gets a card: that seat's slow line is waited for no more,
    and what follows has its time from then."""
    seed, lags = bytes(32), (100, 0, 50)
    state, match = RULES.setup(Options(), 3, seed), Match({}, 3, seed)
    match.hand = {0: "1-dollar", 1: "star-red", 2: "loot-azure"}
    state.hand = [CARD_NAMES.index(name) for name in match.hand.values()]
    ready = {"do": "ready"}
    shoot = {"do": "shoot", "place": 1, "clicked": False}
    steps = [(0, 0, ready), (0, 1, ready), (0, 2, ready), (950, 1, shoot)]
    for at_ms, seat, action in steps:
        run_to(match, at_ms)
        run_clock(RULES, state, at_ms)
        act(match, seat, action, list(lags))
        RULES.apply(state, Seat(seat), NOTATION.action_from_record(action), Moment(at_ms, lags))
    assert due(match) == 1000 == RULES.deadline(state)
    assert match.waiting[0] == 1000 == state.waits[0]
    run_to(match, 1000)
    run_clock(RULES, state, 1000)
    assert due(match) == 16_000 == RULES.deadline(state)
    assert CARD_NAMES[state.hand[0]] == match.hand[0]


def when_nobody_can_get_a_card() -> tuple[Match, State]:
    """Both have found Challenge cards, and the deck is empty: so rare that it is laid out here."""
    seed = bytes(32)
    state, match = RULES.setup(Options(), 2, seed), Match({}, 2, seed)
    match.hand, match.out, match.deck = {0: "trade", 1: "1-card"}, match.deck, []
    state.hand = [CARD_NAMES.index(card) for card in match.hand.values()]
    state.out, state.deck = state.deck, b""
    for at_ms, seat in ((0, 0), (0, 1)):
        act(match, seat, {"do": "ready"}, [0, 0])
        RULES.apply(state, Seat(seat), NOTATION.action_from_record({"do": "ready"}), Moment(at_ms))
    run_to(match, 1000)
    run_clock(RULES, state, 1000)
    return match, state


def test_when_nobody_can_get_a_card_the_round_is_over_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, state = when_nobody_can_get_a_card()
    assert (match.round, match.phase) == (state.round, state.phase) == (2, "ready")
    assert match.wheel == [CARD_NAMES[card] for card in state.wheel]
    monkeypatch.setattr(race, "idle", turn_end.conclude)  # the rule of version 1
    match, state = when_nobody_can_get_a_card()
    assert (match.round, state.round) == (2, 1)


@pytest.mark.parametrize("plant", FAULTS, ids=lambda plant: plant.__name__)
def test_a_fault_of_the_engine_is_noticed(plant: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    """The spoilt engine calls a good match wrong, or the oracle one of the spoilt engine's."""
    right = json.loads(ready_at_last())
    plant(monkeypatch)
    wrong = (oracle_says(json.loads(line(record))) for record in matches(60, "faults"))
    assert engine_says(right) or any(wrong)


@cache
def ready_at_last() -> bytes:
    """Nobody does anything in three level rounds, but one is ready in the very last turn."""
    record, state = json.loads(line(still(SLOW.mode))), RULES.setup(SLOW, 3, bytes(32))
    end_ms = 0
    while (due_ms := RULES.deadline(state)) is not None:
        end_ms = due_ms
        RULES.tick(state, due_ms)
    in_time_ms = end_ms - 1000 * SLOW.race_limit_s - 1
    record["plies"] = [{"seat": 0, "action": {"do": "ready"}, "at_ms": in_time_ms}]
    return line(record)


def test_the_one_who_is_ready_at_last_is_in_time() -> None:
    """The control of that: with another minute's delay it would be too late."""
    record = json.loads(ready_at_last())
    assert engine_says(record) is None is oracle_says(record)
    record["plies"][0]["at_ms"] += 60_000
    assert engine_says(record) == oracle_says(record) == "ply 0"


def test_the_options_are_the_games() -> None:
    assert list(OPTIONS) == list(Options.__struct_fields__)


@pytest.mark.soak
def test_long_runs_agree_too() -> None:
    """Eight hundred matches, each whole and then spoilt."""
    rng = Random("long")
    for record in matches(800, "long"):
        record = json.loads(line(record))
        assert engine_says(record) is None is oracle_says(record)
        rng.choice(SPOILING)(record, rng)
        assert engine_says(record) == oracle_says(record)
