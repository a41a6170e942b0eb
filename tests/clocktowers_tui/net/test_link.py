"""The link against servers that behave and against some that don't; a host dialled by name."""

import asyncio
import gc
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec import Struct

from clocktowers_tui.net import dialing
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.link import PATIENCE, Hears, Link, Patience
from clocktowers_tui.phrases.codes import fault_in_words
from protocol.errors import GoodbyeCode
from protocol.from_client import (
    Bye,
    Leave,
    ListTables,
    Ping as ClientPing,
    Pong as ClientPong,
    Start,
)
from protocol.from_server import Done, Goodbye, Listing, Notice, Refused, ServerPing
from tests.stage.scripted_server import Script, ScriptedPeer, scripted


async def fault_of_opening(script: Script) -> LinkError:
    async with scripted(script) as address:
        with pytest.raises(LinkError) as caught:
            await Link.open(address, "Ann")
        return caught.value


@asynccontextmanager
async def linked(
    script: Script, heard: Hears = lambda message: None, patience: Patience = PATIENCE
) -> AsyncIterator[tuple[Link, "asyncio.Task[LinkError]"]]:
    async with scripted(script) as address:
        link = await Link.open(address, "Ann", patience=patience)
        running = asyncio.create_task(link.run(heard))
        try:
            yield link, running
        finally:
            await link.close()
            await running


async def test_answers_find_their_requests_in_any_order() -> None:
    async def script(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        first, second, third = [await peer.hears() for _ in range(3)]
        assert isinstance(first, Start) and isinstance(second, Leave)
        assert isinstance(third, ListTables)
        peer.says(Listing(id=third.id, tables=[], page=0, total=0))
        peer.says(Refused(id=second.id, code="not_at_table"), Done(id=first.id, table="ABCD"))
        await peer.hears()

    async with linked(script) as (link, _running):
        started, left, listed = await asyncio.gather(
            link.request(Start(id=0)), link.request(Leave(id=0)), link.request(ListTables(id=0))
        )
    assert isinstance(started, Done) and started.table == "ABCD"
    assert isinstance(left, Refused) and left.code == "not_at_table"
    assert isinstance(listed, Listing)


async def test_what_nobody_asked_for_is_heard_in_order() -> None:
    heard: list[Struct] = []

    async def script(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        peer.says(*(Notice(str(n)) for n in range(5)), Done(id=99))
        peer.says(Goodbye(GoodbyeCode.SHUTDOWN))

    async with linked(script, heard.append) as (_link, running):
        error = await running
    assert heard == [Notice(str(n)) for n in range(5)]
    assert isinstance(error, TurnedAway) and error.code == GoodbyeCode.SHUTDOWN


async def test_a_request_that_cannot_be_sent_leaves_no_error_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such as one that nobody has seen."""
    unseen = list[dict[str, Any]]()
    asyncio.get_running_loop().set_exception_handler(lambda _loop, what: unseen.append(what))

    async def script(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        await peer.hears()

    async def fails() -> None:
        raise ConnectionResetError

    async with linked(script) as (link, _running):
        monkeypatch.setattr(link._writer, "drain", fails)
        with pytest.raises(LinkError):
            await link.request(ListTables(id=0))
    gc.collect()
    assert not unseen


async def test_pings_are_answered_and_sent() -> None:
    heard: list[Struct] = []

    async def script(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        peer.says(ServerPing(7))
        heard.extend([await peer.hears(), await peer.hears()])

    async with linked(script, patience=Patience(ping_s=0.05)) as (_link, running):
        await running
    assert ClientPong(7) in heard
    assert any(isinstance(message, ClientPing) for message in heard)


@pytest.mark.parametrize(
    ("patience", "stays", "fault"),
    [
        (Patience(ping_s=0.05, silent_s=0.3), True, Fault.SILENT),
        (Patience(ping_s=0.05, answer_s=0.3), True, Fault.SILENT),
        (PATIENCE, False, Fault.LOST),
    ],
    ids=["silent", "no answer", "lost"],
)
async def test_whoever_waits_is_told_why_the_line_has_ended(
    patience: Patience, stays: bool, fault: Fault
) -> None:
    async def script(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        await peer.hears()
        while stays:
            if isinstance(await peer.hears(), ClientPing) and patience.answer_s < 1:
                peer.says(Notice("still here"))

    async with linked(script, patience=patience) as (link, running):
        with pytest.raises(LinkError) as caught:
            await link.request(Start(id=0))
        assert caught.value.fault is (await running).fault is fault
        with pytest.raises(LinkError):
            await link.request(Start(id=0))


async def test_a_client_that_was_kept_waiting_itself_does_not_call_the_server_silent() -> None:
    heard: list[Struct] = []

    async def script(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        await peer.hears()
        peer.says(ServerPing(7))
        time.sleep(1)  # noqa: ASYNC251 - the client waits, too, longer than a server may be silent
        while ClientPong(7) not in heard:
            heard.append(await peer.hears())

    async with linked(script, patience=Patience(ping_s=0.2, silent_s=0.8)) as (_link, running):
        await running
    assert ClientPong(7) in heard


async def test_closing_says_bye() -> None:
    heard: list[Struct] = []
    done = asyncio.Event()

    async def script(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        heard.append(await peer.hears())
        done.set()

    async with linked(script) as (link, _running):
        await link.close()
        await asyncio.wait_for(done.wait(), 60)
    assert heard == [Bye()]


async def test_nothing_follows_the_bye() -> None:
    """Neither a request nor a ping, while what was said before is still on its way."""

    async def script(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        await asyncio.Event().wait()  # reads nothing more

    async with linked(script, patience=Patience(ping_s=0.05, bye_s=0.3)) as (link, running):
        link._writer.write(bytes(16 << 20))
        closing = asyncio.create_task(link.close())
        await asyncio.sleep(0)
        with pytest.raises(LinkError):
            await link.request(Start(id=0))
        await closing
        assert (await running).fault is Fault.LOST


@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n", b"\0\0\0\1\xc1"]
)
async def test_what_is_not_our_server_is_noticed(answer: bytes) -> None:
    async def script(peer: ScriptedPeer) -> None:
        await peer.reader.read(100)
        peer.writer.write(answer)

    error = await fault_of_opening(script)
    assert error.fault is Fault.NOT_OURS
    assert "is not a Clocktowers server" in fault_in_words(error)


async def test_nonsense_in_the_middle_ends_the_line() -> None:
    async def script(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        peer.writer.write(b"\0\0\0\2\xc1\xc1")
        await peer.hears()

    async with linked(script) as (_link, running):
        assert (await running).fault is Fault.NONSENSE


async def test_nobody_listens_there_or_nobody_knows_where_that_is() -> None:
    async with scripted(lambda peer: asyncio.sleep(0)) as nowhere:
        pass
    for address, fault in (
        (nowhere, Fault.CLOSED_PORT),
        (Address("no such host", 7777), Fault.UNKNOWN_HOST),
    ):
        with pytest.raises(LinkError) as caught:
            await Link.open(address, "Ann")
        assert caught.value.fault is fault


async def test_one_that_takes_the_call_and_closes_or_says_nothing_may_be_something_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def closes(peer: ScriptedPeer) -> None:
        await peer.reader.read(10)

    error = await fault_of_opening(closes)
    assert error.fault is Fault.HUNG_UP and "check host and port" in fault_in_words(error)

    async def says_nothing(peer: ScriptedPeer) -> None:
        await peer.reader.read()

    async with scripted(says_nothing) as address:
        stands = await dialing.dial(address)

        async def dial(*_where: object) -> dialing.Dialled:
            return stands

        monkeypatch.setattr("clocktowers_tui.net.link.dial", dial)
        with pytest.raises(LinkError) as caught:
            await Link.open(address, "Ann", patience=Patience(open_s=0.1))
    error = caught.value
    assert error.fault is Fault.MUTE and "check host and port" in fault_in_words(error)


# Dialling -----------------------------------------------------------------------------------------


def as_textual_does() -> None:
    if sys.version_info >= (3, 12):
        asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)


async def test_it_is_reached_by_name() -> None:
    async with scripted(lambda peer: peer.writer.drain()) as address:
        as_textual_does()
        line = await dialing.dial(Address("localhost", address.port))
        line.writer.close()
