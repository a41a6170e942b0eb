"""What to ask a server for on a new line, so that the player is where they were on the old one."""

from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import Place, State, place
from protocol.from_client import Join, ListTables, Request, Watch


def match_called(state: State, id: str) -> Match | None:
    """The match with this id, if it is shown or has just begun."""
    return next((match for match in (state.coming, state.match) if match and match.id == id), None)


def seen_version(state: State, id: str) -> int | None:
    """The newest version of this match that the server has told; None when it told nothing yet."""
    match = match_called(state, id)
    if match is None or (match.view is None and not match.told and not match.version):
        return None
    return match.version


def ways_back(state: State) -> list[Request]:
    """Requests without a seat's token: the first that is granted leads to the table where the
    player was, or as near to their seat as the server lets them. Empty when they were at none."""
    if state.table is None:
        return []
    code, newest = state.table.info.table, state.coming or state.match
    id = "" if newest is None else newest.id
    watch = Watch(id=0, table=code, match=id, version=seen_version(state, id))
    if state.seat is None:
        return [watch]
    return [Join(id=0, table=code, seat=state.seat), Join(id=0, table=code), watch]


def way_to_lobby(state: State) -> ListTables | None:
    """The page of tables that the player looks at, when they are in the lobby. The server tells
    changes of tables only after this has been asked."""
    if place(state) is not Place.LOBBY:
        return None
    return ListTables(id=0, page=state.lobby.page, filter=state.lobby.filter)
