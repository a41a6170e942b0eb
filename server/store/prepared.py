"""A statement that comes with every move, given to libpq as it takes it.

Values go as arrays in PostgreSQL's binary form, a column each, and numbers come back: psycopg's own
`execute` takes long to find out what each value is (bench/README.md).
"""

import struct
from collections.abc import Sequence
from itertools import count
from typing import Any, Final

import psycopg
from psycopg import errors, generators, pq
from psycopg.pq.abc import PGresult

_HEAD: Final = struct.Struct("!5i")
"""Dimensions, whether there is a NULL, the type of the elements, their number, the first index."""
_BYTEA: Final = 17
_BIGINT: Final = 20
_LENGTH: Final = struct.Struct("!i")
_NULL: Final = _LENGTH.pack(-1)
_NUMBER: Final = struct.Struct("!iq")


class Columns(tuple[Sequence[Any], ...]):
    """Of bytes, or of whole numbers, among which may be None; all of one length, at least 1."""

    def encoded(self) -> list[bytes]:
        return [_array(column) for column in self]


def _array(column: Sequence[Any]) -> bytes:
    if isinstance(column[0], bytes):
        kind, elements = _BYTEA, [_LENGTH.pack(len(one)) + one for one in column]
    else:
        kind = _BIGINT
        elements = [_NULL if one is None else _NUMBER.pack(8, one) for one in column]
    return _HEAD.pack(1, _NULL in elements, kind, len(column), 1) + b"".join(elements)


class Prepared:
    """The statements of one connection."""

    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        self._connection: Final = connection
        self._names: Final[dict[str, bytes]] = {}
        self._numbers: Final = count()

    def forget(self) -> None:
        """After a ROLLBACK psycopg makes the database drop every prepared statement."""
        self._names.clear()

    def execute(self, statement: str, columns: Columns) -> list[tuple[int]]:
        """Rows of one number each. Raises the driver's errors."""
        libpq = self._connection.pgconn
        if statement not in self._names:
            name = f"often_{next(self._numbers)}".encode()
            libpq.send_prepare(name, _numbered(statement))
            self._result()
            self._names[statement] = name
        values = columns.encoded()
        binary = [pq.Format.BINARY] * len(values)
        libpq.send_query_prepared(self._names[statement], values, binary, pq.Format.BINARY)
        result = self._result()
        found = (result.get_value(row, 0) for row in range(result.ntuples))
        return [(int.from_bytes(one or b"", signed=True),) for one in found]

    def _result(self) -> PGresult:
        result: PGresult
        (result,) = self._connection.wait(generators.execute(self._connection.pgconn))
        if result.status not in (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK):
            raise errors.error_from_result(result)
        return result


def _numbered(statement: str) -> bytes:
    first, *others = statement.split("?")
    return (first + "".join(f"${n}{rest}" for n, rest in enumerate(others, 1))).encode()
