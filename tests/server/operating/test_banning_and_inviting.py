"""Whom the operator lets in and keeps out: bans, for how long, and that nobody else is; and
invitations, made by the operator or the host of a table, shown, over, revoked."""

import stat
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from protocol.errors import GoodbyeCode, RefusalCode
from protocol.from_client import Invite, Join, Leave, Watch
from protocol.from_server import AtTable, Goodbye, Notice, NoticeCode, Welcome
from protocol.invitation import KEY_BYTES, Place, decode
from server.admission import invitations
from server.admission.invitations import OF_A_TABLE
from server.config import Limits
from server.doors.certificate import for_server
from server.logs.marks import identity_mark
from server.net.callers import Banned, Caller, block_in
from server.operating import audit, banning, commands
from server.store.lists import BANS, INVITATIONS, Ban, load_bans
from server.store.statements import Unusable
from tests.server.operating.test_commands import ANNS, BENS, mark, pair
from tests.server.operating.test_door import ask, sentence
from tests.server.test_admission import said
from tests.stage.house import AT_HOME, House, begin, eventually, house
from tests.stage.own_log import own_log

# Whom a ban is about -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("block", "inside", "outside"),
    [
        ("192.0.2.7", ["192.0.2.7", "::ffff:192.0.2.7"], ["192.0.2.8", "::c000:207"]),
        ("192.0.2.9/24", ["192.0.2.0", "192.0.2.255"], ["192.0.3.0"]),
        ("::ffff:192.0.2.0/120", ["192.0.2.1"], ["192.0.3.1"]),
        ("2001:db8:1::/48", ["2001:db8:1:ffff::1"], ["2001:db8:2::1"]),
        ("fe80::1", ["fe80::1%eth0"], ["fe80::2"]),
    ],
)
def test_a_block_holds_its_addresses(block: str, inside: list[str], outside: list[str]) -> None:
    banned = Banned([Ban(block=str(block_in(block)), reason="spam")])
    assert all(banned.address(one) == goodbye(reason="spam") for one in inside)
    assert not any(banned.address(one) for one in (*outside, "", "a socket"))


def goodbye(until: int = 0, reason: str = "") -> Goodbye:
    return Goodbye("banned", {"until": until, "reason": reason})


def test_a_person_is_known_by_the_hash_that_the_server_keeps_or_by_its_mark() -> None:
    anns, bens = sha256(ANNS).digest(), sha256(BENS).digest()
    for known_as in (anns.hex(), identity_mark(anns)):
        banned = Banned([Ban(identity=known_as)])
        assert banned.identity(anns) == goodbye()
        assert banned.identity(bens) is None and banned.identity(b"") is None


def test_it_ends_when_its_time_is_over() -> None:
    now_s = 1000.0
    banned = Banned([Ban(block="192.0.2.7/32", until=1010)], lambda: now_s)
    assert banned.address("192.0.2.7") == goodbye(until=1010) and len(banned.all()) == 1
    now_s = 1010.0
    assert banned.address("192.0.2.7") is None and banned.all() == []


# Over the door -----------------------------------------------------------------------------------


async def test_a_banned_person_is_told_and_comes_in_by_no_name(tmp_path: Path) -> None:
    until = int(time.time()) + 3600
    async with house(folder=tmp_path) as at:
        ann, ben, code = await pair(at)
        second, cia = await at.peer("Two", identity=BENS), await at.peer("Cia")
        await cia.done(Watch(id=0, table=code))
        answer = await ask(tmp_path, banning.SetBan("Ben", until=until, reason="che\x1bats"))
        assert f"{mark(BENS)} Ben" in answer.said and answer.said.endswith("ended: 2")
        for peer in (ben, second):
            assert await peer.goodbye() == goodbye(until, "cheats")
        await ann.until(Notice, lambda one: one.code == NoticeCode.EXPELLED)
        assert (await ann.until(AtTable)).info.seats[1].away, "nobody waits for them"
        for name in ("Ben", "Somebody"):
            assert await at.turned_away(name, identity=BENS) == goodbye(until, "cheats")
        neighbour = await at.peer("Ben", identity=bytes([3]) * 32)  # behind the same address
        for peer in (ann, cia, neighbour):
            await peer.answered()


async def test_it_survives_a_restart_and_ends_when_the_operator_says_so(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        ann = await at.peer("Ann", identity=ANNS)
        await ask(tmp_path, banning.SetBan("Ann"))
        await ann.goodbye()
        await ask(tmp_path, banning.SetBan("192.0.2.0/24", reason="spam"))
        await ask(tmp_path, banning.SetBan("198.51.100.1"))
    content = (tmp_path / BANS).read_bytes()
    assert sha256(ANNS).hexdigest().encode() in content, "it has no identity"
    assert ANNS not in content and ANNS.hex().encode() not in content
    assert (tmp_path / BANS).stat().st_mode & 0o777 == 0o600
    async with house(folder=tmp_path) as at:
        assert await at.turned_away("Ann", identity=ANNS) == goodbye()
        rows = (await ask(tmp_path, banning.Bans())).rows or []
        assert [(row["whom"], row["name"], row["reason"]) for row in rows] == [
            (mark(ANNS), "Ann", ""),
            ("192.0.2.0/24", "", "spam"),
            ("198.51.100.1/32", "", ""),
        ]
        assert "no ban" in await sentence(tmp_path, banning.Unban("192.0.2.0/25"))
        for whom in (mark(ANNS)[:4], "192.0.2.7/24", "198.51.100.1"):
            assert (await ask(tmp_path, banning.Unban(whom))).done
        await (await at.peer("Ann", identity=ANNS)).answered()
        assert (await ask(tmp_path, banning.Bans())).said == "nobody is banned"
    assert load_bans(tmp_path) == []


async def test_an_address_is_banned_with_all_who_are_there(tmp_path: Path) -> None:
    async with house(folder=tmp_path, limits=Limits(loopback_counts=True)) as at:
        peers = [await at.peer(name, identity=one) for name, one in (("Ann", ANNS), ("Ben", BENS))]
        coming = await at.dial()
        await ask(tmp_path, banning.SetBan("127.0.0.0/30", reason="all"))
        coming.say_hello("Cia")
        for peer in (*peers, coming):
            assert await peer.goodbye() == goodbye(reason="all")
        assert await at.turned_away("Dan") == goodbye(reason="all")
        await eventually(lambda: not at.server.peers.connected and not at.server.peers.addresses)


async def test_somebody_without_an_identity_is_banned_by_address(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        cia = await at.peer("Cia")
        assert "127.0.0.1" in await sentence(tmp_path, banning.SetBan("Cia"))
        await cia.answered()
        assert (await ask(tmp_path, banning.SetBan("Cia", address=True))).done
        assert await cia.goodbye() == goodbye()
        assert load_bans(tmp_path)[0].block == "127.0.0.1/32"


async def test_nobody_is_safe_by_the_digits_of_a_mark_as_their_name(tmp_path: Path) -> None:
    """Each of two has the other's mark as their name; a mark means its owner, here or not."""
    async with house(folder=tmp_path) as at:
        ann = await at.peer(mark(BENS), identity=ANNS)
        ben = await at.peer(mark(ANNS), identity=BENS)
        assert mark(ANNS) in (await ask(tmp_path, banning.SetBan(mark(ANNS)))).said
        await ann.goodbye()
        assert (await ask(tmp_path, banning.SetBan(mark(ANNS)))).done
        await ben.answered()
        assert (await ask(tmp_path, commands.SendAway(mark(BENS)[:6]))).done
        await ben.goodbye()
        await ask(tmp_path, banning.SetBan(mark(BENS)))
        assert (await ask(tmp_path, banning.Unban(mark(ANNS)))).done
        assert [ban.identity for ban in load_bans(tmp_path)] == [mark(BENS)]
        said = await sentence(tmp_path, banning.SetBan(mark(BENS), address=True))
        assert "without --address" in said
        ann, nobody = await at.peer("Ann", identity=ANNS), await at.peer(mark(ANNS))
        assert (await ask(tmp_path, commands.SendAway(f"={mark(ANNS)}"))).done
        await nobody.goodbye()
        await ann.answered()


async def test_what_a_ban_of_an_address_hits_and_what_still_holds_is_told(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        ann = await at.peer("Ann", identity=ANNS)
        assert "this machine" in (await ask(tmp_path, banning.SetBan("Ann", address=True))).said
        await ann.goodbye()
        said = (await ask(tmp_path, banning.Unban(mark(ANNS)))).said
        assert "127.0.0.1/32 Ann is still banned: unban it too" in said


async def test_a_ban_that_makes_no_sense_is_a_sentence(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        peers = [await at.peer("Ann", identity=ANNS), await at.peer(mark(ANNS), identity=BENS)]
        assert "everybody" in await sentence(tmp_path, banning.SetBan("0.0.0.0/0"))
        assert "passed already" in await sentence(tmp_path, banning.SetBan("Ann", until=5))
        assert "after the year" in await sentence(tmp_path, banning.SetBan("Ann", until=1 << 62))
        for whom in ("300.0.0.1", "192.0.2.0/33", "fe80::1::2"):
            for asked in (banning.SetBan(whom), banning.Unban(whom)):
                assert "is no address" in await sentence(tmp_path, asked)
        for peer in peers:
            await peer.answered()
        assert load_bans(tmp_path) == []


@pytest.mark.parametrize("content", [b"", b"[]", b'{"bans": [{"block": "x"}]}', b'{"bans": 7}'])
async def test_a_damaged_file_is_a_sentence_and_no_open_door(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / BANS).write_bytes(content)
    with pytest.raises(Unusable, match="move it away"):
        async with house(folder=tmp_path):
            pass


# Invitations --------------------------------------------------------------------------------------


WORD = "tower"


@asynccontextmanager
async def closed(folder: Path, **more: Any) -> AsyncIterator[House]:
    """A house with a password."""
    async with house(password=WORD, folder=folder, **more) as at:
        yield at


async def invited(folder: Path, **asked: Any) -> bytes:
    """The secret of a new invitation."""
    values = (await ask(folder, commands.Issue(**asked))).values
    assert values is not None
    return decode(values["invitation"]).secret


async def test_a_line_says_where_and_its_secret_stands_for_the_password(tmp_path: Path) -> None:
    async with closed(tmp_path) as at:
        values = (await ask(tmp_path, commands.Issue(name="Cleo"))).values
        assert values is not None
        line = decode(values["invitation"])
        assert line.places == (Place("127.0.0.1", at.address.port),)
        assert line.key == for_server(AT_HOME, tmp_path).key[:KEY_BYTES]  # type: ignore[union-attr]
        assert (values["name"], line.table, values["table"]) == ("Cleo", "", "")
        assert isinstance(await said(at), Goodbye)
        assert isinstance(await said(at, invitation=line.secret), Welcome)
        there = ("games.example", "203.0.113.5:7000", "2001:db8::1", "[2001:db8::2]:70")
        values = (await ask(tmp_path, commands.Issue(addresses=there))).values
        assert values is not None
        assert decode(values["invitation"]).places == (
            Place("games.example", 7777),
            Place("203.0.113.5", 7000),
            Place("2001:db8::1", 7777),
            Place("2001:db8::2", 70),
        )


async def test_one_in_clear_from_elsewhere_is_not_looked_at(tmp_path: Path) -> None:
    async with closed(tmp_path) as at:
        secret = await invited(tmp_path)
        far, safe = Caller("192.0.2.7"), Caller("192.0.2.7", encrypted=True)
        answer = await said(at, far, invitation=secret)
        assert answer == Goodbye(GoodbyeCode.PASSWORD, {"in_clear": 0})
        assert isinstance(await said(at, safe, invitation=secret), Welcome)


async def test_unknown_ones_are_wrong_tries(tmp_path: Path) -> None:
    async with closed(tmp_path) as at:
        codes = [await said(at, invitation=bytes([n]) * 12) for n in range(6)]
        assert {one.code for one in codes[:5] if isinstance(one, Goodbye)} == {
            GoodbyeCode.INVITATION_UNKNOWN
        }
        assert isinstance(codes[5], Goodbye) and codes[5].code == GoodbyeCode.TOO_MANY_TRIES
        right = await said(at, invitation=await invited(tmp_path))
        assert isinstance(right, Welcome)


async def test_one_that_is_over_opens_only_to_the_owner_of_a_seat_that_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with closed(tmp_path) as at:
        secret = await invited(tmp_path, for_s=100)
        held = at.server.admission.invitations
        ann = await at.peer("Ann", password=WORD)
        ben = await at.peer("Ben", invitation=secret, identity=BENS)
        code = await begin(ann, ben)
        until = held.all()[0].until
        monkeypatch.setattr(held, "_now_s", lambda: until)
        over = Goodbye(GoodbyeCode.INVITATION_OVER, {"until": until})
        assert await said(at, invitation=secret, identity=BENS) == over
        ben.abort()
        await eventually(lambda: at.table(code).seating.awaits())
        assert await said(at, invitation=secret) == over
        assert isinstance(await said(at, invitation=secret, identity=BENS), Welcome)
        assert (await ask(tmp_path, commands.Issued())).rows == []


async def test_revoking_says_who_is_still_here_and_kick_sends_them_away(tmp_path: Path) -> None:
    async with closed(tmp_path) as at:
        one, other = await invited(tmp_path, name="Ben"), await invited(tmp_path)
        ben, cia = await at.peer("Ben", invitation=one), await at.peer("Cia", invitation=other)
        rows = (await ask(tmp_path, commands.Issued())).rows
        assert rows is not None
        assert [(row["name"], row["here"], row["by"]) for row in rows] == [
            ("Ben", 1, ""),
            ("1", 1, ""),
        ]
        assert "no invitation 'Dan'" in await sentence(tmp_path, commands.Revoke(name="Dan"))
        told = (await ask(tmp_path, commands.Revoke(name="Ben"))).said
        assert told.startswith("revoked: Ben; still here: Ben; they stay until")
        assert await said(at, invitation=one) == Goodbye(GoodbyeCode.INVITATION_REVOKED)
        assert isinstance(await said(at, invitation=other), Welcome)
        told = (await ask(tmp_path, commands.Revoke(name="all", kick=True))).said
        assert told == "revoked: Ben, 1; sent away: Ben, Cia"
        for peer in (ben, cia):
            assert (await peer.goodbye()).code == GoodbyeCode.INVITATION_REVOKED
        assert [deed.command for deed in audit.kept(tmp_path)] == [
            "invite",
            "invite",
            "revoke",
            "revoke",
        ]


def contents(folder: Path, log: str) -> list[bytes]:
    """Everything that a server has written."""
    assert stat.S_IMODE((folder / INVITATIONS).stat().st_mode) == 0o600
    return [*(one.read_bytes() for one in folder.iterdir() if one.is_file()), log.encode()]


async def test_they_survive_a_restart_and_nothing_has_the_secret(tmp_path: Path) -> None:
    with own_log("debug") as log:
        async with closed(tmp_path) as at:
            secret, gone = await invited(tmp_path), await invited(tmp_path, name="gone")
            await ask(tmp_path, commands.Revoke(name="gone"))
            await said(at, invitation=secret)
            await said(at, password="bellfry")
        told = log.told()
    async with closed(tmp_path) as at:
        assert isinstance(await said(at, invitation=secret), Welcome)
        assert await said(at, invitation=gone) == Goodbye(GoodbyeCode.INVITATION_REVOKED)
    written = contents(tmp_path, told)
    hidden = [WORD.encode(), b"bellfry", secret, secret.hex().encode(), gone]
    assert not [one for one in hidden for content in written if one in content]
    # The control: what stands for the secret is found, and so are the log's lines.
    for shown in (sha256(secret).hexdigest().encode(), b"password"):
        assert any(shown in content for content in written)


async def test_the_host_of_a_table_invites_to_it_as_long_as_it_stands(tmp_path: Path) -> None:
    async with closed(tmp_path) as at:
        ann = await at.peer("Ann", password=WORD)
        assert (await ann.refused(Invite(id=0))).code == RefusalCode.NOT_AT_TABLE
        code = await ann.create(seats=3)
        lines = [decode((await ann.done(Invite(id=0))).invitation) for _ in range(OF_A_TABLE)]
        assert {line.table for line in lines} == {code}
        more = await ann.refused(Invite(id=0))
        assert (more.code, more.params) == (RefusalCode.TOO_MANY_INVITATIONS, {"limit": OF_A_TABLE})
        ben = await at.peer("Ben", invitation=lines[0].secret)
        await ben.done(Join(id=0, table=lines[0].table))
        assert (await ben.refused(Invite(id=0))).code == RefusalCode.NOT_HOST
        rows = (await ask(tmp_path, commands.Issued())).rows
        assert rows is not None and {row["by"] for row in rows} == {"Ann"}
        await ann.done(Leave(id=0))
        await ben.done(Leave(id=0))
        await eventually(lambda: not at.server.admission.invitations.all())
        shown = await said(at, invitation=lines[1].secret)
        assert shown == Goodbye(GoodbyeCode.INVITATION_REVOKED)


async def test_hosts_invite_where_the_operator_lets_them(tmp_path: Path) -> None:
    config = replace(AT_HOME, hosts_invite=False)
    async with closed(tmp_path, config=config) as at, await at.dial() as ann:
        ann.say_hello("Ann", password=WORD)
        assert not (await ann.until(Welcome)).invites
        await ann.create(seats=3)
        assert (await ann.refused(Invite(id=0))).code == RefusalCode.NO_INVITATIONS


async def test_there_is_room_for_so_many_and_those_that_are_over_make_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "MOST", 3)
    async with closed(tmp_path) as at:
        first, second, third = [await invited(tmp_path) for _ in range(3)]
        assert "already: revoke" in await sentence(tmp_path, commands.Issue())
        await ask(tmp_path, commands.Revoke(name="2"))
        await invited(tmp_path, name="four")
        find = at.server.admission.invitations.find
        assert find(second) is None and find(first) and find(third)


NONSENSE: Final = (
    (commands.Issue(name="all"), "no invitation can be called"),
    (commands.Issue(name="x" * 100), "no invitation can be called"),
    (commands.Issue(for_s=-1), "days at most"),
    (commands.Issue(for_s=10**9), "days at most"),
    (commands.Issue(table="ZZZZ"), "there is no table"),
    (commands.Issue(addresses=("a b",)), "is no address"),
    (commands.Issue(addresses=("host:0",)), "is no address"),
    (commands.Issue(addresses=("host:99999",)), "is no address"),
    (commands.Issue(addresses=("h\u00f6st",)), "is no address"),
)


async def test_an_invitation_that_makes_no_sense_is_a_sentence(tmp_path: Path) -> None:
    async with closed(tmp_path) as at:
        for asked, says in NONSENSE:
            assert says in await sentence(tmp_path, asked), asked
        assert not at.server.admission.invitations.all()


async def test_a_full_disk_makes_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    async with closed(tmp_path) as at:
        ann = await at.peer("Ann", password=WORD)
        await ann.create(seats=3)
        monkeypatch.setattr("server.store.private.save_file", full)
        assert "cannot be kept: No space" in await sentence(tmp_path, commands.Issue())
        assert (await ann.refused(Invite(id=0))).code == RefusalCode.NO_INVITATIONS
        assert not at.server.admission.invitations.all()
