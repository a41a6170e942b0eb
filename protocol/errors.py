"""What may go wrong, as codes: refusals of honest wishes, goodbyes, broken wires.

`RemoteProtocolError`: the peer broke the wire; it gets a goodbye with the code and is closed.
`LocalProtocolError`: we tried to; a bug of ours.
A *refusal* is neither: an honest peer wishes for something impossible (`protocol.errors`).
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

# Why a request is impossible: a code and typed parameters, never a sentence.


Param: TypeAlias = int | str | Sequence[int | str]


class Refusal(Struct, frozen=True):
    """`code`: a `RefusalCode` or a code of the game's vocabulary; `params` fill its sentence."""

    code: str
    params: dict[str, Param] = {}


class RefusalCode(StrEnum):
    """Refusals that do not depend on the game. PROTOCOL.md prints the parameters of each."""

    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_GAME = "no_such_game"
    NO_SUCH_MATCH = "no_such_match"
    NO_SUCH_SEAT = "no_such_seat"
    NO_SUCH_LEVEL = "no_such_level"
    NO_SUCH_PRESET = "no_such_preset"
    BAD_TITLE = "bad_title"
    BAD_SEATS = "bad_seats"
    BAD_OPTIONS = "bad_options"
    CLOCK_NEEDS_TURNS = "clock_needs_turns"
    CLOCK_NEEDS_OTHERS = "clock_needs_others"
    NO_DAYS = "no_days"
    SEED_NEEDS_BOTS = "seed_needs_bots"
    NO_DEAL = "no_deal"
    DEAL_RACES = "deal_races"
    DEAL_FULL = "deal_full"
    DEAL_SEEN = "deal_seen"
    DEAL_OPEN = "deal_open"
    DEAL_BOTS = "deal_bots"
    TABLE_FULL = "table_full"
    SEAT_TAKEN = "seat_taken"
    TOO_MANY_TABLES = "too_many_tables"
    TOO_MANY_WATCHERS = "too_many_watchers"
    TOO_MANY_OF_YOURS = "too_many_of_yours"
    TOO_MANY_WAITING = "too_many_waiting"
    TOO_MANY_BOTS = "too_many_bots"
    BAD_TOKEN = "bad_token"
    KICKED = "kicked"
    NOBODY_OF_THAT_NAME = "nobody_of_that_name"
    NOT_YOURSELF = "not_yourself"
    FIRST_HOST = "first_host"
    ALREADY_AT_TABLE = "already_at_table"
    NOT_AT_TABLE = "not_at_table"
    NOT_SEATED = "not_seated"
    NOT_HOST = "not_host"
    MATCH_RUNNING = "match_running"
    NO_MATCH = "no_match"
    NOT_FILLED = "not_filled"
    NOT_READY = "not_ready"
    NOT_PLAYED = "not_played"
    STALE = "stale"
    NOT_YOUR_TURN = "not_your_turn"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    NOT_YOURS = "not_yours"
    TOO_LATE = "too_late"
    TIME_UP = "time_up"
    TOO_MANY_TAKE_BACKS = "too_many_take_backs"
    MATCH_OVER = "match_over"
    MATCH_ABORTED = "match_aborted"
    OTHER_RULES = "other_rules"
    BUSY = "busy"
    NOTHING_SAID = "nothing_said"
    TOO_LONG = "too_long"
    NO_SUCH_PHRASE = "no_such_phrase"
    TOO_FAST = "too_fast"
    NO_HINTS = "no_hints"
    TOO_MANY_HINTS = "too_many_hints"
    NO_HURRY = "no_hurry"
    NO_HAND_OVER = "no_hand_over"
    DRAINING = "draining"
    TABLE_PASSWORD = "table_password"
    TOO_MANY_TRIES = "too_many_tries"
    PASSWORD_IN_CLEAR = "password_in_clear"
    NO_WATCHERS = "no_watchers"
    NO_INVITATIONS = "no_invitations"
    TOO_MANY_INVITATIONS = "too_many_invitations"
    OTHER_LEADS = "other_leads"
    NO_SUCH_PLY = "no_such_ply"
    WATCHERS_HUSHED = "watchers_hushed"
    NO_SUCH_LINE = "no_such_line"
    SETTLED = "settled"
    BAD_COMMENTS = "bad_comments"
    NO_NOTIFY = "no_notify"
    BAD_ADDRESS = "bad_address"
    ADDRESS_FAILS = "address_fails"
    CODE_SENT = "code_sent"
    WRONG_CODE = "wrong_code"


class GoodbyeCode(StrEnum):
    """Why a connection ends. PROTOCOL.md says what each means and which parameters it has."""

    VERSION = "version"
    NOT_HELLO = "not_hello"
    BAD_NAME = "bad_name"
    PASSWORD = "password"
    TOO_MANY_TRIES = "too_many_tries"
    INVITATION_UNKNOWN = "invitation_unknown"
    INVITATION_OVER = "invitation_over"
    INVITATION_REVOKED = "invitation_revoked"
    FULL = "full"
    ADDRESS_FULL = "address_full"
    FRAME_TOO_LONG = "frame_too_long"
    MALFORMED = "malformed"
    UNKNOWN_TYPE = "unknown_type"
    NOT_ALLOWED = "not_allowed"
    TOO_SLOW = "too_slow"
    SILENT = "silent"
    FLOOD = "flood"
    TAKEN_OVER = "taken_over"
    SHUTDOWN = "shutdown"
    BANNED = "banned"
    EXPELLED = "expelled"
    DRAINING = "draining"
    IN_CLEAR = "in_clear"
    MOVED = "moved"


class ProtocolError(Exception):
    """The wire was broken; `code` says how, the text is for logs only."""

    def __init__(self, code: GoodbyeCode, why: str) -> None:
        super().__init__(f"{code}: {why}")
        self.code = code
        self.why = why


class RemoteProtocolError(ProtocolError):
    """The peer broke the wire."""


class LocalProtocolError(ProtocolError):
    """We were about to break the wire."""
