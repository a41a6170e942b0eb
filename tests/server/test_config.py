"""Settings: defaults < file < environment < flags; a wrong one is named in one sentence."""

from pathlib import Path
from typing import Any

import pytest

from server.config import Config, ConfigError, Limits, load


def written(folder: Path, toml: str) -> Path:
    file = folder / "server.toml"
    file.write_text(toml, "utf-8")
    return file


def test_without_anything_the_defaults_hold() -> None:
    assert load(None, {}, {}) == Config()


def test_flags_stand_above_environment_above_file(tmp_path: Path) -> None:
    file = written(tmp_path, 'name = "file"\nport = 1\nbot_workers = 3\nlog_level = "debug"')
    env = {"CLOCKTOWERS_NAME": "env", "CLOCKTOWERS_PORT": "2"}
    config = load(file, env, {"port": 3})
    assert (config.port, config.name, config.bot_workers) == (3, "env", 3)
    assert load(file, env, {}).port == 2
    assert load(file, {}, {}).port == 1


def test_limits_are_merged_one_by_one(tmp_path: Path) -> None:
    file = written(tmp_path, "[limits]\ntables = 5\nwatchers = 6")
    limits = load(file, {"CLOCKTOWERS_LIMITS__WATCHERS": "7"}, {"name": "x"}).limits
    assert limits == Limits(tables=5, watchers=7)


@pytest.mark.parametrize(
    ("host", "expected"),
    [("::", ("::",)), ("0.0.0.0,::", ("0.0.0.0", "::"))],
)
def test_hosts_in_the_environment_are_separated_by_commas(
    host: str, expected: tuple[str, ...]
) -> None:
    assert load(None, {"CLOCKTOWERS_HOST": host}, {}).host == expected


def test_one_host_in_the_file_needs_no_list(tmp_path: Path) -> None:
    assert load(written(tmp_path, 'host = "::1"'), {}, {}).host == ("::1",)
    assert load(written(tmp_path, 'host = ["a", "b"]'), {}, {}).host == ("a", "b")


def test_other_variables_pass() -> None:
    env = {"CLOCKTOWERS_THEME": "dark", "PORT": "x", "CLOCKTOWERS_PORT__X": "y", "PATH": "p"}
    assert load(None, env, {}) == Config()


@pytest.mark.parametrize(
    ("toml", "named"),
    [
        ("port = 70000", "port"),
        ('port = "many"', "port"),
        ("port = true", "port"),
        ("prot = 7000", "prot"),
        ("host = []", "host"),
        ("host = 5", "host"),
        ('log_level = "loud"', "log_level"),
        ("bot_pace_s = -1", "bot_pace_s"),
        ("bot_pace_s = nan", "bot_pace_s"),
        ("bot_workers = 0", "bot_workers"),
        ("limits = 5", "limits"),
        ("[limits]\nhello_s = 0", "hello_s"),
        ("[limits]\ntable = 5", "table"),
        ("[limits]\noutbox_bytes = 1.5", "outbox_bytes"),
    ],
)
def test_a_wrong_setting_in_the_file_is_named(tmp_path: Path, toml: str, named: str) -> None:
    file = written(tmp_path, toml)
    with pytest.raises(ConfigError) as error:
        load(file, {}, {})
    assert named in str(error.value)
    assert str(file) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("env", "named"),
    [
        ({"CLOCKTOWERS_PORT": "many"}, "port"),
        ({"CLOCKTOWERS_PORT": ""}, "port"),
        ({"CLOCKTOWERS_BOT_PACE_S": "nan"}, "bot_pace_s"),
        ({"CLOCKTOWERS_LIMITS__TABLES": "0"}, "tables"),
        ({"CLOCKTOWERS_LIMITS__TABEL": "9"}, "tabel"),
        ({"CLOCKTOWERS_LOG_LEVEL": "LOUD"}, "log_level"),
    ],
)
def test_a_wrong_variable_is_named(env: dict[str, str], named: str) -> None:
    with pytest.raises(ConfigError, match=named) as error:
        load(None, env, {})
    assert "environment" in str(error.value)


def test_limits_as_one_variable_are_no_setting() -> None:
    env = {"CLOCKTOWERS_LIMITS": "5", "CLOCKTOWERS_LIMITS__TABLES": "9"}
    assert load(None, env, {}).limits == Limits(tables=9)


@pytest.mark.parametrize("flags", [{"port": -1}, {"bot_pace_s": 61.0}])
def test_a_wrong_flag_is_named(flags: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(flags))) as error:
        load(None, {}, flags)
    assert "command line" in str(error.value)


@pytest.mark.parametrize("content", [b"port = ", b"\xff\xfe", b"[limits\n", b"a = 1\na = 2"])
def test_a_file_that_is_not_toml_is_named(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "server.toml"
    file.write_bytes(content)
    with pytest.raises(ConfigError, match="is not TOML"):
        load(file, {}, {})


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(ConfigError, match="cannot read") as error:
            load(path, {}, {})
        assert str(path) in str(error.value)
