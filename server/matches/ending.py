"""Ends a match: by its rules, or aborted by an error of ours."""

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec
import structlog

from protocol.from_server import Ended
from server.matches.parts import Parts
from server.store.journal import JournalError

_encode: Final = msgspec.msgpack.Encoder().encode


class Ending:
    """`said`: the message that everybody is sent about the end; None while the match goes on."""

    __slots__ = ("_parts", "_people_know", "_table_knows", "said")

    def __init__(self, parts: Parts) -> None:
        self._parts: Final = parts
        self._people_know = self._table_knows = False
        self.said: Ended | None = None

    @property
    def aborted(self) -> bool:
        """Whether an error of ours ended the match."""
        return self.said is not None and self.said.aborted

    def restore(self, outcome: Any) -> None:
        """The match was over when the server fell, perhaps before the journal was told; call
        `write_down` when it runs."""
        self.said = self._result(outcome)
        self._people_know = self._table_knows = True

    def call_off(self) -> None:
        """The match was restored although nobody had acted in it yet; call `write_down` when it
        runs."""
        self.said = Ended(match=self._parts.header.match, aborted=True)
        self._people_know = self._table_knows = True

    async def write_down(self) -> None:
        """Tell the journal how the match ended."""
        if self.said is not None:
            await self._finish(b"" if self.said.aborted else _encode(self.said.outcome))

    async def reach(self, outcome: Any) -> None:
        """The rules have come to an outcome: keep it, then tell everybody."""
        await self._finish(_encode(outcome))
        self.said = self._result(outcome)
        self._parts.fanout.say_last(self.said)
        self._people_know = True
        self._parts.attendant.ended(outcome)
        self._table_knows = True

    def abort(self) -> Ended:
        """Declare the match aborted, also when the error came after its end: nothing more can be
        served. Answer those who wait for it, then call `tell_of_abort`."""
        self.said = Ended(match=self._parts.header.match, aborted=True)
        return self.said

    async def tell_of_abort(self) -> None:
        """Tell all who have heard of no end, people before the journal, since it may be the journal
        that is broken. The journal keeps an outcome that people have heard."""
        assert self.said is not None
        known = self._people_know
        if not known:
            with self._harmless():
                self._parts.fanout.cut_short(self.said)
        if not self._table_knows:
            with self._harmless():
                self._parts.attendant.ended(None)
        if not known:
            with self._harmless():
                await self._finish(b"")
                # Nobody was told of anything to come back to.
                await self._try(self._parts.journal.forget(self._parts.header.match))

    @contextmanager
    def _harmless(self) -> Iterator[None]:
        """Log an error: all else that has to be told is told."""
        try:
            yield
        except Exception:
            structlog.get_logger().exception("abort failed", match=self._parts.header.match)

    def _result(self, outcome: Any) -> Ended:
        header = self._parts.header
        seed = "" if self._parts.secret else header.seed.hex()
        return Ended(match=header.match, outcome=outcome, seed=seed)

    async def _finish(self, outcome: bytes) -> None:
        await self._try(self._parts.journal.finish(self._parts.header.match, outcome))

    async def _try(self, work: Awaitable[None]) -> None:
        """Log an error of the journal: it keeps the entries, and the outcome follows from them."""
        try:
            await work
        except JournalError as error:
            match = self._parts.header.match
            structlog.get_logger().error("journal failed", match=match, error=str(error))
