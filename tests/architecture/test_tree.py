"""What all files of the project keep to: none holds a machine's paths or a registry's address,
names keep the rules, prose is in plain present-day English, and only its own file assigns what a
seat or a table owns.

What players read is not looked at here: the texts of the client and the rules pages.
"""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator, Set
from pathlib import Path

import pytest

from server.tables.seat import Chair

ROOT = Path(__file__).resolve().parents[2]
# Written so that no pattern matches its own line.
FORBIDDEN = {
    "a machine's path": re.compile(r"(?<![\w.~}])/(?:root|work|home|Users|opt)/\w"),
    "a Windows path": re.compile(r"\b[A-Z]:\\Users\b"),
    "a registry's address": re.compile(r"pypi\.org|pythonhosted\.org|npmjs\.|crates\.io"),
    "a registry's setting": re.compile(r"index[-_]url|find[-_]links|trusted[-_]host"),
}
NOT_A_NAME = {"manager", "helper", "helpers", "util", "utils", "data", "room", "packet", "misc"}


def files() -> list[Path]:
    """The files git knows; in a copy without git, all but those that .gitignore names."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z"]
    try:
        names = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        names = ""
    known = [path for name in names.split("\0") if name and (path := ROOT / name).is_file()]
    return known or list(unpacked(ROOT, ignored_folders()))


def ignored_folders() -> set[str]:
    lines = (ROOT / ".gitignore").read_text().splitlines()
    return {line.rstrip("/") for line in lines if line.endswith("/")} | {".git"}


def unpacked(folder: Path, skipped: set[str]) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name not in skipped:
            yield from unpacked(path, skipped)
        elif path.is_file() and path.suffix != ".pyc":
            yield path


def offences(text: str) -> list[str]:
    return [what for what, pattern in FORBIDDEN.items() if pattern.search(text)]


def test_files_know_no_machine_and_no_registry() -> None:
    found = {}
    for file in files():
        offence = offences(file.read_bytes().decode(errors="replace"))
        if offence:
            found[str(file.relative_to(ROOT))] = offence
    assert not found


def test_every_folder_of_tests_is_a_package() -> None:
    """Half of the files missing makes pytest import `tests/server` as `server`."""
    folders = {file.parent for file in (ROOT / "tests").rglob("*.py")}
    assert folders
    assert not [str(folder) for folder in folders if not (folder / "__init__.py").is_file()]


def test_names_say_what_is_inside() -> None:
    named = [file for file in files() if file.suffix == ".py"]
    assert named
    assert not [str(file) for file in named if NOT_A_NAME & set(file.stem.split("_"))]


# Words --------------------------------------------------------------------------------------------

DIALECT = re.compile(r"\b(whoever|whomever|anew|oneself|one's)\b", re.IGNORECASE)
"""Say who: "a player who …", "again", "your own", "the player's"."""
_LETTERS = re.compile(r"whoever|whomever|anew|oneself|one\\?'s", re.IGNORECASE)
"""In a program, as a string may hold them; without them it need not be taken apart."""
_SHOWN = re.compile(r"/rules/\w+\.md$")


def prose(file: Path) -> Iterator[str]:
    """Whole documents; of a program its comments and docstrings."""
    text = file.read_text("utf-8")
    if file.suffix != ".py":
        yield text
        return
    if not _LETTERS.search(text):
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def dialect(texts: Iterator[str]) -> list[str]:
    return [word for text in texts for word in DIALECT.findall(text)]


def test_nobody_says_whoever_or_anew() -> None:
    written = [
        file
        for file in files()
        if (file.suffix in (".py", ".md") or file.name in ("Makefile", ".importlinter"))
        and not _SHOWN.search(str(file))
    ]
    found = {str(file.relative_to(ROOT)): dialect(prose(file)) for file in written}
    assert len(found) > 300 and not {file: words for file, words in found.items() if words}


# Seats and tables ---------------------------------------------------------------------------------

TABLES = Path(__file__).resolve().parents[2] / "server" / "tables"
OF_SEAT = set(Chair.__slots__) - {"name", "identity"}
"""Sessions have a name and an identity, too."""
OF_TABLE = {"phase", "match", "matches", "options", "host"}


def assigned(source: str, fields: Set[str]) -> list[int]:
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


@pytest.mark.parametrize(("owner", "fields"), [("seat.py", OF_SEAT), ("table.py", OF_TABLE)])
def test_only_its_own_file_assigns_what_a_seat_and_a_table_own(
    owner: str, fields: Set[str]
) -> None:
    rooms = ("", "cli/", "net/**/", "tables/")
    files = {file for room in rooms for file in TABLES.parent.glob(f"{room}*.py")}
    others = files - {TABLES / owner}
    found = {str(file): lines for file in others if (lines := assigned(file.read_text(), fields))}
    assert len(others) == len(files) - 1 > 30
    assert not found, f"it changes by the verbs of server/tables/{owner} and in no other way"
