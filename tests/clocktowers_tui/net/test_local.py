"""The client's own server is a real process here, too."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.link import Link
from clocktowers_tui.net.local import LocalServer, Purpose
from clocktowers_tui.net.ticket import Ticket


async def test_a_solo_server_wants_its_password_and_ends_with_us() -> None:
    server = await LocalServer.start(Purpose.SOLO)
    try:
        with pytest.raises(TurnedAway) as caught:
            await Link.open(server.address, "Mallory", Ticket("guess"))
        assert caught.value.code == "password"
        link = await Link.open(server.address, "Ann", server.ticket)
        await link.close()
        assert not await server.has_ended()
    finally:
        await server.stop()
    assert await server.has_ended()


ENDS_WITH_ITS_INPUT = """
import sys, time
print('{"listening": [["127.0.0.1", 4]]}', flush=True)
sys.stdin.read()
"""


async def test_it_is_stopped_while_somebody_asks_whether_it_has_ended() -> None:
    server = await LocalServer.start_command((sys.executable, "-I", "-c", ENDS_WITH_ITS_INPUT), 20)
    asking = [asyncio.create_task(server.has_ended()) for _ in range(2)]
    await asyncio.sleep(0)
    await server.stop()
    assert await asyncio.gather(*asking) == [True, True]
    assert await server.has_ended()


async def test_a_stop_that_is_cancelled_leaves_no_process() -> None:
    program = ENDS_WITH_ITS_INPUT + "time.sleep(600)"
    server = await LocalServer.start_command((sys.executable, "-I", "-c", program), 20)
    stopping = asyncio.create_task(server.stop())
    await asyncio.sleep(0)
    stopping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopping
    assert await server.has_ended()


async def fault_of_starting(program: str, limit_s: float = 20) -> LinkError:
    with pytest.raises(LinkError) as caught:
        await LocalServer.start_command((sys.executable, "-I", "-c", program), limit_s)
    return caught.value


async def test_its_own_words_for_why_it_cannot_start_are_kept() -> None:
    error = await fault_of_starting("""print('{"error": "The moon is full."}')""")
    assert (error.fault, error.params["reason"]) == (Fault.LOCAL_FAILED, "The moon is full.")


@pytest.mark.parametrize(
    "program", ["", "print('hello')", "raise SystemExit(3)", """print('{"listening": 3}')"""]
)
async def test_a_process_that_does_not_keep_the_contract_is_none(program: str) -> None:
    assert (await fault_of_starting(program)).fault is Fault.LOCAL_FAILED


async def test_a_program_that_is_not_there() -> None:
    with pytest.raises(LinkError) as caught:
        await LocalServer.start_command(("no such program",), 20)
    assert caught.value.fault is Fault.LOCAL_FAILED


async def test_a_slow_one_is_not_left_behind(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    program = f"import os, sys; open({str(note)!r}, 'w').write(str(os.getpid())); sys.stdin.read()"
    # It ends by itself at end-of-file, so let it hold on to life a little harder.
    program += "; import time; time.sleep(600)"
    assert (await fault_of_starting(program, limit_s=2)).fault is Fault.LOCAL_SLOW
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)
