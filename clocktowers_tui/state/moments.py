"""What the player was shown of a match that runs: its newest views, to look back at.

Law: there is nothing in it that was not sent to this player.
"""

from typing import Any, Final

from msgspec import Struct

MOST: Final = 600
"""Views kept; a match of four has 530 at most, and 600 of its views take 1.1 MB."""


class Moment(Struct, frozen=True):
    """A view, and when it came. `ply`: actions that stood. `told`: how many events did. `at_ms`: as
    in an update."""

    view: Any
    ply: int
    told: int
    at_ms: int = 0


def after(seen: tuple[Moment, ...], newest: Moment) -> tuple[Moment, ...]:
    """With the newest, in place of what no longer stands; the oldest are forgotten."""
    while seen and seen[-1].ply >= newest.ply:
        seen = seen[:-1]
    return (*seen[1 - MOST :], newest)


def joined(before: tuple[Moment, ...], seen: tuple[Moment, ...]) -> tuple[Moment, ...]:
    """The same moments again, behind those of `before` that have been forgotten since."""
    first = seen[0].ply if seen else 0
    return (*(moment for moment in before if moment.ply < first), *seen)
