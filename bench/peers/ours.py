"""This project's server as `bench.load` measures it, where every match is the scripted one.

python -m bench.peers.ours SEED [FOLDER]
"""

import sys
from functools import partial
from typing import Any
from unittest.mock import patch

from bench.load import subject
from server.matches.replay import new_header
from server.store.journal import Header
from server.tables import playing


def _dealt_from(scripted: bytes, *what: Any, seed: bytes, **header: Any) -> Header:
    return new_header(*what, seed=scripted, **header)


def main(seed: str, *folder: str) -> int:
    """`seed`: in hexadecimal. A table of people cannot ask for one."""
    with patch.object(playing, "new_header", partial(_dealt_from, bytes.fromhex(seed))):
        return subject.main(*folder)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
