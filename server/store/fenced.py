"""The journal of a node: one of several servers that write to one PostgreSQL database.

Laws: a node writes to no match but its own, those that it has begun or claimed; each claim is an
epoch of the match, and what is still sent in an earlier one is refused. No clock has a part in
this: leases decide when others try, the epoch decides who may write. Where it is unknown whether
a claim was kept, `check` lets go of the match.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from operator import itemgetter
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar

from protocol.ids import MatchId, Seat
from server.store import statements
from server.store.connecting import PEOPLE_LOCK
from server.store.in_database import Job
from server.store.journal import UNBEGUN, Asleep, Claimed, Header, JournalError, TokenHashes
from server.store.postgres import PostgresJournal
from server.store.statements import Connect, SqlConnection

CHANNEL: Final = "clocktowers"
"""On which nodes tell each other that there is something to look at; the topic is the payload."""
PEOPLE: Final = "people "
"""What is kept of a person has changed, whose identity in hex follows."""
MOST_ASLEEP: Final = 10_000
"""One claim takes so many that sleep: nothing is loaded for them, and a claim looks through all
that are free."""
T = TypeVar("T")

_FREE: Final = """
held = 1 AND (owner IS NULL OR owner = ANY (ARRAY(
    SELECT number FROM node WHERE number <> ALL (?::bigint[]) EXCEPT SELECT number FROM living)))
"""
_MAY_WRITE: Final = "SELECT pg_try_advisory_xact_lock(?, hashtext(current_schema() || ?))"
_CLAIM: Final = f"""
WITH wish AS (
    SELECT number, deal FROM match
    WHERE {_FREE} AND (?::text IS NULL OR id = ?)
    AND (game, rules_version) IN (SELECT * FROM unnest(?::text[], ?::integer[]))
    AND (deal = '' OR number = (
        SELECT min(number) FROM match AS one WHERE one.deal = match.deal AND {_FREE}))
    ORDER BY number LIMIT ?::bigint FOR UPDATE SKIP LOCKED
), slept AS (
    SELECT number FROM match
    WHERE {_FREE} AND ?::text IS NULL AND number IN (SELECT match FROM asleep WHERE awake = 0)
    AND (game, rules_version) IN (SELECT * FROM unnest(?::text[], ?::integer[]))
    LIMIT {MOST_ASLEEP} FOR UPDATE SKIP LOCKED
)
UPDATE match SET owner = ?, epoch = epoch + 1, still_epoch = epoch + 1,
    still = CASE WHEN still_epoch = epoch THEN still END
WHERE {_FREE} AND number IN (SELECT number FROM wish UNION SELECT number FROM slept
    UNION SELECT number FROM match WHERE deal <> '' AND deal IN (SELECT deal FROM wish))
RETURNING id, epoch, number, deal, extract(epoch FROM clock_timestamp() - still)::float8
"""
"""All tables of a deal go to the node that claims its oldest match."""
_DEAL: Final = """
SELECT coalesce(max(epoch), 0) FROM (SELECT epoch FROM match WHERE deal = ? FOR UPDATE) AS one
"""
_TABLES: Final = f"""
UPDATE deal SET owner = ? WHERE id IN (
    SELECT id FROM deal WHERE starts_with(id, '{UNBEGUN}') AND (owner IS NULL
        OR owner <> ALL (?::bigint[]) AND owner NOT IN (SELECT number FROM living))
    FOR UPDATE SKIP LOCKED)
"""
"""Of a node that hangs in the middle of a transaction they stay where they are, until it ends."""
_KEEP_TOKENS: Final = """
WITH wish AS (
    SELECT * FROM unnest(?::text[], ?::bigint[], ?::smallint[], ?::integer[]) WITH ORDINALITY
    AS wish (id, epoch, seat, hashes, one)
), mine AS (
    SELECT one, number, wish.seat, hashes FROM wish JOIN match ON match.id = wish.id
    WHERE owner = ? AND match.epoch = wish.epoch FOR UPDATE OF match
), fewer AS (
    DELETE FROM token USING mine
    WHERE match = number AND token.seat = mine.seat AND place >= hashes
), kept AS (
    INSERT INTO token (match, seat, place, hash)
    SELECT number, seat, place, hash
    FROM mine JOIN unnest(?::bigint[], ?::integer[], ?::bytea[]) AS given (one, place, hash)
    USING (one)
    ON CONFLICT (match, seat, place) DO UPDATE SET hash = excluded.hash
)
SELECT one FROM mine
"""
"""One question, since all who come back to a node at once are given new tokens."""


class _Tokens(NamedTuple):
    """To be kept of a seat."""

    match: MatchId
    seat: Seat
    hashes: Sequence[bytes]


class FencedJournal(PostgresJournal):
    """A journal for the matches of a node. `owner`: the node's number, once it has one. `place_of`:
    finds the table's code and the deal in the header's `table`. `plays`: by game, the version of
    the rules that this program knows."""

    fenced = True

    def __init__(
        self,
        connect: Connect,
        url: str,
        place_of: Callable[[bytes], tuple[str, str]],
        plays: Sequence[tuple[str, int]],
    ) -> None:
        """Raises Unusable."""
        super().__init__(connect, url)
        self.owner = 0
        self._place_of: Final = place_of
        self._plays: Final = [list(column) for column in zip(*plays, strict=True)]
        self._deals: Final[dict[str, int]] = {}
        """By deal, the newest epoch in which this node has claimed matches of it."""
        self._unbegun: Mapping[str, bytes] = {}
        """What `tables` told last."""
        self._disowned: Final[SimpleQueue[MatchId]] = SimpleQueue()
        """What the loop lets go of; the thread alone knows the epochs."""
        self.stood_s: Mapping[MatchId, float] = {}
        """Of the newest claim: for how long nobody has been at these matches."""

    def belong_to(self, node: int) -> None:
        """What is begun and claimed from now on belongs to the node of this number."""
        self.owner = node

    # As in the contract ---------------------------------------------------------------------------

    def _begin(self, connection: SqlConnection, header: Header, tokens: TokenHashes) -> None:
        """An earlier try may have been kept without a word; another node may play it since."""
        match = header.match
        found = statements.row(connection, "SELECT owner, epoch FROM match WHERE id = ?", match)
        if found is None:
            super()._begin(connection, header, tokens)
            code, deal = self._place_of(header.table)
            owned = "UPDATE match SET owner = ?, deal = ? WHERE id = ?"
            connection.execute(owned, (self.owner, deal, match))
            statements.keep_deal(connection, UNBEGUN + code, b"")
        elif found[0] != self.owner:
            raise Claimed(match)
        self._come(match, 0 if found is None else found[1])

    async def finish(self, match: MatchId, outcome: bytes) -> None:
        await self._do(self._to_own, match, statements.finish, match, outcome)

    async def sleep(self, asleep: Asleep, chat: bytes) -> None:
        await self._do(self._to_own, asleep.match, statements.sleep, asleep, chat)

    async def wake(self, match: MatchId) -> bytes:
        return await self._do(self._to_own, match, statements.wake, match)

    async def keep_chat(self, match: MatchId, chat: bytes) -> None:
        await self._do(self._to_own, match, statements.keep_chat, match, chat)

    def _to_own(
        self, connection: SqlConnection, match: MatchId, does: Callable[..., T], *given: Any
    ) -> T:
        """What changes nothing but a match of this node's."""
        self._lock(connection, match)
        return does(connection, *given)

    async def keep_person(
        self, identity: bytes, before: bytes, kept: bytes, match: MatchId | None = None
    ) -> bytes | None:
        return await self._do(self._keep_person, identity, before, kept, match)

    def _keep_person(
        self,
        connection: SqlConnection,
        identity: bytes,
        before: bytes,
        kept: bytes,
        match: MatchId | None,
    ) -> bytes | None:
        """The other nodes are told. None waits for another one that writes of this person: each
        might hold what the other waits for."""
        if match is not None:
            self._lock(connection, match)
        who = identity.hex()
        if statements.row(connection, _MAY_WRITE, PEOPLE_LOCK, who) != (True,):
            return None
        if (found := statements.keep_person(connection, identity, before, kept)) == before:
            connection.execute("SELECT pg_notify(?, ?)", (CHANNEL, PEOPLE + who))
        return found

    async def keep_tokens(self, match: MatchId, seat: Seat, hashes: Sequence[bytes]) -> None:
        await self._do_together(self._keep_tokens, _Tokens(match, seat, hashes))

    def _keep_tokens(
        self, connection: SqlConnection, wishes: Sequence[_Tokens]
    ) -> list[JournalError | None]:
        newest = {(one.match, one.seat): one for one in wishes}  # it replaces those before it
        kept = self._tokens_kept(connection, list(newest.values()))
        return [None if one.match in kept else _not_kept(connection, one.match) for one in wishes]

    def _tokens_kept(self, connection: SqlConnection, wishes: Sequence[_Tokens]) -> set[MatchId]:
        """Of these matches, which are this node's."""
        rows = [
            (one.match, self._epochs.get(one.match, -1), one.seat, len(one.hashes))
            for one in wishes
        ]
        given = [
            (number, place, hash)
            for number, one in enumerate(wishes, 1)
            for place, hash in enumerate(one.hashes)
        ]
        values = (*_columns(rows, 4), self.owner, *_columns(given, 3))
        found = connection.execute(_KEEP_TOKENS, values).fetchall()
        return {wishes[number - 1].match for (number,) in found}

    async def keep_deal(self, id: str, deal: bytes) -> None:
        """Raises Claimed where another node has claimed the matches that play it; and for a table
        that was this node's, and that another one has now, or nobody."""
        await self._do(self._keep_deal, id, deal)

    def _keep_deal(self, connection: SqlConnection, id: str, deal: bytes) -> None:
        if unbegun := id.startswith(UNBEGUN):
            owner = statements.row(connection, "SELECT owner FROM deal WHERE id = ? FOR UPDATE", id)
            new = owner is None and (deal == b"" or id not in self._unbegun)
            lost = owner != (self.owner,) and not new
        else:
            found = statements.row(connection, _DEAL, id)
            lost = found is not None and found[0] > self._deals.get(id, 0)
        if lost:
            raise Claimed(id)
        statements.keep_deal(connection, id, deal)
        if unbegun:
            connection.execute("UPDATE deal SET owner = ? WHERE id = ?", (self.owner, id))

    def _forget(self, connection: SqlConnection, match: MatchId) -> None:
        if statements.row(connection, "SELECT 1 FROM match WHERE id = ? AND held = 1", match):
            self._lock(connection, match)
            super()._forget(connection, match)
            connection.execute("UPDATE match SET owner = NULL WHERE id = ?", (match,))

    def _lock(self, connection: SqlConnection, match: MatchId) -> None:
        """See that the match is this node's; nobody can claim it before this transaction ends."""
        statements.number_of(connection, match)
        mine = statements.row(
            connection,
            "SELECT 1 FROM match WHERE id = ? AND owner = ? AND epoch = ? FOR UPDATE",
            match,
            self.owner,
            self._epochs.get(match, -1),
        )
        if mine is None:
            raise Claimed(match)

    async def current(self) -> Sequence[MatchId]:
        return await self._do(self._current)

    def _current(self, connection: SqlConnection) -> list[MatchId]:
        return [one for one in self._owned(connection) if one in self._epochs]

    def _owned(self, connection: SqlConnection) -> list[MatchId]:
        rows = connection.execute(
            "SELECT id FROM match WHERE held = 1 AND owner = ? ORDER BY number", (self.owner,)
        )
        return [MatchId(match) for (match,) in rows.fetchall()]

    # Among nodes ----------------------------------------------------------------------------------

    async def claim(
        self, most: int, match: MatchId | None = None, living: Sequence[int] = ()
    ) -> Sequence[MatchId]:
        """Take over this match, or up to so many (and those that play the same deals, and more that
        sleep), which nobody plays: their node is gone, and none of the `living`, or has let go of
        them. Returns them, the oldest first."""
        rows = await self._do(self._claim, most, match, living)
        for _, epoch, _, deal, _ in rows:
            if deal:
                self._deals[deal] = max(epoch, self._deals.get(deal, 0))
        self.stood_s = {MatchId(id): for_s for id, *_, for_s in rows if for_s is not None}
        return [MatchId(id) for id, *_ in rows]

    def _claim(
        self,
        connection: SqlConnection,
        most: int,
        match: MatchId | None,
        living: Sequence[int],
    ) -> list[tuple[Any, ...]]:
        kept = [self.owner, *living]
        values = (kept, match, match, *self._plays, kept, most, kept, match, *self._plays)
        rows = sorted(
            connection.execute(_CLAIM, (*values, self.owner, kept)).fetchall(), key=itemgetter(2)
        )
        self._stands.clear()  # what was known of their ends is old
        for id, epoch, *_ in rows:
            self._come(MatchId(id), epoch)
        return rows

    async def asleep_among(self, matches: Sequence[MatchId]) -> Sequence[Asleep]:
        """Those of these that are asleep."""
        return await self._do(statements.asleep, matches)

    async def tables(self, living: Sequence[int]) -> Mapping[str, bytes]:
        """Those that have not begun and are this node's, by their id in `keep_deal`, with those
        that it takes over by this, as in `claim`."""
        return await self._do(self._tables, living)

    def _tables(self, connection: SqlConnection, living: Sequence[int]) -> Mapping[str, bytes]:
        connection.execute(_TABLES, (self.owner, [self.owner, *living]))
        mine = "SELECT id, kept FROM deal WHERE owner = ?"
        self._unbegun = dict(connection.execute(mine, (self.owner,)).fetchall())
        return self._unbegun

    async def check(self, *, closely: bool = True) -> Collection[MatchId]:
        """The matches that others have claimed from this node since it was last asked. `closely`:
        else only if it has not as many as it should."""
        return await self._do(self._check, closely)

    def _check(self, connection: SqlConnection, closely: bool) -> Collection[MatchId]:
        count = "SELECT count(*) FROM match WHERE held = 1 AND owner = ?"
        if not closely and statements.row(connection, count, self.owner) == (len(self._epochs),):
            return ()
        owned = set(self._owned(connection))
        if strays := [one for one in owned if one not in self._epochs]:
            self._let_go(connection, strays)
        lost = [one for one in list(self._epochs) if one not in owned]
        for one in lost:
            self._come(one, None)
        return lost

    async def release(self) -> None:
        """Let go of all matches, so that other nodes go on with them."""
        await self._do(self._release)

    def _release(self, connection: SqlConnection) -> None:
        self._let_go(connection, self._owned(connection))
        connection.execute("UPDATE deal SET owner = NULL WHERE owner = ?", (self.owner,))
        for one in list(self._epochs):
            self._come(one, None)
        self._stands.clear()

    def disown(self, matches: Sequence[MatchId]) -> None:
        """Write nothing more to these, whether the database can be reached or not; `check` lets go
        of them."""
        for match in matches:
            self._disowned.put(match)

    def _commit(self, group: Sequence[Job]) -> None:
        with suppress(Empty):
            while match := self._disowned.get_nowait():
                self._epochs.pop(match, None)
                self._stands.pop(match, None)
        super()._commit(group)

    def _let_go(self, connection: SqlConnection, matches: Sequence[MatchId]) -> None:
        connection.execute(
            "UPDATE match SET owner = NULL WHERE owner = ? AND id = ANY (?::text[])",
            (self.owner, list(matches)),
        )


def _columns(rows: Sequence[tuple[Any, ...]], width: int) -> list[list[Any]]:
    return [[row[column] for row in rows] for column in range(width)]


def _not_kept(connection: SqlConnection, match: MatchId) -> JournalError:
    try:
        statements.number_of(connection, match)
    except statements.No as no:
        return no
    return Claimed(match)
