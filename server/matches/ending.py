"""The end of a match: by its rules, or aborted by an error of ours."""

from typing import Any, Final

import msgspec
import structlog

from protocol.from_server import Ended
from server.matches.attendant import Attendant
from server.matches.fanout import Fanout
from server.store.journal import Header, Journal, JournalError

_encode: Final = msgspec.msgpack.Encoder().encode


class Ending:
    """Of one match. `said`: what everybody is sent of it; None while the match goes on."""

    __slots__ = ("_attendant", "_fanout", "_header", "_journal", "said")

    def __init__(
        self, header: Header, journal: Journal, fanout: Fanout, attendant: Attendant
    ) -> None:
        self._header: Final = header
        self._journal: Final = journal
        self._fanout: Final = fanout
        self._attendant: Final = attendant
        self.said: Ended | None = None

    @property
    def aborted(self) -> bool:
        """Whether it was an error of ours."""
        return self.said is not None and self.said.aborted

    def restore(self, outcome: Any) -> None:
        """It was over already when the server fell, which may have been before it was written
        down; `write_down` follows."""
        self.said = self._result(outcome)

    async def write_down(self) -> None:
        """What has been said of it, into the journal."""
        if self.said is not None:
            await self._finish(b"" if self.said.aborted else _encode(self.said.outcome))

    async def reach(self, outcome: Any) -> None:
        """The rules have come to an outcome."""
        await self._finish(_encode(outcome))
        self.said = self._result(outcome)
        self._fanout.say_last(self.said)
        self._attendant.ended(outcome)

    def abort(self) -> Ended:
        """From now on it is over; whoever waits for the match is told before `tell_of_abort`."""
        self.said = Ended(match=self._header.match, aborted=True)
        return self.said

    async def tell_of_abort(self) -> None:
        """Everybody first: it is the journal that may be broken."""
        assert self.said is not None
        self._fanout.say_last(self.said)
        self._attendant.ended(None)
        await self.write_down()

    def _result(self, outcome: Any) -> Ended:
        return Ended(match=self._header.match, outcome=outcome, seed=self._header.seed.hex())

    async def _finish(self, outcome: bytes) -> None:
        match = self._header.match
        try:
            await self._journal.finish(match, outcome)
            if not outcome:  # nobody was told of anything to come back to
                await self._journal.forget(match)
        except JournalError as error:
            # The entries are kept, and the outcome follows from them.
            structlog.get_logger().error("journal failed", match=match, error=str(error))
