"""Imported by the process that forks guests' clients: it can fork none while a file is there, as
where the system's limit is reached.
"""

import errno
import os
from pathlib import Path
from typing import Final

VARIABLE: Final = "CLOCKTOWERS_TESTS_FULL"
"""Names the file."""
_fork: Final = os.fork


def _fork_where_there_is_room() -> int:
    if Path(os.environ.get(VARIABLE, "/nowhere")).exists():
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
    return _fork()


setattr(os, "fork", _fork_where_there_is_room)  # noqa: B010
