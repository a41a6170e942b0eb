"""Everything that a seat has been sent of its match, for a bot that thinks in its player's place.

Law: a sight is made of the seat's own view and of the events addressed to it, and of nothing else.
"""

from typing import Any, NamedTuple

from protocol.ids import Seat
from server.matches.parts import Parts
from server.matches.replay import history


class Sight(NamedTuple):
    """`events`: those that stand, since the deal. `version`: the newest that the seat was told of.
    `held_ms`: how long the newest update is still held back from the seat."""

    view: Any
    events: list[Any]
    version: int
    held_ms: int


async def sight_of(parts: Parts, seat: Seat) -> Sight:
    """The sight of this seat now. For the match's task alone; may raise JournalError."""
    course = parts.course
    _header, entries = await parts.journal.load(parts.header.match)
    pages = history(course.rules, course.header, entries, seat)
    return Sight(
        course.rules.view(course.state, seat),
        [event for page in pages for event in page.events],
        parts.fanout.told(seat),
        parts.fanout.held_ms(seat),
    )
