"""What the operator's commands find out and change, asked over the real socket of a real server;
and docs/operating.md has all of them."""

import argparse
import re
import time
from hashlib import sha256
from itertools import count
from pathlib import Path

import msgspec
import pytest
import structlog
from msgspec import msgpack

from protocol import from_server as server
from protocol.errors import RefusalCode
from protocol.from_client import Resume, Watch
from protocol.ids import TableCode
from protocol.signing import public_key
from server.cli import backup, operating
from server.logs.marks import identity_mark
from server.operating import audit, banning, commands
from server.store.backup import RECORDS
from server.store.lists import BANS
from server.store.private import secret
from tests.server.operating.test_door import ask, sentence
from tests.stage.house import House, Peer, begin, eventually, house
from tests.stage.own_log import own_log

ANNS, BENS = bytes([1]) * 32, bytes([2]) * 32


def mark(identity: bytes) -> str:
    return identity_mark(sha256(identity).digest())


async def pair(at: House, front: House | None = None) -> tuple[Peer, Peer, str]:
    """A running match between people with identities. `front`: another node, which the second one
    has dialled."""
    ann, ben = await at.peer("Ann", identity=ANNS), await (front or at).peer("Ben", identity=BENS)
    return ann, ben, await begin(ann, ben)


# Looking -----------------------------------------------------------------------------------------


async def test_who_lists_those_who_are_here_and_those_who_are_awaited(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        ann, ben, code = await pair(at)
        cia = await at.peer("Cia")
        silent = await at.dial()  # somebody who says nothing is nobody yet
        ben.abort()
        await eventually(lambda: at.table(code).seating.awaits())
        rows = (await ask(tmp_path, commands.Who())).rows
        assert rows is not None
        shown = [{**row, "here_s": row["here_s"] is not None} for row in rows]
        by_name = {row["name"]: row for row in shown}
        here = {"address": "127.0.0.1", "here_s": True, "lag_ms": 0}
        assert by_name == {
            "Ann": {"name": "Ann", "mark": mark(ANNS), "table": code, "seat": 0, **here},
            "Ben": {
                "name": "Ben",
                "mark": mark(BENS),
                "address": "",
                "table": code,
                "seat": 1,
                "here_s": False,
                "lag_ms": None,
            },
            "Cia": {"name": "Cia", "mark": "", "table": "", "seat": None, **here},
        }
        for peer in (ann, cia, silent):
            peer.abort()


async def test_tables_and_status_say_what_there_is(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        assert (await ask(tmp_path, commands.Tables())).said == "there is no table"
        _ann, _ben, code = await pair(at)
        (row,) = (await ask(tmp_path, commands.Tables())).rows or []
        assert (row["table"], row["phase"], row["players"]) == (code, "playing", ["Ann", "Ben"])
        values = (await ask(tmp_path, commands.Status())).values
        assert values is not None
        counted = {name: values[name] for name in ("people", "tables", "matches", "draining")}
        assert counted == {"people": 2, "tables": 1, "matches": 1, "draining": False}
        assert values["memory_mb"] > 1 and values["loop_lag_ms"] >= 0
        assert values["records_key"] == public_key(secret(tmp_path / RECORDS))


def secrets_of(at: House, *peers: Peer) -> list[bytes]:
    """What no answer may have: seeds, tokens, identities and their hashes."""
    found = [sha256(one).digest() for one in (ANNS, BENS)] + [ANNS, BENS]
    found += [one.token for peer in peers for one in peer.seen if isinstance(one, server.SeatToken)]
    matches = [table.match for table in at.server.lobby.tables.values()]
    found += [match.header.seed for match in matches if match is not None]
    return [way for one in found for way in (one, one.hex().encode())]


LOOKS = (commands.Who(), commands.Tables(), commands.Status(), banning.Bans())


async def test_no_answer_has_a_seed_a_token_or_an_identity(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        ann, ben, _code = await pair(at)
        for peer in (ann, ben):
            await peer.until(server.SeatToken)
        await ask(tmp_path, banning.SetBan("192.0.2.1", reason="test"))
        said = b"".join([msgpack.encode(await ask(tmp_path, look)) for look in LOOKS])
        for name in (BANS, audit.FILE_NAME):
            said += (tmp_path / name).read_bytes()
        hidden = secrets_of(at, ann, ben)
        assert len(hidden) == 14 and not [one for one in hidden if one in said]


# Changing ----------------------------------------------------------------------------------------


async def test_everybody_hears_what_the_operator_says(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        ann, ben, _code = await pair(at)
        cia = await at.peer("Cia")
        answer = await ask(tmp_path, commands.TellAll(" supper\x1b[2J at eight "))
        assert answer.said == "3 were told"
        for peer in (ann, ben, cia):
            notice = await peer.until(
                server.Notice, lambda one: one.code == server.NoticeCode.OPERATOR_SAYS
            )
            assert notice.params == {"text": "supper[2J at eight"}
        assert "visible" in await sentence(tmp_path, commands.TellAll("\x07"))
        assert "up to 200" in await sentence(tmp_path, commands.TellAll("x" * 201))


@pytest.mark.parametrize("whom", ["ben", mark(BENS), mark(BENS)[:5].upper()])
async def test_who_is_kicked_is_told_why_and_keeps_from_the_table(
    tmp_path: Path, whom: str
) -> None:
    async with house(folder=tmp_path) as at:
        ann, ben, code = await pair(at)
        second = await at.peer("Second", identity=BENS)
        await second.done(Watch(id=0, table=code))
        token = await ben.until(server.SeatToken)
        answer = await ask(tmp_path, commands.SendAway(whom, reason="rude"))
        assert answer.done, answer
        for peer in (ben, second):
            assert await peer.goodbye() == server.Goodbye("expelled", {"reason": "rude"})
        await ann.until(server.Notice, lambda one: one.code == server.NoticeCode.EXPELLED)
        assert (await ann.until(server.AtTable)).info.seats[1].away
        again = await at.peer("Somebody", identity=BENS)
        resume = Resume(id=0, match=token.match, token=token.token)
        for wish in (Watch(id=0, table=code), resume):
            assert (await again.refused(wish)).code == RefusalCode.KICKED
        neighbour = await at.peer("Neighbour", identity=bytes([3]) * 32)
        await neighbour.done(Watch(id=0, table=code))


async def test_an_absent_player_can_be_kicked(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        ann, ben, code = await pair(at)
        ben.abort()
        await eventually(lambda: at.table(code).seating.awaits())
        assert (await ask(tmp_path, commands.SendAway("Ben"))).done
        await ann.until(server.Notice, lambda one: one.code == server.NoticeCode.EXPELLED)
        assert not at.table(code).seating.awaits()


def alike() -> tuple[bytes, bytes]:
    """Two identities whose marks begin with the same four digits."""
    seen = dict[str, bytes]()
    for identity in (number.to_bytes(32) for number in count()):
        if (other := seen.setdefault(mark(identity)[:4], identity)) != identity:
            return other, identity
    raise AssertionError


async def test_an_ambiguous_mark_or_nobody_is_a_sentence(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        anns, others = alike()
        ann = await at.peer("Ann", identity=anns)
        other = await at.peer("Ben", identity=others)
        said = await sentence(tmp_path, commands.SendAway(mark(anns)[:4]))
        assert "may be any of 2" in said and mark(anns) in said and mark(others) in said
        for nobody in ("Cia", "", mark(ANNS)[:3], "ffffffffffff"):
            assert "nobody here" in await sentence(tmp_path, commands.SendAway(nobody))
        for peer in (ann, other):
            await peer.answered()
        assert list(audit.kept(tmp_path)) == [], "what was not done is not written down"


async def test_a_table_is_closed(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        ann, ben, code = await pair(at)
        assert "no table" in await sentence(tmp_path, commands.Close("ZZZZ"))
        assert (await ask(tmp_path, commands.Close(code.lower()))).done
        for peer in (ann, ben):
            assert (await peer.until(server.LeftTable)) == server.LeftTable(
                code, server.TableGone.CLOSED
            )
            await peer.answered()
        assert TableCode(code) not in at.server.lobby.tables


async def test_the_log_begins_to_say_more_and_ends(tmp_path: Path) -> None:
    with own_log("warning") as log:
        async with house(folder=tmp_path):
            structlog.get_logger().info("before")
            assert (await ask(tmp_path, commands.LogLevel(level="debug"))).done
            structlog.get_logger().debug("between")
            assert (await ask(tmp_path, commands.LogLevel(level="warning"))).done
            structlog.get_logger().info("after")
            assert "no level" in await sentence(tmp_path, commands.LogLevel(level="loud"))
        told = log.told()
    assert "between" in told and "before" not in told and "after" not in told


# What was done -----------------------------------------------------------------------------------


async def test_each_change_is_written_down(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        _ann, _ben, code = await pair(at)
        began = int(time.time())
        for asked in (
            *(commands.TellAll("hello"), commands.SendAway("Ben", reason="rude")),
            *(banning.SetBan("192.0.2.0/24", reason="spam"), banning.Unban("192.0.2.0/24")),
            *(commands.Close(code), commands.Drain(within_s=60), commands.Drain(cancel=True)),
            *(commands.LogLevel(level="info"), *LOOKS),
        ):
            assert (await ask(tmp_path, asked)).done, asked
        assert not (await ask(tmp_path, commands.Drain(cancel=True))).done
    deeds = list(audit.kept(tmp_path))
    assert [(deed.command, deed.whom, deed.reason, deed.what) for deed in deeds] == [
        ("say", "", "", "hello"),
        ("kick", f"Ben ({mark(BENS)})", "rude", ""),
        ("ban", "192.0.2.0/24", "spam", "for ever"),
        ("unban", "192.0.2.0/24", "", ""),
        ("close", code, "", ""),
        ("drain", "", "", "within 1 minute"),
        ("drain", "", "", "cancel"),
        ("log-level", "", "", "info"),
    ]
    assert all(deed.when >= began for deed in deeds)
    assert (tmp_path / audit.FILE_NAME).stat().st_mode & 0o777 == 0o600


async def test_what_cannot_be_written_down_is_not_done(tmp_path: Path) -> None:
    async with house(folder=tmp_path) as at:
        ann = await at.peer("Ann", identity=ANNS)
        (tmp_path / audit.FILE_NAME).mkdir()
        for asked in (commands.SendAway("Ann"), banning.SetBan("Ann"), commands.Drain()):
            assert "nothing was done" in await sentence(tmp_path, asked)
        await ann.answered()
        assert not at.server.lobby.draining and not at.server.peers.banned.all()


def test_the_trail_is_bounded_and_outlives_a_torn_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(number: int) -> None:
        audit.keep(tmp_path, audit.Deed(user=0, command="say", what=f"number {number}"))

    keep(0)
    with (tmp_path / audit.FILE_NAME).open("ab") as file:
        file.write(b'{"when":17')
    keep(1)
    assert [deed.what for deed in audit.kept(tmp_path)] == ["number 0", "number 1"]
    monkeypatch.setattr(audit, "MOST_BYTES", 2000)
    for number in range(100):
        keep(number)
    whats = [deed.what for deed in audit.kept(tmp_path)]
    assert whats[-1] == "number 99" and 10 < len(whats) < 40
    assert whats == [f"number {number}" for number in range(100 - len(whats), 100)]
    assert (tmp_path / audit.FILE_NAME).stat().st_size < 2200


# The document -------------------------------------------------------------------------------------


DOCUMENT = Path(__file__).parents[3] / "docs" / "operating.md"


def documented() -> dict[str, set[str]]:
    """The table of the requests: type → fields."""
    rows = re.findall(r"^\| (`[a-z`, -]+) \| (.*)\|$", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    named = re.compile(r"`([a-z_-]+)`")
    return {
        kind: set(named.findall(fields)) for kinds, fields in rows for kind in named.findall(kinds)
    }


def test_every_request_and_field_is_documented() -> None:
    spoken = {
        str(one.__struct_config__.tag): {field.name for field in msgspec.structs.fields(one)}
        for one in commands.COMMANDS
    }
    assert {kind: fields | {"version"} for kind, fields in documented().items()} == spoken


def test_every_command_is_shown() -> None:
    parser = argparse.ArgumentParser()
    typed = parser.add_subparsers()
    for add in (operating.add_parser, operating.add_audit, backup.add_parser):
        add(typed)
    shown = re.findall(
        r"^    clocktowers-server ([a-z-]+)", DOCUMENT.read_text("utf-8"), re.MULTILINE
    )
    assert set(shown) == set(typed.choices)
