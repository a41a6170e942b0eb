"""The parts of a server that its operator's commands work with, and the people there.

Law: what many people are told, or what is listed about them, is done a few at a time
(`tasks.few`), and matches go on in between.
"""

import asyncio
import time
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeVar

import structlog

from protocol.ids import Seat
from protocol.text import clean, name_key
from server.admission.invitations import Invitations
from server.draining import Draining
from server.logs.marks import MARK_DIGITS, identity_mark
from server.net.callers import Banned
from server.net.peers import Peers
from server.net.session import Session
from server.operating import audit
from server.operating.words import MAX_TEXT, Command, CouldNot, NotHere, Reply
from server.store.private import Shelf
from server.tables.lobby import Lobby
from server.tables.table import Table
from server.tasks import few


@dataclass(frozen=True)
class Desk:
    """`shelf`: the server's folder. `user`: the system's number of the account that asks;
    `asked_at`: the other node where it does, "" = here. `changing`: has who changes something."""

    shelf: Shelf
    lobby: Lobby
    peers: Peers
    invitations: Invitations
    draining: Draining
    began_s: float = field(default_factory=time.monotonic)
    user: int = -1
    asked_at: str = ""
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def folder(self) -> Path:
        return self.shelf.folder

    @property
    def banned(self) -> Banned:
        """Who may not come in now."""
        return self.peers.banned

    async def do(self, asked: Command, user: int, asked_at: str = "") -> Reply:
        """Do here what this user of the system asks, at another node or here; changes are made one
        after the other. Raises CouldNot."""
        desk = replace(self, user=user, asked_at=asked_at)
        if asked.looks:
            return await asked.do(desk)
        async with self.changing:
            return await asked.do(desk)

    async def keep(self, command: str, **what: Any) -> None:
        """Write down what is about to be done; `what`: as in a `Deed`. Raises CouldNot."""
        deed = audit.Deed(user=self.user, node=self.asked_at, command=command, **what)
        try:
            await asyncio.to_thread(audit.keep, self.folder, deed)
        except OSError as error:
            why = error.strerror or error
            raise CouldNot(f"nothing was done: it cannot be written down ({why})") from None
        structlog.get_logger().info("the operator asks", **deed.asker(), command=command)

    def sessions(self) -> list[Session]:
        """Of everybody whom this server serves, the oldest first. Who is led to another node is
        there."""
        here = [session for session in self.peers.admitted if session.name]
        return sorted(here, key=lambda session: session.made_s)


def tidy(reason: str) -> str:
    """A reason as it is kept and shown."""
    return clean(reason)[:MAX_TEXT]


# Finds whom the operator means: by a name, or by the mark that lists and log lines show.


T = TypeVar("T")

AS_NAME: Final = "="
"""Before a name that looks like somebody's mark."""
LEAST_DIGITS: Final = 4
"""Of a mark; a shorter one means nobody."""


@dataclass
class PersonHere:
    """By all connections with the same identity, and all seats that wait for it. `names`: what they
    are called there."""

    identity: bytes = b""
    names: list[str] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    awaited: list[tuple[Table, Seat]] = field(default_factory=list)

    @property
    def mark(self) -> str:
        return identity_mark(self.identity)

    @property
    def name(self) -> str:
        return self.names[0]

    def __str__(self) -> str:
        return called(self.names, self.mark)


def called(names: Iterable[str], mark: str) -> str:
    """How a person is shown to the operator."""
    return f"{' / '.join(dict.fromkeys(names))} ({mark or 'no mark'})"


async def everybody(desk: Desk) -> list[PersonHere]:
    """All people who are here or awaited."""
    people: dict[Hashable, PersonHere] = {}
    async for session in few(desk.sessions()):
        person = people.setdefault(session.identity or session, PersonHere(session.identity))
        person.names.append(session.name)
        person.sessions.append(session)
    async for table in few(desk.lobby.tables.values()):
        for number, chair in enumerate(table.seating.chairs):
            if chair.awaited:
                seat = Seat(number)
                key: Hashable = chair.identity or (table.code, seat)
                person = people.setdefault(key, PersonHere(chair.identity))
                person.names.append(chair.name)
                person.awaited.append((table, seat))
    return list(people.values())


async def find(whom: str, desk: Desk) -> PersonHere:
    """The one person who is meant. Raises CouldNot."""
    people = await everybody(desk)
    return the_one(whom, [(person, person.mark, person.names) for person in people])


def the_one(whom: str, known: Iterable[tuple[T, str, Iterable[str]]]) -> T:
    """Who is meant, of all as for `meant`. Raises CouldNot."""
    found = meant(whom, known)
    if not found:
        raise NotHere(
            f"nobody here has the name or the mark {clean(whom)!a}; `who` lists everybody"
        )
    if len(found) > 1:
        who = ", ".join(map(str, found[:5]))
        raise CouldNot(f"{clean(whom)!a} may be any of {len(found)}: {who}; give a longer mark")
    return found[0]


def meant(whom: str, known: Iterable[tuple[T, str, Iterable[str]]]) -> list[T]:
    """Those who are meant, of all with their mark, "" = none, and their names. Everybody chooses
    their name and can compute their mark, so a name counts only where no mark fits."""
    wanted, known = clean(whom), list(known)
    name = wanted.removeprefix(AS_NAME)
    digits, key = wanted.lower(), name_key(name)
    found = [one for one, mark, _names in known if mark.startswith(digits)]
    if found and len(digits) >= LEAST_DIGITS:
        return found
    return [one for one, _mark, names in known if key in map(name_key, names)]


def is_mark(text: str) -> bool:
    """Whether it can be the whole mark of somebody."""
    return len(text) == MARK_DIGITS and set(text.lower()) <= set("0123456789abcdef")


def leave_table(session: Session) -> None:
    """Let the table of somebody who is here go on without them for good."""
    if (table := session.at_table()) is not None:
        table.presence.expel(session)


def give_up(awaited: Iterable[tuple[Table, Seat]]) -> None:
    """Let tables go on for good without those for whom these seats wait."""
    for table, seat in awaited:
        if (chair := table.seating.chairs[seat]).awaited:
            table.presence.expel(chair)
