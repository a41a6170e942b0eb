"""How many files this process may have open: on Unix each connection is a file."""

import resource
import sys
from contextlib import suppress
from typing import Final

import structlog
from msgspec.structs import replace

from server.config import Config

SPARE_FILES: Final = 700
"""What a process has open beside its connections: those that have not begun to talk, of which there
are 500 (`arriving`), and generously what else it needs."""


def connections_allowed() -> int:
    """Raise the limit as far as this process may, and return how many connections it then allows.

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


def bearable(config: Config) -> Config:
    """The settings, with no more connections than files allow: accepting would fail."""
    wished, allowed = config.limits.connections, connections_allowed()
    if wished <= allowed:
        return config
    structlog.get_logger().warning(
        "fewer connections than wished, as so few files may be open; raise that limit (ulimit -Hn)",
        wished=wished,
        connections=allowed,
    )
    return replace(config, limits=replace(config.limits, connections=allowed))
