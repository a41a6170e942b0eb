"""What leaves the server for a player who is away, to real servers on this machine; and what an
attacker would give for an address."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from protocol.from_client import Notify
from protocol.from_server import AddressKind, Unsent
from protocol.table import Days
from server import addresses
from server.addresses import AddressBook, Letter, NotSent, is_public
from server.config import Config
from server.settings import ConfigError
from server.tables.telling import COLLECT_S
from tests.stage.house import AT_HOME, Peer, begin, eventually, house

MAIL = {"EHLO": "250 here", "DATA": "354 go", "QUIT": "221 bye"}
NO_ADDRESS = """http://ntfy.example/ann https://ntfy.example:8443/ann https://ntfy.example/a/b
https://us:word@ntfy.example/ann https://ntfy.example/ann?x=1 https://[::1]/ann file:///etc/passwd
exec://rm json://localhost ann@club.example,ben@club.example ann@club.example?to=ben
@ann:club.example/!room ann"""


@asynccontextmanager
async def listening(
    answer: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]],
) -> AsyncIterator[int]:
    at = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        yield at.sockets[0].getsockname()[1]
    finally:
        at.close()


@asynccontextmanager
async def posted(
    answer: bytes = b"HTTP/1.1 204 ok\r\n\r\n",
) -> AsyncIterator[tuple[int, list[bytes]]]:
    """A port, and what was posted there; with b"" the `answer` never comes."""
    said = list[bytes]()

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.findall(rb"(?i)content-length: (\d+)", head)
        said.append(head + await reader.readexactly(int(length[0]) if length else 0))
        writer.write(answer)
        if answer:
            writer.close()

    async with listening(hear) as port:
        yield port, said


async def confirms(peer: Peer, address: str, said: list[bytes]) -> None:
    """The player gives an address, and the code that came there."""
    told = (await peer.done(Notify(id=0, address=address))).told
    assert told and not told.confirmed
    [code] = re.findall(rb"(\d{6}) is the code", said.pop())
    told = (await peer.done(Notify(id=0, code=code.decode()))).told
    assert told and told.confirmed and told.address == address


@pytest.mark.parametrize("way", ["webhook", "ntfy"])
async def test_a_player_confirms_an_address_and_is_told_there(way: str) -> None:
    async with posted() as (port, said):
        url = f"http://127.0.0.1:{port}/turns"
        hook, own = replace(AT_HOME, webhook=url), replace(AT_HOME, notify_ntfy="any")
        config, address = (hook, "ann") if way == "webhook" else (own, url)
        async with house(config=config) as at:
            ann = await at.peer("Ann", identity=b"a" * 32)
            ben = await at.peer("Ben")
            code = await begin(ann, ben, clock=Days(3), options={"first_seat": 0})
            await confirms(ann, address, said)
            for peer in (ann, ben):
                await peer.close()
            lobby, runner, wall = at.server.lobby, at.server.runner, at.server.runner.wall
            await eventually(lambda: not any(one.people() for one in lobby.tables.values()))
            await at.server.sleeping.look()
            runner.wall = lambda: wall() + COLLECT_S
            await at.server.sleeping.look()
            await eventually(lambda: bool(said))
        head, _, body = said[0].partition(b"\r\n\r\n")
        assert head.startswith(b"POST /turns HTTP/1.1\r\nHost: 127.0.0.1")
        text = body.decode()
        if way == "webhook":
            sent = json.loads(body)
            text, (turn,) = sent["text"], sent["turns"]
            assert (sent["to"], turn["name"], turn["table"]) == ("ann", "Ann", code)
        assert text == f"Clocktowers, table {code}: Ann, it is your turn; 2 d 23 h are left."


async def test_mail_goes_by_the_operator_s_own_account(tmp_path: Path) -> None:
    said = list[str]()

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 here\r\n")
        while line := (await reader.readline()).decode().strip():
            said.append(line)
            writer.write((MAIL.get(line[:4].upper(), "250 ok") + "\r\n").encode())
            if line == "data":
                said.append((await reader.readuntil(b"\r\n.\r\n")).decode())
                writer.write(b"250 ok\r\n")

    async with listening(hear) as port:
        file = tmp_path / "accounts"
        file.touch(0o600)
        file.write_text(f"mailto://127.0.0.1:{port}?from=club@club.example&mode=insecure\n")
        book = AddressBook(Config(notify_accounts=str(file)))
        await book.send("ann+turns@club.example", Letter("It is your turn."))
    asked = [one.lower() for one in said]  # Pythons write TO and to
    assert [one for one in asked if one.startswith("rcpt")] == ["rcpt to:<ann+turns@club.example>"]
    assert "It is your turn." in "".join(said)
    with pytest.raises(NotSent) as error:
        await book.send("ann@club.example", Letter("Nobody listens."))
    assert error.value.why is Unsent.SILENT, "the account may be at fault"


async def test_a_user_of_matrix_is_written_to_in_a_room_of_their_own(tmp_path: Path) -> None:
    """What a homeserver answers to a login, a room and a message stands in one answer to all."""
    known = json.dumps(
        {"access_token": "t", "user_id": "@club:a.example", "room_id": "!r:a.example"}
    )
    answer = f"HTTP/1.1 200 ok\r\nContent-Length: {len(known)}\r\n\r\n{known}"
    async with posted(answer.encode()) as (port, said):
        file = tmp_path / "accounts"
        file.touch(0o600)
        file.write_text(f"matrix://club:word@127.0.0.1:{port}\n")
        book = AddressBook(Config(notify_accounts=str(file)))
        await book.send("@ann:a.example", Letter("It is your turn."))
    [room] = [one for one in said if b"/createRoom " in one]
    assert json.loads(room.partition(b"\r\n\r\n")[2])["invite"] == ["@ann:a.example"]
    [sent] = [one for one in said if b"/rooms/%21r%3Aa.example/send/m.room.message/" in one]
    assert b"Bearer t\r\n" in sent and b"It is your turn." in sent


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"HTTP/1.1 403 no\r\n\r\n", Unsent.REFUSED),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:PORT/again\r\n\r\n", Unsent.REFUSED),
        (b"HTTP/1.1 429 later\r\n\r\n", Unsent.SILENT),
        (b"HTTP/1.1 500 broken\r\n\r\n", Unsent.SILENT),
        (b"no server of HTTP\r\n", Unsent.SILENT),
        (b"", Unsent.SILENT),
    ],
)
async def test_who_says_no_or_nothing_is_given_up(
    answer: bytes, why: Unsent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nobody is led elsewhere."""
    if not answer:
        monkeypatch.setattr(addresses, "SEND_S", 3.0)
    async with (
        posted() as (other, led),
        posted(answer.replace(b"PORT", b"%d" % other)) as (port, _),
    ):
        with pytest.raises(NotSent) as error:
            book = AddressBook(Config(notify_ntfy="any"))
            await book.send(f"http://127.0.0.1:{port}/ann", Letter("Your turn"))
        assert error.value.why == why and not led


def test_what_is_no_plain_address_is_not_let_in(tmp_path: Path) -> None:
    file = tmp_path / "accounts"
    file.touch(0o600)
    file.write_text("mailtos://us:word@mail.example\nmatrixs://us:word@chat.example\n")
    book = AddressBook(Config(notify_ntfy="public", notify_accounts=str(file)))
    given = [*NO_ADDRESS.split(), "", "https://ntfy.example/ann\r\nHost: a", "ann@a.example\n"]
    assert not any(map(book.kind_of, given))
    good = ("https://ntfy.example/ann", "ann@club.example", "@ann:chat.example")
    assert [*map(book.kind_of, good)] == [AddressKind.NTFY, AddressKind.MAIL, AddressKind.MATRIX]
    same = "ann@club.example Ann+a@Club.example", "https://a.example/b http://A.example:80/b"
    assert all(len({*map(book.mark, one.split())}) == 1 for one in same)
    file.write_text("exec://anything\n")
    with pytest.raises(ConfigError):
        AddressBook(Config(notify_accounts=str(file)))


async def test_a_name_that_leads_into_a_private_network_is_refused() -> None:
    """And who asks cannot tell it from a name that is not known."""
    with pytest.raises(NotSent, match="silent: it is in a private network"):
        await AddressBook(Config(notify_ntfy="public")).send("https://localhost/a", Letter("x"))
    private = "127.0.0.1 10.0.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 ::1"
    around = "fe80::1%lo fd00::1 ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1::1 ff02::1"
    old = "fec0::1 ::a00:1 ::ffff:0:a00:1"
    assert not any(map(is_public, f"{private} {around} {old}".split()))
    assert all(map(is_public, ("1.1.1.1", "2606:4700:4700::1111")))
