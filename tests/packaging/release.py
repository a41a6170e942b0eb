"""The sdist and both wheels of the last commit, into `dist/`: `make release`.

One wheel is Python for every machine, the other is compiled for machines like this one. All are
built twice, from this checkout and from a copy of the commit elsewhere, and have to be equal, byte
by byte: so nothing but the commit (and the compiler) is in them, and anybody can build them again.
What is written in them as the time is that of the commit. The wheels are checked as by `make
wheel-check`.
"""

import hashlib
import os
import shutil
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Final

from tests.packaging.wheel_check import (
    COMPILED,
    PURE,
    ROOT,
    another_folder,
    build,
    check,
    fail,
    say,
)

DIST: Final = ROOT / "dist"


def main() -> None:
    """Exit 0 with the files in `dist/`, else 1 with the reason on stderr."""
    if _git("status", "--porcelain"):
        fail("commit what you have changed, or a release would not be what its commit says")
    os.environ["SOURCE_DATE_EPOCH"] = _git("log", "-1", "--format=%ct").decode().strip()
    with another_folder() as elsewhere:
        wheels = [build(elsewhere, out=kind) for kind in (PURE, COMPILED)]
        before = os.umask(0o077)  # what a folder allows is not to matter
        copy = _copied(elsewhere.folder / "copy")
        again = [build(elsewhere, copy, f"{kind} again") for kind in (PURE, COMPILED)]
        os.umask(before)
        made: dict[str, Path] = {}
        for wheel, other in zip(wheels, again, strict=True):
            for file in sorted(wheel.parent.iterdir()):
                if file.read_bytes() != (other.parent / file.name).read_bytes():
                    fail(f"{file.name}: built twice from the same commit, it differs")
                made[file.name] = file
            check(wheel, elsewhere)
        DIST.mkdir(exist_ok=True)
        for name, file in made.items():
            shutil.copyfile(file, DIST / name)
            say(f"dist/{name}, SHA-256 {hashlib.sha256(file.read_bytes()).hexdigest()}")


def _copied(folder: Path) -> Path:
    """The last commit, and nothing else."""
    with tarfile.open(fileobj=BytesIO(_git("archive", "HEAD"))) as archive:
        archive.extractall(folder, filter="data")
    return folder


def _git(*command: str) -> bytes:
    return subprocess.run(("git", "-C", ROOT, *command), capture_output=True, check=True).stdout


if __name__ == "__main__":
    main()
