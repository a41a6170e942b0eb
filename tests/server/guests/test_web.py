"""The browser door: pages, cookies and WebSockets, over real sockets."""

import asyncio
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSMsgType, WSServerHandshakeError

from protocol.invitation import Invitation, Place, page_address
from server.guests import guest, web
from server.guests.passing import Handed
from server.guests.web import COOKIE, INVITATION, pages
from tests.stage.house import PATIENCE_S, eventually
from tests.stage.jumping_clock import passes
from tests.stage.web_page import HERE, OVER_TLS, Page, page

pytestmark = pytest.mark.usefixtures("shells")


async def sees(line: Any, word: bytes) -> None:
    came = b""
    async with asyncio.timeout(PATIENCE_S):
        while word not in came:
            message = await line.receive()
            assert message.type is WSMsgType.BINARY, message
            came += message.data


async def ends(line: Any) -> str:
    """The last sentence; "" = none."""
    last = ""
    async with asyncio.timeout(PATIENCE_S):
        while (message := await line.receive()).type not in (WSMsgType.CLOSE, WSMsgType.CLOSED):
            last = message.data if message.type is WSMsgType.TEXT else last
    return last


async def test_the_page_may_ask_this_server_only(tmp_path: Path) -> None:
    async with page(tmp_path) as at, at.browser.get(at.address) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "script-src 'self';" in policy
        assert "connect-src 'self'" in policy and "http" not in policy
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "aiohttp" not in answer.headers["Server"]
        assert answer.headers["Content-Encoding"] == "gzip"
        tag = answer.headers["ETag"]
        async with at.browser.get(at.address, headers={"If-None-Match": tag}) as again:
            assert again.status == 304


@pytest.mark.parametrize("handed", [HERE, OVER_TLS])
async def test_a_cookie_is_who_somebody_is(tmp_path: Path, handed: Handed) -> None:
    """A page that was opened from elsewhere comes without it, so only `enter` makes one."""
    async with page(tmp_path, handed) as at:
        async with at.browser.get(at.address) as answer:
            assert not answer.cookies
        morsel = (await at.enter()).cookies[COOKIE]
        assert morsel["httponly"] and morsel["samesite"] == "Strict"
        assert bool(morsel["secure"]) is handed.secure
        mine = {"Cookie": f"{COOKIE}={morsel.value}"}
        assert (await at.enter(**mine)).cookies[COOKIE].value == morsel.value
        at.browser.cookie_jar.clear()
        forged = await at.enter(Cookie=f"{COOKIE}=x")
        assert forged.cookies[COOKIE].value not in ("x", morsel.value)


async def test_no_page_of_another_server_gets_in(tmp_path: Path) -> None:
    async with page(tmp_path) as at:
        await at.enter()
        for origin in ("https://evil.example", "null", "", "http://127.0.0.1:1"):
            assert (await at.enter(Origin=origin)).status == 403
            with pytest.raises(WSServerHandshakeError, match="403"):
                await at.terminal(Origin=origin)


async def test_in_clear_the_server_is_called_by_an_address(tmp_path: Path) -> None:
    """Another page's name may be led here meanwhile, and its page is then of this "server"."""
    async with page(tmp_path) as at:
        evil = {"Host": "evil.example", "Origin": "http://evil.example"}
        assert (await at.enter(**evil)).status == 403
        local = {"Host": "localhost:7", "Origin": "http://localhost:7"}
        assert (await at.enter(**local)).status == 200


async def test_a_page_that_is_loaded_again_takes_the_place_of_the_one_before(
    tmp_path: Path,
) -> None:
    """Another tab is another client of the same guest, up to a limit."""
    async with page(tmp_path) as at:
        await at.enter()
        async with at.terminal() as first, at.terminal("f" * 32) as other:
            await sees(first, b"in")
            async with at.terminal() as second:
                await sees(second, b"in")
                await ends(first)
                async with at.terminal("e" * 32) as third:
                    assert "here 2 times already" in await ends(third)
                await other.send_bytes(b"Ann\r")
                await sees(other, b"heard Ann")


@pytest.mark.parametrize("closed", [False, True])
async def test_a_page_that_is_loaded_again_and_again_has_one_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closed: bool
) -> None:
    """Clients that do not end before they may. `closed`: by then the first line is over."""
    monkeypatch.setattr(guest, "PARTING_S", 1e6)
    begun, may_end = tmp_path / "begun", tmp_path / "may_end"
    lingers = "trap '' HUP; echo x >>begun; echo in; until [ -e may_end ]; do sleep 0.02; done"
    async with page(tmp_path, command=lingers) as at:
        await at.enter()
        async with at.terminal() as first:
            await sees(first, b"in")
            if closed:
                await first.close()
            async with at.terminal() as second, at.terminal() as third:
                assert begun.read_text() == "x\n"
                may_end.touch()
                await sees(third, b"in")
                assert await ends(second) == ""
                assert begun.read_text() == "x\nx\n"


@pytest.mark.parametrize("said", ["[1", "[-1,2]", '"x"', "[99999999,1]", b"x" * 20_000])
async def test_nonsense_ends_its_own_line_only(tmp_path: Path, said: str | bytes) -> None:
    async with page(tmp_path) as at:
        await at.enter()
        async with at.terminal() as line, at.terminal("f" * 32) as other:
            await (line.send_str(said) if isinstance(said, str) else line.send_bytes(said))
            await ends(line)
            await sees(other, b"in")


async def test_nobody_comes_to_a_terminal_without_a_cookie(tmp_path: Path) -> None:
    async with page(tmp_path) as at:
        with pytest.raises(WSServerHandshakeError, match="400"):
            await at.terminal()
        await at.enter()
        with pytest.raises(WSServerHandshakeError, match="400"):
            await at.terminal("mine")
    assert not [one for one in (tmp_path / "guests").iterdir()]


@pytest.mark.parametrize("limit", ["STRANGERS_PER_ADDRESS", "STRANGERS"])
async def test_who_does_not_get_on_makes_room_or_is_hung_up_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    """Half a request from one address or from each of many keeps nobody out."""
    monkeypatch.setattr(web, limit, 3)
    async with page(tmp_path) as at:
        silent = [await _begun(at) for _ in range(3)]
        await eventually(lambda: len(at.door.strangers) == 3)
        assert (await at.enter()).status == 200
        assert len(at.door.strangers) <= 3
        async with asyncio.timeout(PATIENCE_S):
            assert not await silent[0][0].read(), "the first makes room"
        passes(at.door.hello_s, monkeypatch)
        for reader, writer in silent:
            await reader.read()
            writer.close()


async def _begun(at: Page) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Half a request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(at.address.split(":")[2]))
    writer.write(b"GET / HT")
    return reader, writer


def test_files_of_others_are_those_that_are_named() -> None:
    """In THIRD-PARTY.md, with their hashes; and no page names another server."""
    named = Path("THIRD-PARTY.md").read_text()
    for path, found in pages().items():
        if path.startswith("/xterm/"):
            assert sha256(found.content).hexdigest() in named, path
        else:
            own = found.content.replace(b"http://www.w3.org/2000/svg", b"")
            assert b"http:" not in own and b"https:" not in own, path


async def test_an_invitation_is_a_cookie_from_then_on(tmp_path: Path) -> None:
    async with page(tmp_path) as at:
        where = page_address(Invitation((Place("x", 1),), bytes(range(12)), table="K7QM"))
        answer = await at.enter(where.partition("#")[2])
        assert await answer.json() == {"table": "K7QM"}
        kept = answer.cookies[INVITATION]
        assert kept.value == bytes(range(12)).hex()
        assert kept["httponly"] and kept["samesite"] == "Strict"
        assert INVITATION not in (await at.enter()).cookies
        for wrong in ("0123", "!" * 20, "0" * 21, "0" * 19 + "1"):
            refused = await at.enter(wrong)
            assert refused.status == 400 and "copy all of it" in await refused.text()
