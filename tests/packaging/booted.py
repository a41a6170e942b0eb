"""A systemd of its own, with one unit: process 1 of new namespaces, in a control group of its own,
on a copy of this machine's file system that is thrown away.
"""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.stage.house import PATIENCE_S
from tests.stage.processes import children

ROOT: Final = Path(__file__).parents[2]
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
