"""The keys in force: the registry's defaults, changed by the player's own file.

Law: a file is never believed unseen. Textual ignores an id that it does not know and silently drops
the default that a new key hides, so everything it is told has passed `keymap_file.read`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.keys.names import key_in_words
from clocktowers_tui.text.i18n import _

NO_KEY: Final = "<ignore>"
"""Textual's key that never comes; an empty text would leave the default in force."""


class Keymap(NamedTuple):
    """`changed`: id to keys by Textual's names; all other actions have their default keys."""

    changed: Mapping[str, tuple[str, ...]] = {}

    def keys(self, action: Action) -> tuple[str, ...]:
        return self.changed.get(action.id, action.keys)

    @property
    def own(self) -> set[str]:
        """The keys that the player has chosen, by Textual's names."""
        return {key for keys in self.changed.values() for key in keys}

    def name(self, action: Action) -> str:
        """The key to show for an action; "" when it has none."""
        keys = self.keys(action)
        return key_in_words(keys[0]) if keys else ""

    def names(self, together: Sequence[Action]) -> str:
        """The keys of actions that stand together: `1-4`, `f c r`, `arrows`."""
        keys = [self.keys(action)[0] for action in together if self.keys(action)]
        if len(keys) > 1 and all(key in ("up", "down", "left", "right") for key in keys):
            return _("arrows")
        if len(keys) > 2 and "".join(keys) in "1234567890":
            return f"{keys[0]}-{keys[-1]}"
        return " ".join(key_in_words(key) for key in keys)

    def press(self, together: Sequence[Action]) -> str:
        """By Textual's name, their only key; "" for none or several."""
        keys = [self.keys(action)[0] for action in together if self.keys(action)]
        return keys[0] if len(keys) == 1 else ""

    def for_textual(self) -> dict[str, str]:
        """The argument for `App.set_keymap`."""
        return {id: ",".join(keys) or NO_KEY for id, keys in self.changed.items()}


DEFAULT_KEYS: Final = Keymap()


class _Keyless(Keymap):
    """No action has a key: what a sentence says then, it says without naming one."""

    def keys(self, action: Action) -> tuple[str, ...]:
        return ()


KEYLESS: Final = _Keyless()


@runtime_checkable
class HasKeymap(Protocol):
    keymap: Keymap


def keymap_of(app: Any) -> Keymap:
    """The keys in force in an app; the defaults in an app without a keymap."""
    return app.keymap if isinstance(app, HasKeymap) else DEFAULT_KEYS


def ways_to_move(keymap: Keymap) -> str:
    """The keys that move the cursor, in words."""
    return keymap.names((actions.UP, actions.DOWN, actions.LEFT, actions.RIGHT))
