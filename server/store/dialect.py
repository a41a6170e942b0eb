"""What differs between the databases that a journal can be in."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, TypeAlias

from protocol.ids import Seat
from server.store import chain
from server.store.migrating import Connection


class Row(NamedTuple):
    """An entry in the database; `match`: the match's number there."""

    match: int
    version: int
    seat: Seat | None
    key: bytes
    at_ms: int
    action: bytes
    lags: bytes
    link: chain.Link
    epoch: int


Write: TypeAlias = Callable[[Connection, Sequence[Row]], Collection[int]]
"""Writes these rows, one a match, and returns the matches that have taken theirs. A match takes
none whose version is not the next, none of another epoch, and no (seat, key) twice."""


class Dialect(NamedTuple):
    """`begin`: the statement that begins a transaction; `newest`: one that finds a match's number,
    its newest version, the link of that, and its epoch; `all_newest`: the same of several matches,
    each row begun by its id, "" where each is asked for alone; `keys`: one that finds each seat and
    key of a match's entries, "" where the database itself takes none twice; `entries`: the tables
    in which entries stand; `atomic`: whether `write` is one statement, which commits by itself
    where no transaction has begun; `probe`: writes something that changes nothing; `used_bytes`:
    how large the journal is, without room that is free again; `fenced`: whether other servers write
    there, too."""

    begin: str
    newest: str
    keys: str
    entries: Sequence[str]
    write: Write
    atomic: bool
    probe: Callable[[Connection], None]
    used_bytes: Callable[[Connection], int]
    fenced: bool = False
    all_newest: str = ""
