"""A record as a reel: the plies and the end are the match's, and eyes see what their seat saw; and
what is judged of it: every choice of a seat, by what it was sent then, and by nothing else."""

from functools import partial
from io import BytesIO
from random import Random
from typing import Any

import msgspec
import pytest

from protocol.ids import Seat
from protocol.recording import (
    ALL_OPEN,
    WATCHER,
    FromRecording,
    Judged,
    Opened,
    PlayOn,
    PlaysOn,
    framed,
    payload,
)
from server.games.registry import GAMES
from server.recording.bot_matches import Series, play
from server.recording.records import line, read
from server.recording.reel import Decision, Reel, decisions, judged, races, replay
from tests.laws.cases import CASES


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


REVIEWED = [game for game, words in GAMES.items() if words.judge is not None]
SEAT = Seat(0)


@pytest.mark.parametrize("game", REVIEWED)
def test_it_is_played_on_in_another_way_to_an_end_of_its_own(game: str) -> None:
    rules, record = GAMES[game].rules, recorded(game)
    record["seats"] = [{**seat, "level": []} for seat in record["seats"]]  # a file may say so
    whole, reel, again = (reel_of(record) for _reel in range(3))
    begun = [at for at, ply in enumerate(whole.plies) if ply.seat == SEAT][-6] - 1

    def played(reel: Reel) -> list[Any]:
        at = begun
        while legal := rules.legal_actions(reel.plies[at].state, SEAT):
            assert reel.go_on(at, SEAT, legal[-1]) is None
            at = len(reel.plies) - 1
        return [ply.action for ply in reel.plies]

    other = rules.legal_actions(whole.plies[begun].state, SEAT)[0]
    assert whole.go_on(begun, 1, other) is not None and len(whole.plies) == len(record["plies"]) + 1
    assert played(reel) == played(again) != [ply.action for ply in whole.plies]
    assert rules.outcome(reel.plies[-1].state) is not None


def test_each_action_is_told_when_it_is_played_on() -> None:
    """So the client can wait for each bot by itself."""
    reel, told = reel_of(recorded("clocktowers", 3)), BytesIO()
    own = reel.plies[4].seat
    assert own is not None
    replay(reel, BytesIO(framed(PlayOn(4, own))), told)
    told.seek(0)
    read_told = msgspec.msgpack.Decoder(FromRecording).decode
    said = [type(read_told(one)) for one in iter(partial(payload, told), b"")]
    assert said == [Opened, *[PlaysOn] * (len(reel.plies) - 5), Opened] and len(said) > 2


# What is judged ----------------------------------------------------------------------------------


def found_in(game: str, disguise: bool = False) -> tuple[Reel, list[Decision]]:
    """With `disguise`, in a match whose states differ in all that the seat could not see."""
    reel = reel_of(recorded(game))
    if disguise:
        for at, ply in enumerate(reel.plies):
            other = CASES[game].disguise(ply.state, SEAT, Random(at), 1)
            reel.plies[at] = ply._replace(state=other)
    return reel, list(decisions(reel, SEAT))


@pytest.mark.parametrize("game", REVIEWED)
def test_every_choice_of_the_seat_is_judged_and_nothing_else(game: str) -> None:
    reel, found = found_in(game)
    own = [at for at, ply in enumerate(reel.plies) if ply.seat == SEAT]
    assert {one.ply for one in found} <= {*own} and len(found) > len(own) // 2
    rules = reel.game.rules
    for at in {*own} - {one.ply for one in found}:
        assert len(rules.legal_actions(reel.plies[at - 1].state, SEAT)) == 1


@pytest.mark.parametrize("game", GAMES)
def test_what_the_seat_could_not_see_changes_no_decision_and_no_race(game: str) -> None:
    reel, found = found_in(game)
    other, again = found_in(game, disguise=True)
    chances = list(races(reel, SEAT))
    assert again == found and list(races(other, SEAT)) == chances
    assert any(one.state != two.state for one, two in zip(reel.plies, other.plies, strict=True))
    assert found or list(races(reel, Seat(1))) != chances != [], "a control"


def test_the_same_decision_has_the_same_judgement() -> None:
    _reel, found = found_in("clocktowers")
    late = found[-4]
    first, second = judged(late), judged(late)
    assert first == second and isinstance(first, Judged) and first.ply == late.ply
    assert judged(late._replace(ply=late.ply + 1)) != first, "a control: other random numbers"


@pytest.mark.parametrize("game", GAMES)
def test_what_a_bot_did_in_a_persons_place_is_told_apart(game: str) -> None:
    """From the middle on; a card of a race is a bot's as long as the newest action was."""
    fields = recorded(game)
    half = len(fields["plies"]) // 2
    for ply in fields["plies"][half:]:
        ply["by"] = "bot"
    reel = reel_of(fields)
    found: list[Any] = [*races(reel, SEAT), *decisions(reel, SEAT)]
    told = [one.by_bot for one in found]
    assert told == sorted(told) and {*told} == {False, True}
    for ply in fields["plies"]:
        ply.pop("by", None)
    other = reel_of(fields)
    before: list[Any] = [*races(other, SEAT), *decisions(other, SEAT)]
    assert not any(one.by_bot for one in before) and len(before) == len(found)
