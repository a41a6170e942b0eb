"""Behind a trusted proxy callers are who the proxy says; nobody else is believed."""

import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from ipaddress import ip_address
from typing import Any

import pytest
from hypothesis import given, strategies as st
from msgspec import Struct
from msgspec.structs import replace

from protocol.codec import encode_frame
from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye, Welcome
from server.config import Limits
from server.doors.entrance import BLOCK_BYTES, SIGNATURE, NoProxyHeader, caller_in, missing
from server.net.callers import Caller
from server.store.lists import Ban
from tests.stage.house import AT_HOME, House, Peer, eventually, hello_of, house, new_folder_with_key

LINE = b"PROXY TCP4 192.0.2.7 198.51.100.1 4711 7777\r\n"
OVER_TLS = struct.pack(">BHBI", 0x20, 5, 1, 0)
UNIQUE_ID = struct.pack(">BH4s", 5, 4, b"\r\n\0A")


def block(address: str = "192.0.2.7", command: int = 0x21, tlvs: bytes = b"") -> bytes:
    packed = ip_address(address).packed
    family = 0x11 if len(packed) == 4 else 0x21
    rest = packed * 2 + struct.pack(">HH", 4711, 7777) + tlvs
    return SIGNATURE + struct.pack(">BBH", command, family, len(rest)) + rest


told = partial(Caller, proxied=True)
HEADERS = [
    (LINE, told("192.0.2.7")),
    (b"PROXY TCP6 2001:db8::7 2001:db8::1 4711 7777\r\n", told("2001:db8::7")),
    (b"PROXY TCP6 ::ffff:192.0.2.7 ::1 4711 7777\r\n", told("192.0.2.7")),
    (b"PROXY UNKNOWN\r\n", None),
    (b"PROXY UNKNOWN ffff:f...f:ffff 65535 65535\r\n", None),
    (block(), told("192.0.2.7")),
    (block("2001:db8::7"), told("2001:db8::7")),
    (block(tlvs=UNIQUE_ID + OVER_TLS), told("192.0.2.7", encrypted=True)),
    (block(tlvs=struct.pack(">BHBI", 0x20, 5, 0, 0)), told("192.0.2.7")),
    (block(command=0x20), None),
    (SIGNATURE + bytes([0x20, 0, 0, 0]), None),
    (SIGNATURE + bytes([0x21, 0x31, 0, 0]), None),
]
NONE_AT_ALL = [
    b"GET / HTTP/1.1\r\n",
    b"\0\0\0\x50" + bytes(20),
    b"PROXY TCP4 192.0.2.7\r\n",
    b"PROXY TCP4 nobody 198.51.100.1 4711 7777\r\n",
    b"PROXY \xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\r\n",
    b"PROXY UNKNOWN " + b"x" * 100,
    SIGNATURE + bytes([0x31, 0x11, 0, 12]) + bytes(12),
    SIGNATURE + bytes([0x21, 0x11, 0, 11]) + bytes(11),
    SIGNATURE + bytes([0x21, 0x11, 0xFF, 0xFF]),
]


def read(stream: bytes) -> tuple[Caller | None, bytes]:
    """Who calls, and what is left for them."""
    came = b""
    while more := missing(came):
        assert stream, "more was wanted than there is"
        came, stream = came + stream[:more], stream[more:]
    return caller_in(came), stream


@pytest.mark.parametrize(("header", "caller"), HEADERS)
def test_a_header_is_read_and_not_a_byte_more(header: bytes, caller: Caller | None) -> None:
    for behind in (b"", b"\r\n\r\n", b"\0\0\0\x50hello"):
        assert read(header + behind) == (caller, behind)


@pytest.mark.parametrize("came", NONE_AT_ALL)
def test_anything_else_is_no_header(came: bytes) -> None:
    with pytest.raises(NoProxyHeader):
        read(came)


@given(st.one_of(st.binary(max_size=120), st.binary().map(SIGNATURE.__add__)))
def test_no_bytes_do_harm(came: bytes) -> None:
    with suppress(NoProxyHeader):
        read(came + bytes(BLOCK_BYTES))


# Over real sockets ------------------------------------------------------------------------------


@asynccontextmanager
async def behind_a_proxy(**more: Any) -> AsyncIterator[House]:
    config = replace(AT_HOME, trusted_proxies=("203.0.113.0/24", "127.0.0.1"))
    config = replace(config, password_in_clear=more.pop("in_clear", True))
    async with house(config=config, **more) as at:
        yield at


async def test_header_and_hello_come_in_any_portions() -> None:
    async with behind_a_proxy() as at:
        for size in (1, 7, 1000):
            async with await at.dial() as peer:
                whole = LINE + peer.worded(hello_of("Ann"))
                for start in range(0, len(whole), size):
                    peer.write(whole[start : start + size])
                    await peer._writer.drain()
                await peer.until(Welcome)
                (there,) = at.server.peers.admitted
                assert (there.address, there.caller.here) == ("192.0.2.7", False)
            await eventually(lambda: not at.server.peers.admitted)


async def calls(at: House, address: str, **more: Any) -> tuple[str, Peer]:
    """The first word to a caller from there: the code of a goodbye, or ""; and the caller."""
    header = b"PROXY TCP4 %b 198.51.100.1 4711 7777\r\n" % address.encode()
    peer = await at.dial(**{"first": header, **more})
    peer.say_hello("Ann")
    word = await peer.until(Struct)
    return (word.code if isinstance(word, Goodbye) else ""), peer


@pytest.mark.parametrize("tls", [False, True])
async def test_limits_and_bans_go_by_the_true_address(tls: bool) -> None:
    limits = Limits(per_address=1)
    async with behind_a_proxy(limits=limits, folder=new_folder_with_key()) as at:
        at.server.peers.banned.replace([Ban(block="192.0.2.9")])
        found = [await calls(at, f"192.0.2.{number}", tls=tls) for number in (7, 7, 8, 9)]
        codes = [code for code, _peer in found]
        assert codes == ["", GoodbyeCode.ADDRESS_FULL, "", GoodbyeCode.BANNED]
        for _code, peer in found:
            peer.abort()


async def test_nobody_comes_from_a_proxy_without_a_header() -> None:
    async with behind_a_proxy(limits=Limits(hello_s=0.05)) as at:
        for said in (encode_frame(hello_of("Ann")), LINE[:20], b""):
            await (await at.dial(first=said)).closed()


async def test_nobody_else_is_believed() -> None:
    async with house() as at, await at.dial(first=LINE) as peer:
        assert (await peer._reader.read()).startswith(b"HTTP/1.1 404")


@pytest.mark.parametrize(
    ("in_clear", "header", "tls", "refused"),
    [
        (False, LINE, False, True),
        (False, LINE, True, False),
        (True, LINE, False, False),
        (False, block(tlvs=OVER_TLS), False, False),
        (False, block(command=0x20), False, False),
    ],
    ids=["in clear", "inside TLS", "in clear is allowed", "TLS ends at the proxy", "the proxy"],
)
async def test_another_machine_speaks_in_clear_only_where_that_is_allowed(
    in_clear: bool, header: bytes, tls: bool, refused: bool
) -> None:
    async with behind_a_proxy(in_clear=in_clear, folder=new_folder_with_key()) as at:
        code, peer = await calls(at, "", first=header, tls=tls)
        assert code == (GoodbyeCode.IN_CLEAR if refused else "")
        peer.abort()
