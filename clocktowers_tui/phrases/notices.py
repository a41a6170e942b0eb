"""What happens at a table beside the game, in words."""

from collections.abc import Mapping
from typing import Final

from clocktowers_tui.phrases.filling import fill, of_code
from clocktowers_tui.text.i18n import N_, _
from protocol.errors import Param
from protocol.from_server import NoticeCode as Code, TableGone

SENTENCES: Final[Mapping[str, str]] = {
    Code.JOINED: N_("{name} sat down."),
    Code.LEFT: N_("{name} left the table."),
    Code.DROPPED: N_("{name} lost the connection."),
    Code.KICKED: N_("The host sent {name} away."),
    Code.TIMED_OUT: N_("{name} ran out of time; a bot plays until they are back."),
    Code.BOT_TOOK_OVER: N_("A bot plays on for {name}."),
    Code.CAME_BACK: N_("{name} is back."),
    Code.WATCHING: N_("{name} is watching."),
    Code.STOPPED_WATCHING: N_("{name} stopped watching."),
    Code.HOST: N_("{name} is the host now."),
    Code.WANTS_REMATCH: N_("{name} wants a rematch."),
    Code.TOOK_BACK: N_("{name} took back a move."),
    Code.ASKED_FOR_HINT: N_("{name} asked for a hint."),
    Code.SERVER_STOPS: N_("The server is about to stop."),
    Code.SERVER_CAME_BACK: N_("The server was away and is back; the match goes on."),
    Code.DISK_FAILS: N_(
        "The server cannot save moves at the moment: the match waits, and no move is lost."
    ),
    Code.DISK_WORKS: N_("The server saves moves again."),
    Code.WENT_BACK: N_("The server lost the last moves; play on from before them."),
    Code.RECORD_KEPT: N_("This server keeps a finished match as a record (days: {days})."),
    Code.EXPELLED: N_("The operator of the server sent {name} away."),
    Code.OPERATOR_SAYS: N_("The operator of the server says: {text}"),
    Code.DRAINING: N_("The server stops when the matches are over; no new match begins."),
    Code.DRAIN_CANCELLED: N_("The server goes on: new tables and matches can begin again."),
}

YOURS: Final[Mapping[str, str]] = {
    Code.JOINED: N_("You sat down."),
    Code.LEFT: N_("You left the table."),
    Code.DROPPED: N_("You lost the connection."),
    Code.TIMED_OUT: N_("Your time ran out; a bot plays until you play on."),
    Code.BOT_TOOK_OVER: N_("A bot plays on for you."),
    Code.CAME_BACK: N_("You are back."),
    Code.HOST: N_("You are the host now."),
    Code.WANTS_REMATCH: N_("You want a rematch."),
    Code.TOOK_BACK: N_("You took back a move."),
}
"""The same about the player's own seat, for codes that name a seat."""

STOPS_WITHIN: Final = N_(
    "The server stops when the matches are over, or in {minutes} min; no new match begins."
)

BACK_SINCE: Final = N_("You are back: you were away since {since}.")
"""Where the client knows when the line was lost (`Store`)."""

GONE: Final[Mapping[str, str]] = {
    TableGone.CLOSED: N_("The table {table} was closed."),
    TableGone.KICKED: N_("The host sent you away from the table {table}."),
}


def notice_in_words(code: str, params: Mapping[str, Param], *, mine: bool = False) -> str:
    """A line for the table's log; "" for what only the others need to be told. `mine`: it is about
    the player's own seat."""
    if mine and code == Code.ASKED_FOR_HINT:
        return ""
    if mine and code == Code.CAME_BACK and "since" in params:
        return fill(BACK_SINCE, params)
    within_s = params.get("within_s")
    if code == Code.DRAINING and isinstance(within_s, int) and within_s > 0:
        return fill(STOPS_WITHIN, {"minutes": -(-within_s // 60)})
    return of_code(YOURS if mine and code in YOURS else SENTENCES, code, params)


def broken_off_in_words() -> str:
    """Why a match is over without an outcome."""
    return _("The server failed and ended the match; nobody has won.")


def gone_in_words(code: str, table: str) -> str:
    """Why the player is in the lobby again."""
    return of_code(GONE, code, {"table": table})
