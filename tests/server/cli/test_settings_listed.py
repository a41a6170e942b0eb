"""`serve --print-config`: every setting, its value, where that is from and what it means."""

from pathlib import Path

import msgspec
import pytest

from server.__main__ import main
from server.settings import KEYS, described, load


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("CLOCKTOWERS_LIMITS__GRACE_S", "12.5")


def listed(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(["serve", *args]) == 0
    return capsys.readouterr().out


def test_what_is_printed_is_a_file_that_brings_the_same_settings(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    name = 'Anna\'s "club" \\ é ☂ \t\x7f'
    given = ("--server-name", name, "--host", "::", "--host", "0.0.0.0", "--keep-days", "7")
    printed = listed(capsys, "--print-config", *given)
    file = tmp_path / "server.toml"
    file.write_text(printed, "utf-8")
    config = load(file, {}, {})
    assert (config.name, config.host, config.keep_days) == (name, ("::", "0.0.0.0"), 7)
    assert config.limits.grace_s == 12.5
    lines = {line.split(" = ")[0]: line for line in printed.splitlines() if " = " in line}
    assert list(lines) == [key.rpartition(".")[2] for key in KEYS]
    for key, origin in (("port", "default"), ("name", "--name"), ("keep_days", "--keep-days")):
        assert lines[key].endswith(f"  # {origin}: {described(key).meaning}")
    assert "# CLOCKTOWERS_LIMITS__GRACE_S: " in lines["grace_s"]


def test_the_same_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["name"]: row for row in msgspec.json.decode(listed(capsys, "--json"))}
    assert tuple(rows) == KEYS
    assert rows["limits.grace_s"] == {
        "name": "limits.grace_s",
        "value": 12.5,
        "default": 30.0,
        "origin": "CLOCKTOWERS_LIMITS__GRACE_S",
        "meaning": described("limits.grace_s").meaning,
    }


def test_nothing_is_served_or_made(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    listed(capsys, "--print-config")
    assert list(tmp_path.iterdir()) == []
