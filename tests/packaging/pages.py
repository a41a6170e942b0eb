"""The manual pages and the completions of both programs, made from their parsers.

`python -m tests.packaging.pages` writes them to `packaging/share`, from where they come into the
wheel; `make messages` does it, too. Each Python writes an argument's names in its own way, so only
the oldest that the program takes writes them.
"""

import argparse
import os
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import shtab
from argparse_manpage.manpage import Manpage

from clocktowers_tui.cli import commands
from clocktowers_tui.text.i18n import speak
from server import __main__ as server
from server.cli.settings import add_flags

ROOT: Final = Path(__file__).parents[2]
SHARE: Final = ROOT / "packaging" / "share"
WRITES: Final = (3, 11)
COMPLETIONS: Final = {
    "bash": "bash-completion/completions/{prog}",
    "zsh": "zsh/site-functions/_{prog}",
    "fish": "fish/vendor_completions.d/{prog}.fish",
}
"""Where each shell looks for them, below `share`."""
_NAMES: Final = {
    "clocktowers": "board games in your terminal",
    "clocktowers-server": "matches for friends, and the tools of their host",
}
_FILES: Final = {
    **dict.fromkeys(("config", "log_file", "tls_cert", "tls_key", "password_file"), shtab.FILE),
    "state": shtab.DIRECTORY,
}
"""Flags, by setting, whose values are files or folders."""


def parsers() -> list[argparse.ArgumentParser]:
    """Of both programs, in English."""
    speak("en")
    os.environ["COLUMNS"] = "80"
    client, tools = commands.full_parser(), server.full_parser()
    _add_settings(_commands_of(client)["host"])
    for parser in (client, tools):
        for each in (parser, *_commands_of(parser).values()):
            for action in each._actions:
                if action.dest in _FILES:
                    action.complete = _FILES[action.dest]  # type: ignore[attr-defined]
    return [client, tools]


def _commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Those that people type."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            told = {each.dest for each in action._choices_actions}
            for name in set(action.choices) - told:
                del action.choices[name]
            return action.choices
    return {}


def _add_settings(host: argparse.ArgumentParser) -> None:
    """The client hands what it does not know to the server."""
    flags = argparse.ArgumentParser(add_help=False)
    add_flags(flags)
    for action in flags._actions:
        known = set(action.option_strings) & set(host._option_string_actions)
        if not known:
            host._add_action(action)
    host.epilog = None


def files() -> Iterator[tuple[Path, str]]:
    """Each file below `share`, and what is to stand in it."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    for parser in parsers():
        page = Manpage(parser, format="single-commands-section")
        page.description = _NAMES[parser.prog]
        page.source, page.manual, page.date = f"clocktowers-tui {version}", "Games", ""
        yield Path(f"man/man1/{parser.prog}.1"), str(page)
        for shell, place in COMPLETIONS.items():
            yield Path(place.format(prog=parser.prog)), shtab.complete(parser, shell)


def main() -> None:
    if sys.version_info[:2] != WRITES:
        print(f"the pages are left as they are: Python {'.'.join(map(str, WRITES))} writes them")
        return
    for path, text in files():
        file = SHARE / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text() != text:
            file.write_text(text)


if __name__ == "__main__":
    main()
