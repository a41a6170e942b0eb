"""The pipe from a client to the server that it has started: a password, and then nothing until the
client is gone."""

import asyncio
import os
import stat
import sys
from contextlib import suppress
from typing import Final

FIRST_LINE_S: Final = 10.0


class NoClient(Exception):
    """No client started this process; the text says what is missing."""


async def open_stdin() -> asyncio.StreamReader:
    mode = os.fstat(sys.stdin.fileno()).st_mode
    if not (
        stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
    ):  # with anything else uvloop ends the process
        raise NoClient("stdin is no pipe of a client; people use `serve` instead")
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    return reader


async def first_line(client: asyncio.StreamReader) -> str:
    """The line that the client wrote, or "" when the client is gone already."""
    try:
        async with asyncio.timeout(FIRST_LINE_S):
            return (await client.readline()).decode("utf-8", "replace").strip()
    except TimeoutError:
        raise NoClient("no password came on stdin; people use `serve` instead") from None
    except ValueError:
        raise NoClient("the password on stdin is too long") from None


async def hung_up(client: asyncio.StreamReader) -> None:
    """Return when the client is gone."""
    with suppress(OSError):  # a pipe that breaks is one, too
        while await client.read(1024):
            pass
