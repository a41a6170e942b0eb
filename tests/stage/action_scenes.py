"""Situations in which an action is possible; each game has its own in
`games/NAME/stages.py`."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from clocktowers_tui.state.store import State, heard
from clocktowers_tui.state.table import Connection, Kind
from protocol.from_server import Welcome
from tests.stage import small_match
from tests.stage.nonsense import plain
from tests.stage.pilot import Playing

HERE: Final = Connection(
    address="here:7777",
    name="Ann",
    kind=Kind.VISIT,
    welcome=Welcome(version=1, name="Ann", levels=["easy"]),
)


class Scene(NamedTuple):
    """A state, and the keys that lead from there to where the action is possible. `as_guest`: in
    the client of a server's guest. `opens`: opens a screen there, before
    the keys."""

    state: Callable[[], State]
    before: Sequence[str] = ()
    as_guest: bool = False
    opens: Callable[[Playing], Awaitable[None]] | None = None


def playing(game: str, view: Any, discards: int = 0) -> State:
    """In a match between Ann and Bo; the player is Ann."""
    state = heard(State(connection=HERE), small_match.at_table("Ann", "Bo", game=game))
    update = replace(small_match.update(1, discards=discards), view=plain(view))
    return heard(heard(state, small_match.started(game=game)), update)
