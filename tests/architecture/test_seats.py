"""Only the file of a seat, and the file of a table's state, assign what they own, in any room that
knows tables."""

import ast
from collections.abc import Set
from pathlib import Path

import pytest

from server.tables.seat import Chair

TABLES = Path(__file__).resolve().parents[2] / "server" / "tables"
FIELDS = {field.lstrip("_") for field in Chair.__slots__} - {"names", "name", "identity"}
OF_SEAT = FIELDS | set(Chair.__slots__)
"""`name` and `identity` are left out: sessions have them, too. The planted `_name` is caught."""
OF_TABLE = {"phase", "match", "matches", "options", "host"}


def assigned(source: str, fields: Set[str] = frozenset(OF_SEAT | OF_TABLE)) -> list[int]:
    """The lines that assign or delete such a field of something that is not `self`, by a statement
    or by `setattr`."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(value=ast.Name(id="self")):
                pass
            case ast.Attribute(attr=attr, ctx=ast.Store() | ast.Del()):
                if attr in fields:
                    lines.append(node.lineno)
            case ast.Call(
                func=ast.Name(id="setattr" | "delattr") | ast.Attribute(attr="__setattr__")
            ):
                lines.append(node.lineno)
    return lines


@pytest.mark.parametrize(("owner", "fields"), [("seat.py", OF_SEAT), ("state.py", OF_TABLE)])
def test_only_its_own_file_assigns_what_a_seat_and_a_table_own(
    owner: str, fields: Set[str]
) -> None:
    rooms = ("", "cli/", "net/**/", "tables/")
    files = {file for room in rooms for file in TABLES.parent.glob(f"{room}*.py")}
    others = files - {TABLES / owner}
    found = {str(file): lines for file in others if (lines := assigned(file.read_text(), fields))}
    assert len(others) == len(files) - 1 > 30
    assert not found, f"it changes by the verbs of server/tables/{owner} and in no other way"


def test_planted_assignments_are_caught() -> None:
    for planted in (
        "chair.bot = None",
        "table.seating.chairs[2].guest = guest",
        "chair.ready, other = True, 1",
        "chair._state = SeatState.FREE",
        "chair._name += '!'",
        "for chair.level in levels: pass",
        "del chair._bot",
        "setattr(chair, 'ready', True)",
        "object.__setattr__(chair, '_guest', None)",
        "table.phase = TablePhase.ENDED",
        "match, self._table.match = self._table.match, None",
        "table.matches += 1",
        "self._table.options = options",
    ):
        assert assigned(planted) == [1], planted
    assert assigned("self.ready = chair.ready\nguest.name = chair.name") == []
