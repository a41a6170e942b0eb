"""Programs of our own: this client starts each with a pipe to it and a pipe from it. When it ends
one, it ends all processes that this one has started, too."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any


def program(module: str, *arguments: str) -> Sequence[str]:
    """The command that runs this module."""
    return (sys.executable, "-P", "-m", module, *arguments)


async def started(command: Sequence[str], line_bytes: int = 65_536) -> Process:
    """To be `ended`. `line_bytes`: of its output, at most. Raises OSError."""
    return await asyncio.create_subprocess_exec(
        *command,
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        limit=line_bytes,
        start_new_session=True,  # the terminal's Ctrl+C is for the client
    )


async def ended(process: Process) -> None:
    """It runs no longer then, nor does what it has started."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    await to_its_end(process.wait())


@asynccontextmanager
async def running(command: Sequence[str], line_bytes: int = 65_536) -> AsyncIterator[Process]:
    """As long as the block. Raises OSError."""
    process = await started(command, line_bytes)
    try:
        yield process
    finally:
        await ended(process)


async def to_its_end(doing: Coroutine[Any, Any, object]) -> None:
    """Wait for it, even where the caller is cancelled meanwhile: at its end Textual cancels each
    task of a screen twice."""
    task = asyncio.ensure_future(doing)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise
