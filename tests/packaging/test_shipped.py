"""What is shipped beside the program: manual pages and completions are as the parsers are now, real
shells complete by them, and THIRD-PARTY.md names every library with its licence."""

import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, metadata, requires
from itertools import chain
from pathlib import Path
from typing import Final

import pexpect
import pytest
from packaging.requirements import Requirement

from clocktowers_tui import VERSION
from tests.packaging.pages import COMPLETIONS, SHARE, WRITES, files

# Manual pages and completions ---------------------------------------------------------------------


LINES = (("clocktowers jo", "join"), ("clocktowers-server ver", "verify"))
FLAGS = (("clocktowers host --no-ann", "--no-announce"), ("clocktowers solo --ga", "--game"))


def completion(shell: str, line: str) -> Path:
    return SHARE / COMPLETIONS[shell].format(prog=line.split()[0])


def needs(shell: str) -> pytest.MarkDecorator:
    missing = shutil.which(shell) is None
    return pytest.mark.skipif(missing, reason=f"no {shell} is installed here")


@pytest.mark.skipif(sys.version_info[:2] != WRITES, reason="another Python writes these pages")
def test_they_are_as_the_parsers_are() -> None:
    """`make messages` writes them."""
    for path, text in files():
        assert (SHARE / path).read_text() == text, path


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs("bash")
@pytest.mark.parametrize(("line", "whole"), LINES + FLAGS)
def test_bash_completes(line: str, whole: str) -> None:
    words = line.split()
    script = (  # the function's name is looked up, since shtab chooses it
        f"source '{completion('bash', line)}'; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1};"
        f"$(complete -p {words[0]} | sed 's/.*-F \\([^ ]*\\).*/\\1/'); echo ${{COMPREPLY[@]}}"
    )
    assert whole in run("bash", "--norc", "-c", script).split()


@needs("fish")
@pytest.mark.parametrize(("line", "whole"), LINES + FLAGS)
def test_fish_completes(line: str, whole: str) -> None:
    script = f"source '{completion('fish', line)}'; complete -C '{line}'"
    found = run("fish", "--no-config", "-c", script).splitlines()
    assert whole in [each.partition("\t")[0] for each in found]


@needs("zsh")
@pytest.mark.parametrize(("line", "whole"), LINES + FLAGS)
def test_zsh_completes(line: str, whole: str) -> None:
    with pexpect.spawn("zsh", ["-f", "-i"], encoding="utf-8", timeout=60) as shell:
        shell.sendline("PS1='> '; unsetopt zle_bracketed_paste; echo re''ady")
        shell.expect("ready")
        functions = completion("zsh", line).parent
        shell.sendline(
            f"fpath=('{functions}' $fpath); autoload -U compinit; compinit -u -D; echo l''oaded"
        )
        shell.expect("loaded")
        shell.send(f"{line}\t")
        shell.expect_exact(whole)


@pytest.mark.skipif(shutil.which("man") is None, reason="no man is installed here")
def test_man_shows_them() -> None:
    for program, told in (("clocktowers", "learn a game"), ("clocktowers-server", "--announce")):
        assert told in run("man", "-l", str(SHARE / "man" / "man1" / f"{program}.1"))


# Licences -----------------------------------------------------------------------------------------


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


def test_the_client_says_the_version_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == VERSION


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
        if library == "resvg-py":  # declares it in the file of the licence alone
            declared = described["License-File"] and "MIT"
        assert re.split(r"[ -]", licence)[0] in declared, library
