"""Reviews on disk: they come out as they went in, go with their match, and are made again when
they are of another program."""

import sqlite3
import zlib

import pytest

from clocktowers_tui.history import matches, reviews
from clocktowers_tui.history.file import history_file
from protocol import reviewing
from protocol.reviewing import Begun, Judged, Weighed
from tests.clocktowers_tui.history.test_matches import packed, played

BEGUN = Begun("clocktowers", ["Ann", "Bo"], [9, 7], [0], [3, 7])
FINDINGS = [
    Judged(ply, 0, {"seat": 0}, ["draw", 0], ["draw", 1], Weighed(1, 2, 3), Weighed(4, 5, 6), 700)
    for ply in BEGUN.plies
]


@pytest.fixture(autouse=True)
def kept() -> None:
    for match in ("m1", "m2"):
        matches.keep(match, packed(played(match)), 0, 1000)
        reviews.keep(match, BEGUN, FINDINGS)


def test_it_comes_out_as_it_went_in() -> None:
    assert reviews.of("m1") == (BEGUN, FINDINGS)
    assert reviews.of("m3") is None


def test_it_goes_with_its_match() -> None:
    matches.delete("m1")
    assert reviews.of("m1") is None and reviews.of("m2") is not None
    reviews.keep("m1", BEGUN, FINDINGS)
    assert reviews.of("m1") is None, "nothing is kept beside a match that is not there"


def test_one_that_another_program_has_made_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "VERSION", reviewing.VERSION + 1)
    assert reviews.of("m1") is None
    reviews.keep("m1", BEGUN, FINDINGS[:1])
    assert reviews.of("m1") == (BEGUN, FINDINGS[:1])


@pytest.mark.parametrize("made", [b"", b"torn", zlib.compress(b"\xc1"), zlib.compress(b"\x90")])
def test_what_is_damaged_is_none(made: bytes) -> None:
    with sqlite3.connect(history_file()) as file:
        file.execute("UPDATE review SET made = ?", (made,))
    assert reviews.of("m1") is None
