"""A record as a reel: the plies and the end are the match's, and eyes see what their seat saw."""

from typing import Any

import msgspec
import pytest

from protocol.ids import Seat
from protocol.replaying import ALL_OPEN, WATCHER
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.check import BadRecord
from server.recording.records import line, read
from server.replaying.reel import Reel


def recorded(game: str, seats: int = 2) -> dict[str, Any]:
    words = GAMES[game]
    options = words.notation.options_from_record({})
    return play(Series(words, options, ("easy",) * seats, 7), 0)


def reel_of(record: dict[str, Any]) -> Reel:
    return Reel(read(line(record), GAMES))


@pytest.mark.parametrize("game", GAMES)
def test_it_has_every_action_and_ends_as_the_match_did(game: str) -> None:
    record = recorded(game)
    reel = reel_of(record)
    acted = [ply.seat for ply in reel.plies if ply.seat is not None]
    assert acted == [ply["seat"] for ply in record["plies"]]
    words = GAMES[game]
    outcome = words.rules.outcome(reel.plies[-1].state)
    assert words.notation.outcome_to_record(outcome) == record["outcome"]
    assert all(words.rules.outcome(ply.state) is None for ply in reel.plies[:-1])


@pytest.mark.parametrize("game", GAMES)
def test_a_step_back_shows_what_the_step_forward_showed(game: str) -> None:
    reel = reel_of(recorded(game))
    numbers = range(len(reel.plies))
    forward = [msgspec.msgpack.encode(reel.view(n, 1)) for n in numbers]
    back = [msgspec.msgpack.encode(reel.view(n, 1)) for n in reversed(numbers)]
    assert forward == back[::-1]
    assert len(set(forward)) > len(forward) // 2


def test_no_eyes_see_another_hand_unless_all_are_open() -> None:
    reel = reel_of(recorded("clocktowers"))
    for ply in (0, 20):
        state = reel.plies[ply].state
        for seat in (0, 1):
            view = reel.view(ply, seat)
            assert (view.seat, view.hand) == (seat, bytes(state.hands[seat]))
            assert not any(view.known)
        watched = reel.view(ply, WATCHER)
        assert (watched.seat, watched.hand, any(watched.known)) == (None, b"", False)
        opened = reel.view(ply, ALL_OPEN)
        assert opened.known == [bytes(sorted(hand)) for hand in state.hands]
        assert opened.shown == state.discards
        assert not watched.shown


def test_eyes_are_told_what_was_addressed_to_their_seat() -> None:
    reel = reel_of(recorded("clocktowers"))
    for eyes in (0, 1, WATCHER):
        seat = None if eyes == WATCHER else Seat(eyes)
        addressed = [
            [event for to, event in ply.events if to is None or to == seat] for ply in reel.plies
        ]
        assert reel.heard(eyes) == addressed
    assert reel.heard(0) != reel.heard(1)
    assert reel.heard(ALL_OPEN) == [[event for _to, event in ply.events] for ply in reel.plies]
    assert reel.heard(ALL_OPEN) != reel.heard(WATCHER)


@pytest.mark.parametrize("eyes", [2, ALL_OPEN, -3])
def test_there_are_no_other_eyes(eyes: int) -> None:
    reel = reel_of(recorded("architetti_attenti"))
    assert not reel.opens
    with pytest.raises(IndexError):
        reel.view(0, eyes)


def test_a_wrong_record_is_not_shown() -> None:
    record = recorded("clocktowers")
    record["plies"][3]["seat"] = 1 - record["plies"][3]["seat"]
    with pytest.raises(BadRecord, match="ply 3: seat must be"):
        reel_of(record)
