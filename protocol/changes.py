"""Views as their changes, for a client that asked for that in its `hello`: `Shortening` is the
server's end of a connection, `Restoring` the client's.

Law: the client makes of the changes the same view as the server sent, so that nobody behind the
connection knows of them. A view is whole at the start of a match and for everybody who comes to it,
after a take-back, and after updates that were left out.
"""

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple, replace

from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.from_server import Started, Update

MOST_FIELDS: Final = 256
"""Of a view; the longest has some thirty."""


class _Newest:
    """The newest update that was shortened: watchers who had the same view get the same message,
    which is then encoded once."""

    view: Any = None
    update: Update | None = None
    short: Update


class Shortening:
    """Remembers the view that the client has."""

    __slots__ = ("_match", "_view")

    def __init__(self) -> None:
        self._match = ""
        self._view: Any = None

    def of(self, message: Struct) -> Struct:
        """The message to send in place of this one. A measured hot path."""
        if type(message) is not Update:
            if type(message) is Started:
                self._view = None
            return message
        before, self._view = self._view, message.view
        match, self._match = self._match, message.match
        if before is None or match != message.match or message.taken_back or message.skipped:
            return message
        if before is not _Newest.view or message is not _Newest.update:
            _Newest.short = _shortened(before, message)
            _Newest.view, _Newest.update = before, message
        return _Newest.short


def _shortened(before: Any, update: Update) -> Update:
    names, view = update.view.__struct_fields__, update.view
    fields = zip(names, astuple(before), astuple(view), strict=True)
    changed = {name: new for name, old, new in fields if new != old}
    return replace(update, view=None, changed=changed)


class Restoring:
    """Remembers the view that came last, as a plain map."""

    __slots__ = ("_view",)

    def __init__(self) -> None:
        self._view: Any = None

    def of(self, message: Struct) -> Struct:
        """The message that the server meant. Raises RemoteProtocolError: MALFORMED where there is
        no view to change."""
        if type(message) is not Update:
            return message
        if message.view is not None:
            self._view = message.view
            return message
        if message.changed is None or not isinstance(self._view, dict):
            raise RemoteProtocolError(GoodbyeCode.MALFORMED, "neither a view nor changes of one")
        self._view = {**self._view, **message.changed}
        if len(self._view) > MOST_FIELDS:
            raise RemoteProtocolError(GoodbyeCode.MALFORMED, "a view of too many fields")
        return replace(message, view=self._view, changed=None)
