"""What a board knows of every game: its scene, and the steps of a choice."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol, Self


class Step(NamedTuple):
    """What a key makes of a choice. `remark`: why it did nothing, with the names of keys in braces
    (`keys.with_keys`)."""

    selection: Any
    action: Any = None
    remark: str | None = None


class Taught(NamedTuple):
    """What a lesson has of the board. `wanted`: the only actions that it takes, none where there is
    something to read; `sought`: those of which the player finds one; `hidden`: parts, and notes of
    the game's own, that it has yet to show; `guided`: whether there is a lesson at all."""

    wanted: Sequence[Any] | None = None
    sought: Sequence[Any] | None = None
    hidden: frozenset[str] = frozenset()
    guided: bool = True

    @property
    def asked(self) -> Sequence[Any] | None:
        return self.sought if self.wanted is None else self.wanted

    @property
    def asks(self) -> bool:
        """Whether it waits for the player."""
        return self.asked is not None

    @property
    def led(self) -> bool:
        """Whether it says what to press."""
        return self.wanted is not None

    @property
    def reads(self) -> bool:
        """Whether there is only something to read."""
        return self.wanted is not None and not self.wanted


UNTAUGHT: Final = Taught(guided=False)
"""Outside a lesson."""


class Staged(Protocol):
    """What every scene has. `names` by seat; `waiting`: an action is under way to the server."""

    @property
    def view(self) -> Any: ...
    @property
    def names(self) -> Sequence[str]: ...
    @property
    def selection(self) -> Any: ...
    @property
    def waiting(self) -> bool: ...
    @property
    def taught(self) -> Taught: ...
    def _replace(self, *args: Any, **changes: Any) -> Self: ...


class PlainScene(NamedTuple):
    """The scene of a game that needs no more."""

    view: Any
    names: Sequence[str]
    selection: Any = None
    waiting: bool = False
    log: Sequence[str] = ()
    taught: Taught = UNTAUGHT


class Given(NamedTuple):
    """What the screen tells the board; names and log can be measured."""

    view: Any
    names: tuple[str, ...]
    waiting: bool
    log: tuple[str, ...]
