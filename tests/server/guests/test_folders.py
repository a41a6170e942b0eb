"""Who a guest is, and where their things are."""

import os
import stat
import time
from pathlib import Path

import pytest

from server.guests import folders
from server.guests.folders import CODE_BEGINS, Folders, Lodging
from server.store.backup import GUESTS


def seat_in(lodging: Lodging, *, waits: bool = True) -> None:
    seats = lodging.home / ".local" / "state" / "clocktowers" / "seats"
    seats.mkdir(parents=True)
    if waits:
        (seats / "1.seat").write_text("{}")


def test_a_proof_leads_to_one_folder_and_no_other_proof_does(tmp_path: Path) -> None:
    ann, ben = (Folders(tmp_path).of(proof) for proof in ("ssh SHA256:ann", "ssh SHA256:ben"))
    assert ann.home != ben.home and ann.identity != ben.identity
    assert Folders(tmp_path).of("ssh SHA256:ann") == ann
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert Folders(elsewhere).of("ssh SHA256:ann").identity != ann.identity
    for path in (ann.home, ann.home.parent, tmp_path / GUESTS):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_no_proof_is_another_guest_s_code(tmp_path: Path) -> None:
    """A user name and a key are told apart, whatever they are."""
    kept = Folders(tmp_path)
    passing = kept.passing()
    assert kept.of(f"code {passing.code}").identity != passing.identity
    assert kept.of(passing.code).home != passing.home


def test_a_code_leads_back_only_while_a_seat_waits(tmp_path: Path) -> None:
    kept = Folders(tmp_path)
    first, second = kept.passing(), kept.passing()
    assert first.code != second.code and first.code.startswith(CODE_BEGINS)
    seat_in(first)
    for one in (first, second):
        kept.left(one)
    assert kept.passing(first.code) == first
    assert not second.home.exists()
    for wrong in (second.code, first.code[:-1], "back-../../etc", "back-", "ann"):
        assert kept.passing(wrong).code not in (first.code, wrong)


def test_a_guest_with_a_key_keeps_the_folder(tmp_path: Path) -> None:
    kept = Folders(tmp_path)
    ann = kept.of("ssh SHA256:ann")
    kept.left(ann)
    assert ann.home.is_dir()


async def test_what_nobody_needs_is_pruned(tmp_path: Path) -> None:
    kept = Folders(tmp_path)
    old, new, here = (kept.of(name) for name in ("old", "new", "here"))
    waits = kept.passing()
    seat_in(waits)
    long_ago = time.time() - 200 * 86_400
    for one in (old, here):
        os.utime(one.home, (long_ago, long_ago))
    yesterday = time.time() - 2 * 86_400
    os.utime(waits.home, (yesterday, yesterday))
    assert await kept.prune({here.home}) == 2
    assert here.home.exists() and new.home.exists()
    assert not old.home.exists() and not waits.home.exists()
    assert Folders(tmp_path).of("new") == new, "the secret stays"


@pytest.mark.parametrize("all_alike", [False, True])
async def test_who_only_looked_pushes_out_nobody_who_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, all_alike: bool
) -> None:
    """However many of them come, each with a new cookie; if all folders were alike they would."""
    monkeypatch.setattr(folders, "MOST", 4)
    if all_alike:
        monkeypatch.setattr(folders, "_worth", lambda home: (False, False))
    kept = Folders(tmp_path)
    waits, played, looked = (kept.of(f"web {name}") for name in ("waits", "played", "looked"))
    seat_in(waits)
    seat_in(played, waits=False)
    now = time.time()
    for age_s, one in enumerate((looked, played, waits), 1):
        os.utime(one.home, (now - 3600 * age_s, now - 3600 * age_s))
    flood = [kept.of(f"web {number}") for number in range(10)]
    assert await kept.prune(()) == 9
    assert waits.home.exists() == played.home.exists() == (not all_alike)
    assert not looked.home.exists()
    assert sum(one.home.exists() for one in flood) == (4 if all_alike else 2)


async def test_where_all_have_played_a_seat_that_waits_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "MOST", 2)
    kept = Folders(tmp_path)
    ann, ben, cleo = (kept.of(f"ssh {name}") for name in ("ann", "ben", "cleo"))
    now = time.time()
    for age_s, one in enumerate((cleo, ben, ann), 1):
        seat_in(one, waits=one is ann)
        os.utime(one.home, (now - 3600 * age_s, now - 3600 * age_s))
    assert await kept.prune(()) == 1
    assert ann.home.exists() and cleo.home.exists() and not ben.home.exists()
