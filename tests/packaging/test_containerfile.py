"""The Containerfile: its steps, run in a root file system of their own. No container engine is
tried: this machine's own system stands in for the image that it begins with.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from server.settings import load

ROOT: Final = Path(__file__).parents[2]
FILE: Final = ROOT / "packaging" / "Containerfile"
LIMIT_S: Final = 600


class Instruction(NamedTuple):
    word: str
    rest: str


def steps() -> list[Instruction]:
    lines = FILE.read_text().splitlines()
    return [Instruction(*line.split(" ", 1)) for line in lines if line and not line.startswith("#")]


def told(word: str) -> list[str]:
    return [step.rest for step in steps() if step.word == word]


def env() -> dict[str, str]:
    return dict(rest.split("=", 1) for rest in told("ENV"))


def test_what_it_copies_is_there_and_what_it_sets_are_settings() -> None:
    for rest in told("COPY"):
        *sources, _into = rest.split()
        assert all((ROOT / source).exists() for source in sources)
    config = load(None, env(), {})
    assert [config.state] == told("VOLUME")
    assert [str(config.port)] == told("EXPOSE")


def script(root: Path, work: Path) -> str:
    """Does each step below `root`, then starts the server there and asks it how it is."""
    lines = [
        "set -eu",
        f"mkdir -p {root} {work}/upper {work}/work",
        f"mount -t overlay overlay -o lowerdir=/,upperdir={work}/upper,workdir={work}/work {root}",
        f"mount --bind /dev {root}/dev",
        f"mount --bind /proc {root}/proc",
        # The image has a Python that everybody can run.
        *(f"chmod o+x {root}{folder}" for folder in Path(sys.base_prefix).parents),
        f"chroot {root} {sys._base_executable} -m venv /image",  # type: ignore[attr-defined]
    ]
    path = "/image/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    inside = f"chroot {root} env -u VIRTUAL_ENV PATH={path}"
    for word, rest in steps():
        match word:
            case "COPY":
                *sources, into = rest.split()
                lines.append(f"mkdir -p {root}{into if into.endswith('/') else Path(into).parent}")
                lines.append(f"cp -r {' '.join(str(ROOT / one) for one in sources)} {root}{into}")
            case "RUN":
                lines.append(f"{inside} sh -ec {shlex.quote(rest)}")
    check, start = told("HEALTHCHECK")[0].partition(" CMD ")[2], told("CMD")[0]
    given = shlex.join([f"{name}={value}" for name, value in env().items()])
    as_user = (
        f"chroot --userspec={told('USER')[0]} {root} env -i PATH={path} {given} CLOCKTOWERS_PORT=0"
    )
    healthy = f"{as_user} {shlex.join(json.loads(check))}"
    program = shlex.join([*json.loads(told("ENTRYPOINT")[0]), *json.loads(start)])
    return "\n".join(
        [
            *lines,
            f"{healthy} && exit 91",  # nothing runs yet
            f"{as_user} {program} >{work}/said 2>&1 & server=$!",
            "trap 'kill $server' EXIT",
            f"for _ in $(seq 600); do grep -q matches {work}/said && break; sleep 0.1; done",
            f"{healthy}",
            "trap - EXIT; kill $server; wait $server",
            f"{healthy} && exit 92",
            "echo went through",
        ]
    )


@pytest.mark.soak
@pytest.mark.skipif(os.getuid() != 0, reason="only root may mount a root file system")
@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare (util-linux)")
def test_its_steps_make_a_server_that_says_how_it_is(tmp_path: Path) -> None:
    command = ("unshare", "--mount", "--propagation", "private", "sh", "-c")
    if subprocess.run([*command, "mount -t tmpfs none /mnt"], check=False).returncode:
        pytest.skip("this machine lets nobody mount anything")
    done = subprocess.run(
        [*command, script(tmp_path / "root", tmp_path / "work")],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    said = tmp_path / "work" / "said"
    assert done.returncode == 0, (
        f"{done.stdout}\n{done.stderr}\n{said.exists() and said.read_text()}"
    )
    assert done.stdout.endswith("went through\n")
