"""A client written from PROTOCOL.md alone plays against a real server, process to process."""

import ast
import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.stage import minimal_client
from tests.stage.house import PATIENCE_S
from tests.stage.minimal_client import BareLine, play
from tests.stage.processes import started

CLIENT = Path(minimal_client.__file__)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def port(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    folder = tmp_path_factory.mktemp("server")
    serve = ("serve", "--host", "127.0.0.1", "--port", "0", "--bot-pace-s", "0")
    async with started(folder, *serve, stderr=asyncio.subprocess.DEVNULL) as server:
        await server.listens()
        yield str(server.port)


def test_it_joins_the_table_of_another(port: str) -> None:
    host = BareLine("127.0.0.1", int(port))
    host.say("hello", magic="clocktowers", versions=[1], name="Bob")
    host.until("welcome")
    host.wish("create", game="clocktowers", seats=2)
    code = host.until("done")["table"]
    # Isolated (-I): the client can see neither the project nor its folder.
    command = [sys.executable, "-I", str(CLIENT), "127.0.0.1", port, "--table", code.lower()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as joiner:
        while not host.until("table")["info"]["seats"][1].get("ready"):
            pass
        host.wish("start")
        ended = play(host)
        host.say("bye")
        said = joiner.communicate(timeout=PATIENCE_S)[0]
        assert joiner.returncode == 0, said
        assert ast.literal_eval(said.splitlines()[1]) == ended["outcome"]
