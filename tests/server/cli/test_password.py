"""Where an operator's password comes from."""

from pathlib import Path

import pytest

from server.__main__ import main
from server.admission.hashing import Hashing
from server.cli.password import MOST, kept_password
from server.config import Config
from server.settings import PASSWORD_VARIABLE, ConfigError


def written(folder: Path, content: bytes, mode: int = 0o600) -> Config:
    file = folder / "word"
    file.write_bytes(content)
    file.chmod(mode)
    return Config(password_file=str(file))


async def fits(kept: str | None, password: str) -> bool:
    assert kept is not None and password not in kept
    return await Hashing().fits(password, kept)


async def test_a_file_stands_above_the_variable_which_nobody_inherits(tmp_path: Path) -> None:
    env = {PASSWORD_VARIABLE: "variable", "HOME": "/"}
    assert await fits(kept_password(Config(), env), "variable")
    assert env == {"HOME": "/"}
    for content in (b"t\xc3\xb6wer\n", b"t\xc3\xb6wer\r\n", b"t\xc3\xb6wer"):
        config = written(tmp_path, content)
        assert await fits(kept_password(config, {PASSWORD_VARIABLE: "variable"}), "t\u00f6wer")
    assert kept_password(Config(), {}) is None


@pytest.mark.parametrize(
    ("content", "mode", "says"),
    [
        (b"tower", 0o640, "others can read"),
        (b"tower", 0o604, "others can read"),
        (b"", 0o600, "holds no password"),
        (b"one\ntwo\n", 0o600, "one line"),
        (b" tower", 0o600, "without blanks"),
        (b"\xff\xfe", 0o600, "UTF-8"),
        (b"x" * (MOST + 1), 0o600, f"longer than {MOST}"),
    ],
)
def test_a_file_that_will_not_do_is_named_in_a_sentence(
    content: bytes, mode: int, says: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        kept_password(written(tmp_path, content, mode), {})
    assert "tower" not in str(caught.value)


@pytest.mark.parametrize("name", ["missing", ".", "~nobody-of-that-name/x"])
def test_a_file_that_is_none(name: str, tmp_path: Path) -> None:
    place = name if name.startswith("~") else str(tmp_path / name)
    with pytest.raises(ConfigError, match="cannot read the password in"):
        kept_password(Config(password_file=place), {})


def test_serve_says_it_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    config = written(tmp_path, b"tower", 0o644)
    assert main(["serve", "--password-file", config.password_file]) == 2
    assert "run chmod 600" in capsys.readouterr().err
    assert main(["serve", "--password-in-clear", "--print-config"]) == 0
    assert "password_in_clear = true" in capsys.readouterr().out
