"""The player's history on disk: what goes in comes out, for its owner alone, whole or not."""

import shutil
import sqlite3
import stat
import threading
import zlib
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from clocktowers_tui.history import history_file, matches, numbers
from clocktowers_tui.history.matches import Deleted, NoHistory
from clocktowers_tui.history.record import MAX_LINE_BYTES, NotARecord, comments_of
from clocktowers_tui.phrases.history import result_in_words
from protocol.signing import MOST_COMMENT
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.check import check
from server.recording.records import line, read


def played(match: str, game: str = "clocktowers") -> dict[str, Any]:
    """A record as a server makes it."""
    words = GAMES[game]
    options = words.notation.options_from_record({})
    record = play(Series(words, options, ("random", "random"), 7), 0)
    return {**record, "id": match}


def packed(record: Any) -> bytes:
    return zlib.compress(line(record))


@pytest.mark.parametrize("game", GAMES)
def test_what_was_kept_is_listed_newest_first_and_written_as_it_came(game: str) -> None:
    record = played("m1", game)
    assert matches.newest_first() == [] and not history_file().exists()
    matches.keep("m1", packed(record), 0, 1000)
    matches.keep("m2", packed({**record, "id": "m2"}), None, 2000)
    assert [(one.head.id, one.ended_at, one.me) for one in matches.newest_first()] == [
        ("m2", 2000, None),
        ("m1", 1000, 0),
    ]
    head = matches.newest_first()[1].head
    assert (head.game, [seat.name for seat in head.seats]) == (game, ["Bot 1", "Bot 2"])
    assert head.outcome.scores == record["outcome"]["scores"]
    assert matches.line_of("m1") + b"\n" == line(record)
    check(read(matches.line_of("m1"), GAMES))


def test_what_is_said_of_a_ply_stands_in_the_record_until_it_is_taken_away() -> None:
    """Clean, and no longer than it may be."""
    matches.keep("m1", packed(played("m1")), 0, 1000)
    assert matches.comment("m1", 7, " a \x1b[2Jline\n") == {7: "a [2Jline"}
    assert matches.comment("m1", 0, "x" * 999) == {0: "x" * MOST_COMMENT, 7: "a [2Jline"}
    check(read(matches.line_of("m1"), GAMES))
    assert matches.comment("m1", 7, " ") == comments_of(matches.line_of("m1")) == {0: "x" * 100}
    with pytest.raises(Deleted):
        matches.comment("m2", 0, "nobody")
    names = [seat["name"] for seat in played("m1")["seats"]]
    others = {
        f"0 {names[1]}": "b\x1b[2J",
        f"7 {names[0]}": "a",
        "7": "?",
        "x Eve": "?",
        "7 E\n": "y",
    }
    for _again in range(2):
        matches.add_said("m1", packed({**played("m1"), "comments": others, "review": {}}))
        told = {0: f"{'x' * 100} / {names[1]}: b[2J", 7: "E: y"}
        assert comments_of(matches.line_of("m1")) == told
    assert matches.comment("m1", 0, "") == {0: f"{names[1]}: b[2J", 7: "E: y"}


@pytest.mark.parametrize("told", [None, [], {"x": "y"}, {"1": 2}, {"1": " \x07"}, "x"])
def test_what_is_no_comment_is_none(told: object) -> None:
    assert comments_of(line({**played("m1"), "comments": told})) == {}


def test_a_match_is_kept_once() -> None:
    record = played("m1")
    matches.keep("m1", packed(record), 0, 1000)
    matches.keep("m1", packed({**record, "seats": record["seats"][::-1]}), 1, 2000)
    (one,) = matches.newest_first()
    assert (one.ended_at, one.me) == (1000, 0) and matches.line_of("m1") + b"\n" == line(record)


def test_the_first_match_of_a_deal_counts_and_no_other() -> None:
    record = played("m1")
    for match, day in (
        ("m1", ""),
        ("m2", "2026-11-23"),
        ("m3", "2026-11-23"),
        ("m4", "2026-11-24"),
    ):
        matches.keep(
            match, packed({**record, "id": match}), 0, 1000, matches.Known(turns=34), day=day
        )
    town = {**played("m5", "architetti_attenti"), "id": "m5"}
    matches.keep("m5", packed(town), 0, 1000, day="2026-11-23")
    days = {one.head.id: one.day for one in matches.newest_first()}
    assert days == {"m1": "", "m2": "2026-11-23", "m3": "", "m4": "2026-11-24", "m5": "2026-11-23"}
    assert {one.turns for one in matches.newest_first()} == {34, None}


def test_a_match_that_a_bot_has_finished_says_so() -> None:
    record = played("m1")
    matches.keep("m1", packed(record), 0, 1000)
    matches.keep("m2", packed({**record, "id": "m2"}), 0, 2000, matches.Known(played_for=True))
    words = [result_in_words(one) for one in matches.newest_first()]
    assert words == [f"{words[1]}, a bot played on", words[1]]


def test_a_match_in_which_a_bot_did_some_moves_says_so_and_is_no_deal_of_the_day() -> None:
    """The player's own: what it did on another seat is nothing to them."""
    record = played("m1")
    for match, seat in (("m1", 0), ("m2", 1)):
        first = next(ply for ply in record["plies"] if ply["seat"] == seat)
        plies = [{**ply, "by": "bot"} if ply is first else ply for ply in record["plies"]]
        other = {**record, "id": match, "plies": plies}
        matches.keep(match, packed(other), 0, 1000 * (seat + 1), day=f"2026-11-2{seat}")
    theirs, own = matches.newest_first()
    assert (own.by_bot, own.day) == (1, "") and (theirs.by_bot, theirs.day) == (0, "2026-11-21")
    assert result_in_words(own) == f"{result_in_words(theirs)}, a bot played, too"
    assert numbers.own([own, theirs]) == [theirs]


def test_an_older_file_is_brought_up_to_date_whole() -> None:
    record = played("m1")
    matches.keep("m1", packed(record), 0, 1000)
    with sqlite3.connect(history_file()) as file:
        file.execute("ALTER TABLE match DROP COLUMN deal")
        file.execute("ALTER TABLE match DROP COLUMN turns")
        file.execute("ALTER TABLE match DROP COLUMN played_for")
        file.execute("ALTER TABLE match DROP COLUMN by_bot")
        file.execute("ALTER TABLE match DROP COLUMN line")
        file.execute("ALTER TABLE match DROP COLUMN practice")
        file.execute("INSERT INTO match SELECT 'm2', 500, 0, head, 'torn' FROM match")
        file.execute("PRAGMA user_version = 1")
    newest, torn = matches.newest_first()
    assert (newest.head.id, newest.me, newest.day, newest.turns) == ("m1", 0, "", None)
    assert torn.ended_at == 500, "it has no record to read"
    assert matches.line_of("m1") + b"\n" == line(record)
    matches.keep("m3", packed({**record, "id": "m3"}), 0, 2000, day="2026-11-23")
    assert matches.newest_first()[0].day == "2026-11-23"


def test_what_was_deleted_is_no_longer_in_the_file() -> None:
    record = played("m1")
    for name, match in (("Wilhelmina", "m1"), ("Bartholomew", "m2")):
        seats = [{"name": name, "kind": "human"}, *record["seats"][1:]]
        matches.keep(match, packed({**record, "id": match, "seats": seats}), 0, 1000)
    assert matches.called("m") == ["m1", "m2"]
    matches.delete("m1")
    assert matches.called("m") == ["m2"]
    left = history_file().read_bytes()
    assert b"Wilhelmina" not in left
    assert b"Bartholomew" in left, "a control: the other is still there"
    with pytest.raises(Deleted):
        matches.line_of("m1")


def test_two_clients_keep_at_the_same_time() -> None:
    record = played("m")
    threads = [
        threading.Thread(
            target=matches.keep, args=(f"m{n}", packed({**record, "id": f"m{n}"}), 0, n)
        )
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.ended_at for one in matches.newest_first()] == list(range(8))[::-1]


def bomb() -> bytes:
    """A right record, but for its length."""
    return packed({**played("m1"), "x": " " * MAX_LINE_BYTES})


@pytest.mark.parametrize(
    "lie",
    [
        b"",
        b"no zlib",
        packed(played("m1"))[:-20],
        packed({**played("m1"), "id": "m2"}),
        packed({**played("m1"), "seats": "Ann"}),
        packed({**played("m1"), "outcome": None}),
        zlib.compress(b"[" * 100_000),
        zlib.compress(b"\xff"),
        zlib.compress(json.format(line(played("m1")), indent=1)),
        bomb(),
    ],
    ids=["empty", "zlib", "cut", "other", "seats", "outcome", "deep", "utf8", "lines", "bomb"],
)
def test_what_is_no_record_is_not_kept(lie: bytes) -> None:
    with pytest.raises(NotARecord):
        matches.keep("m1", lie, 0, 1000)
    assert matches.newest_first() == []


def _full(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk has room for what is there, and for nothing more."""
    prepare = matches._prepare

    def bounded(connection: sqlite3.Connection) -> None:
        prepare(connection)
        ((pages,),) = connection.execute("PRAGMA page_count")
        connection.execute(f"PRAGMA max_page_count = {pages}")

    monkeypatch.setattr(matches, "_prepare", bounded)


def test_a_full_disk_keeps_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    record = played("m1", "wild_wild_pattern")
    matches.keep("m1", packed(record), 0, 1000)
    with monkeypatch.context() as full:
        _full(full)
        with pytest.raises(NoHistory, match="full"):
            for n in range(9):
                matches.keep(f"n{n}", packed({**record, "id": f"n{n}"}), 0, 2000 + n)
    whole = matches.newest_first()
    assert "m1" in [one.head.id for one in whole]
    for one in whole:
        check(read(matches.line_of(one.head.id), GAMES))
    matches.keep("m2", packed({**record, "id": "m2"}), 0, 3000)
    assert matches.newest_first()[0].head.id == "m2"


def damaged() -> None:
    history_file().write_bytes(b"this is no database " * 500)


def newer() -> None:
    with sqlite3.connect(history_file()) as file:
        file.execute("PRAGMA user_version = 99")


def folder() -> None:
    history_file().unlink()
    history_file().mkdir()


@pytest.mark.parametrize("spoil", [damaged, newer, folder])
def test_a_file_that_cannot_be_used_is_said_and_left_as_it_is(spoil: Any) -> None:
    matches.keep("m1", packed(played("m1")), 0, 1000)
    spoil()
    before = history_file().read_bytes() if history_file().is_file() else b""
    for use in (
        matches.newest_first,
        lambda: matches.called("m1"),
        lambda: matches.line_of("m1"),
        lambda: matches.delete("m1"),
        lambda: matches.keep("m2", packed(played("m2")), 0, 1000),
    ):
        with pytest.raises(NoHistory, match=str(history_file())):
            use()
    assert (history_file().read_bytes() if history_file().is_file() else b"") == before


def test_a_record_of_another_game_is_not_kept() -> None:
    """The numbers of a game that nobody knows would ask for its face."""
    with pytest.raises(NotARecord, match="another game"):
        matches.keep("m1", packed(played("m1")), 0, 1000, matches.Known(game="wild_wild_pattern"))
    assert matches.newest_first() == []


def test_nobody_else_can_read_it_and_a_folder_that_is_gone_is_made_again(home: Path) -> None:
    matches.keep("m1", packed(played("m1")), 0, 1000)
    assert stat.S_IMODE(history_file().stat().st_mode) == 0o600
    assert list(history_file().parent.glob("history*")) == [history_file()]
    shutil.rmtree(history_file().parent)
    assert matches.newest_first() == []
    matches.keep("m1", packed(played("m1")), 0, 1000)
    assert stat.S_IMODE(history_file().parent.stat().st_mode) == 0o700
