"""Why the server closed the connection, in words, with what the player can do about it."""

from collections.abc import Mapping
from time import localtime, strftime
from typing import Final

from clocktowers_tui.phrases.filling import fill, of_code
from clocktowers_tui.text.i18n import N_, _
from protocol.errors import GoodbyeCode as Code, Param
from protocol.ids import PROTOCOL_VERSIONS

_OUR_BUG: Final = N_("The server did not understand this program; update it.")

SENTENCES: Final[Mapping[str, str]] = {
    Code.VERSION: N_("This program and the server have different versions; update the older one."),
    Code.NOT_HELLO: _OUR_BUG,
    Code.BAD_NAME: N_(
        "The server does not accept that name: use 1 to 20 visible characters of one alphabet."
    ),
    Code.PASSWORD: N_("The password is wrong; ask the host for it."),
    Code.TOO_MANY_TRIES: N_("There were too many wrong tries; wait {wait_s} s and try again."),
    Code.INVITATION_UNKNOWN: N_(
        "The server does not know that invitation; ask the host for another."
    ),
    Code.INVITATION_OVER: N_("That invitation has ended; ask the host for another."),
    Code.INVITATION_REVOKED: N_("That invitation was revoked; ask the host for another."),
    Code.FULL: N_("The server is full; try again later."),
    Code.ADDRESS_FULL: N_(
        "The server takes only {limit} connections from your network; close one, or try again "
        "later."
    ),
    Code.FRAME_TOO_LONG: _OUR_BUG,
    Code.MALFORMED: _OUR_BUG,
    Code.UNKNOWN_TYPE: _OUR_BUG,
    Code.NOT_ALLOWED: _OUR_BUG,
    Code.TOO_SLOW: N_("Your connection was too slow for the match; connect again."),
    Code.SILENT: N_("The server heard nothing from you for too long; connect again."),
    Code.FLOOD: N_("You asked the server for too much at once; connect again."),
    Code.TAKEN_OVER: N_("You opened this seat in another window; play on there."),
    Code.SHUTDOWN: N_("The server was stopped by its host."),
    Code.BANNED: N_("The operator of the server has banned you."),
    Code.EXPELLED: N_("The operator of the server has sent you away."),
    Code.IN_CLEAR: N_(
        "The server takes only encrypted connections from other machines: "
        "join without --unencrypted."
    ),
    Code.MOVED: N_("The server sent you to another of its machines, which does not answer."),
    Code.DRAINING: N_("The server is about to stop and takes no new players; try again later."),
}

SERVER_OLDER: Final = N_("The server is older than this program: ask its host to update it.")
WE_ARE_OLDER: Final = N_("This program is older than the server: update it.")


BANNED_UNTIL: Final = N_("The operator of the server has banned you until {until}.")
REASON: Final = N_("Their reason: {reason}")


def goodbye_in_words(code: str, params: Mapping[str, Param]) -> str:
    """Why the server closed the connection, as one sentence."""
    said = params.get("versions")
    theirs = [one for one in said if isinstance(one, int)] if isinstance(said, list) else []
    if code == Code.VERSION and theirs:
        return _(SERVER_OLDER if max(theirs) < min(PROTOCOL_VERSIONS) else WE_ARE_OLDER)
    if code in (Code.BANNED, Code.EXPELLED):
        return _by_the_operator(code, params)
    return of_code(SENTENCES, code, params)


def _by_the_operator(code: str, params: Mapping[str, Param]) -> str:
    sentence = fill(SENTENCES[code], {})
    if until := _local_time(params.get("until")):
        sentence = fill(BANNED_UNTIL, {"until": until})
    reason = fill(REASON, params) if params.get("reason") else ""
    return f"{sentence} {reason}".strip()


def _local_time(at_s: object) -> str:
    """The time of seconds since 1970 on this machine's clock; "" for none."""
    try:
        return strftime("%Y-%m-%d %H:%M", localtime(at_s)) if isinstance(at_s, int) and at_s else ""
    except (OverflowError, OSError, ValueError):
        return ""
