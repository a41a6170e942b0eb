"""Bans: who is kept out, for how long, and that nobody else is."""

import time
from hashlib import sha256
from pathlib import Path

import pytest

from protocol.from_client import Watch
from protocol.from_server import AtTable, Goodbye, Notice, NoticeCode
from server.config import Limits
from server.logs.marks import identity_mark
from server.net.banned import Banned, block_in
from server.operating import words
from server.store import bans
from server.store.bans import Ban
from server.store.migrating import Unusable
from tests.server.operating.test_commands import ANNS, BENS, mark, pair
from tests.server.operating.test_door import ask, sentence
from tests.stage.house import House, eventually, house

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


async def told(at: House, name: str, identity: bytes | None = None) -> Goodbye:
    peer = await at.dial()
    peer.say_hello(name, identity=identity)
    return await peer.goodbye()


async def test_a_banned_person_is_told_and_comes_in_by_no_name(tmp_path: Path) -> None:
    until = int(time.time()) + 3600
    async with house(folder=tmp_path) as at:
        ann, ben, code = await pair(at)
        second, cia = await at.peer("Two", identity=BENS), await at.peer("Cia")
        await cia.done(Watch(id=0, table=code))
        answer = await ask(tmp_path, words.SetBan(whom="Ben", until=until, reason="che\x1bats"))
        assert f"{mark(BENS)} Ben" in answer.said and answer.said.endswith("ended: 2")
        for peer in (ben, second):
            assert await peer.goodbye() == goodbye(until, "cheats")
        await ann.until(Notice, lambda one: one.code == NoticeCode.EXPELLED)
        assert (await ann.until(AtTable)).info.seats[1].away, "nobody waits for them"
        for name in ("Ben", "Somebody"):
            assert await told(at, name, BENS) == goodbye(until, "cheats")
        neighbour = await at.peer("Ben", identity=bytes([3]) * 32)  # behind the same address
        for peer in (ann, cia, neighbour):
            await peer.answered()


async def test_it_survives_a_restart_and_ends_when_the_operator_says_so(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        ann = await at.peer("Ann", identity=ANNS)
        await ask(tmp_path, words.SetBan(whom="Ann"))
        await ann.goodbye()
        await ask(tmp_path, words.SetBan(whom="192.0.2.0/24", reason="spam"))
        await ask(tmp_path, words.SetBan(whom="198.51.100.1"))
    async with house(folder=tmp_path) as at:
        assert await told(at, "Ann", ANNS) == goodbye()
        rows = (await ask(tmp_path, words.Bans())).rows or []
        assert [(row["whom"], row["name"], row["reason"]) for row in rows] == [
            (mark(ANNS), "Ann", ""),
            ("192.0.2.0/24", "", "spam"),
            ("198.51.100.1/32", "", ""),
        ]
        assert "no ban" in await sentence(tmp_path, words.Unban(whom="192.0.2.0/25"))
        for whom in (mark(ANNS)[:4], "192.0.2.7/24", "198.51.100.1"):
            assert (await ask(tmp_path, words.Unban(whom=whom))).done
        await (await at.peer("Ann", identity=ANNS)).answered()
        assert (await ask(tmp_path, words.Bans())).said == "nobody is banned"
    assert bans.load(tmp_path) == []


async def test_an_address_is_banned_with_all_who_are_there(tmp_path: Path) -> None:
    async with house(folder=tmp_path, limits=Limits(loopback_counts=True)) as at:
        peers = [await at.peer(name, identity=one) for name, one in (("Ann", ANNS), ("Ben", BENS))]
        coming = await at.dial()
        await ask(tmp_path, words.SetBan(whom="127.0.0.0/30", reason="all"))
        coming.say_hello("Cia")
        for peer in (*peers, coming):
            assert await peer.goodbye() == goodbye(reason="all")
        late = await at.dial()
        late.say_hello("Dan")
        assert await late.goodbye() == goodbye(reason="all")
        await eventually(lambda: not at.server.peers.connected and not at.server.peers.addresses)


async def test_somebody_without_an_identity_is_banned_by_address(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        cia = await at.peer("Cia")
        assert "127.0.0.1" in await sentence(tmp_path, words.SetBan(whom="Cia"))
        await cia.answered()
        assert (await ask(tmp_path, words.SetBan(whom="Cia", address=True))).done
        assert await cia.goodbye() == goodbye()
        assert bans.load(tmp_path)[0].block == "127.0.0.1/32"


async def test_somebody_of_the_log_who_is_not_here_can_be_banned(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        assert (await ask(tmp_path, words.SetBan(whom=mark(ANNS)))).done
        assert await told(at, "Ann", ANNS) == goodbye()
        assert "nobody here" in await sentence(tmp_path, words.SetBan(whom=mark(BENS)[:8]))


async def test_nobody_is_safe_by_the_digits_of_a_mark_as_their_name(tmp_path: Path) -> None:
    """Each of two has the other's mark as their name; a mark means its owner, here or not."""
    async with house(folder=tmp_path) as at:
        ann = await at.peer(mark(BENS), identity=ANNS)
        ben = await at.peer(mark(ANNS), identity=BENS)
        assert mark(ANNS) in (await ask(tmp_path, words.SetBan(whom=mark(ANNS)))).said
        await ann.goodbye()
        assert (await ask(tmp_path, words.SetBan(whom=mark(ANNS)))).done
        await ben.answered()
        assert (await ask(tmp_path, words.Kick(person=mark(BENS)[:6]))).done
        await ben.goodbye()
        await ask(tmp_path, words.SetBan(whom=mark(BENS)))
        assert (await ask(tmp_path, words.Unban(whom=mark(ANNS)))).done
        assert [ban.identity for ban in bans.load(tmp_path)] == [mark(BENS)]
        said = await sentence(tmp_path, words.SetBan(whom=mark(BENS), address=True))
        assert "without --address" in said
        ann, nobody = await at.peer("Ann", identity=ANNS), await at.peer(mark(ANNS))
        assert (await ask(tmp_path, words.Kick(person=f"={mark(ANNS)}"))).done
        await nobody.goodbye()
        await ann.answered()


async def test_what_a_ban_of_an_address_hits_and_what_still_holds_is_told(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        ann = await at.peer("Ann", identity=ANNS)
        assert "this machine" in (await ask(tmp_path, words.SetBan(whom="Ann", address=True))).said
        await ann.goodbye()
        said = (await ask(tmp_path, words.Unban(whom=mark(ANNS)))).said
        assert "127.0.0.1/32 Ann is still banned: unban it too" in said


async def test_what_makes_no_sense_is_a_sentence(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        peers = [await at.peer("Ann", identity=ANNS), await at.peer(mark(ANNS), identity=BENS)]
        assert "everybody" in await sentence(tmp_path, words.SetBan(whom="0.0.0.0/0"))
        assert "passed already" in await sentence(tmp_path, words.SetBan(whom="Ann", until=5))
        assert "after the year" in await sentence(tmp_path, words.SetBan(whom="Ann", until=1 << 62))
        for whom in ("300.0.0.1", "192.0.2.0/33", "fe80::1::2"):
            for asked in (words.SetBan(whom=whom), words.Unban(whom=whom)):
                assert "is no address" in await sentence(tmp_path, asked)
        for peer in peers:
            await peer.answered()
        assert bans.load(tmp_path) == []


async def test_the_file_has_no_identity_and_is_its_owners_alone(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        ann = await at.peer("Ann", identity=ANNS)
        await ask(tmp_path, words.SetBan(whom="Ann"))
        await ann.goodbye()
    file = tmp_path / bans.FILE_NAME
    content = file.read_bytes()
    assert ANNS not in content and ANNS.hex().encode() not in content
    assert sha256(ANNS).hexdigest().encode() in content
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", [b"", b"[]", b'{"bans": [{"block": "x"}]}', b'{"bans": 7}'])
async def test_a_damaged_file_is_a_sentence_and_no_open_door(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / bans.FILE_NAME).write_bytes(content)
    with pytest.raises(Unusable, match="move it away"):
        async with house(folder=tmp_path):
            pass


async def test_without_the_look_at_each_hello_a_banned_person_comes_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control."""
    async with house(folder=tmp_path) as at:
        await ask(tmp_path, words.SetBan(whom=mark(ANNS)))
        monkeypatch.setattr(Banned, "identity", lambda self, identity: None)
        await (await at.peer("Ann", identity=ANNS)).answered()
