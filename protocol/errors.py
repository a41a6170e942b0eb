"""The families of error on the wire. Codes travel, sentences do not.

`RemoteProtocolError`: the peer broke the wire; it gets a goodbye with the code and is closed.
`LocalProtocolError`: we tried to; a bug of ours.
A *refusal* is neither: an honest peer wishes for something impossible (`protocol.refusal`).
"""

from enum import StrEnum


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
