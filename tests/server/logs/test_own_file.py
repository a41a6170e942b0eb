"""The log file that is ours: nobody else reads it, old addresses are cut, and it is bounded."""

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec import json

from server.logs import own_file
from server.logs.own_file import KEEP_WHOLE_DAYS, OwnFile

NOW = datetime.now(UTC)


def line(days: float, address: str) -> bytes:
    at = (NOW - timedelta(days=days)).isoformat()
    return json.encode({"event": "came", "timestamp": at, "address": address}) + b"\n"


def addresses(path: Path) -> list[str]:
    return [json.decode(one)["address"] for one in path.read_bytes().splitlines()]


def test_an_old_address_is_cut_to_its_block(tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    old, young = KEEP_WHOLE_DAYS + 0.1, KEEP_WHOLE_DAYS - 0.1
    path.write_bytes(
        line(old, "192.0.2.77")
        + line(old, "2001:db8:1:2::3")
        + line(old, "::ffff:192.0.2.77")
        + line(old, "")
        + b"torn by a full dis\n"
        + line(young, "192.0.2.77")
    )
    path.chmod(0o644)
    file = OwnFile(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    cut = ["192.0.2.0/24", "2001:db8:1::/48", "192.0.2.0/24", "", "192.0.2.77"]
    assert addresses(path) == cut
    file.write(line(0, "198.51.100.9"))
    assert addresses(path) == [*cut, "198.51.100.9"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["server.log"]


def test_it_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_file, "MOST_BYTES", 2000)
    path = tmp_path / "server.log"
    file = OwnFile(path)
    for number in range(100):
        file.write(line(0, f"192.0.2.{number}"))
        assert path.stat().st_size <= 2000 + 100
    kept = addresses(path)
    assert kept == [f"192.0.2.{number}" for number in range(100 - len(kept), 100)]
