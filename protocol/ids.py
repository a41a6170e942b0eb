"""Names for the numbers and strings that travel; port, magic word and versions of the protocol."""

from typing import Final, NewType

Seat = NewType("Seat", int)
"""A place at a table, 0..n-1, clockwise."""

TableCode = NewType("TableCode", str)
"""Four letters and digits that a person can read out, unique on a server while the table stands."""

MatchId = NewType("MatchId", str)
"""One playing of a game, unique for ever."""

RequestId = NewType("RequestId", int)
"""Chosen by the client; the answer to a request carries it back."""

Version = NewType("Version", int)
"""Journal entries of a match so far; always rises."""

Ply = NewType("Ply", int)
"""Actions that stand so far = the index of the next one in the match's record."""

Key = NewType("Key", bytes)
"""The client's own name for an action, so that a retry is answered instead of played twice."""


# What two programs that have never met need to find and understand each other.


DEFAULT_PORT: Final = 7777
"""Where a server listens, and a client dials, unless told otherwise."""

MAGIC: Final = "clocktowers"
"""First field of every `hello`; tells a stray HTTP request from a client."""

PROTOCOL_VERSIONS: Final = (1,)
"""Every protocol version this program speaks, newest first."""
