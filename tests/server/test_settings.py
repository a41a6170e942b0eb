"""Settings: defaults < file < environment < flags; a wrong one is named in one sentence. And in
which language the command line speaks."""

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from clocktowers_tui.net import nearby
from clocktowers_tui.net.trust import PASSWORD_VARIABLE
from server.cli.settings import read_flags
from server.config import PLAIN, Config, Limits
from server.settings import KEYS, OF_THE_CLIENT, ConfigError, described, load, with_origins
from server.speaking import DOMAIN, FOLDER
from tests.stage.house import PATIENCE_S


def written(folder: Path, toml: str) -> Path:
    file = folder / "server.toml"
    file.write_text(toml, "utf-8")
    return file


def test_the_documented_file_holds_the_defaults_but_for_name_and_hosts(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text("utf-8")
    start = page.index("    port = ")
    block = page[start : page.index("\n\n`", start)]
    shown = load(written(tmp_path, textwrap.dedent(block)), {}, {})
    assert shown == Config(host=("0.0.0.0", "::"), name="Thursday club")


def test_the_document_says_of_each_limit_its_default_and_what_it_means() -> None:
    page = (Path(__file__).parents[2] / "docs" / "security.md").read_text("utf-8")
    named = re.findall(r"^\| `(\w+)` \| (\S+) \| (.+) \|$", page, re.MULTILINE)
    limits = Limits()
    assert sorted(named) == sorted(
        (
            name,
            format(value, "g") if isinstance(value, float) else str(value).lower(),
            described(f"limits.{name}").meaning,
        )
        for name, value in ((name, getattr(limits, name)) for name in limits.__struct_fields__)
    )


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
    [("::", ("::",)), ("0.0.0.0,::", ("0.0.0.0", "::")), (" 0.0.0.0, ::", ("0.0.0.0", "::"))],
)
def test_hosts_in_a_variable_and_in_a_flag_are_separated_by_commas(
    host: str, expected: tuple[str, ...]
) -> None:
    assert load(None, {"CLOCKTOWERS_HOST": host}, {}).host == expected
    assert read_flags(["--host", host], Config()).config.host == expected


def test_one_host_in_the_file_needs_no_list(tmp_path: Path) -> None:
    assert load(written(tmp_path, 'host = "::1"'), {}, {}).host == ("::1",)
    assert load(written(tmp_path, 'host = ["a", "b"]'), {}, {}).host == ("a", "b")


def test_variables_of_other_programs_and_of_the_client_pass() -> None:
    env = {PASSWORD_VARIABLE: "x", "PORT": "x", "PATH": "p"}
    assert load(None, env, {}) == Config()
    assert {PASSWORD_VARIABLE, nearby.VARIABLE} == OF_THE_CLIENT


@pytest.mark.parametrize(
    ("toml", "named"),
    [
        ("port = 70000", "port: expected a whole number from 0 to 65535"),
        ("port = true", "port: expected a whole number from 0 to 65535"),
        ("name = 5", "name: expected text"),
        ("prot = 7000", "prot is no setting; did you mean port?"),
        ('"p\\nt" = 1', "p t is no setting"),
        ("theme = 1", "theme is no setting; there are host, port, doors"),
        ("grace_s = 60", "grace_s is no setting; did you mean limits.grace_s?"),
        ("[limits]\nport = 1", "limits.port is no setting; did you mean port?"),
        ("[limit]\ntables = 1", "limit is no setting; did you mean limits?"),
        ("host = []", "host: expected one address or more"),
        ("host = 5", "host: expected one address or more"),
        ("host = [5]", "host: expected one address or more"),
        ('log_level = "loud"', "log_level: expected one of debug, error, info, warning"),
        ("bot_pace_s = -1", "bot_pace_s: expected a number from 0 to 60"),
        ("bot_workers = 0", "bot_workers: expected a whole number from 1 to 64"),
        ('doors = ["ftp"]', "doors: expected one or more of plain, tls, ssh, web, each with =PORT"),
        (
            'doors = ["plain=65536"]',
            "doors: expected one or more of plain, tls, ssh, web, each with =PORT",
        ),
        (
            'trusted_proxies = ["here"]',
            "trusted_proxies: expected addresses or blocks of addresses",
        ),
        ("limits = 5", "limits: expected a section"),
        ("[limits]\nhello_s = 0", "limits.hello_s: expected a number above 0"),
        ("[limits]\ntable = 5", "limits.table is no setting; did you mean limits.tables?"),
        ("[limits]\nloopback_counts = 2", "limits.loopback_counts: expected true or false"),
        ("[limits]\noutbox_bytes = 1.5", "limits.outbox_bytes: expected a whole number from 1024"),
    ],
)
def test_a_wrong_setting_in_the_file_is_named(tmp_path: Path, toml: str, named: str) -> None:
    file = written(tmp_path, toml)
    with pytest.raises(ConfigError) as error:
        load(file, {}, {})
    assert str(error.value).startswith(f"{file}: {named}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("env", "told"),
    [
        ({"CLOCKTOWERS_PORT": "many"}, "must be a whole number from 0 to 65535"),
        ({"CLOCKTOWERS_PORT": ""}, "must be a whole number from 0 to 65535"),
        ({"CLOCKTOWERS_BOT_PACE_S": "nan"}, "must be a number from 0 to 60"),
        ({"CLOCKTOWERS_LIMITS__TABLES": "0"}, "must be a whole number from 1"),
        ({"CLOCKTOWERS_LIMITS__GRACE": "9"}, "did you mean CLOCKTOWERS_LIMITS__GRACE_S?"),
        ({"CLOCKTOWERS_GRACE_S": "9"}, "did you mean CLOCKTOWERS_LIMITS__GRACE_S?"),
        ({"CLOCKTOWERS_LIMITS__PORT": "9"}, "did you mean CLOCKTOWERS_PORT?"),
        ({"CLOCKTOWERS_PROT": "9"}, "did you mean CLOCKTOWERS_PORT?"),
        ({"CLOCKTOWERS_THEME": "dark"}, "there are host, port"),
        ({"CLOCKTOWERS_LIMITS": "5"}, "there are host, port"),
        ({"CLOCKTOWERS_LOG_LEVEL": "LOUD"}, "must be one of debug, error, info, warning"),
    ],
)
def test_a_wrong_variable_is_named(env: dict[str, str], told: str) -> None:
    with pytest.raises(ConfigError) as error:
        load(None, env, {})
    assert str(error.value).startswith(next(iter(env))) and told in str(error.value)


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ({"port": -1}, "--port must be a whole number from 0 to 65535"),
        ({"bot_pace_s": 61.0}, "--bot-pace-s must be a number from 0 to 60"),
    ],
)
def test_a_wrong_flag_is_named(flags: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError) as error:
        load(None, {}, flags)
    assert str(error.value) == told


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (b"port = ", "at end of document"),
        (b"#\n\xff\xfe", "'utf-8' codec can't decode byte 0xff in position 2"),
        (b"\n\n[limits\n", "at line 3"),
        (b"a = 1\na = 2", "at end of document"),
    ],
)
def test_a_file_that_is_not_toml_is_named_with_the_place(
    tmp_path: Path, content: bytes, where: str
) -> None:
    file = tmp_path / "server.toml"
    file.write_bytes(content)
    with pytest.raises(ConfigError) as error:
        load(file, {}, {})
    assert str(error.value).startswith(f"{file} is not TOML: ") and where in str(error.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(ConfigError, match="cannot read") as error:
            load(path, {}, {})
        assert str(path) in str(error.value)


def test_each_setting_means_something_and_says_what_it_takes() -> None:
    for key in KEYS:
        assert described(key).meaning and described(key).kind
    assert len({described(key).meaning for key in KEYS}) == len(KEYS)


def test_what_holds_says_where_it_is_from(tmp_path: Path) -> None:
    file = written(tmp_path, "port = 1\nkeep_days = 2\n[limits]\ntables = 5")
    env = {"CLOCKTOWERS_NAME": "env", "CLOCKTOWERS_LIMITS__GRACE_S": "2"}
    settings = with_origins(file, env, {"port": "3"})
    assert settings.origins == {
        "port": "--port",
        "keep_days": str(file),
        "limits.tables": str(file),
        "name": "CLOCKTOWERS_NAME",
        "limits.grace_s": "CLOCKTOWERS_LIMITS__GRACE_S",
    }


# The language, as a host types it, in a process of its own ----------------------------------------

LANGUAGES = {
    "it_IT.UTF-8": ["uso: ", "escludi un giocatore", "predefinito: 7777", "manca: WHOM\n"],
    "nl": ["gebruik: ", "verban een speler", "standaard: 7777", "dit ontbreekt: WHOM\n"],
    "eo": ["usage: ", "keep a player", "default: 7777", "this is missing: WHOM\n"],
}
TYPES = """
import sys
from server.__main__ import main
for words in sys.argv[1].split(";"):
    try:
        main(words.split())
    except SystemExit:
        pass
    print(flush=True)
"""


def typed(language: str, *commands: str) -> str:
    """What they print, one after the other, also to stderr."""
    variables = {**os.environ, "LANGUAGE": "", "LC_ALL": "", "LC_MESSAGES": "", "LANG": language}
    ended = subprocess.run(
        [sys.executable, "-P", "-c", TYPES, ";".join(commands)],
        env={**variables, "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=PATIENCE_S,
        check=False,
    )
    return ended.stdout.decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_line_speaks_the_language_of_the_environment(language: str) -> None:
    usage, *others = LANGUAGES[language]
    said = typed(language, "--help", "serve --help", "ban")
    assert said.startswith(usage)
    assert [text for text in others if text not in said] == []


def test_what_programs_read_is_english_everywhere() -> None:
    listed = json.loads(typed("it_IT.UTF-8", "serve --json"))
    meanings = {one["name"]: one["meaning"] for one in listed}
    assert {name: meanings[name] for name in PLAIN} == {
        name: described(name).meaning for name in PLAIN
    }


def test_each_setting_can_be_translated() -> None:
    template = (FOLDER / f"{DOMAIN}.pot").read_text("utf-8").replace('"\n"', "")
    missing = [key for key in PLAIN if json.dumps(described(key).meaning)[1:-1] not in template]
    assert PLAIN and not missing


def test_english_reads_no_catalogue() -> None:
    """And loads nothing for it."""
    asked = "import sys\nfrom server import speaking\nfor language in sys.argv[1:]:\n"
    asked += "    speaking.speak({'LANG': language})\n"
    asked += "    print(speaking._texts is None, 'gettext' in sys.modules)\n"
    run = [sys.executable, "-P", "-c", asked, "en_GB.UTF-8", "it_IT.UTF-8"]
    told = subprocess.run(run, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    assert told.stdout.split() == ["True", "False", "False", "True"]
