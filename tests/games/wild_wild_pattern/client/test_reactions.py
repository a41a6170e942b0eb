"""How soon a player shot, out of a record."""

from typing import Any

from msgspec import json

from clocktowers_tui.games.wild_wild_pattern.reactions import reactions_ms
from server.recording.records import line
from tests.clocktowers_tui.history.test_matches import played


def ply(seat: int, do: str, at_ms: int | None = None, **more: Any) -> dict[str, Any]:
    when = {} if at_ms is None else {"at_ms": at_ms}
    return {"seat": seat, "action": {"do": do, **more}, **when}


def record(*plies: dict[str, Any], **options: str) -> bytes:
    return json.encode({"seats": [{}, {}], "plies": plies, "options": options})


RACE = (ply(0, "ready", 500), ply(1, "ready", 1_000), ply(0, "shoot", 9_200, place=3))


def test_a_race_runs_from_the_last_who_was_ready() -> None:
    assert reactions_ms(record(*RACE), 0) == [8_200]
    assert reactions_ms(record(*RACE), 1) == []
    assert reactions_ms(record(*RACE, ply(1, "click")), 1) == [8_200], "at the same time"
    again = [ply(0, "ready", 20_000), ply(1, "ready"), ply(0, "click", 23_000)]
    assert reactions_ms(record(*RACE, ply(0, "declare", 9_900), *again), 0) == [8_200, 3_000]


def test_what_is_no_race_of_the_players_own_is_not_counted() -> None:
    assert reactions_ms(record(*RACE, practice="on"), 0) == ()
    assert reactions_ms(record(*RACE[1:]), 0) == [], "when all were ready is not known"
    song = [ply(1, "click", 4_000), ply(0, "shoot", 5_000, place=1, clicked=True)]
    assert reactions_ms(record(*RACE[:2], *song), 0) == [], "it is the card that was clicked"


def test_a_real_record_is_read_and_a_false_one_is_none() -> None:
    found = reactions_ms(line(played("m1", "wild_wild_pattern")), 0)
    assert found and all(0 < ms < 60_000 for ms in found)
    for lie in (b"", b"\xff", b"{}", b'{"seats": 1, "plies": []}', b"[" * 100_000):
        assert not reactions_ms(lie, 0)
