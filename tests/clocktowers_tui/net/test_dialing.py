"""A host is dialled by number and by name, also in a loop whose tasks begin at once."""

import asyncio
import sys

import pytest

from clocktowers_tui.net import dialing
from clocktowers_tui.net.address import Address
from tests.stage.scripted_server import scripted


def as_textual_does() -> None:
    if sys.version_info >= (3, 12):
        asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)


async def dialled(host: str) -> None:
    async with scripted(lambda peer: peer.writer.drain()) as address:
        as_textual_does()
        line = await dialing.dial(Address(host, address.port), 1 << 16)
        line.writer.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_it_is_reached(host: str) -> None:
    await dialled(host)


@pytest.mark.skipif(sys.version_info[:3] != (3, 13, 0), reason="mended in later ones")
async def test_a_race_would_fail_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialing, "HEAD_START_S", 0.25)
    with pytest.raises(AssertionError):
        await dialled("localhost")
