"""A process of the server's code that this player has started for themselves, at two pipes."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Self

from protocol.framing import HEADER


def program(module: str, *arguments: str) -> Sequence[str]:
    """The command that runs this module."""
    return (sys.executable, "-P", "-m", module, *arguments)


class Piped:
    """Made by `start`; `stop` ends it, with all processes that it has started."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process: Final = process

    @classmethod
    async def start(cls, command: Sequence[str]) -> Self:
        """Raises OSError."""
        return cls(
            await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,  # the terminal's Ctrl+C is for the client
            )
        )

    async def write(self, said: bytes) -> None:
        """Say nothing to a process that has ended: its last word tells why it has."""
        assert self.process.stdin is not None
        with suppress(ConnectionError):
            self.process.stdin.write(said)
            await self.process.stdin.drain()

    async def next(self) -> bytes:
        """The next frame's payload. Raises EOFError, of a process that has ended, and OSError."""
        output = self.process.stdout
        assert output is not None
        (length,) = HEADER.unpack(await output.readexactly(HEADER.size))
        return await output.readexactly(length)

    async def stop(self) -> None:
        if self.process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()
