"""The menu counts the player's own turns, so that they fit the turns that a match gives them."""

from msgspec.structs import replace

from bench.staging import Staged
from clocktowers_tui.doing.progress import progress
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.net.seats import Seat
from clocktowers_tui.phrases.unfinished import on_card_in_words, seat_in_words


def test_turns_of_others_are_not_counted() -> None:
    staged = Staged(3, 4, game="architetti_attenti")
    found = list[int]()
    for _ in range(40):
        state = staged.client_state()
        assert state.match is not None
        if (now := progress(state, FACES)) is not None and now.turn not in found:
            found.append(now.turn)
        staged.play_one()
    assert found == list(range(1, len(found) + 1)) and len(found) > 3


def test_a_race_tells_its_round() -> None:
    """Its turns begin again in each."""
    staged = Staged(2, 4, game="wild_wild_pattern")
    state = staged.client_state()
    assert state.match is not None
    later = replace(state.match.view, round=3, turn=2)
    state = replace(state, match=replace(state.match, view=later))
    now = progress(state, FACES)
    assert now is not None and (now.round, now.turn) == (3, 2)
    seat = Seat(
        host="h", port=1, name="A", match="m", table="T", game="wild_wild_pattern", token="ab",
        folder=1, progress=now,
    )  # fmt: skip
    assert on_card_in_words(seat) == "Continue: round 3"
    assert "round 3, turn 2" in seat_in_words(seat)
