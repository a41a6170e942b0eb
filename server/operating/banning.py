"""The operator's bans: a person, an address or a block of addresses is kept out for some time."""

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from ipaddress import ip_network
from typing import Annotated, Final

from msgspec.structs import replace

from protocol.text import clean
from server.logs.marks import identity_mark
from server.net.callers import block_in
from server.operating.desk import (
    Desk,
    PersonHere,
    everybody,
    find,
    give_up,
    is_mark,
    leave_table,
    meant,
    tidy,
)
from server.operating.words import REASON, Command, CouldNot, Reply, Typed, listed
from server.speaking import N_
from server.store.lists import BANS, MOST_BANS, Ban, BanFile
from server.tasks import few

LATEST_YEAR: Final = 9998
"""A client in any time zone can still show it."""
LATEST: Final = int(datetime(LATEST_YEAR, 12, 31, tzinfo=UTC).timestamp())
_LIKE_ADDRESS: Final = re.compile(r"[0-9.]*\.[0-9.]*(/.*)?|[0-9a-fA-F.]*:[0-9a-fA-F.:%/]*")


class SetBan(Command, frozen=True, tag="ban"):
    """Keep a person, an address or a block of addresses (CIDR) out. `until`: seconds since 1970,
    0 = for ever. `address`: with a person, ban the addresses that they have now, too."""

    told = N_("keep a player or an address out")
    about = N_("For ever, unless --for or --until says otherwise.")
    whom: Annotated[
        str, Typed("WHOM", N_("a name, a mark, an address, or a block such as 192.0.2.0/24"))
    ]
    until: int = 0
    address: Annotated[
        bool, Typed("--address", N_("with a player: ban the address, too, for all there"))
    ] = False
    reason: Annotated[str, REASON] = ""

    async def do(self, desk: Desk) -> Reply:
        now_s, reason = int(time.time()), tidy(self.reason)
        if self.until and self.until <= now_s:
            raise CouldNot("that time has passed already")
        if self.until > LATEST:
            raise CouldNot(f"that is after the year {LATEST_YEAR}: ban for ever instead")
        person, found = await self._whom(desk)
        made = [replace(one, since=now_s, until=self.until, reason=reason) for one in found]
        whom = ", ".join(f"{known_as(one)} {one.name}".strip() for one in made)
        until = "for ever" if not self.until else f"until {_time(self.until)}"

        def with_them() -> list[Ban]:
            kept = {known_as(one): one for one in (*desk.banned.all(), *made)}
            if len(kept) > MOST_BANS:
                raise CouldNot(f"there are {MOST_BANS} bans already: end some of them first")
            return list(kept.values())

        with_them()  # what is wrong with it is said before it is written down
        await desk.keep("ban", whom=whom, reason=reason, what=until)
        await _save(desk, with_them)
        gone = await _turn_out(desk, person)
        own = any(ip_network(one.block).is_loopback for one in made if one.block)
        hits = "; that is this machine: all who come through its tunnel or proxy are banned, too"
        return Reply(said=f"banned {until}: {whom}; connections ended: {gone}{hits * own}")

    async def _whom(self, desk: Desk) -> tuple[PersonHere, list[Ban]]:
        """The person who is meant, if it is one who is here, and the bans without their time."""
        if (block := block_in(self.whom)) is not None:
            if not block.prefixlen:
                raise CouldNot(f"{block} is everybody: stop the server instead")
            return PersonHere(), [Ban(block=str(block))]
        mark = clean(self.whom).lower()
        if is_mark(mark) and all(one.mark != mark for one in await everybody(desk)):
            if self.address:
                said = f"nobody with the mark {mark} is here: ban the mark without --address"
                raise CouldNot(said)
            return PersonHere(), [Ban(identity=mark)]  # somebody of the log who is not here
        try:
            person = await find(self.whom, desk)
        except CouldNot:
            _see_address(self.whom)
            raise
        found = [Ban(identity=person.identity.hex(), name=person.name)] if person.identity else []
        if self.address:
            places = {session.place for session in person.sessions}
            origin = desk.peers.addresses.origin
            places |= {origin(one.seen_at) or one.seen_at for one in person.sessions}
            blocks = filter(None, map(block_in, places))
            found += [Ban(block=str(block), name=person.name) for block in blocks]
        if not found:
            where = ", ".join({session.address for session in person.sessions}) or "unknown"
            raise CouldNot(f"{person.name} shows no identity: ban the address, which is {where}")
        return person, found


class Unban(Command, frozen=True, tag="unban"):
    """End a ban: `whom` as it is listed, or the name."""

    told = N_("end a ban")
    whom: Annotated[str, Typed("WHOM", N_("as bans lists it, or the name"))]

    async def do(self, desk: Desk) -> Reply:
        bans, block, asked = desk.banned.all(), block_in(self.whom), clean(self.whom)
        if block is not None:
            found = [ban for ban in bans if ban.block == str(block)]
        else:
            found = meant(
                asked, [(one, "" if one.block else known_as(one), [one.name]) for one in bans]
            )
        if not found:
            _see_address(self.whom)
            raise CouldNot(f"there is no ban of {asked!a}; `bans` lists them all")
        whom = ", ".join(known_as(ban) for ban in found)
        if len({ban.identity for ban in found if ban.identity}) > 1:
            raise CouldNot(f"{asked!a} may be any of {whom}; give a longer mark")
        await desk.keep("unban", whom=whom)

        def left() -> list[Ban]:
            return [ban for ban in desk.banned.all() if ban not in found]

        await _save(desk, left)
        names = {ban.name for ban in found} - {""}
        still = ", ".join(f"{known_as(ban)} {ban.name}" for ban in left() if ban.name in names)
        more = f"; {still} is still banned: unban it too" * bool(still)
        return Reply(said=f"{whom}: not banned any more{more}")


class Bans(Command, frozen=True, tag="bans"):
    """Every ban in force."""

    told = N_("list the bans")
    looks = True

    async def do(self, desk: Desk) -> Reply:
        told = ("name", "since", "until", "reason")
        rows = [
            {"whom": known_as(ban), **{name: getattr(ban, name) for name in told}}
            async for ban in few(desk.banned.all())
        ]
        return listed(rows, "nobody is banned")


async def _save(desk: Desk, change: Callable[[], list[Ban]]) -> None:
    """Keep what `change` makes of the bans in force."""
    try:
        await desk.shelf.put(
            BANS, lambda: BanFile(change()), lambda filed: desk.banned.replace(filed.bans)
        )
    except OSError as error:
        raise CouldNot(f"the bans cannot be kept: {error.strerror or error}") from None


async def turn_out_banned(desk: Desk) -> None:
    """End the connections of all who are banned by now, and give up the seats that wait for them:
    another node has banned them."""
    await _turn_out(desk, PersonHere())
    for person in await everybody(desk):
        if person.awaited and desk.banned.identity(person.identity) is not None:
            give_up(person.awaited)


async def _turn_out(desk: Desk, person: PersonHere) -> int:
    """End the connections of all who are banned by now. Returns how many they were."""
    gone = 0
    if person.identity:
        give_up(person.awaited)
    async for session in few(desk.peers.admitted):
        at, seen_at = map(desk.banned.address, (session.address, session.seen_at))
        banned = at or seen_at or desk.banned.identity(session.identity)
        if banned is not None:
            leave_table(session)
            session.turn_away(banned)
            gone += 1
    return gone


def _see_address(whom: str) -> None:
    """Raises CouldNot for what only looks like an address or a block."""
    if block_in(whom) is None and _LIKE_ADDRESS.fullmatch(clean(whom)):
        raise CouldNot(
            f"{clean(whom)!a} is no address: give one such as 192.0.2.7, or a block as 192.0.2.0/24"
        )


def known_as(ban: Ban) -> str:
    """The block, or the mark of the person."""
    if ban.block or is_mark(ban.identity):
        return ban.block or ban.identity
    return identity_mark(bytes.fromhex(ban.identity))


def _time(at_s: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at_s))
