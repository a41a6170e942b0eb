"""Views as their changes, for a client that asked for that in its `hello`: `Shortening` is the
server's end of a connection, `Lengthening` the client's.

Law: the client makes of the changes the same view as the server sent, so that nobody behind the
connection knows of them. A view is whole at the start of a match and for everybody who comes to it,
after a take-back, and after updates that were left out.
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple, replace

from protocol.codec import encode, encode_frame
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.framing import HEADER
from protocol.from_server import Started, Update

MOST_FIELDS: Final = 256
"""Of a view; the longest has some thirty."""


class _Newest:
    """The newest update that was sent to somebody, the frame of its changes, and the view before
    that one there. All watchers who had the same before are sent the same frame."""

    __slots__ = ("before", "changed", "update", "whole")

    def __init__(self) -> None:
        self.before: Any = None
        self.update: Update | None = None
        self.changed: Mapping[str, Any] = {}
        self.whole = b""

    def note(self, before: Any, update: Update, changed: Mapping[str, Any]) -> None:
        """This update is about to be sent to somebody who has the view `before`."""
        self.before, self.update, self.changed = before, update, changed
        self.whole = b""


_newest: Final = _Newest()

note: Final = _newest.note
"""Say what has changed since the view `before` in an update that is sent next: it is not looked for
again. It has to be what `changed_fields` would find."""


class Shortening:
    """Remembers the view that the client was sent last, and of which match."""

    __slots__ = ("_match", "_view")

    def __init__(self) -> None:
        self._match = ""
        self._view: Any = None

    def frame(self, message: Struct) -> bytes:
        """The frame to send. A measured hot path."""
        if type(message) is not Update:
            if type(message) is Started:  # the first view of a match is whole
                self._view = None
            return encode_frame(message)
        before = self._view if message.match == self._match else None
        self._match, self._view = message.match, message.view
        if before is None or message.taken_back or message.skipped:
            return encode_frame(message)
        newest = _newest
        if message is not newest.update or before is not newest.before:
            newest.note(before, message, changed_fields(before, message.view))
        if not newest.whole:
            payload = encode(replace(message, view=None, changed=newest.changed))
            newest.whole = HEADER.pack(len(payload)) + payload
        return newest.whole


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
