"""What holds for a peer in clear holds for guests' clients: limits, ends, and nobody else notices.

The tests are those of the rooms that keep these laws, with peers who come through the socket for
guests.
"""

import asyncio
import secrets
from typing import Any

import pytest

from protocol.guests import SOCKET_NAME, introduction
from tests.server.net import (
    test_one_peers_fault as faults,
    test_session as session,
    test_session_limits as limits,
    test_spectating as spectating,
)
from tests.stage import house
from tests.stage.house import House, Peer, eventually

LAWS = (
    faults.test_the_peer_goes_and_the_others_play_on,
    faults.test_who_cannot_be_told_that_the_server_stops_is_in_nobodys_way,
    limits.test_one_too_many_is_told_that_it_is_full,
    limits.test_who_asks_for_much_at_once_keeps_nobody_waiting,
    limits.test_who_does_not_read_is_cut_when_the_outbox_is_full,
    limits.test_who_is_silent_is_asked_and_then_let_go,
    session.test_a_match_goes_on_beside_all_of_them,
    session.test_nothing_after_a_broken_frame_is_served,
    session.test_who_breaks_the_wire_after_hello_is_told_how,
    spectating.test_a_watcher_who_does_not_read_sees_the_newest_state_in_the_end,
)
globals().update({law.__name__: law for law in LAWS})
fast_sweep = limits.fast_sweep


@pytest.fixture(autouse=True)
def through_the_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = house.new_folder_with_key()
    monkeypatch.setattr(house, "new_folder_with_key", lambda: folder)
    monkeypatch.setattr(house, "INSIDE_TLS", True)  # so that a house has a folder

    async def dial(_at: House, **_more: Any) -> Peer:
        await eventually((folder / SOCKET_NAME).exists)
        streams = await asyncio.open_unix_connection(str(folder / SOCKET_NAME))
        streams[1].write(introduction("127.0.0.1", secrets.token_bytes(32)))
        return Peer(*streams)

    monkeypatch.setattr(House, "dial", dial)
