"""What a record says of its own review is taken as far as it can be, and nothing else of it."""

from typing import Any

import pytest
from msgspec import json

from protocol.ids import Seat
from protocol.recording import VERSION, Judged, as_field
from server.games.registry import GAMES
from server.recording.records import read
from server.recording.reel import Reel, decisions, known
from tests.stage.reviewed import planted
from tests.stage.seen_again import record

LINE = record(("Ann", "Bo"), "abc1")
FOUND = planted(LINE, 1, {11: 340})[1]
FIELD = as_field(FOUND, GAMES["clocktowers"].notation.moves.to_record)
BLUNDER = max(FOUND, key=lambda one: one.lost)


def said(field: Any) -> list[Judged]:
    """What is taken of this field."""
    fields = {**json.decode(LINE), "review": field}
    reel = Reel(read(json.encode(fields), GAMES))
    found = [one for seat in (Seat(0), Seat(1)) for one in decisions(reel, seat)]
    return [one for each in found if (one := known(reel, each)) is not None]


def test_all_of_a_right_one() -> None:
    taken = {(one.ply, one.seat): (one.best, one.lost) for one in said(FIELD)}
    assert taken == {(one.ply, one.seat): (one.best, one.lost) for one in FOUND}


@pytest.mark.parametrize(
    "change",
    [
        {"best": {"do": "sing"}},
        {"best": {"do": "play", "card": "1c", "tower": 99}},
        {"best": None},
        {"lost": -1},
        {"lost": 1 << 50},
        {"played": {"lead": 0, "wins": 1001}},
        {"better": {"lead": 0}},
        {"better": {"lead": 1 << 50, "wins": 3}},
        {"parts": [{"new": [1, 2]}]},
        {"parts": [{"new": [1 << 50, 0]}, {}]},
        {"ply": 9999},
        {"seat": 7},
    ],
)
def test_of_one_that_cannot_be_nothing_and_the_others_stand(change: dict[str, Any]) -> None:
    decided = [
        {**one, **change} if one["ply"] == BLUNDER.ply else one for one in FIELD["decisions"]
    ]
    assert len(said({**FIELD, "decisions": decided})) == len(FOUND) - 1


@pytest.mark.parametrize(
    "field",
    [
        [],
        {"version": VERSION},
        {**FIELD, "version": VERSION + 1},
        {**FIELD, "decisions": 3},
        {**FIELD, "decisions": ["x"]},
        {**FIELD, "decisions": [{"ply": "1"}]},
    ],
)
def test_nothing_of_what_is_none(field: Any) -> None:
    assert said(field) == []
