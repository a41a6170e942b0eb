"""No file of the project holds a machine's paths or a registry's address; names keep the rules."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("folder", ["root", "work", "home", "Users", "opt"])
def test_a_machines_path_would_be_noticed(folder: str) -> None:
    assert offences(f'open("/{folder}/ann/file")') == ["a machine's path"]


@pytest.mark.parametrize("host", ["pypi", "test.pypi", "files.pythonhosted"])
def test_a_registrys_address_would_be_noticed(host: str) -> None:
    assert offences(f"from https://{host}.org/simple") == ["a registry's address"]


def test_every_folder_of_tests_is_a_package() -> None:
    """Half of the files missing makes pytest import `tests/server` as `server`."""
    folders = {file.parent for file in (ROOT / "tests").rglob("*.py")}
    assert folders
    assert not [str(folder) for folder in folders if not (folder / "__init__.py").is_file()]


def test_names_say_what_is_inside() -> None:
    named = [file for file in files() if file.suffix == ".py"]
    assert named
    assert not [str(file) for file in named if NOT_A_NAME & set(file.stem.split("_"))]
