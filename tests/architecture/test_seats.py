"""Nobody but a seat's own file assigns its fields, in any room that knows tables."""

import ast
from pathlib import Path

from server.tables.seat import Chair

ROOT = Path(__file__).resolve().parents[2]
OWNER = ROOT / "server" / "tables" / "seat.py"
FIELDS = {field.lstrip("_") for field in Chair.__slots__} - {"names", "name", "identity"}
"""`name` and `identity` are left out: sessions have them, too. The planted `_name` is caught."""


def assigned(source: str) -> list[int]:
    """The lines that assign or delete a field of something that is not `self`, or its private
    twin, by a statement or by `setattr`."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(value=ast.Name(id="self")):
                pass
            case ast.Attribute(attr=attr, ctx=ast.Store() | ast.Del()):
                if attr in FIELDS or attr in Chair.__slots__:
                    lines.append(node.lineno)
            case ast.Call(
                func=ast.Name(id="setattr" | "delattr") | ast.Attribute(attr="__setattr__")
            ):
                lines.append(node.lineno)
    return lines


def test_only_its_own_file_assigns_the_fields_of_a_seat() -> None:
    rooms = ("", "cli/", "net/**/", "tables/")
    files = {file for room in rooms for file in (ROOT / "server").glob(f"{room}*.py")} - {OWNER}
    found = {str(file): lines for file in files if (lines := assigned(file.read_text()))}
    assert len(files) > 30
    assert not found, "a seat changes by its moves (server/tables/seat.py) and in no other way"


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
    ):
        assert assigned(planted) == [1], planted
    assert assigned("self.ready = chair.ready\nguest.name = chair.name") == []
