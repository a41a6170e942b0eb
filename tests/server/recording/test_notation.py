"""Notation: the same record comes back, every wrong line is named, and nothing else is raised."""

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

from protocol.signing import signed
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.check import BadRecord, check
from server.recording.notation import MatchFault, NotationReader, Unreadable, write
from server.recording.records import Record, line, of_fields
from tests.laws.cases import CASES

MATCHES = 12
every_game = pytest.mark.parametrize("game", GAMES)


def simulated(game: str, number: int = 0, seats: int = 2, seed: int = 11) -> dict[str, Any]:
    options = _options(game, Random(f"{game} {number} {seats}"), seats)
    return play(Series(GAMES[game], options, ["random"] * seats, seed), number)


def _options(game: str, rng: Random, seats: int) -> Any:
    rules, notation = GAMES[game].rules, GAMES[game].notation
    fitting = [one for one in CASES[game].options if rules.check_options(one, seats) is None]
    return notation.options_from_record(
        msgspec.json.decode(msgspec.json.encode(rng.choice(fitting)))
    )


def as_record(fields: dict[str, Any]) -> Record:
    return of_fields(fields, GAMES)


def back(text: str) -> Record:
    return of_lines([said.encode() for said in text.splitlines()])


def of_lines(lines: Sequence[bytes]) -> Record:
    """Raises Unreadable."""
    reading = NotationReader(GAMES)
    for number, said in enumerate(lines, 1):
        reading.take(number, said)
    return reading.finish().record


def faults(text: str) -> Sequence[MatchFault]:
    with pytest.raises(Unreadable) as error:
        back(text)
    return error.value.faults


# Round trip --------------------------------------------------------------------------------------


@every_game
def test_random_matches_come_back_byte_by_byte(game: str) -> None:
    rng = Random(f"{game} lags")
    for number in range(MATCHES):
        seats = rng.choice(GAMES[game].rules.seats)
        fields = simulated(game, number, seats)
        plies = [_stood_in(_lagged(ply, seats, rng), rng) for ply in fields["plies"]]
        fields = signed({**fields, "plies": plies}, bytes(32))
        text = write(as_record(fields))
        assert line(back(text).fields) == line(fields)
        assert "[Deal" not in text and len(text) < len(line(fields))
        assert len(text.splitlines()) == text.count("\n")


def _lagged(ply: dict[str, Any], seats: int, rng: Random) -> dict[str, Any]:
    """In some plies the network was slow; their times stay."""
    lags_ms = [rng.choice((0, 3, 250, 1999)) for _seat in range(seats)]
    return {**ply, "lags_ms": lags_ms} if "at_ms" in ply and rng.random() < 0.5 else ply


def _stood_in(ply: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Some plies were a bot's in a person's place."""
    if rng.random() < 0.5:
        return ply
    who = {"seat": ply["seat"], "action": ply["action"], "by": "bot"}
    return {**who, **{name: value for name, value in ply.items() if name not in who}}


@every_game
def test_every_action_has_its_words(game: str) -> None:
    notation, actions = GAMES[game].notation, CASES[game].actions
    words = [notation.moves.to_line(action) for action in actions]
    for action, move in zip(actions, words, strict=True):
        assert move.isascii() and move.isprintable()
        assert notation.moves.from_line(move.split()) == action
    assert len(set(words)) == len(set(actions))


@every_game
def test_what_no_seed_deals_is_written_out(game: str) -> None:
    fields = simulated(game)
    other = simulated(game, 1)
    for spoilt in (
        {name: value for name, value in fields.items() if name != "proof"},
        {**fields, "proof": other["proof"]},
        {**fields, "proof": {"seed": "x", "sha256": None}},
        {**fields, "rules_version": 99},
        {**fields, "setup": {**fields["setup"], "first_seat": True}},
        {**fields, "setup": {**fields["setup"], "first_seat": 7}},
    ):
        text = write(as_record(spoilt))
        assert "[Deal {" in text and "[Seed" not in text
        assert line(back(text).fields) == line(spoilt)


def test_a_file_of_version_1_is_read() -> None:
    """There a declaration had the partner before its direction, and the anchor behind it."""
    fields = simulated("wild_wild_pattern", 2)
    text = write(as_record(fields)).replace("[Notation 2]", "[Notation 1]")
    older, changed = re.subn(r" declare (\w+) (\w+) (\w+)", r" declare \3 \1 \2", text)
    assert changed and line(back(older).fields) == line(fields)


def test_what_may_be_missing_is_missing_again() -> None:
    fields = simulated("clocktowers")
    for name in ("options", "rules_version", "proof"):
        less = {**fields, "id": "m1"}
        del less[name]
        assert back(write(as_record(less))).fields == less


def test_legal_actions_and_unknown_fields_are_left_out() -> None:
    fields = simulated("clocktowers")
    legal = [{**ply, "legal": [ply["action"]], "mood": 1} for ply in fields["plies"]]
    for more in ({"plies": legal, "mood": 1}, {"plies": legal}, {"mood": 1}):
        spoilt = {**fields, **more}
        for written in (spoilt, signed(spoilt, bytes(32))):
            assert back(write(as_record(written))).fields == fields, "a signature is left out, too"


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=2))
def test_whatever_a_name_holds_a_line_is_a_line(names: list[str]) -> None:
    fields = simulated("clocktowers")
    seats = [{"name": name, "kind": "human"} for name in names]
    text = write(as_record({**fields, "seats": seats}))
    assert all(said.isprintable() for said in text.split("\n"))
    assert back(text).seats == seats


# What is wrong -----------------------------------------------------------------------------------

GOOD = write(as_record(simulated("clocktowers")))


def _without(tag: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [line for line in lines if not line.startswith(f"[{tag} ")]


def _with(number: int, text: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [*lines[: number - 1], text, *lines[number:]]


@pytest.mark.parametrize(
    ("spoil", "number", "why"),
    [
        (_without("Game"), 1, "the match must have the tag Game"),
        (_without("Seed"), 1, "the match must have the tag Seed"),
        (_without("First"), 1, "the match must have the tag First"),
        (_without("Winners"), 1, "the match must have the tag Winners"),
        (_without("B"), 14, 'a seat must be A, not "B"'),
        (_with(1, "[Notation 3]"), 1, "the tag Notation must be 1 or 2, not 3"),
        (_with(1, "[Notation 1 1]"), 1, "must have one value, not 2"),
        (_with(2, '[Game "chess"]'), 2, 'the tag Game must be "clocktowers", '),
        (_with(2, "[Game chess]"), 2, "a tag's values must be JSON"),
        (_with(2, '[Game "clock'), 2, "a tag's values must be JSON"),
        (_with(2, '[Game "clocktowers"'), 2, "a tag's values must be JSON"),
        (_with(3, "[Rules NaN]"), 3, "a tag's values must be JSON"),
        (_with(3, "[Rules " + "[" * 60000 + "]"), 3, "a tag's values must be JSON"),
        (_with(3, "[Rules " + "9" * 5000 + "]"), 3, "a tag's values must be JSON"),
        (_with(3, "[Rules 1] and more"), 3, "nothing must stand after a tag"),
        (_with(4, "[Options []]"), 4, "the tag Options must be an object, not a list"),
        (_with(4, '[Options {"ladder": "x"}]'), 4, 'option ladder must be "shared" or "own"'),
        (_with(5, '[A "Ann"]'), 5, "a seat must have a name, a kind"),
        (_with(5, '[A "\\ud800" "bot"]'), 5, "a tag's values must be JSON"),
        (_with(6, '[A "Ann" "bot"]'), 6, "the tag A must not stand twice"),
        (_with(7, '[Seed "7"]'), 7, "the tag Seed must be 64 hexadecimal digits"),
        (_with(8, '[First "C"]'), 8, 'a seat must be A or B, not "C"'),
        (_with(10, '[Winners "A" 1]'), 10, "a seat must be A or B, not 1"),
        (_with(13, "1. C draw roof"), 13, 'a seat must be A or B, not "C"'),
        (_with(13, "1."), 13, "a move must have a seat"),
        (_with(13, "1. A sing"), 13, 'the move must be "play CARD TOWER", "discard CARD" or'),
        (_with(13, "1. A play 1c 0"), 13, "tower must be a whole number, 1 or more"),
        (_with(13, "1. A play 1c ٣"), 13, "tower must be a whole number, 1 or more"),
        (_with(13, "1. A play Zz new"), 13, "card in action must be"),
        (_with(13, "1. A draw roof @1.5"), 13, "the move must be"),
        (_with(13, "end"), 14, 'nothing but comments must stand after "end"'),
    ],
)
def test_a_wrong_line_is_named(
    spoil: Callable[[list[str]], list[str]], number: int, why: str
) -> None:
    found = faults("\n".join(spoil(GOOD.splitlines())))
    assert why in found[0].why
    assert found[0].line == number
    assert all(fault.why.isprintable() for fault in found)


def test_each_wrong_line_is_named() -> None:
    lines = GOOD.splitlines()
    lines[12], lines[14], lines[20] = "1. A sing", "3. Z", "what"
    assert [(fault.line, fault.place) for fault in faults("\n".join(lines))] == [
        (13, "ply 1"),
        (15, "ply 3"),
        (21, "ply 9"),
    ]


@pytest.mark.parametrize("share", [0.3, 0.6, 0.99])
def test_half_a_match_is_told(share: float) -> None:
    lines = GOOD.splitlines()
    [fault] = faults("\n".join(lines[: int(len(lines) * share)]))
    assert 'must end with the line "end": a part of it is missing' in fault.why


def test_comments_blanks_and_numbers_do_not_matter() -> None:
    lines = [f"  {line}  ; said" for line in GOOD.splitlines()]
    unnumbered = [line.replace(". ", ".\t", 1) for line in lines]
    text = "\n".join(["; before", "", *unnumbered, "", "; after", "[Event 1]"[:0]])
    assert back(text).fields == back(GOOD).fields
    bare = "\n".join(line.split(". ", 1)[-1] for line in GOOD.splitlines())
    assert back(bare).fields == back(GOOD).fields
    assert back('[Event "x" [1]]\n' + GOOD).fields == back(GOOD).fields


good = st.sampled_from([line.encode() for line in GOOD.splitlines()])


@given(
    st.lists(
        good | st.text(st.characters(exclude_categories=["Cs"])).map(str.encode) | st.binary(),
        min_size=1,
    )
)
def test_any_lines_are_read_or_told(lines: list[bytes]) -> None:
    try:
        record = of_lines(lines)
    except Unreadable as error:
        assert error.faults
        return
    try:
        check(record)
    except BadRecord as error:
        assert error.place


@pytest.mark.parametrize(
    "spoil",
    [
        {"outcome": {}},
        {"outcome": {"scores": [1, 2], "winners": [7], "decided_by": "x"}},
        {"seats": [1, 2]},
        {"seats": [{"name": "x"}, {}]},
        {"plies": [{"seat": 5}]},
        {"plies": [{"seat": 0, "action": {"do": "sing"}}]},
        {"plies": [{"seat": 0, "action": {"do": "discard", "card": "Km"}, "at_ms": -1}]},
        {"plies": [{"seat": 0, "action": {"do": "discard", "card": "Km"}, "lags_ms": ["x"]}]},
        {"plies": ["x"]},
    ],
)
def test_what_has_no_words_is_told(spoil: dict[str, Any]) -> None:
    with pytest.raises(BadRecord):
        write(as_record({**simulated("clocktowers"), **spoil}))
