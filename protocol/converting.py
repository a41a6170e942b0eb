"""What the process that reads and writes files of matches says to the client that has started it.

`read` on its command line: it reads a file of records or of notation from stdin, and says a `Found`
or `Fault` for each match; a match in notation may have several faults. `write`: it reads records, a
line each, and says `Written` or `Unfit` for each, and ends with a `LastWord`. A frame is as in
`framing`, without a limit: both ends are the player's.
"""

from typing import Final, TypeAlias

from msgspec import Struct

from protocol.replaying import LastWord, Unfit

READ: Final = "read"
WRITE: Final = "write"


class Found(Struct, frozen=True, tag="found"):
    """A match that has passed the checks of `verify`. `record`: its line, without the end; it has
    an id, made of what it holds where the file told none."""

    record: bytes


class Fault(Struct, frozen=True, tag="fault"):
    """What is wrong, in English. `line` of the file, from 1 on; `place`: `setup`, `ply K` or
    `outcome`."""

    line: int
    place: str
    why: str


class Written(Struct, frozen=True, tag="written"):
    """The record as notation, all its lines."""

    text: str


Converted: TypeAlias = Found | Fault | Written | Unfit | LastWord
