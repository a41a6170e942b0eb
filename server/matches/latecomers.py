"""What somebody is sent who comes to a match under way: what was missed, and how things are."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from protocol.from_server import History, Update
from protocol.ids import Seat
from server.matches.course import Course
from server.matches.replay import history
from server.store.journal import Entry


def missed(
    course: Course, entries: Sequence[Entry], seat: Seat | None, since: int
) -> Iterator[Struct]:
    """The history since that version as pages, then the view; a seat's or (None) a watcher's."""
    header = course.header
    for version, events, taken_back in history(course.rules, header, entries, seat, since):
        yield History(match=header.match, version=version, events=events, taken_back=taken_back)
    yield Update(
        match=header.match,
        version=course.version,
        ply=course.ply,
        view=course.rules.view(course.state, seat),
        events=[],
        revocable=course.revocable,
    )
