"""How many files this process may have open: on Unix every connection is one."""

import resource
import sys
from contextlib import suppress
from typing import Final

SPARE_FILES: Final = 200
"""What a process has open beside its connections; generous."""


def connections_allowed() -> int:
    """Raise the limit as far as this process may; how many connections it then allows.

    Where few files are allowed altogether, half of them are kept for the rest.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        # Some systems name a hard limit that they do not grant.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return sys.maxsize
    return max(soft - SPARE_FILES, soft // 2)
