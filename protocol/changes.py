"""Views as their changes, for a client that asked for that in its `hello`: `Shortening` is the
server's end of a connection, `Lengthening` the client's. `News` is an update that may be sent as
either.

Law: the client makes of the changes the same view as the server sent, so that nobody behind the
connection knows of them. A view is whole at the start of a match and for everybody who comes to it,
after a take-back, and after updates that were left out.
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple, replace

from protocol.codec import HEADER, encode, encode_frame
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.from_server import Started, Update

MOST_FIELDS: Final = 256
"""Of a view; the longest has some thirty."""


class News(Struct):
    """An update as a server has it for all who are told the same. `update`: with the fields that
    have changed since the version `before` in place of the view; None: all are sent the view.
    `public`, `own`: of what the view is made."""

    update: Update
    before: int | None
    public: Any
    own: Mapping[str, Any]
    frame: bytes = b""
    """Of the update, once somebody was sent it: all are sent the same."""
    _whole: Update | None = None

    def whole(self) -> Update:
        """With its view."""
        if self._whole is None:
            view = replace(self.public, **self.own)
            self._whole = replace(self.update, view=view, changed=None)
        return self._whole


OF_VIEWS: Final = frozenset({News, Update, Started})
"""The messages to a client that `Shortening` has to see."""
_NONE: Final = -1


class Shortening:
    """Remembers the version of the view that the client was sent last. `asked`: whether the client
    has asked for changes; else all views are whole."""

    __slots__ = ("_version", "asked")

    def __init__(self, *, asked: bool = False) -> None:
        self.asked: Final = asked
        self._version = _NONE

    def frame(self, message: Struct) -> bytes:
        """The frame to send. A measured hot path."""
        if type(message) is News:
            had = self._version
            if self.asked:
                self._version = message.update.version
            if had != message.before:
                return encode_frame(message.whole())
            if not message.frame:
                payload = encode(message.update)
                message.frame = HEADER.pack(len(payload)) + payload
            return message.frame
        if type(message) is Update and self.asked:
            self._version = message.version
        elif type(message) is Started:  # the first view of a match is whole
            self._version = _NONE
        return encode_frame(message)


def changed_fields(before: Struct, view: Struct) -> dict[str, Any]:
    """The fields of a view that differ from those of a view of the same type, by name. Most fields
    of two views of a match are the same objects."""
    fields = zip(view.__struct_fields__, astuple(before), astuple(view), strict=True)
    return {name: new for name, old, new in fields if new is not old and new != old}


class Lengthening:
    """Remembers the view that came last, as a plain map. `asked`: whether the client has asked for
    changes."""

    __slots__ = ("_asked", "_view")

    def __init__(self, *, asked: bool) -> None:
        self._asked: Final = asked
        self._view: Any = None

    def of(self, message: Struct) -> Struct:
        """The message that the server meant; where it has a view and changes, the view counts.
        Raises RemoteProtocolError: MALFORMED where there is no view to change."""
        if type(message) is Started:
            self._view = None
        if type(message) is not Update:
            return message
        if message.view is not None:
            self._view = message.view if self._asked else None
            return message
        if message.changed is None or not isinstance(self._view, dict):
            raise RemoteProtocolError(GoodbyeCode.MALFORMED, "neither a view nor changes of one")
        self._view = {**self._view, **message.changed}
        if len(self._view) > MOST_FIELDS:
            raise RemoteProtocolError(GoodbyeCode.MALFORMED, "a view of too many fields")
        return replace(message, view=self._view, changed=None)
