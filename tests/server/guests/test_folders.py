"""Who a guest is, and where their things are."""

import os
import stat
import time
from pathlib import Path

from server.guests.folders import CODE_BEGINS, Folders, Lodging
from server.store.backup import GUESTS


def seat_in(lodging: Lodging) -> None:
    seats = lodging.home / ".local" / "state" / "clocktowers" / "seats"
    seats.mkdir(parents=True)
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


def test_what_nobody_needs_is_pruned(tmp_path: Path) -> None:
    kept = Folders(tmp_path)
    old, new, here = (kept.of(name) for name in ("old", "new", "here"))
    waits = kept.passing()
    seat_in(waits)
    long_ago = time.time() - 200 * 86_400
    for one in (old, here):
        os.utime(one.home, (long_ago, long_ago))
    yesterday = time.time() - 2 * 86_400
    os.utime(waits.home, (yesterday, yesterday))
    assert kept.prune({here.home}) == 2
    assert here.home.exists() and new.home.exists()
    assert not old.home.exists() and not waits.home.exists()
    assert Folders(tmp_path).of("new") == new, "the secret stays"
