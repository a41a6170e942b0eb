"""What an operator asks at one node, asked at the others, and what nodes ask each other.

Law: who may ask, the door of the node has decided where the operator is; that node is believed.
"""

import asyncio
from typing import Final

from protocol.codec import encode
from server.nodes.directory import Directory, Node
from server.nodes.port import Look, NodePort, Passed, Question, Reaches
from server.operating.commands import asked
from server.operating.desk import Desk
from server.operating.door import answered
from server.operating.words import Command, Reply

ANSWER_S: Final = 5.0
"""Another node has answered by then, or is named."""
CALL_S: Final = 1.0


class Operators:
    """Of one node: asks the others. `port`: to them."""

    def __init__(self, directory: Directory, port: NodePort) -> None:
        self.node: Final = directory.id
        self._directory: Final = directory
        self._port: Final = port

    def others(self) -> list[str]:
        """The other nodes that live."""
        return [node.id for node in self._directory.others]

    async def ask(self, node: str, command: Command, user: int) -> Reply | None:
        """What that node answers; None: it does not, in time."""
        return await self._answer(node, Passed(self.node, user, encode(command)))

    async def reaches(self, node: Node) -> bool:
        """Whether that node reaches the database. Raises OSError where it does not answer."""
        return (await self._port.ask(node, Reaches(node.number))).done

    async def reach_database(self) -> bool:
        """Whether another node does."""
        return await self._any(Reaches())

    async def see(self, address: str) -> bool:
        """Whether another node gets through to this address, if there is one to ask."""
        return not self.others() or await self._any(Look(address))

    async def _any(self, question: Question) -> bool:
        answers = await asyncio.gather(*(self._answer(one, question) for one in self.others()))
        return any(answer is not None and answer.done for answer in answers)

    async def _answer(self, node: str, question: Question) -> Reply | None:
        try:
            async with asyncio.timeout(ANSWER_S):
                for other in self._directory.others:
                    if other.id == node:
                        return await self._port.ask(other, question)
        except OSError:  # a time-out is one, too
            pass
        return None


async def answer(question: Question, desk: Desk, directory: Directory) -> Reply:
    """What this node says when another one asks."""
    match question:
        case Passed():
            passed = question
            return await answered(lambda: desk.do(asked(passed.asked), passed.user, passed.node))
        case Look():
            return Reply(done=await takes_a_call(question.address))
        case Reaches(number=number):
            return Reply(done=number in (0, directory.number) and not directory.away_s)


async def takes_a_call(address: str) -> bool:
    """Whether something listens there."""
    host, _, port = address.rpartition(":")
    try:
        async with asyncio.timeout(CALL_S):
            _reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    except (OSError, ValueError):
        return False
    writer.transport.abort()
    return True
