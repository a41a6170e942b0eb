"""What stands in documents and on command lines: settings, their list, and the operator's
password."""

import re
import shlex
from pathlib import Path

import msgspec
import pytest

from server.__main__ import main, read
from server.admission.passwords import Hashing
from server.cli.settings import MOST, kept_password
from server.config import Config
from server.settings import KEYS, PASSWORD_VARIABLE, ConfigError, described, load

ROOT = Path(__file__).parents[3]


def test_every_command_line_is_understood() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    text = "\n".join(page.read_text("utf-8") for page in pages).replace("\\\n", " ")
    lines = re.findall(r"^ {4}(?:sudo )?clocktowers-server ([^#\n]*)", text, re.MULTILINE)
    assert len(lines) > 20
    for line in lines:
        assert callable(read(shlex.split(line)).run)
    with pytest.raises(SystemExit):
        read(["serve", "--prot", "7"])


def test_the_page_installs_what_the_unit_starts() -> None:
    page = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    unit = (ROOT / "packaging" / "clocktowers.service").read_text("utf-8")
    (program,) = re.findall(r"^ExecStart=(\S+)", unit, re.MULTILINE)
    assert f"python3 -m venv {Path(program).parents[1]}\n" in page
    assert f"ln -s {program} " in page
    (file,) = re.findall(r"^EnvironmentFile=-(\S+)", unit, re.MULTILINE)
    assert f"`{file}`" in page


# The list of settings ----------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("CLOCKTOWERS_LIMITS__GRACE_S", "12.5")


def test_what_is_printed_is_a_file_that_brings_the_same_settings(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    name = 'Anna\'s "club" \\ é ☂ \t\x7f'
    given = ("--server-name", name, "--host", "::", "--host", "0.0.0.0", "--keep-days", "7")
    assert main(["serve", "--print-config", *given]) == 0
    assert list(tmp_path.iterdir()) == [], "nothing is served or made"
    printed = capsys.readouterr().out
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
    assert main(["serve", "--json"]) == 0
    rows = {row["name"]: row for row in msgspec.json.decode(capsys.readouterr().out)}
    assert tuple(rows) == KEYS
    assert rows["limits.grace_s"] == {
        "name": "limits.grace_s",
        "value": 12.5,
        "default": 30.0,
        "origin": "CLOCKTOWERS_LIMITS__GRACE_S",
        "meaning": described("limits.grace_s").meaning,
    }


# The password ------------------------------------------------------------------------------------


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
