"""A release is what its commit says: nothing else gets in, and two builds are equal."""

from pathlib import Path

import pytest

from tests.packaging import release
from tests.packaging.wheel_check import ROOT, Elsewhere


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, bytes]:
    """What git says, by command; each build is another file, and nothing is checked."""
    said = {"status": b"", "log": b"1700000000\n"}
    monkeypatch.setattr(release, "_git", lambda command, *_rest: said[command])
    monkeypatch.setattr(release, "_copied", lambda folder: folder)
    monkeypatch.setattr(release, "check", lambda wheel, elsewhere: None)
    monkeypatch.setattr(release, "DIST", tmp_path / "dist")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    return said


def builds(monkeypatch: pytest.MonkeyPatch, second: bytes) -> None:
    def build(elsewhere: Elsewhere, source: Path = ROOT, out: str = "dist") -> Path:
        wheel = elsewhere.folder / out / "game.whl"
        wheel.parent.mkdir()
        wheel.write_bytes(b"wheel" if out == "dist" else second)
        return wheel

    monkeypatch.setattr(release, "build", build)


def test_what_is_not_committed_is_not_released(commits: dict[str, bytes]) -> None:
    commits["status"] = b" M server/config.py\n"
    with pytest.raises(SystemExit, match="commit what you have changed"):
        release.main()


def test_two_builds_that_differ_are_no_release(
    commits: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    builds(monkeypatch, b"wheel\n")
    with pytest.raises(SystemExit, match=r"game.whl: built twice .* differs"):
        release.main()
    assert not release.DIST.exists()


def test_two_that_are_equal_are_one(
    commits: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    builds(monkeypatch, b"wheel")
    release.main()
    assert (release.DIST / "game.whl").read_bytes() == b"wheel"
    assert "SHA-256 " in capsys.readouterr().out
