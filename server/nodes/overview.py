"""What an operator sees of all nodes, and the word by which one stops; from any machine that
reaches the database."""

from typing import Any

import msgspec

from server.nodes.directory import CHANNEL, NODES
from server.store.migrating import SqlConnection
from server.tables.record import read_record


def nodes(connection: SqlConnection) -> list[dict[str, Any]]:
    """All nodes, those that are gone as long as matches of theirs are unclaimed."""
    rows = connection.execute(
        "SELECT id, CASE WHEN number NOT IN (SELECT number FROM living) THEN 'gone' "
        "WHEN stopping THEN 'stops' ELSE 'lives' END, address, "
        "extract(epoch FROM began)::bigint, "
        "(SELECT count(*) FROM match WHERE owner = node.number AND held = 1) "
        "FROM node ORDER BY id, number"
    )
    columns = ("node", "state", "address", "since", "matches")
    return [dict(zip(columns, row, strict=True)) for row in rows.fetchall()]


def claims(connection: SqlConnection, node: str = "") -> list[dict[str, Any]]:
    """The matches that go on, by node; of this one alone if it is named. "" = nobody plays it."""
    rows = connection.execute(
        "SELECT coalesce(node.id, ''), match.id, game, \"table\", epoch, version FROM match "
        "LEFT JOIN node ON node.number = owner WHERE held = 1 AND (? = '' OR node.id = ?) "
        "ORDER BY 1, match.number",
        (node, node),
    )
    columns = ("node", "match", "game", "table", "claims", "entries")
    found = [dict(zip(columns, row, strict=True)) for row in rows.fetchall()]
    return [{**one, "table": _code(one["table"])} for one in found]


def drain(connection: SqlConnection, node: str) -> int | None:
    """Let this node stop, and hand its matches over. Returns how many it has; None: no such node
    lives."""
    rows = connection.execute(
        "UPDATE node SET stopping = true WHERE number IN (SELECT number FROM living WHERE id = ?) "
        "RETURNING (SELECT count(*) FROM match WHERE owner = node.number AND held = 1)",
        (node,),
    ).fetchall()
    connection.execute("SELECT pg_notify(?, ?)", (CHANNEL, NODES))
    return int(rows[0][0]) if rows else None


def _code(table: bytes) -> str:
    try:
        return read_record(table).code
    except msgspec.DecodeError:
        return ""
