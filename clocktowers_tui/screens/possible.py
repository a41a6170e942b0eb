"""What can be done on a screen where the focus is: for the key line, the help and the palette."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from textual.binding import ActiveBinding
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Input

from clocktowers_tui.games.face import Together
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.keys.keymap import NO_KEY, Keymap
from clocktowers_tui.keys.names import key_in_words, types_text
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.key_line import Entry, Keys

_MOVES = (actions.UP, actions.DOWN, actions.LEFT, actions.RIGHT)


class Possible(NamedTuple):
    """`does` is an action of `node`, as Textual writes them; `keys` by Textual's names, those that
    work while the focus is there."""

    id: str
    keys: tuple[str, ...]
    words: str
    does: str
    node: DOMNode
    shown: bool

    @property
    def key(self) -> str:
        """The key to be shown; "" when it has none."""
        return key_in_words(self.keys[0]) if self.keys else ""


def possible(screen: Screen[Any]) -> list[Possible]:
    """From the focus outwards. While text is typed that is little: letters are letters."""
    typing = isinstance(screen.focused, Input)
    by_id: dict[str, list[tuple[str, ActiveBinding]]] = {}
    for key, active in screen.active_bindings.items():
        if active.binding.id and active.enabled and not (typing and types_text(key)):
            by_id.setdefault(active.binding.id, []).append((key, active))
    return _in_written_order([_possible(id, found) for id, found in by_id.items()])


def _in_written_order(found: Sequence[Possible]) -> list[Possible]:
    """As the widgets have them; Textual puts a keymap's keys last, where they may not be seen."""
    nodes = list(dict.fromkeys(one.node for one in found))
    places = {
        (node, binding.id): place
        for node in nodes
        for place, (_key, binding) in reversed(list(enumerate(node._bindings)))
    }
    return sorted(found, key=lambda one: (nodes.index(one.node), places[one.node, one.id]))


def _possible(id: str, found: Sequence[tuple[str, ActiveBinding]]) -> Possible:
    keys = tuple(key for key, _active in found if key != NO_KEY)
    node, binding = found[0][1].node, found[0][1].binding
    return Possible(id, keys, _(binding.description), binding.action, node, binding.show)


def entry(keymap: Keymap, together: Sequence[Action], words: str) -> Entry:
    """Of actions that stand together."""
    return Entry(keymap.names(together), words, keymap.press(together))


def entries(keymap: Keymap, found: Together) -> Keys:
    """Without those that have no key."""
    named = (entry(keymap, together, words) for together, words in found)
    return [one for one in named if one.keys]


def keys_in_line(found: Iterable[Possible]) -> Keys:
    """All that are to stand in the key line."""
    return [Entry(one.key, one.words, one.keys[0]) for one in found if one.shown and one.keys]


def keys_in_help(found: Iterable[Possible]) -> Keys:
    """With all their keys; what means the same stands together, and so do the four moves."""
    words_of_moves = {_(move.words) for move in _MOVES}
    moves: list[str] = []
    rows: dict[str, list[str]] = {}
    for one in found:
        if one.words in words_of_moves:
            moves += one.keys[:1]
        elif one.keys:
            rows.setdefault(one.words, []).extend(map(key_in_words, one.keys))
    named = [Entry(" ".join(keys), words) for words, keys in rows.items()]
    return [Entry(_moves_in_words(moves), _("Move")), *named] if moves else named


def _moves_in_words(keys: Sequence[str]) -> str:
    if all(key in ("up", "down", "left", "right") for key in keys):
        return _("arrows")
    return " ".join(map(key_in_words, keys))
