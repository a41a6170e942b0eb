"""The port of the nodes: only the cluster's own get a word in there, and what they say wrongly ends
their line and harms nobody else."""

import asyncio
import ssl
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from protocol.codec import encode, frame, framed
from protocol.from_client import Join, ListWaiting
from protocol.from_server import WaitingList
from server.nodes import operators, port
from server.nodes.port import (
    MOST_FIRST_BYTES,
    Keys,
    Led,
    Look,
    Passed,
    Welcomed,
    certified_name,
    new_authority,
)
from tests.stage.house import LENIENT, PATIENCE_S, eventually
from tests.stage.jumping_clock import passes
from tests.stage.nodes import LoopDirectory, LoopNode, keys_of, nodes

ANN = Led(address="192.0.2.1", welcomed=Welcomed(name="Ann"))


async def dial(
    node: LoopNode, context: ssl.SSLContext | None, name: str = ""
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Without a context, in clear. `name`: of the node that is meant, where it is another one."""
    host, _, port = node.node.address.rpartition(":")
    meant = certified_name(name or node.name) if context else None
    return await asyncio.open_connection(host, int(port), ssl=context, server_hostname=meant)


async def ended(reader: asyncio.StreamReader) -> bool:
    try:
        async with asyncio.timeout(PATIENCE_S):
            return not await reader.read()
    except (ConnectionError, ssl.SSLError):
        return True


NONSENSE = {
    "no word": frame(b""),
    "a word that is none": frame(encode(Join(id=1, table="AAAA"))),
    "a caller of whom too little is said": frame(msgspec.msgpack.encode({"type": "caller"})),
    "no name": framed(structs.replace(ANN, welcomed=Welcomed(name=""))),
    "a name that nobody can have": framed(structs.replace(ANN, welcomed=Welcomed(name="A\nn"))),
    "a long word": frame(bytes(MOST_FIRST_BYTES + 1)),
    "a long frame of a caller": framed(ANN) + b"\xff\xff\xff\xff",
    "a second word": framed(ANN) * 2,
    "a hello of one who is welcomed": framed(ANN) + frame(b"\x81\xa4type\xa5hello"),
    "an operator who asks nothing": framed(Passed("b", 0, b"")),
    "an address that is none": framed(Look("nowhere")),
}


@pytest.mark.parametrize("what", NONSENSE)
async def test_nonsense_of_a_node_ends_its_line_alone(what: str) -> None:
    async with nodes(1) as (a,):
        ben = await a.peer("Ben")
        reader, writer = await dial(a, keys_of("b").calling)
        writer.write(NONSENSE[what])
        await ended(reader)
        await eventually(lambda: len(a.at.server.peers.connected) == 1)
        writer.close()
        await ben.create(seats=2)
        assert a.at.server.lobby.names.keys() == ["ben"]


async def test_only_the_clusters_own_get_in(tmp_path: Path) -> None:
    strangers = Keys(new_authority(), "b", tmp_path).calling
    strangers.check_hostname = False
    strangers.verify_mode = ssl.CERT_NONE
    nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    nobody.check_hostname, nobody.verify_mode = False, ssl.CERT_NONE
    async with nodes(1) as (a,):
        for context in (strangers, nobody, None, ours := keys_of("b").calling):
            reader, writer = await dial(a, context)
            writer.write(framed(ANN))
            if context is ours:
                await eventually(lambda: bool(a.at.server.peers.connected))
            else:
                assert await ended(reader)
                assert not a.at.server.peers.connected
            writer.close()


async def test_a_node_speaks_with_the_one_that_it_means_alone() -> None:
    """Another node answers at that address."""
    async with nodes() as (a, _b):
        with pytest.raises(ssl.SSLCertVerificationError):
            await dial(a, keys_of("b").calling, name="c")


async def test_who_says_nothing_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the handshake, and after it."""
    async with nodes(1) as (a,):
        silent, outside = await dial(a, None)
        shaken, inside = await dial(a, keys_of("b").calling)  # both were let in by then
        passes(port.ENTER_S + 1, monkeypatch)
        assert await ended(silent) and await ended(shaken)
        for writer in (outside, inside):
            writer.close()


async def test_who_asks_without_end_waits_for_their_own_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another node is called for it, and all others wait where too many calls wait."""
    monkeypatch.setattr(LoopDirectory, "knows", lambda *_: True)
    one = {"handshakes_per_address": 1, "handshakes_per_address_s": 0.001}
    async with nodes(limits=structs.replace(LENIENT, loopback_counts=True, **one)) as (a, b):
        asks = ListWaiting(id=1, matches=[await (await b.peer("Ben")).create(seats=2)])
        ann = await a.peer("Ann")
        for limit_s, answered in ((PATIENCE_S, True), (0.3, False)):
            monkeypatch.setattr(operators, "CALL_S", limit_s)
            ann.send(asks)
            told = await ann.until(WaitingList)
            assert (bool(told.matches), bool(told.unknown)) == (answered, not answered)
