"""The language of `clocktowers-server`: as a host types it, in a process of its own."""

import json
import os
import subprocess
import sys

import pytest

from server.config import PLAIN
from server.settings import described
from server.speaking import DOMAIN, FOLDER

MISSING = "clocktowers-server: this is missing: WHOM\n"
LANGUAGES = {
    "it_IT.UTF-8": (
        "uso: ",
        "escludi un giocatore",
        "predefinito: 7777",
        "clocktowers-server: manca: WHOM\n",
    ),
    "nl": (
        "gebruik: ",
        "verban een speler",
        "standaard: 7777",
        "clocktowers-server: dit ontbreekt: WHOM\n",
    ),
    "ru_RU.UTF-8": (
        "использование: ",
        "закрыть вход",
        "по умолчанию: 7777",
        "clocktowers-server: не хватает: WHOM\n",
    ),
    "en_GB.UTF-8": ("usage: ", "keep a player", "default: 7777", MISSING),
    "eo": ("usage: ", "keep a player", "default: 7777", MISSING),
}


def typed(language: str, *words: str) -> str:
    """What it prints; a mistake is printed to stderr."""
    variables = {**os.environ, "LANGUAGE": "", "LC_ALL": "", "LC_MESSAGES": "", "LANG": language}
    ended = subprocess.run(
        [sys.executable, "-P", "-m", "server", *words],
        env={**variables, "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"},
        capture_output=True,
        timeout=30,
        check=False,
    )
    return (ended.stdout + ended.stderr).decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_line_speaks_the_language_of_the_environment(language: str) -> None:
    usage, ban, default, wrong = LANGUAGES[language]
    commands = typed(language, "--help")
    assert commands.startswith(usage) and ban in commands
    assert default in typed(language, "serve", "--help")
    assert typed(language, "ban") == wrong


def test_what_programs_read_is_english_everywhere() -> None:
    listed = json.loads(typed("it_IT.UTF-8", "serve", "--json"))
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
    asked = "import sys; from server import speaking; speaking.speak({{'LANG': {!r}}}); "
    told = "print(speaking._texts is None, 'gettext' in sys.modules)"
    says = {
        language: subprocess.run(
            [sys.executable, "-P", "-c", asked.format(language) + told],
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        ).stdout.split()
        for language in ("en_GB.UTF-8", "it_IT.UTF-8")
    }
    assert says == {"en_GB.UTF-8": ["True", "False"], "it_IT.UTF-8": ["False", "True"]}
