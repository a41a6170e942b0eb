"""What the operator says to a server, and what the server answers: one frame each way, as between
players and server (`protocol.codec`). docs/operating.md lists the fields.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

import msgspec
from msgspec import Struct

from protocol.table import DAY_S
from server.speaking import N_

if TYPE_CHECKING:
    from server.operating.desk import Desk

VERSION: Final = 1
"""Of this protocol; a server answers an operator of a newer version with a sentence."""
MAX_ASKED_BYTES: Final = 8 * 1024
MAX_ANSWER_BYTES: Final = 16 << 20
"""A row about each of ten thousand people and bans."""
MAX_TEXT: Final = 200
"""Characters of what is said to everybody, and of a reason."""


class Typed(NamedTuple):
    """How a field of a command is typed: as a flag, or by its place. `told`: its help, which calls
    its value `shown`; `values`: those that it may have, () = any."""

    name: str
    told: str = ""
    shown: str | None = None
    values: Sequence[str] = ()


_UNITS: Final = (("day", DAY_S), ("hour", 3600), ("minute", 60), ("second", 1))


def lasting(seconds: int) -> str:
    """`2 days`, `90 minutes`: in the largest unit that says it in a whole number."""
    word, size = next(unit for unit in _UNITS if seconds % unit[1] == 0)
    return f"{seconds // size} {word}{'s' * (seconds != size)}"


REASON: Final = Typed("--reason", N_("players are told it, and the audit trail keeps it"), "TEXT")


class Command(Struct, frozen=True, kw_only=True):
    """What an operator can ask: its tag is typed. `told` and `about` are its help, one line and
    more of it. `looks`: it changes nothing."""

    told: ClassVar[str]
    about: ClassVar[str] = ""
    looks: ClassVar[bool] = False
    version: int = VERSION

    async def do(self, desk: "Desk") -> "Reply":
        """Do it at this server. What changes something is written down first. Raises CouldNot."""
        raise NotImplementedError


class Reply(Struct, frozen=True, kw_only=True):
    """`done`: whether it was done; `said`: a sentence. `rows`: what was asked to be listed, a map
    for each. `values`: what was asked about one thing. `here`: whether this server has what was
    meant; another node may."""

    version: int = VERSION
    done: bool = True
    said: str = ""
    here: bool = True
    rows: list[dict[str, Any]] | None = None
    values: dict[str, Any] | None = None


def listed(rows: list[dict[str, Any]], nothing: str) -> Reply:
    """The rows, or the sentence that there are none."""
    return Reply(said="" if rows else nothing, rows=rows)


class CouldNot(Exception):
    """It was not done, and nothing has changed; the text is a sentence."""

    here = True

    def reply(self) -> Reply:
        return Reply(done=False, said=str(self), here=self.here)


class NotHere(CouldNot):
    """This server does not have what was meant."""

    here = False


def reply_in(payload: bytes) -> Reply:
    """Raises msgspec.DecodeError."""
    return msgspec.msgpack.decode(payload, type=Reply)
