"""What a board knows of every game: its scene, and the steps of a choice."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, Self


class Step(NamedTuple):
    """What a key makes of a choice. `remark`: why it did nothing, with the names of keys in braces
    (`keys.with_keys`)."""

    selection: Any
    action: Any = None
    remark: str | None = None


class Taught(NamedTuple):
    """What a lesson has of the board. `wanted`: the only actions that it takes, none where there is
    something to read; `sought`: those of which the player finds one; `hidden`: parts, and notes of
    the game's own, that it has yet to show."""

    wanted: Sequence[Any] | None = None
    sought: Sequence[Any] | None = None
    hidden: frozenset[str] = frozenset()

    @property
    def asked(self) -> Sequence[Any] | None:
        return self.sought if self.wanted is None else self.wanted

    @property
    def led(self) -> bool:
        """Whether it says what to press."""
        return self.wanted is not None

    @property
    def reads(self) -> bool:
        """Whether there is only something to read."""
        return self.wanted is not None and not self.wanted


class Staged(Protocol):
    """What every scene has. `names` by seat; `waiting`: an action is under way to the server;
    `taught`: None outside a lesson."""

    @property
    def view(self) -> Any: ...
    @property
    def names(self) -> Sequence[str]: ...
    @property
    def selection(self) -> Any: ...
    @property
    def waiting(self) -> bool: ...
    @property
    def taught(self) -> Taught | None: ...
    def _replace(self, *args: Any, **changes: Any) -> Self: ...


class PlainScene(NamedTuple):
    """The scene of a game that needs no more."""

    view: Any
    names: Sequence[str]
    selection: Any = None
    waiting: bool = False
    log: Sequence[str] = ()
    taught: Taught | None = None


class Given(NamedTuple):
    """What the screen tells the board; names and log can be measured."""

    view: Any
    names: tuple[str, ...]
    waiting: bool
    log: tuple[str, ...]
