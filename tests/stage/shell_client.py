"""In the place of a guest's client: a shell with the command that stands in the server's folder."""

import os
from pathlib import Path
from typing import Final

from protocol.guests import House

COMMAND: Final = "command"
"""The file; the shell runs in the folder where it is."""


def run(house: House) -> int:
    """Only in a client's own process, which becomes the shell."""
    os.chdir(Path(house.socket).parent)
    os.execvp("sh", ["sh", COMMAND])
