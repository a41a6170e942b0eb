"""The systemd unit: systemd finds no fault with it, and little that an intruder could reach. Under
a real systemd, shut in as it is, the server plays, with a searching bot too, is restarted when it
is stuck, and lets guests in."""

import asyncio
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec import json

from protocol.from_server import Welcome
from server.settings import load
from tests.stage.guests import SshServer, needs_ssh
from tests.stage.house import PATIENCE_S, START, Peer
from tests.stage.processes import children

ROOT: Final = Path(__file__).parents[2]
UNIT: Final = ROOT / "packaging" / "clocktowers.service"
EXPOSURE: Final = 15
"""In tenths: what `systemd-analyze security` may find at most."""

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="systemd-analyze is not installed (Debian: apt-get install systemd)",
)


def analyze(*args: str) -> "subprocess.CompletedProcess[str]":
    command = ("systemd-analyze", "--no-pager", *args)
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The unit, with the program of this checkout."""
    unit = tmp_path / UNIT.name
    programs = tmp_path / "bin"
    programs.symlink_to(Path(sys.executable).parent)  # where there may be blanks on the way
    unit.write_text(UNIT.read_text().replace("/usr/local/lib/clocktowers/bin", str(programs)))
    return unit


@needs_systemd
def test_systemd_understands_it(installed: Path) -> None:
    found = analyze("verify", str(installed))
    assert (found.returncode, found.stderr) == (0, "")
    installed.write_text(installed.read_text().replace("WatchdogSec", "WatchdogSecs"))
    assert "WatchdogSecs" in analyze("verify", str(installed)).stderr


@needs_systemd
def test_it_is_shut_in(tmp_path: Path) -> None:
    if "--offline" not in analyze("--help").stdout:
        pytest.skip("this systemd-analyze cannot judge a file (it can from version 250 on)")
    command = ("security", "--offline=yes", f"--threshold={EXPOSURE}")
    found = analyze(*command, str(UNIT))
    assert found.returncode == 0, found.stdout
    open_wide = tmp_path / UNIT.name
    open_wide.write_text(re.sub(r"^(SystemCall|Protect).*\n", "", UNIT.read_text(), flags=re.M))
    assert analyze(*command, str(open_wide)).returncode != 0


def test_its_variables_are_settings() -> None:
    text = UNIT.read_text().replace("%S", "/var/lib")
    env = dict(re.findall(r"^Environment=(\w+)=(.*)$", text, flags=re.M))
    config = load(None, env, {})
    assert (config.state, config.host) == ("/var/lib/clocktowers", ("0.0.0.0", "::"))


# A systemd of its own: process 1 of new namespaces, in a control group of its own, on a copy of
# this machine's file system that is thrown away ---------------------------------------------------

SYSTEMD: Final = Path("/lib/systemd/systemd")
PRIVATE: Final = ("unshare", "--mount", "--propagation", "private", "sh", "-ec")
PLACES: Final = "/usr/local/lib/clocktowers"
"""Where this Python, its packages and this checkout are seen inside: the unit hides homes."""
DEVICES: Final = ("null 1 3", "zero 1 5", "full 1 7", "random 1 8", "urandom 1 9", "tty 5 0")


class Booted:
    def __init__(self, process_1: int) -> None:
        self._process_1: Final = process_1

    def run(self, *command: str) -> str:
        """What the command prints, inside."""
        enter = ("nsenter", "-t", str(self._process_1), "--mount", "--pid", "--cgroup", "--root")
        done = subprocess.run(
            [*enter, *command], capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        return done.stdout + done.stderr

    def shows(self, unit: str, name: str) -> str:
        """A property of the unit."""
        return self.run("systemctl", "show", "--value", "-p", name, unit).strip()

    def waits_until(self, unit: str, name: str, value: str) -> None:
        """AssertionError when the property does not become that."""
        end_s = time.monotonic() + PATIENCE_S
        while (found := self.shows(unit, name)) != value:
            assert time.monotonic() < end_s, (name, found, self.run("systemctl", "status", unit))
            time.sleep(0.1)

    def server(self) -> int:
        """The number of the server's process, out here."""
        return next(pid for pid in children(self._process_1) if _name(pid).startswith("python"))


@contextmanager
def booted(work: Path, unit: Path, files: Mapping[str, str]) -> Iterator[Booted]:
    """systemd with this unit started. `files`: what is written where before it starts."""
    group = f"{work}/groups/clocktowers-test-{os.getpid()}"
    groups = f"mkdir -p {work}/groups; mount -t cgroup2 cgroup2 {work}/groups"
    inner = "unshare --cgroup --pid --fork --uts --ipc --kill-child sh -ec"
    outer = f"{groups}; mkdir {group}; echo 0 >{group}/cgroup.procs; exec {inner}"
    with (work / "said").open("wb") as said:
        process = subprocess.Popen(
            [*PRIVATE, f"{outer} {shlex.quote(_boot(work, unit, files))}"],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        )
    try:
        yield Booted(_process_1(process, work))
    finally:
        process.kill()
        process.wait()
        leave = f"find {group} -depth -type d -exec rmdir {{}} +"
        tidy = f"{groups}; for _ in 1 2 3 4 5; do {leave} && break; sleep 1; done"
        subprocess.run([*PRIVATE, tidy], capture_output=True, check=False)


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def _process_1(process: "subprocess.Popen[bytes]", work: Path) -> int:
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s and process.poll() is None:
        for pid in children(process.pid):
            if _name(pid) == "systemd":
                return pid
        time.sleep(0.1)
    raise AssertionError((work / "said").read_text(errors="replace"))


def _boot(work: Path, unit: Path, files: Mapping[str, str]) -> str:
    """Makes the root and becomes systemd."""
    root = f"{work}/root"
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    program = f'#!/bin/sh\nexec {PLACES}/bin/python3 -P -m server "$@"\n'
    written = {
        f"{PLACES}/bin/clocktowers-server": program,
        f"{PLACES}/pyvenv.cfg": f"home = {PLACES}/python/bin\n",
        f"{PLACES}/lib/{version}/site-packages/all.pth": f"{PLACES}/checkout\n{PLACES}/packages\n",
        **files,
    }
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    seen = {"python": sys.base_prefix, "packages": packages, "checkout": ROOT}
    system = f"{root}/etc/systemd/system"
    lines = [
        "set -e",
        f"mkdir -p {root} {work}/upper {work}/work",
        f"mount -t overlay overlay -o lowerdir=/,upperdir={work}/upper,workdir={work}/work {root}",
        f"mount -t proc proc {root}/proc",
        f"mount -t sysfs sysfs {root}/sys",
        f"mount -t cgroup2 cgroup2 {root}/sys/fs/cgroup",
        *(f"mount -t tmpfs tmpfs {root}/{folder}" for folder in ("run", "tmp", "dev")),
        *(
            f"mknod -m 666 {root}/dev/{name} c {major} {minor}"
            for name, major, minor in map(str.split, DEVICES)
        ),
        f"mkdir -m 1777 {root}/dev/shm; mkdir {root}/dev/pts; touch {root}/dev/console",
        f"mount -t devpts devpts {root}/dev/pts -o newinstance,ptmxmode=666",
        f"ln -s pts/ptmx {root}/dev/ptmx; ln -s /proc/self/fd {root}/dev/fd",
        # Nothing of this machine's own is started.
        f"rm -rf {root}/lib/systemd/system/*.wants {root}/lib/systemd/system-generators",
        f"rm -rf {root}/usr/lib/systemd/system/*.wants {root}/usr/lib/systemd/system-generators",
        f"rm -rf {system}/*.wants {root}{PLACES}; mkdir -p {system}",
        *(
            f"mkdir -p {root}{PLACES}/{name}; mount --bind {path} {root}{PLACES}/{name}"
            for name, path in seen.items()
        ),
        f"cp {unit} {system}",
        *(
            f"mkdir -p {Path(root + path).parent}; printf %s {shlex.quote(text)} >{root}{path}"
            for path, text in written.items()
        ),
        f"chmod 755 {root}{PLACES}/bin/clocktowers-server",
        f"ln -s {PLACES}/python/bin/python3 {root}{PLACES}/bin/python3",
        # A Python whose library is shared looks for it where it was built.
        f"echo {PLACES}/python/lib >{root}/etc/ld.so.conf.d/clocktowers.conf; ldconfig -r {root}",
        f"printf '[Unit]\\nDefaultDependencies=no\\nWants={unit.name}\\n' >{system}/only.target",
        # Not chroot: from there the unit could not make a namespace of users.
        f"mkdir -p {root}/before; cd {root}; pivot_root . before; umount -l /before",
        "exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin "
        f"{SYSTEMD} --system --unit=only.target --show-status=no --log-target=console",
    ]
    return "\n".join(lines)


# The unit runs ------------------------------------------------------------------------------------


NAME: Final = UNIT.name
STATE: Final = ("--state", "/var/lib/clocktowers", "--json")


def why_not_here() -> str:
    if os.getuid() != 0:
        return "only root may boot a systemd"
    if not SYSTEMD.exists():
        return "systemd is not installed"
    return "" if shutil.which("nsenter") else "needs nsenter (util-linux)"


boots = pytest.mark.skipif(bool(why_not_here()), reason=why_not_here())


def matches(inside: Booted) -> int:
    status = inside.run("/usr/local/lib/clocktowers/bin/clocktowers-server", "status", *STATE)
    return int(json.decode(status)["matches"])


async def play(port: int) -> None:
    """A few moves against a bot that searches, in a process of its own."""
    peer = Peer(*await asyncio.open_connection("127.0.0.1", port))
    peer.say_hello("Ann")
    await peer.until(Welcome)
    await peer.create(seats=2, bots="hard")
    await peer.done(START)
    await peer.play(Random(1), 5)
    peer.abort()


@contextmanager
def started(folder: Path, more: str) -> Iterator[tuple[Booted, int]]:
    """A systemd that has started the unit with these lines more, and the server's port."""
    allowed = f"mount -t tmpfs none {folder}; mkdir {folder}/c; mount -t cgroup2 c {folder}/c"
    if subprocess.run([*PRIVATE, allowed], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount anything")
    with socket.create_server(("0.0.0.0", 0)) as free:
        port = free.getsockname()[1]
    files = {
        "/etc/default/clocktowers": f"CLOCKTOWERS_PORT={port}\n",
        f"/etc/systemd/system/{NAME}.d/test.conf": f"[Service]\n{more}",
    }
    with booted(folder, UNIT, files) as inside:
        inside.waits_until(NAME, "ActiveState", "active")
        yield inside, port


@pytest.mark.soak
@boots
def test_it_plays_and_is_restarted_when_it_is_stuck(tmp_path: Path) -> None:
    with started(tmp_path, "WatchdogSec=3\nTimeoutAbortSec=1\n") as (inside, port):
        assert inside.shows(NAME, "StatusText") == "0 connections, 0 tables"
        lines = Path(f"/proc/{inside.server()}/status").read_text().splitlines()
        held = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        assert held["Seccomp"] == "2" and held["NoNewPrivs"] == "1"
        assert int(held["CapEff"], 16) == int(held["CapBnd"], 16) == 0
        assert int(held["Uid"].split()[0]) >= 61184, "a user that exists only while it runs"
        asyncio.run(play(port))
        assert matches(inside) == 1
        assert inside.shows(NAME, "NRestarts") == "0"
        os.kill(inside.server(), signal.SIGSTOP)
        inside.waits_until(NAME, "NRestarts", "1")
        inside.waits_until(NAME, "ActiveState", "active")
        assert matches(inside) == 1


async def stops_below_a_guest(inside: Booted, callers: SshServer) -> bytes:
    """What the guest's terminal has received."""
    async with callers.dial("ann", "ann") as terminal:
        await terminal.sees("this server as ann", "New table")
        (client,) = callers.guests
        assert os.getpriority(os.PRIO_PROCESS, client) == 5
        await asyncio.to_thread(inside.run, "systemctl", "stop", NAME)
        await terminal.ends()
        return terminal.painted


@pytest.mark.soak
@boots
@needs_ssh
@pytest.mark.parametrize("kill_mode", ["", "KillMode=control-group\n"])
def test_guests_get_their_terminals_back_when_it_stops(tmp_path: Path, kill_mode: str) -> None:
    """With systemd's own way to stop a unit all programs would end at once, in no order."""
    with started(tmp_path, kill_mode) as (inside, port):
        assert inside.shows(NAME, "OOMPolicy") == "continue", "one guest's program, not all matches"
        callers = SshServer(tmp_path, tmp_path, port, inside.server())
        painted = asyncio.run(stops_below_a_guest(inside, callers))
    assert (b"\x1b[?1049l" in painted) == (b"the server has stopped" in painted) == (not kill_mode)
