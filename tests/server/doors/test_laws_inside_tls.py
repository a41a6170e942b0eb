"""What holds for a peer in clear holds inside TLS: limits, bans, ends, and nobody else notices.

The tests are those of the rooms that keep these laws, with peers who come through the other door.
"""

import pytest

from tests.server.net import (
    test_addresses as addresses,
    test_one_peers_fault as faults,
    test_session as session,
    test_session_limits as limits,
    test_spectating as spectating,
)
from tests.server.operating import test_banning as banning
from tests.stage import house

LAWS = (
    addresses.test_however_one_ends_the_place_is_free_again,
    addresses.test_one_who_is_turned_away_is_not_counted_off,
    banning.test_a_banned_person_is_told_and_comes_in_by_no_name,
    banning.test_an_address_is_banned_with_all_who_are_there,
    faults.test_the_peer_goes_and_the_others_play_on,
    faults.test_who_cannot_be_told_that_the_server_stops_is_in_nobodys_way,
    limits.test_last_words_that_nobody_reads_are_not_kept_for_ever,
    limits.test_one_too_many_is_told_that_it_is_full,
    limits.test_who_asks_for_much_at_once_keeps_nobody_waiting,
    limits.test_who_does_not_read_is_cut_when_the_outbox_is_full,
    limits.test_who_is_silent_is_asked_and_then_let_go,
    session.test_a_match_goes_on_beside_all_of_them,
    session.test_nothing_after_a_broken_frame_is_served,
    session.test_who_breaks_the_wire_after_hello_is_told_how,
    spectating.test_a_watcher_who_does_not_read_sees_the_newest_state_in_the_end,
    spectating.test_without_that_it_would_be_cut,
)
globals().update({law.__name__: law for law in LAWS})
fast_sweep = limits.fast_sweep


@pytest.fixture(autouse=True)
def through_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "INSIDE_TLS", True)
