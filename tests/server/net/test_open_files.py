"""How many connections a server lets in where few files may be open; each in its own process."""

import json
import subprocess
import sys
from typing import Any

import pytest

from server.net.open_files import SPARE_FILES

ASKED = 1000

SERVER = """
import asyncio, json, resource, sys
import structlog
from server.config import Config, Limits
from server.store.memory import MemoryJournal
from server.server import opened

soft, hard, asked = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
structlog.configure(
    processors=[structlog.processors.JSONRenderer()],
    logger_factory=structlog.WriteLoggerFactory(sys.stderr),
)

async def main():
    config = Config(host=("127.0.0.1",), port=0, limits=Limits(connections=asked, tables=7))
    async with opened(config, MemoryJournal()) as (server, _addresses):
        limits = server.config.limits
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        print(json.dumps([soft, limits.connections, limits.tables]))

asyncio.run(main())
"""


def served(soft: int, hard: int) -> tuple[list[int], list[dict[str, Any]]]:
    """[soft limit, connections, tables] of a server that began with these limits; what it logs."""
    done = subprocess.run(
        [sys.executable, "-c", SERVER, str(soft), str(hard), str(ASKED)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), [json.loads(line) for line in done.stderr.splitlines()]


def test_the_limit_is_raised_to_what_is_allowed() -> None:
    hard = ASKED + SPARE_FILES
    assert served(soft=64, hard=hard) == ([hard, ASKED, 7], [])


@pytest.mark.parametrize(
    ("hard", "allowed"), [(ASKED + SPARE_FILES - 1, ASKED - 1), (SPARE_FILES, SPARE_FILES // 2)]
)
def test_with_fewer_files_fewer_are_let_in_and_it_is_said(hard: int, allowed: int) -> None:
    (soft, connections, tables), (warning,) = served(soft=64, hard=hard)
    assert (soft, connections, tables) == (hard, allowed, 7)
    assert (warning["connections"], warning["wished"]) == (allowed, ASKED)
