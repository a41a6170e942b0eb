"""A course is the same, whether its entries came one by one or out of the journal."""

from random import Random
from typing import Any

from msgspec import msgpack

from protocol.games.clocktowers import Options
from protocol.ids import Key, Seat
from server.matches.course import Course
from server.matches.replay import new_header
from server.store.journal import Entry
from tests.laws.laws import plain
from tests.stage.match_stage import RULES, SEED

HEADER = new_header("clocktowers", RULES, options=Options(), seats=3, seed=SEED, match="m1")


def play(course: Course, entries: list[Entry], rng: Random) -> list[Any]:
    """One action, or the newest one taken back; the events that are left of `sent` after it."""
    key = Key(rng.randbytes(8))
    if course.revocable is not None and rng.random() < 0.4:
        entries.append(Entry(course.revocable, key, 0, b""))
        return [None, *course.take_back(entries[-1], entries).undone]
    seat = RULES.to_act(course.state)[0]
    legal = RULES.legal_actions(course.state, seat)
    action = legal[rng.randrange(len(legal))]
    entries.append(Entry(Seat(seat), key, 0, msgpack.encode(action)))
    return list(course.play(entries[-1], seat, action).events)


def test_reloading_changes_nothing_and_tells_what_was_not_told() -> None:
    """From any version that was told: what stood then, less the undone, plus what is new."""
    rng = Random(7)
    course, entries = Course(RULES, HEADER), list[Entry]()
    course.deal()
    standing: list[Any] = []
    told: list[list[Any]] = [[]]
    while RULES.outcome(course.state) is None:
        news = play(course, entries, rng)
        if news[0] is None:
            del standing[len(standing) - len(news[1:]) :]
        else:
            standing += news
        told.append(standing[:])
    for known in range(0, len(entries), 3):
        again = Course(RULES, HEADER)
        again.deal()
        again.reload(entries[:known])
        assert again.version == known
        change = again.reload(entries)
        assert (again.version, again.ply) == (course.version, course.ply)
        assert again.revocable == course.revocable
        assert plain(again.state) == plain(course.state)
        before = told[known][: len(told[known]) - len(change.undone)]
        assert before + list(change.events) == standing
