"""Invitations: made by the operator or the host of a table, shown, over, revoked."""

import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from protocol.errors import GoodbyeCode
from protocol.from_client import Invite, Join, Leave
from protocol.from_server import Done, Goodbye, Welcome
from protocol.invitation import KEY_BYTES, Place, decode
from protocol.refusal import RefusalCode
from server.admission import invitations
from server.admission.invitations import OF_A_TABLE, USUAL_S
from server.doors.certificate import for_server
from server.net.caller import Caller
from server.operating import audit, words
from server.store import invitations as file, whole
from tests.server.operating.test_door import ask, sentence
from tests.server.test_admission import said
from tests.stage.house import AT_HOME, READY, START, House, eventually, house
from tests.stage.own_log import own_log

WORD = "tower"
BENS = bytes([2]) * 32


@asynccontextmanager
async def closed(folder: Path, **more: Any) -> AsyncIterator[House]:
    """A house with a password."""
    async with house(password=WORD, folder=folder, **more) as at:
        yield at


async def invited(folder: Path, **asked: Any) -> bytes:
    """The secret of a new invitation."""
    values = (await ask(folder, words.Invite(**asked))).values
    assert values is not None
    return decode(values["invitation"]).secret


async def test_a_line_says_where_and_its_secret_stands_for_the_password(tmp_path: Path) -> None:
    async with closed(tmp_path) as at:
        values = (await ask(tmp_path, words.Invite(name="Cleo"))).values
        assert values is not None
        line = decode(values["invitation"])
        assert line.places == (Place("127.0.0.1", at.address.port),)
        assert line.key == for_server(AT_HOME, tmp_path).key[:KEY_BYTES]  # type: ignore[union-attr]
        assert (values["name"], line.table, values["table"]) == ("Cleo", "", "")
        assert isinstance(await said(at), Goodbye)
        assert isinstance(await said(at, invitation=line.secret), Welcome)
        there = ["games.example", "203.0.113.5:7000", "2001:db8::1", "[2001:db8::2]:70"]
        values = (await ask(tmp_path, words.Invite(addresses=there))).values
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
        code = await ann.create(seats=2)
        await ben.done(Join(id=0, table=code))
        await ben.done(READY)
        await ann.done(START)
        until = held.all()[0].until
        monkeypatch.setattr(held, "_now_s", lambda: until)
        over = Goodbye(GoodbyeCode.INVITATION_OVER, {"until": until})
        assert await said(at, invitation=secret, identity=BENS) == over
        ben.abort()
        await eventually(lambda: at.table(code).seating.awaits())
        assert await said(at, invitation=secret) == over
        assert isinstance(await said(at, invitation=secret, identity=BENS), Welcome)
        assert (await ask(tmp_path, words.Invitations())).rows == []


async def test_revoking_says_who_is_still_here_and_kick_sends_them_away(tmp_path: Path) -> None:
    async with closed(tmp_path) as at:
        one, other = await invited(tmp_path, name="Ben"), await invited(tmp_path)
        ben, cia = await at.peer("Ben", invitation=one), await at.peer("Cia", invitation=other)
        rows = (await ask(tmp_path, words.Invitations())).rows
        assert rows is not None
        assert [(row["name"], row["here"], row["by"]) for row in rows] == [
            ("Ben", 1, ""),
            ("1", 1, ""),
        ]
        assert "no invitation 'Dan'" in await sentence(tmp_path, words.Revoke(name="Dan"))
        told = (await ask(tmp_path, words.Revoke(name="Ben"))).said
        assert told.startswith("revoked: Ben; still here: Ben; they stay until")
        assert await said(at, invitation=one) == Goodbye(GoodbyeCode.INVITATION_REVOKED)
        assert isinstance(await said(at, invitation=other), Welcome)
        told = (await ask(tmp_path, words.Revoke(name="all", kick=True))).said
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
    assert stat.S_IMODE((folder / file.FILE_NAME).stat().st_mode) == 0o600
    return [*(one.read_bytes() for one in folder.iterdir() if one.is_file()), log.encode()]


async def test_they_survive_a_restart_and_nothing_has_the_secret(tmp_path: Path) -> None:
    with own_log("debug") as log:
        async with closed(tmp_path) as at:
            secret, gone = await invited(tmp_path), await invited(tmp_path, name="gone")
            await ask(tmp_path, words.Revoke(name="gone"))
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
        rows = (await ask(tmp_path, words.Invitations())).rows
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
        assert "already: revoke" in await sentence(tmp_path, words.Invite())
        await ask(tmp_path, words.Revoke(name="2"))
        await invited(tmp_path, name="four")
        assert at.server.admission.invitations.find(second) is None
        assert at.server.admission.invitations.find(first) and at.server.admission.invitations.find(
            third
        )


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (words.Invite(name="all"), "no invitation can be called"),
        (words.Invite(name="x" * 100), "no invitation can be called"),
        (words.Invite(for_s=-1), "days at most"),
        (words.Invite(for_s=10**9), "days at most"),
        (words.Invite(table="ZZZZ"), "there is no table"),
        (words.Invite(addresses=["a b"]), "is no address"),
        (words.Invite(addresses=["host:0"]), "is no address"),
        (words.Invite(addresses=["host:99999"]), "is no address"),
        (words.Invite(addresses=["h\u00f6st"]), "is no address"),
    ],
)
async def test_what_makes_no_sense_is_a_sentence(
    asked: words.Asked, says: str, tmp_path: Path
) -> None:
    async with closed(tmp_path) as at:
        assert says in await sentence(tmp_path, asked)
        assert not at.server.admission.invitations.all()


async def test_a_full_disk_makes_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    async with closed(tmp_path) as at:
        ann = await at.peer("Ann", password=WORD)
        await ann.create(seats=3)
        monkeypatch.setattr(whole, "save", full)
        assert "cannot be kept: No space" in await sentence(tmp_path, words.Invite())
        assert (await ann.refused(Invite(id=0))).code == RefusalCode.NO_INVITATIONS
        assert not at.server.admission.invitations.all()


async def test_one_holds_for_a_week_unless_said(tmp_path: Path) -> None:
    async with closed(tmp_path) as at:
        await invited(tmp_path)
        (one,) = at.server.admission.invitations.all()
        assert one.until - one.since == USUAL_S == 7 * 86400
        assert isinstance(await said(at, password=WORD), Welcome | Done)
