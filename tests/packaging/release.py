"""The wheel and the sdist of the last commit, into `dist/`: `make release`.

They are built twice, from this checkout and from a copy of the commit elsewhere, and have to be
equal, byte by byte: so nothing but the commit is in them, and anybody can build them again. What is
written in them as the time is that of the commit. The wheel is checked as by `make wheel-check`.
"""

import hashlib
import os
import shutil
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Final

from tests.packaging.wheel_check import ROOT, another_folder, build, check, fail, say

DIST: Final = ROOT / "dist"


def main() -> None:
    """Exit 0 with both files in `dist/`, else 1 with the reason on stderr."""
    if _git("status", "--porcelain"):
        fail("commit what you have changed, or a release would not be what its commit says")
    os.environ["SOURCE_DATE_EPOCH"] = _git("log", "-1", "--format=%ct").decode().strip()
    with another_folder() as elsewhere:
        wheel = build(elsewhere)
        before = os.umask(0o077)  # what a folder allows is not to matter
        again = build(elsewhere, _copied(elsewhere.folder / "copy"), "again")
        os.umask(before)
        made = sorted(wheel.parent.iterdir())
        for file in made:
            if file.read_bytes() != (again.parent / file.name).read_bytes():
                fail(f"{file.name}: built twice from the same commit, it differs")
        check(wheel, elsewhere)
        DIST.mkdir(exist_ok=True)
        for file in made:
            shutil.copyfile(file, DIST / file.name)
            say(f"dist/{file.name}, SHA-256 {hashlib.sha256(file.read_bytes()).hexdigest()}")


def _copied(folder: Path) -> Path:
    """The last commit, and nothing else."""
    with tarfile.open(fileobj=BytesIO(_git("archive", "HEAD"))) as archive:
        archive.extractall(folder, filter="data")
    return folder


def _git(*command: str) -> bytes:
    return subprocess.run(("git", "-C", ROOT, *command), capture_output=True, check=True).stdout


if __name__ == "__main__":
    main()
