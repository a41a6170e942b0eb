"""Views as their changes, for a client that asked for that in its `hello`: `Shortening` is the
server's end of a connection, `Restoring` the client's.

Law: the client makes of the changes the same view as the server sent, so that nobody behind the
connection knows of them. A view is whole at the start of a match and for everybody who comes to it,
after a take-back, and after updates that were left out.
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple, replace

from protocol.codec import framed
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.from_server import Started, Update

MOST_FIELDS: Final = 256
"""Of a view; the longest has some thirty."""


class _Newest:
    """The newest update that was sent to somebody, the frame of its changes, and the view before
    that one there. All watchers who had the same before are sent the same frame."""

    __slots__ = ("_before", "_changed", "_update", "_whole")

    def __init__(self) -> None:
        self._before: Any = None
        self._update: Update | None = None
        self._changed: Mapping[str, Any] = {}
        self._whole = b""

    def note(self, before: Any, update: Update, changed: Mapping[str, Any]) -> None:
        """This update is about to be sent to somebody who has the view `before`."""
        self._before, self._update, self._changed = before, update, changed
        self._whole = b""

    def frame(self, before: Any, update: Update) -> bytes:
        """The frame of this update as the changes of the view `before`."""
        if update is not self._update or before is not self._before:
            self.note(before, update, changed_fields(before, update.view))
        if not self._whole:
            self._whole = framed(replace(update, view=None, changed=self._changed))
        return self._whole


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

    def frame(self, update: Update) -> bytes | None:
        """The frame to send; None = that of the whole update. A measured hot path."""
        before = self._view if update.match == self._match else None
        self._match, self._view = update.match, update.view
        if before is None or update.taken_back or update.skipped:
            return None
        return _newest.frame(before, update)

    def begin(self) -> None:
        """A match begins: its first view is whole."""
        self._view = None


def changed_fields(before: Struct, view: Struct) -> dict[str, Any]:
    """The fields of a view that differ from those of a view of the same type, by name. Most fields
    of two views of a match are the same objects."""
    fields = zip(view.__struct_fields__, astuple(before), astuple(view), strict=True)
    return {name: new for name, old, new in fields if new is not old and new != old}


class Restoring:
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
