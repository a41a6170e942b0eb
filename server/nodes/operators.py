"""What an operator asks at one node, asked at the others: a line of its own for each request, on
which the request goes one way and the answer the other, as through the operator's door.

Law: who may ask, the door of the node has decided where the operator is; that node is believed.
"""

import asyncio
from typing import Final, cast

import msgspec
from msgspec import Struct

from protocol.codec import FrameDecoder, encode, framed
from protocol.errors import RemoteProtocolError
from server.nodes.callers import Home
from server.nodes.directory import Directory
from server.nodes.lines import PortionKind, portion, read, write
from server.nodes.splicing import NodeLines
from server.operating import words
from server.operating.commands import asked
from server.operating.desk import Desk
from server.operating.door import answered
from server.operating.words import Command, Reply
from server.tasks import Tasks

ANSWER_S: Final = 5.0
"""Another node has answered by then, or is named."""


class Passed(Struct, frozen=True):
    """`node`, `user`: where the operator asks, and as whom. `asked`: as through the door there."""

    node: str
    user: int
    asked: bytes


class Operators:
    """Of one node: asks the others, and answers them. `desk`: does what they ask."""

    def __init__(self, directory: Directory, ways: NodeLines, desk: Desk, tasks: Tasks) -> None:
        self.node: Final = directory.id
        self._directory: Final = directory
        self._ways: Final = ways
        self._desk: Final = desk
        self._tasks: Final = tasks

    def others(self) -> list[str]:
        """The other nodes that live."""
        return [node.id for node in self._directory.others]

    async def ask(self, node: str, command: Command, user: int) -> Reply | None:
        """What that node answers; None: it does not, in time."""
        try:
            async with asyncio.timeout(ANSWER_S):
                return await self._ask(node, command, user)
        except OSError:  # a time-out is one, too
            return None

    async def _ask(self, node: str, command: Command, user: int) -> Reply:
        """Raises OSError."""
        for other in self._directory.others:
            if other.id == node:
                line = _ToAnother(Passed(self.node, user, encode(command)))
                try:
                    await self._ways.dial(Home(other.id, other.address), "", line)
                    return await line.answer
                finally:
                    line.close()
        raise OSError(f"{node} is gone")

    def answering(self, content: bytes) -> asyncio.Protocol:
        """The protocol of a line on which another node asks this. Raises RemoteProtocolError."""
        return _FromAnother(read(content, Passed), self._desk, self._tasks)


class _ToAnother(asyncio.Protocol):
    """`answer`: what comes back; it fails with an OSError."""

    def __init__(self, passed: Passed) -> None:
        self._passed: Final = passed
        self._frames: Final = FrameDecoder(words.MAX_ANSWER_BYTES)
        self._line: asyncio.Transport | None = None
        self.answer: Final[asyncio.Future[Reply]] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line = cast(asyncio.Transport, transport)
        self._line.write(portion(PortionKind.OPERATOR, write(self._passed)))

    def data_received(self, data: bytes) -> None:
        try:
            self._frames.feed(data)
            payload = self._frames.next_frame()
            if payload is not None and not self.answer.done():
                self.answer.set_result(words.reply_in(payload))
        except (RemoteProtocolError, msgspec.DecodeError) as error:
            self._fail(OSError(f"another node talks nonsense: {error}"))

    def connection_lost(self, error: Exception | None) -> None:
        self._fail(ConnectionResetError())

    def _fail(self, error: OSError) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)

    def close(self) -> None:
        self.answer.cancel()
        if self._line is not None:
            self._line.close()


class _FromAnother(asyncio.Protocol):
    def __init__(self, passed: Passed, desk: Desk, tasks: Tasks) -> None:
        self._passed: Final = passed
        self._desk: Final = desk
        self._tasks: Final = tasks

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._tasks.spawn(self._answer(cast(asyncio.Transport, transport)))

    async def _answer(self, line: asyncio.Transport) -> None:
        passed = self._passed
        answer = await answered(
            lambda: self._desk.do(asked(passed.asked), passed.user, passed.node)
        )
        line.write(framed(answer))
        line.close()
