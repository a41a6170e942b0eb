"""What holds for a peer in clear, and therefore behind every door: limits, ends, and nobody else
notices.

A test of another door takes these tests of our rooms into its own module, and lets peers come in
there.
"""

from typing import Final

from tests.server.net import (
    test_broken_peers as broken,
    test_callers as callers,
    test_session_limits as limits,
    test_spectating as spectating,
)

_LAWS: Final = (
    callers.test_however_one_ends_the_place_is_free_again,
    callers.test_one_who_is_turned_away_is_not_counted_off,
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
BY_NAME: Final = {law.__name__: law for law in _LAWS}
