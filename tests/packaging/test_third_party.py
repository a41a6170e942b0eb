"""THIRD-PARTY.md names every library that is installed with the program, with its licence."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata, requires
from itertools import chain
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "THIRD-PARTY.md").read_text(encoding="utf-8")
LISTED: Final = dict(re.findall(r"^\| ([a-z0-9-]+) \| [^|]+ \| ([^|]+) \|", PAGE, flags=re.M))


def installed_with(name: str, extras: frozenset[str], found: set[str]) -> set[str]:
    """The libraries that this one needs, and those that they need."""
    for text in requires(name) or []:
        needed = Requirement(text)
        wanted = [{"extra": extra} for extra in ("", *extras)]
        if needed.marker and not any(needed.marker.evaluate(each) for each in wanted):
            continue
        library = needed.name.lower().replace("_", "-")
        if library not in found or needed.extras:
            found.add(library)
            installed_with(library, frozenset(needed.extras), found)
    return found


def test_every_library_is_named() -> None:
    """With all extras; of those that only work on it needs, the ones that it names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].keys() - {"dev", "mutants"}
    needed = installed_with("clocktowers-tui", frozenset(extras), set())
    assert {"textual", "rich", "linkify-it-py", "zeroconf", "cryptography"} <= needed
    assert needed <= LISTED.keys()
    named = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    assert {Requirement(text).name.lower() for text in named} <= LISTED.keys()


def test_the_licences_are_those_that_the_libraries_declare() -> None:
    """By their first words: `BSD-3-Clause` is declared as `BSD License`, too."""
    for library, licence in LISTED.items():
        try:
            described = metadata(library)
        except PackageNotFoundError:
            continue
        fields = ("License-Expression", "License", "Classifier")
        declared = " ".join(text for name in fields for text in described.get_all(name) or [])
        assert re.split(r"[ -]", licence)[0] in declared, library
