"""What an operator asks one of several nodes is asked and done at all of them that it concerns.

Laws: this node comes first, then all others at once. Nobody is sent away by a name or mark that may
mean people of two nodes. A node that does not answer is named, and the others are heard. No change
waits here for another node while it keeps the changes of others waiting.
"""

import asyncio
from collections import Counter
from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec.structs import replace

from server.net.callers import block_in
from server.operating.banning import SetBan
from server.operating.commands import (
    Close,
    Issue,
    Issued,
    Revoke,
    SendAway,
    Status,
    Tables,
    TellAll,
    Who,
)
from server.operating.desk import AS_NAME, Desk, called, the_one
from server.operating.words import Command, CouldNot, NotHere, Reply

if TYPE_CHECKING:
    from server.nodes.operators import Operators


class _Found(NamedTuple):
    """Of one person. `nodes`: that have them."""

    mark: str
    names: list[str]
    nodes: set[str]

    def __str__(self) -> str:
        return called(self.names, self.mark)


class _Heard(NamedTuple):
    """`answers`: by node, this one first. `silent`: those that did not answer."""

    answers: Mapping[str, Reply]
    silent: list[str]

    def rows(self) -> list[dict[str, Any]]:
        """All of them, each with its node; what is told about one thing is a row here."""
        return [
            {"node": node, **row}
            for node, answer in self.answers.items()
            for row in (answer.rows or [answer.values or {}])
            if row
        ]

    def said(self, *, done: bool) -> str:
        """The sentences of those that have done something, or of all, and who is silent."""
        told = [
            f"{node}: {answer.said}"
            for node, answer in self.answers.items()
            if answer.said and answer.here and (done or not answer.done)
        ]
        return "; ".join([*told, *(f"{node} does not answer" for node in self.silent)])

    def done(self) -> Reply:
        """The answer to a change. Raises CouldNot."""
        answers = self.answers.values()
        if not any(answer.here for answer in answers):
            raise NotHere(_joined(*[answer.said for answer in answers][:1], self.said(done=False)))
        done = [answer for answer in answers if answer.done]
        values = done[0].values if done else None
        return Reply(done=bool(done), said=self.said(done=True), values=values)

    def seen(self, own: Reply, rows: list[dict[str, Any]]) -> Reply:
        """The answer to a look."""
        nobody = own.said if own.done and not rows else ""
        said = _joined(nobody, self.said(done=False))
        return Reply(done=bool(rows) or not self.silent, said=said, rows=rows)


def _joined(*sentences: str) -> str:
    return "; ".join(filter(None, sentences))


class Everywhere:
    """`here`: does at this node what an operator asks; `others`: ask the other nodes."""

    def __init__(self, here: Desk, others: "Operators") -> None:
        self._here: Final = here
        self._others: Final = others

    async def do(self, asked: Command, user: int) -> Reply:
        """Do what was asked by this user of the system. Raises CouldNot."""
        match asked:
            case SendAway(person=whom):
                return await self._sent_away(asked, whom, "person", user)
            case SetBan(whom=whom) if block_in(whom) is None:
                return await self._sent_away(asked, whom, "whom", user)
            case Close() | Issue():  # the node does it that has the table
                if (own := await self._own(asked, user)).here:
                    return own
            case Who() | Tables() | Status() | TellAll() | Issued() | Revoke():
                own = await self._own(asked, user)
            case _:  # it is about this node, or about what all nodes share
                return await self._here.do(asked, user)
        heard = await self._heard(asked, user, {self._others.node: own})
        if not asked.looks:
            return heard.done()
        rows = heard.rows()
        if isinstance(asked, Issued):  # all nodes have the same
            here = Counter[str]()
            for row in rows:
                here[row["name"]] += row["here"]
            rows = [{**row, "here": here[row["name"]]} for row in own.rows or []]
        return heard.seen(own, rows)

    async def _own(self, asked: Command, user: int) -> Reply:
        try:
            return await self._here.do(asked, user)
        except CouldNot as error:
            return error.reply()

    async def _heard(
        self, asked: Command, user: int, own: Mapping[str, Reply], at: Container[str] | None = None
    ) -> _Heard:
        """What this node has answered, and what the others answer: all, or those `at` which."""
        nodes = [node for node in self._others.others() if at is None or node in at]
        found = await asyncio.gather(*(self._others.ask(node, asked, user) for node in nodes))
        heard = {node: one for node, one in zip(nodes, found, strict=True) if one is not None}
        return _Heard({**own, **heard}, [node for node in nodes if node not in heard])

    async def _sent_away(self, asked: SendAway | SetBan, whom: str, field: str, user: int) -> Reply:
        """Let the nodes do it that have this person."""
        own = self._others.node
        seen = await self._heard(Who(), user, {own: await self._own(Who(), user)})
        try:
            person = _person(whom, seen.rows())
        except NotHere as error:
            own_answer = error.reply()
            if isinstance(asked, SetBan):  # it may be somebody of the log
                own_answer = await self._own(asked, user)
            return replace(own_answer, said=_joined(own_answer.said, seen.said(done=False)))
        asked = replace(asked, **{field: person.mark or f"{AS_NAME}{person.names[0]}"})
        answers = {own: await self._own(asked, user)} if own in person.nodes else {}
        heard = await self._heard(asked, user, answers, person.nodes)
        return heard._replace(silent=list(dict.fromkeys([*seen.silent, *heard.silent]))).done()


def _person(whom: str, rows: list[dict[str, Any]]) -> _Found:
    """The one who is meant, of the rows of `who`. Raises CouldNot."""
    known: dict[str | int, _Found] = {}
    for number, row in enumerate(rows):
        person = known.setdefault(row["mark"] or number, _Found(row["mark"], [], set()))
        person.names.append(row["name"])
        person.nodes.add(row["node"])
    return the_one(whom, [(one, one.mark, one.names) for one in known.values()])
