"""The views of a match as they were sent last, and what has changed in them since.

Laws: the public part of all views is made once, for nobody in particular, and of it what has not
changed since the update before is the same object. What has changed is what `changed_fields` finds
in two whole views; the short way to it, by what the rules say an action has touched, gives the same
or is not gone.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from protocol.changes import changed_fields
from protocol.ids import Seat, Version
from server.matches.replay import AnyRules

Seen: TypeAlias = tuple[Any, Any, Mapping[str, Any]]
"""A view, the one that was sent in the update before (None = none was), and what has changed."""

NO_CHANGES: Final[Mapping[str, Any]] = MappingProxyType({})


class Views:
    """Ask for `public` with every update, then for `of` each seat that is told. Measured hot paths,
    and every match has one: nothing is made or kept that need not be."""

    __slots__ = ("_public", "_seats", "_told_before", "_told_now", "_version")

    def __init__(self, seats: int) -> None:
        self._public: Any = None
        self._version = -1
        """Of the public view."""
        self._seats: list[Any] = [None] * seats
        self._told_before = self._told_now = 0
        """Which seats were told in the update before, and in this one: bit s = seat s."""

    def public(
        self, rules: AnyRules, state: Any, version: Version, told: Sequence[Any] | None
    ) -> Seen:
        """Everybody's part. `told`: what everybody is told of the one action since the version
        before; None = more has happened."""
        self._told_before, self._told_now = self._told_now, 0
        before, touched = self._public, None
        if before is not None and told is not None and version == self._version + 1:
            touched = rules.touched(state, told)
        self._version = version
        if before is None:
            self._public = rules.view(state, None)
            return self._public, None, NO_CHANGES
        if touched is None:
            changed = changed_fields(before, rules.view(state, None))
        else:
            changed = {name: new for name, new in touched.items() if new != getattr(before, name)}
        self._public = replace(before, **changed)
        return self._public, before, changed

    def of(self, seat: Seat, own: Mapping[str, Any], public: Seen) -> Seen:
        """A seat's view: the public one of this update, with the seat's own fields."""
        whole, _before, changed = public
        before, bit = self._seats[seat], 1 << seat
        self._seats[seat] = view = replace(whole, **own)
        self._told_now |= bit
        if not self._told_before & bit:
            return view, None, NO_CHANGES
        changed = dict(changed)
        for name, new in own.items():
            if new != getattr(before, name):
                changed[name] = new
            elif name in changed:
                del changed[name]
        return view, before, changed
