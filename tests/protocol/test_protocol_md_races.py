"""The chapter of Wild Wild Pattern: its tables are the program's, its race comes of the engine."""

import re
from typing import Any

import msgpack
import pytest

from protocol.codec import encode, read_as
from protocol.games import wild_wild_pattern as wwp
from protocol.games.registry import GAMES
from protocol.games.wild_wild_pattern.bank import CENTS, Line, cents, lines
from protocol.games.wild_wild_pattern.cards import (
    CHALLENGES,
    PATTERN_CARDS,
    PAYS,
    Object,
    colour_of,
    object_of,
    suit_of,
)
from protocol.ids import Seat
from server.games.contract import Moment, run_clock
from server.games.registry import GAMES as SERVED
from server.games.wild_wild_pattern import race
from server.games.wild_wild_pattern.names import CARD_NAMES, FEATURE_NAMES
from server.games.wild_wild_pattern.race import MAX_LAG_MS, MAX_RISE_MS
from tests.stage.document import examples, rows, section
from tests.stage.spoken import CHAPTERS

TEXT = CHAPTERS["Wild Wild Pattern"]
FRAMES = [e.value for e in examples("frames") if e.chapter == "Wild Wild Pattern"]
SEED = bytes(range(32))
LAGS = (20, 40)
RULES = SERVED["wild_wild_pattern"].rules


def test_features_and_cards_are_the_programs() -> None:
    table = rows("Cards and features", TEXT)
    features, patterns, challenges = (
        table[1 : 1 + len(FEATURE_NAMES)],
        table[2 + len(FEATURE_NAMES) : 10 + len(FEATURE_NAMES)],
        table[11 + len(FEATURE_NAMES) :],
    )
    assert features == [[str(byte), name] for byte, name in enumerate(FEATURE_NAMES)]
    shown = [cell.split() for _thing, *cells in patterns for cell in cells]
    assert shown == [[str(card), suit_of(card).name.lower()] for card in PATTERN_CARDS]
    assert [row[0] for row in patterns] == [thing.name.lower() for thing in Object]
    for card in PATTERN_CARDS:
        assert card == 1 + 5 * object_of(card) + colour_of(card)
    assert [row[:2] for row in challenges] == [[str(c), CARD_NAMES[c]] for c in CHALLENGES]
    assert [row[2] for row in challenges[-3:]] == [f"{cents} cents" for cents in PAYS.values()]


def test_the_bank_is_the_programs() -> None:
    table = rows("The Bank", TEXT)[1:]
    assert [int(cents) for _line, cents in table] == [
        CENTS[line] for line in Line if line is not Line.WILD
    ]


def test_the_banks_example_is_paid_as_it_says() -> None:
    cards = bytes.fromhex("0102060713")
    assert f"the cards `h'{cards.hex()}'`" in section("The Bank", TEXT)
    met = lines(cards, Object.PISTOL, five_colours_win=True)
    assert met == [Line.TWO_COLOUR, Line.TWO_OBJECT, Line.TWO_TARGETS]
    assert f"together {cents(met)} cents and not" in section("The Bank", TEXT)


@pytest.mark.parametrize(
    "said",
    [
        f"or {wwp.READY_MS // 1000} s after the turn began",
        f"so that its seat sees it {wwp.REPLACED_MS // 1000} s after",
        f"every other choice has {wwp.CHOICE_MS // 1000} s",
        f"the others have {wwp.SONG_MS // 1000} s from the moment",
        f"After {wwp.MAX_IDLE_TURNS} of them running",
        f"has {wwp.ROUND_ENDS_AT} Pattern cards or more",
        f"more than {wwp.SALOON_CENTS} cents",
        f"after {wwp.MAX_ROUNDS} rounds",
        f"never more than {MAX_LAG_MS} ms, nor than {MAX_RISE_MS} ms above its lag",
    ],
)
def test_the_numbers_are_the_programs(said: str) -> None:
    assert said in " ".join(section("What happens when", TEXT).split())


def test_every_refusal_is_in_the_table_with_its_parameters() -> None:
    table = {row[0]: row[1] for row in rows("Refused in Wild Wild Pattern", TEXT)[1:]}
    assert list(table) == list(wwp.Refused)
    for code, params in table.items():
        assert params in ("", "phase", "place", "card"), code


def told(value: dict[str, Any]) -> int:
    """When what an update tells of happened."""
    at_ms: int = value["at_ms"]
    return at_ms


def test_the_race_that_is_read_aloud_comes_of_the_vectors_seed() -> None:
    state = RULES.setup(wwp.Options(), 2, SEED)
    RULES.apply(state, Seat(1), wwp.Ready(), Moment(3000, LAGS))
    happened = RULES.apply(state, Seat(0), wwp.Ready(), Moment(5000, LAGS))
    refused = None
    for number, value in enumerate(FRAMES):
        if value["type"] == "act":
            wished = read_as(value["action"], GAMES["wild_wild_pattern"].action)
            refused = RULES.refuse(state, Seat(0), wished)
            if refused is None:
                after = next(frame for frame in FRAMES[number:] if frame["type"] == "update")
                happened = RULES.apply(state, Seat(0), wished, Moment(told(after), LAGS))
        elif value["type"] == "refused":
            assert refused is not None
            assert (value["code"], value["params"]) == (refused.code, refused.params)
        elif value["type"] == "update":
            if not happened:
                assert RULES.deadline(state) == told(value)
                happened = RULES.tick(state, told(value))
            own = [each.event for each in happened if each.to in (None, 0)]
            assert value["events"] == [msgpack.unpackb(encode(event)) for event in own]
            assert value["view"] == msgpack.unpackb(encode(RULES.view(state, Seat(0))))
            happened = []


def test_what_is_said_of_the_race_is_so() -> None:
    state = RULES.setup(wwp.Options(), 2, SEED)
    for seat, at_ms in ((1, 3000), (0, 5000)):
        RULES.apply(state, Seat(seat), wwp.Ready(), Moment(at_ms, LAGS))
    assert "see their cards at 5040: seat 0's copy is held back for 20 ms" in TEXT
    assert RULES.holds(state) == (20, 0) and state.due_ms == 5040 + 60_000
    assert "arrives at 12345 and counts from 12325" in TEXT and "arrived by 12365" in TEXT
    RULES.apply(state, Seat(0), wwp.Shoot(1), Moment(12_345, LAGS))
    assert RULES.deadline(state) == 12_365
    run_clock(RULES, state, 12_365)
    named = re.findall(r"\((\d+), hex ([0-9a-f]{2})\)", TEXT)
    assert len(named) == 4 and all(int(card) == int(byte, 16) for card, byte in named)


# How a race's time ends --------------------------------------------------------------------------

ENDINGS = rows("What happens when", TEXT)[1:]


def raced(arrivals: list[tuple[int, int]]) -> tuple[list[str], str]:
    """When each of these shots (seat, arrival) counts from, and what becomes of the race."""
    state = RULES.setup(wwp.Options(), 2, SEED)
    for seat, at_ms in ((1, 3000), (0, 5000)):
        RULES.apply(state, Seat(seat), wwp.Ready(), Moment(at_ms, LAGS))
    counted, said = [], ""
    for seat, at_ms in arrivals:
        said = said or ended(state, at_ms)
        if RULES.refuse(state, Seat(seat), wwp.Shoot(1)):
            said += f", seat {seat}'s is refused"
            continue
        counted.append(str(at_ms - LAGS[seat]))
        told = RULES.apply(state, Seat(seat), wwp.Shoot(1), Moment(at_ms, LAGS))
        said = said or in_words([each.event for each in told], at_ms)
    return counted, said or ended(state, 100_000)


def ended(state: Any, until_ms: int) -> str:
    while (due_ms := RULES.deadline(state)) is not None and due_ms <= until_ms:
        if said := in_words([each.event for each in RULES.tick(state, due_ms)], due_ms):
            return said
    return ""


def in_words(events: list[Any], at_ms: int) -> str:
    for event in events:
        if isinstance(event, wwp.Shot):
            return f"seat {event.seat}'s is decided at {at_ms}"
        if isinstance(event, wwp.Idled):
            return f"at {at_ms} the turn is idle"
    return ""


@pytest.mark.parametrize("row", ENDINGS, ids=lambda row: row[0] or "nobody")
def test_a_races_time_ends_as_the_table_says(row: list[str]) -> None:
    shots = re.findall(r"seat (\d): (\d+)", row[0])
    counted, said = raced([(int(seat), int(at_ms)) for seat, at_ms in shots])
    assert (", ".join(counted), said) == (row[1], row[2])


def test_the_table_of_endings_would_notice_another_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: at the limit nobody is waited for."""
    monkeypatch.setattr(race, "decision_ms", lambda state: state.due_ms)
    assert raced([]) != ([], ENDINGS[0][2])
