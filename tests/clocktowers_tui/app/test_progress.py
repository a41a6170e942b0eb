"""The menu counts the player's own turns, so that they fit the turns that a match gives them."""

from bench.staging import Staged
from clocktowers_tui.app.progress import progress
from clocktowers_tui.games.registry import FACES


def test_turns_of_others_are_not_counted() -> None:
    staged = Staged(3, 4, game="architetti_attenti")
    found, all_turns = [], []
    for _ in range(40):
        state = staged.client_state()
        assert state.match is not None
        if (now := progress(state, FACES)) is not None and now.turn not in found:
            found.append(now.turn)
            all_turns.append(FACES["architetti_attenti"].turn(state.match.view))
        staged.play_one()
    assert found == list(range(1, len(found) + 1)) and len(found) > 3
    assert all_turns != found
