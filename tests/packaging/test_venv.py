"""`.ci/venv` on machines that lack something: one sentence, no traceback, nothing left behind."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
# The script's own tools; Python is not among them.
TOOLS = ("sh", "cat", "cksum", "dirname", "mkdir", "rm", "sleep")
TOO_OLD = "#!/bin/sh\nexit 1\n"
OUR_PYTHON = f'exec "{sys.executable}" "$@"\n'
PIP_THAT_SAYS_SO = f'#!/bin/sh\ncase "$*" in *"-m pip"*) echo pip ran; exit ;; esac\n{OUR_PYTHON}'
WITHOUT_VENV = f'#!/bin/sh\ncase "$*" in *venv*) exit 1 ;; esac\n{OUR_PYTHON}'


class Answer(NamedTuple):
    """How the script ended and what it said."""

    returncode: int
    stdout: str
    stderr: str


class Machine:
    """A checkout and a PATH that holds only what a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "a checkout"
        self.path = folder / "bin"
        (self.checkout / ".ci").mkdir(parents=True)
        self.path.mkdir()
        for script in ("venv", "pythons"):
            shutil.copy(ROOT / ".ci" / script, self.checkout / ".ci")
        shutil.copy(ROOT / "pyproject.toml", self.checkout)
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found, f"{tool} is missing on this machine"
            (self.path / tool).symlink_to(found)

    def has(self, program: str, script: str) -> None:
        (self.path / program).write_text(script)
        (self.path / program).chmod(0o755)

    def start(self, stderr: int, **environment: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            ["sh", str(self.checkout / ".ci" / "venv"), "runtime"],
            env={"PATH": str(self.path), **environment},
            cwd=self.path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )

    def set_up(self, **environment: str) -> Answer:
        with self.start(subprocess.PIPE, **environment) as script:
            stdout, stderr = script.communicate(timeout=60)
        return Answer(script.returncode, stdout.decode(), stderr.decode())


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def refused_in_one_sentence(done: Answer) -> str:
    assert done.returncode != 0
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    return done.stderr


def test_no_python(machine: Machine) -> None:
    assert "3.11 or newer is needed" in refused_in_one_sentence(machine.set_up())


def test_only_old_pythons(machine: Machine) -> None:
    machine.has("python3", TOO_OLD)
    machine.has("python3.11", TOO_OLD)
    assert "3.11 or newer is needed" in refused_in_one_sentence(machine.set_up())
    assert not (machine.checkout / ".venv").exists()


def test_the_python_asked_for_is_too_old(machine: Machine) -> None:
    machine.has("old", TOO_OLD)
    machine.has("python3", f"#!/bin/sh\n{OUR_PYTHON}")
    assert "PYTHON=old" in refused_in_one_sentence(machine.set_up(PYTHON="old"))


def test_no_python_of_the_version_asked_for(machine: Machine) -> None:
    assert "PYTHON=3.12" in refused_in_one_sentence(machine.set_up(PYTHON="3.12"))


def test_a_version_is_found_among_pyenvs(machine: Machine) -> None:
    machine.has("python3.12", TOO_OLD)  # as pyenv's stand-in on the PATH
    programs = machine.path / "pyenv" / "versions" / "3.12.1" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
    found = subprocess.run(
        ["sh", str(machine.checkout / ".ci" / "pythons"), "3.12"],
        env={"PATH": str(machine.path), "PYENV_ROOT": str(machine.path / "pyenv")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(found.stdout.strip()).samefile(sys.executable)


def test_python_without_venv(machine: Machine) -> None:
    machine.has("python3", WITHOUT_VENV)
    assert "apt install python3-venv" in refused_in_one_sentence(machine.set_up())


def test_python_that_does_not_run_is_passed_over(machine: Machine) -> None:
    machine.has("python3", TOO_OLD)
    machine.has("python3.12", WITHOUT_VENV)
    assert refused_in_one_sentence(machine.set_up()).startswith("python3.12 cannot make")


def ready(machine: Machine) -> Path:
    """A checkout that is set up, as far as the script can see; its pip only says that it ran."""
    programs = machine.checkout / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").write_text(PIP_THAT_SAYS_SO)
    (programs / "python").chmod(0o755)
    pyproject = (machine.checkout / "pyproject.toml").read_bytes()
    checksum = subprocess.run(["cksum"], input=pyproject, capture_output=True, check=True)
    stamp = f"{machine.checkout.resolve()} {checksum.stdout.decode()}"
    (machine.checkout / ".venv" / "ready-dev").write_text(stamp)
    return machine.checkout / ".venv"


def test_a_second_run_needs_nothing(machine: Machine) -> None:
    ready(machine)
    done = machine.set_up()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_another_folder_than_dot_venv(machine: Machine) -> None:
    elsewhere = ready(machine).rename(machine.checkout / "elsewhere")
    done = machine.set_up(VENV="elsewhere")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert elsewhere.is_dir() and not (machine.checkout / ".venv").exists()


def test_changed_dependencies_are_installed(machine: Machine) -> None:
    ready(machine)
    (machine.checkout / "pyproject.toml").write_text("[project]\n")
    assert machine.set_up().stdout == "pip ran\n"
    assert machine.set_up().stdout == ""


def test_a_moved_folder_is_set_up_again(machine: Machine) -> None:
    ready(machine)
    machine.checkout = machine.checkout.rename(machine.checkout.with_name("elsewhere"))
    assert machine.set_up().stdout == "pip ran\n"


def test_a_venv_whose_python_is_gone_is_made_again(machine: Machine) -> None:
    """No Python is at hand here: the wish to make it again shows as the refusal."""
    venv = ready(machine)
    (venv / "bin" / "python").unlink()
    refused_in_one_sentence(machine.set_up())


def test_an_interrupted_set_up_starts_afresh(machine: Machine) -> None:
    venv = ready(machine)
    with subprocess.Popen(["true"]) as ended:
        ended.wait()
    (venv / "unfinished").write_text(f"{ended.pid}\n")
    refused_in_one_sentence(machine.set_up())


def test_it_waits_for_another_set_up(machine: Machine) -> None:
    unfinished = ready(machine) / "unfinished"
    at_work = ["sh", "-c", 'read _; rm "$0"', str(unfinished)]
    with subprocess.Popen(at_work, stdin=subprocess.PIPE) as other:
        unfinished.write_text(f"{other.pid}\n")
        waiting = machine.start(stderr=subprocess.PIPE)
        with waiting:
            assert waiting.stderr
            assert b"waiting for it" in waiting.stderr.readline()
            other.communicate(b"\n", timeout=30)
            assert waiting.wait(30) == 0


def test_the_developers_venv_has_every_extra() -> None:
    """But that of `make mutants`; and the one to play has none."""
    script = (ROOT / ".ci" / "venv").read_text()
    (named,) = re.findall(r"what='\.\[([a-z,]+)\]'", script)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {*named.split(","), "mutants"} == project["optional-dependencies"].keys()
    assert "else what=.;" in script
