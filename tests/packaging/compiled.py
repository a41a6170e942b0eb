"""The compiled wheel, installed beside the checkout in `.venv-compiled`: `make compiled`.

There the programs and the server of the checkout's tests are those of the wheel, and the tests
themselves are the checkout's.
"""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

from tests.packaging.wheel_check import (
    COMPILED,
    INSTALL_S,
    ROOT,
    another_folder,
    build,
    look_inside,
)

VENV: Final = ROOT / ".venv-compiled"
_PURE_PATH: Final = "import sysconfig; print(sysconfig.get_path('purelib'))"


def main() -> None:
    """Exit 0 when it is installed, else 1 with the reason on stderr."""
    with another_folder() as elsewhere:
        elsewhere = elsewhere._replace(environment=os.environ)  # pip as this machine has set it up
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        extras = ",".join(project["optional-dependencies"].keys() - {"mutants"})
        wheel = build(elsewhere, out=COMPILED)
        look_inside(wheel)
        python = VENV / "bin" / "python"
        elsewhere.step("make .venv-compiled", INSTALL_S, sys.executable, "-I", "-m", "venv", VENV)
        pip = (python, "-I", "-m", "pip", "--quiet", "--no-input")
        # The version is the same, so pip would leave the last one where it is.
        elsewhere.step("make room", INSTALL_S, *pip, "uninstall", "--yes", "clocktowers-tui")
        elsewhere.step("install it", INSTALL_S, *pip, "install", f"{wheel}[{extras}]")
        folder = elsewhere.step("find its folder", INSTALL_S, python, "-I", "-c", _PURE_PATH)
    # After the wheel on the way of imports: tests and benches come from the checkout, no more.
    Path(folder.strip(), "checkout.pth").write_text(f"{ROOT}\n")
    subprocess.run((VENV / "bin" / "clocktowers", "--version"), check=True)


if __name__ == "__main__":
    main()
