"""docs/operating.md has every command, and every field of what goes through the door."""

import argparse
import re
from pathlib import Path
from typing import get_args

import msgspec

import server
from server.cli import audit, backup, operating, restore
from server.operating import words

DOCUMENT = Path(server.__file__).parents[1] / "docs" / "operating.md"


def documented() -> dict[str, set[str]]:
    """The table of the requests: type → fields."""
    rows = re.findall(r"^\| (`[a-z`, -]+) \| (.*)\|$", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    named = re.compile(r"`([a-z_-]+)`")
    return {
        kind: set(named.findall(fields)) for kinds, fields in rows for kind in named.findall(kinds)
    }


def test_every_request_and_field_is_documented() -> None:
    spoken = {
        str(one.__struct_config__.tag): {field.name for field in msgspec.structs.fields(one)}
        for one in get_args(words.Asked)
    }
    assert {kind: fields | {"version"} for kind, fields in documented().items()} == spoken


def test_every_command_is_shown() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    for one in (operating, backup, restore, audit):
        one.add_parser(commands)
    shown = re.findall(
        r"^    clocktowers-server ([a-z-]+)", DOCUMENT.read_text("utf-8"), re.MULTILINE
    )
    assert set(shown) == set(commands.choices)
