"""Manual pages and completions: as the parsers are now, and real shells complete by them."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from tests.packaging.pages import COMPLETIONS, SHARE, WRITES, files, parsers

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


def test_every_command_and_flag_stands_in_them() -> None:
    for parser in parsers():
        places = ["man/man1/{prog}.1", *COMPLETIONS.values()]
        for place in places:
            text = (SHARE / place.format(prog=parser.prog)).read_text().replace("\\-", "-")
            words = set(re.findall(r"[a-z][a-z0-9_-]+", text))
            for command, below in parser._subparsers._group_actions[0].choices.items():  # type: ignore
                flags = (flag[2:] for flag in below._option_string_actions if flag[:2] == "--")
                assert {command, *flags} - {"help"} <= words, (place, command)


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
