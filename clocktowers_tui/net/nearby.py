"""The servers on the local network, as they are heard.

A program of its own listens (`hearing`), only while the player looks at the list.
"""

import os
from collections.abc import AsyncGenerator
from importlib.util import find_spec
from typing import Final

import msgspec

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.programs import program, running
from protocol.nearby import Nearby

VARIABLE: Final = "CLOCKTOWERS_NEARBY"
"""With `no` nothing on the network is asked."""
PROGRAM: Final = program("clocktowers_tui.net.hearing")
_LINE_BYTES: Final = 256 * 1024


class Neighbour(msgspec.Struct, frozen=True):
    """A server as it was announced. `id`: its name on the network. `host`: the best of its
    addresses."""

    id: str
    host: str
    port: int
    nearby: Nearby

    @property
    def address(self) -> Address:
        return Address(self.host, self.port)


class Deaf(Exception):
    """Nothing can be heard; `why` is the system's reason, "" = the library is missing."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def wanted() -> bool:
    """Whether the player lets the client ask the network."""
    return os.environ.get(VARIABLE, "").lower() != "no"


async def heard() -> AsyncGenerator[list[Neighbour], None]:
    """All servers that are there, each time that this changes; an empty list after two silent
    seconds. Raises Deaf. To be closed (`aclosing`)."""
    if find_spec("zeroconf") is None:
        raise Deaf("")
    try:
        async with running(PROGRAM, _LINE_BYTES) as listening:
            assert listening.stdout is not None
            async for line in listening.stdout:
                now = msgspec.json.decode(line, type=list[Neighbour] | str)
                if isinstance(now, str):
                    raise Deaf(now)
                yield now
    except OSError as error:
        raise Deaf(error.strerror or str(error)) from None
    except (ValueError, msgspec.DecodeError):  # a line too long is the former
        pass
    raise Deaf("it has ended")
