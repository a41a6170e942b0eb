"""The operator's bans: a person, an address or a block of addresses is kept out for some time."""

import asyncio
import time
from collections.abc import Iterable

from msgspec.structs import replace

from protocol.text import clean
from server.logs.marks import identity_mark
from server.net.banned import block_in
from server.operating import audit, people, words
from server.operating.desk import Desk, few, tidy
from server.operating.people import Person, send_away
from server.operating.words import Answer, CouldNot
from server.store import bans as ban_file
from server.store.bans import Ban


async def ban(desk: Desk, asked: words.SetBan, user: int) -> Answer:
    now_s, reason = int(time.time()), tidy(asked.reason)
    if asked.until and asked.until <= now_s:
        raise CouldNot("that time is over already")
    person, found = await _whom(desk, asked)
    made = [replace(one, since=now_s, until=asked.until, reason=reason) for one in found]
    kept = {known_as(one): one for one in (*desk.banned.all(), *made)}
    if len(kept) > ban_file.MOST:
        raise CouldNot(f"there are {ban_file.MOST} bans already: end some of them first")
    whom = ", ".join(f"{known_as(one)} {one.name}".strip() for one in made)
    until = "for ever" if not asked.until else f"until {_time(asked.until)}"
    await desk.keep(audit.now(user, "ban", whom=whom, reason=reason, what=until))
    await _save(desk, kept.values())
    gone = await _turn_out(desk, person)
    return Answer(done=True, said=f"banned {until}: {whom}; connections ended: {gone}")


async def _whom(desk: Desk, asked: words.SetBan) -> tuple[Person, list[Ban]]:
    """The person who is meant, if it is one who is here, and the bans without their time."""
    if (block := block_in(asked.whom)) is not None:
        if not block.prefixlen:
            raise CouldNot(f"{block} is everybody: stop the server instead")
        return Person(), [Ban(block=str(block))]
    try:
        person = await people.find(asked.whom, desk)
    except CouldNot:
        mark = asked.whom.strip().lower()
        here = any(one.mark == mark for one in await people.everybody(desk))
        if here or not people.is_mark(mark):
            raise
        return Person(), [Ban(identity=mark)]  # somebody of the log who is not here
    found = [Ban(identity=person.identity.hex(), name=person.name)] if person.identity else []
    if asked.address:
        places = {session.origin or session.address for session in person.sessions}
        blocks = filter(None, map(block_in, places))
        found += [Ban(block=str(block), name=person.name) for block in blocks]
    if not found:
        where = ", ".join({session.address for session in person.sessions}) or "unknown"
        raise CouldNot(f"{person.name} shows no identity: ban the address, which is {where}")
    return person, found


async def _save(desk: Desk, bans: Iterable[Ban]) -> None:
    kept = list(bans)
    try:
        await asyncio.to_thread(_put, desk, kept)
    except OSError as error:
        raise CouldNot(f"the bans cannot be kept: {error.strerror or error}") from None


def _put(desk: Desk, bans: list[Ban]) -> None:
    ban_file.save(desk.folder, bans)
    desk.banned.hold(bans)


async def _turn_out(desk: Desk, person: Person) -> int:
    """End the connections of all who are banned by now. Returns how many they were."""
    gone = 0
    if person.identity:
        await send_away(Person(person.identity, awaited=person.awaited), lambda _: None)
    async for session in few(desk.peers.admitted):
        banned = desk.banned.address(session.address) or desk.banned.identity(session.identity)
        if banned is not None:
            if (table := session.at_table()) is not None:
                table.presence.expel(session)
            session.turn_away(banned)
            gone += 1
    return gone


async def unban(desk: Desk, asked: words.Unban, user: int) -> Answer:
    held = desk.banned.all()
    block = block_in(asked.whom)
    if block is not None:
        found = [ban for ban in held if ban.block == str(block)]
    else:
        meant = people.Meant(asked.whom)
        found = [one for one in held if meant.is_one(_mark(one), one.name)]
    if not found:
        raise CouldNot(f"there is no ban of {clean(asked.whom)!a}; bans lists them all")
    whom = ", ".join(known_as(ban) for ban in found)
    if len({ban.identity for ban in found if ban.identity}) > 1:
        raise CouldNot(f"{clean(asked.whom)!a} may be any of {whom}; give a longer mark")
    await desk.keep(audit.now(user, "unban", whom=whom))
    await _save(desk, [ban for ban in held if ban not in found])
    return Answer(done=True, said=f"{whom} may come in again")


def _mark(ban: Ban) -> str:
    return "" if ban.block else known_as(ban)


def known_as(ban: Ban) -> str:
    """The block, or the mark of the person."""
    if ban.block or people.is_mark(ban.identity):
        return ban.block or ban.identity
    return identity_mark(bytes.fromhex(ban.identity))


def _time(at_s: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at_s))
