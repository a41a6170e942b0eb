"""Finds whom the operator means: by a name, or by the mark that lists and log lines show."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from protocol.ids import Seat
from protocol.text import clean, name_key
from server.logs.marks import MARK_DIGITS, identity_mark
from server.net.session import Session
from server.operating.desk import Desk
from server.operating.words import CouldNot, NotHere
from server.tables.table import Table
from server.tasks import few

T = TypeVar("T")

AS_NAME: Final = "="
"""Before a name that looks like somebody's mark."""
LEAST_DIGITS: Final = 4
"""Of a mark; a shorter one means nobody."""


@dataclass
class Person:
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


async def everybody(desk: Desk) -> list[Person]:
    """All people who are here or awaited."""
    people: dict[Hashable, Person] = {}
    async for session in few(desk.sessions()):
        person = people.setdefault(session.identity or session, Person(session.identity))
        person.names.append(session.name)
        person.sessions.append(session)
    async for table in few(desk.lobby.tables.values()):
        for number, chair in enumerate(table.seating.chairs):
            if chair.awaited:
                seat = Seat(number)
                key: Hashable = chair.identity or (table.code, seat)
                person = people.setdefault(key, Person(chair.identity))
                person.names.append(chair.name)
                person.awaited.append((table, seat))
    return list(people.values())


async def find(whom: str, desk: Desk) -> Person:
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


async def send_away(person: Person, end: Callable[[Session], None]) -> None:
    """Let a person's tables go on without them for good, and end each of their connections."""
    for table, seat in person.awaited:
        if table.seating.chairs[seat].awaited:
            table.kicked.expel(seat)
    async for session in few(person.sessions):
        if (table_now := session.at_table()) is not None:
            table_now.kicked.expel(session)
        end(session)
