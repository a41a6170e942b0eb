"""What holds for a peer in clear holds inside TLS, and for guests' clients, who come in through
their socket: limits, ends, and nobody else notices."""

import asyncio
import secrets
from typing import Any, Final

import pytest

from protocol.guests import SOCKET_NAME, introduction
from tests.server.net import (
    test_broken_peers as broken,
    test_callers as callers,
    test_session_limits as limits,
    test_spectating as spectating,
)
from tests.stage import house
from tests.stage.house import House, Peer, eventually

_LAWS: Final = (
    callers.test_however_one_ends_the_place_is_free_again,
    broken.test_the_peer_goes_and_the_others_play_on,
    broken.test_who_cannot_be_told_that_the_server_stops_is_in_nobodys_way,
    limits.test_last_words_that_nobody_reads_are_not_kept_for_ever,
    limits.test_one_too_many_is_told_that_it_is_full,
    limits.test_who_asks_for_much_at_once_keeps_nobody_waiting,
    limits.test_who_does_not_read_is_cut_when_the_outbox_is_full,
    limits.test_who_is_silent_is_asked_and_then_let_go,
    broken.test_nothing_after_a_broken_frame_is_served,
    broken.test_who_breaks_the_wire_after_hello_is_told_how,
    spectating.test_a_watcher_who_does_not_read_sees_the_newest_state_in_the_end,
)
globals().update({law.__name__: law for law in _LAWS})


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
