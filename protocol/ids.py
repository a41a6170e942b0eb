"""Names for the numbers and strings that travel, so that the type checker keeps them apart."""

from typing import NewType

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
