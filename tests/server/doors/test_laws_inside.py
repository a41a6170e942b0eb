"""What holds for a peer in clear holds inside TLS, and for guests' clients, who come in through
their socket."""

import asyncio
import secrets
from typing import Any

import pytest

from protocol.guests import SOCKET_NAME, introduction
from tests.server.net import laws
from tests.stage import house
from tests.stage.house import House, Peer, eventually

globals().update(laws.BY_NAME)


@pytest.fixture(autouse=True, params=["TLS", "socket"])
def inside(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = house.new_folder_with_key()
    monkeypatch.setattr(house, "new_folder_with_key", lambda: folder)
    monkeypatch.setattr(house, "INSIDE_TLS", True)  # a house has a folder then

    async def dial(_at: House, **_more: Any) -> Peer:
        await eventually((folder / SOCKET_NAME).exists)
        streams = await asyncio.open_unix_connection(str(folder / SOCKET_NAME))
        streams[1].write(introduction("127.0.0.1", secrets.token_bytes(32)))
        return Peer(*streams)

    if request.param == "socket":
        monkeypatch.setattr(House, "dial", dial)
