"""What an operator asks one of several nodes is asked and done at all of them that it concerns.

Laws: this node comes first, then all others at once. Nobody is sent away by a name or mark that may
mean people of two nodes. A node that does not answer is named, and the others are heard. No change
waits here for another node while it keeps the changes of others waiting.
"""

import asyncio
from collections import Counter
from collections.abc import Container, Mapping
from typing import Any, Final, NamedTuple, Protocol

from msgspec.structs import replace

from server.net.callers import block_in
from server.operating import words
from server.operating.commands import Commands
from server.operating.desk import AS_NAME, called, the_one
from server.operating.words import Command, CouldNot, NotHere, Reply

_ALL: Final = (
    words.Who,
    words.Tables,
    words.Status,
    words.TellAll,
    words.Issued,
    words.Revoke,
)
"""What is asked at every node. The others are about this node, or what all nodes share."""
_OF_A_TABLE: Final = (words.Close, words.Issue)
"""What the node does that has the table."""


class Others(Protocol):
    """The other nodes, as this one, which is called `node`, reaches them."""

    @property
    def node(self) -> str: ...

    def others(self) -> list[str]:
        """What those are called that live."""

    async def ask(self, node: str, asked: Command, user: int) -> Reply | None:
        """What that node answers; None: it does not, in time."""


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


class Everywhere:
    """`here`: does at this node what an operator asks."""

    def __init__(self, here: Commands, others: Others) -> None:
        self._here: Final = here
        self._others: Final = others

    async def do(self, asked: Command, user: int) -> Reply:
        """Do what was asked by this user of the system. Raises CouldNot."""
        if isinstance(asked, words.SendAway):
            return await self._sent_away(asked, asked.person, "person", user)
        if isinstance(asked, words.SetBan) and block_in(asked.whom) is None:
            return await self._sent_away(asked, asked.whom, "whom", user)
        if not isinstance(asked, (*_ALL, *_OF_A_TABLE)):
            return await self._here.do(asked, user)
        own = await self._own(asked, user)
        if isinstance(asked, _OF_A_TABLE) and own.here:
            return own
        return _one(asked, own, await self._heard(asked, user, {self._others.node: own}))

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
        answers = dict(zip(nodes, found, strict=True))
        heard = {node: answer for node, answer in answers.items() if answer is not None}
        return _Heard({**own, **heard}, [node for node in nodes if node not in heard])

    async def _sent_away(
        self, asked: words.SendAway | words.SetBan, whom: str, field: str, user: int
    ) -> Reply:
        """Let the nodes do it that have this person."""
        own = self._others.node
        look = words.Who()
        seen = await self._heard(look, user, {own: await self._own(look, user)})
        try:
            person = _person(whom, seen.rows())
        except NotHere as error:
            own_answer = error.reply()
            if isinstance(asked, words.SetBan):  # it may be somebody of the log
                own_answer = await self._own(asked, user)
            said = "; ".join(filter(None, [own_answer.said, seen.said(done=False)]))
            return replace(own_answer, said=said)
        asked = replace(asked, **{field: person.mark or f"{AS_NAME}{person.names[0]}"})
        answers = {own: await self._own(asked, user)} if own in person.nodes else {}
        heard = await self._heard(asked, user, answers, person.nodes)
        silent = list(dict.fromkeys([*seen.silent, *heard.silent]))
        return _done(_Heard(heard.answers, silent))


def _person(whom: str, rows: list[dict[str, Any]]) -> _Found:
    """The one who is meant, of the rows of `who`. Raises CouldNot."""
    known: dict[str | int, _Found] = {}
    for number, row in enumerate(rows):
        person = known.setdefault(row["mark"] or number, _Found(row["mark"], [], set()))
        person.names.append(row["name"])
        person.nodes.add(row["node"])
    return the_one(whom, [(one, one.mark, one.names) for one in known.values()])


def _one(asked: Command, own: Reply, heard: _Heard) -> Reply:
    """The answer to all of it. Raises CouldNot."""
    if not isinstance(asked, words.Who | words.Tables | words.Status | words.Issued):
        return _done(heard)
    rows = heard.rows()
    if isinstance(asked, words.Issued):
        here = Counter[str]()
        for row in rows:
            here[row["name"]] += row["here"]
        rows = [{**row, "here": here[row["name"]]} for row in own.rows or []]
    nobody = own.said if own.done and not rows else ""
    said = "; ".join(filter(None, [nobody, heard.said(done=False)]))
    return Reply(done=bool(rows) or not heard.silent, said=said, rows=rows)


def _done(heard: _Heard) -> Reply:
    """The answer to a change. Raises CouldNot."""
    answers = heard.answers.values()
    if not any(answer.here for answer in answers):
        said = [*(answer.said for answer in list(answers)[:1]), heard.said(done=False)]
        raise NotHere("; ".join(filter(None, said)))
    done = [answer for answer in answers if answer.done]
    values = done[0].values if done else None
    return Reply(done=bool(done), said=heard.said(done=True), values=values)
