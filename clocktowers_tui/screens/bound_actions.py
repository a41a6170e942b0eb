"""The actions that are bound where the focus is: the last line of a screen, help and palette list
them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from textual.binding import ActiveBinding, BindingType
from textual.content import Content
from textual.dom import DOMNode
from textual.reactive import Reactive, reactive
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Input

from clocktowers_tui.games.registry import NAMED_ACTIONS
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Context, Deed, KeyGroups, bound
from clocktowers_tui.keys.keymap import NO_KEY, Keymap, key_in_words, keys_in_words, types_text
from clocktowers_tui.text.i18n import _
from protocol.text import cells

_GAP: Final = "  "
_BOLD: Final = Style(bold=True)
_DIM: Final = Style(dim=True)


class Entry(NamedTuple):
    """`keys` as they are shown, and what they do. `press`: the key by Textual's name, "" where
    there are several. `stays`: the others are dropped before it."""

    keys: str
    words: str
    press: str = ""
    stays: bool = False


Keys: TypeAlias = Sequence[Entry]


class KeyLine(Widget):
    """The last line of a screen: its keys, and what they do.

    Entries that do not fit are dropped from the right, those that stay as the last, and the
    `pinned` keys only where the first entry has no room beside them. Those stand at the right end:
    they change seldom, and what stays where it is needs no bytes. A click on an entry presses its
    key, so it does what the key does, wherever that is decided.
    """

    auto_links = Reactive(False)  # a mouse that passes by lights nothing
    _shown = reactive[tuple[Keys, Keys]](((), ()))

    def show(self, keys: Keys, pinned: Keys = ()) -> None:
        self._shown = tuple(keys), tuple(pinned)

    def render(self) -> Content:
        keys, pinned = self._shown
        pinned = fitting(pinned, self.size.width - _width(keys[:1]) - len(_GAP))
        room = self.size.width - _width(pinned)
        fitted = fitting(keys, room - len(_GAP) * bool(pinned))
        gap = " " * (room - _width(fitted))
        return Content.assemble(*_parts(fitted), gap, *_parts(pinned))


def fitting(keys: Keys, width: int) -> Keys:
    """As many as have room in `width` cells."""
    kept = list(keys)
    while kept and _width(kept) > width:
        loose = [n for n, entry in enumerate(kept) if not entry.stays]
        del kept[loose[-1] if loose else -1]
    return kept


def _width(keys: Keys) -> int:
    return sum(cells(text) for text, _style in _parts(keys))


def _parts(keys: Keys) -> list[tuple[str, Style]]:
    """(text, style) pairs; a click presses what the style says."""
    parts: list[tuple[str, Style]] = []
    for entry in keys:
        clicked = {"@click": f"app.simulate_key({entry.press!r})"} if entry.press else {}
        both = Style.from_meta(clicked)
        gap = _GAP if parts else ""
        parts += [(f"{gap}{entry.keys}", both + _BOLD), (f" {entry.words}", both + _DIM)]
    return parts


# What stands in that line, the help and the palette.


_MOVES: Final = (actions.UP, actions.DOWN, actions.LEFT, actions.RIGHT)


_BY_ID: Final = {action.id: action for action in NAMED_ACTIONS}

_OF_THE_PALETTE: Final = (actions.CONFIRM, actions.CHOOSE, actions.BACK, actions.PALETTE)
"""They work the palette itself while it lies on top."""

_WAYS_OUT: Final = (actions.LEAVE, actions.BACK)
"""The key line shows them also where it has no room for others."""

_OF_MANY_PLACES: Final = (Context.EVERYWHERE, Context.AWAY, Context.AT_TABLE, Context.LISTS)


class BoundAction(NamedTuple):
    """The meaning of an `action` on a screen. `keys`: those that work while the focus is there, by
    Textual's names. `words`: its name there. `does`: what `node` runs for it, as Textual writes
    that. `shown`: it stands in the key line."""

    action: Action
    keys: tuple[str, ...]
    words: str
    does: str
    node: DOMNode
    shown: bool

    @property
    def key(self) -> str:
        """The key to show; "" when it has none."""
        return key_in_words(self.keys[0]) if self.keys else ""


def bound_actions(screen: Screen[Any], deeds: Sequence[Deed]) -> list[BoundAction]:
    """From the focus outwards. While the player types text there are few: letters are text."""
    typing = isinstance(screen.focused, Input)
    by_id: dict[str, list[tuple[str, ActiveBinding]]] = {}
    for key, active in screen.active_bindings.items():
        if active.binding.id and active.enabled and not (typing and types_text(key)):
            by_id.setdefault(active.binding.id, []).append((key, active))
    known = {**_BY_ID, **{action.id: action for deed in deeds for action in deed.keys}}
    return _in_written_order([_bound(known[id], found) for id, found in by_id.items()])


def _in_written_order(found: Sequence[BoundAction]) -> list[BoundAction]:
    """In the order of the widgets' own lists; Textual puts a keymap's keys last, where the key line
    may have no room for them."""
    nodes = list(dict.fromkeys(one.node for one in found))
    places = {
        (node, binding.id): place
        for node in nodes
        for place, (_key, binding) in reversed(list(enumerate(node._bindings)))
    }
    return sorted(found, key=lambda one: (nodes.index(one.node), places[one.node, one.action.id]))


def _bound(action: Action, found: Sequence[tuple[str, ActiveBinding]]) -> BoundAction:
    keys = tuple(key for key, _active in found if key != NO_KEY)
    node, binding = found[0][1].node, found[0][1].binding
    return BoundAction(action, keys, _(binding.description), binding.action, node, binding.show)


def bound_deeds(deeds: Iterable[Deed], *contexts: Context) -> list[BindingType]:
    """The keys of a screen: an action of another context belongs to a screen on top."""
    here = (Context.EVERYWHERE, *contexts)
    return [
        bound(action, does, words, shown=deed.shown and (not n or action == actions.BACK))
        for deed in deeds
        for n, (action, does, words) in enumerate(_meanings(deed))
        if action.context in here
    ]


def _meanings(deed: Deed) -> Iterator[tuple[Action, str, str]]:
    if not deed.each:
        yield from ((action, f"do('{deed.word}')", deed.words) for action in deed.keys)
    for n, (action, words) in enumerate(zip(deed.keys, deed.each, strict=False), 1):
        yield action, f"do('{deed.word}', {n})", words


def for_palette(found: Iterable[BoundAction]) -> list[BoundAction]:
    """The actions to list in the palette; those of this place come first."""
    listed = [one for one in found if not one.action.moves and one.action not in _OF_THE_PALETTE]
    return sorted(listed, key=lambda one: one.action.context in _OF_MANY_PLACES)


def entry(keymap: Keymap, together: Sequence[Action], words: str) -> Entry:
    """What the key line says of actions that stand together."""
    return Entry(keymap.names(together), words, keymap.press(together))


def entries(keymap: Keymap, found: KeyGroups) -> Keys:
    """The same for several groups, without actions that have no key."""
    named = (entry(keymap, together, words) for together, words in found)
    return [one for one in named if one.keys]


def keys_in_line(found: Iterable[BoundAction], short: Mapping[Action, str] = {}) -> Keys:
    """What the key line shows: neighbours of the same words together. `short`: the words there,
    where they are others."""
    keys: list[Entry] = []
    for one in found:
        if one.shown and one.keys:
            words, stays = short.get(one.action, one.words), one.action in _WAYS_OUT
            if keys and keys[-1].words == words:
                both = f"{keys[-1].keys} {one.key}"
                keys[-1] = Entry(both, words, stays=stays or keys[-1].stays)
            else:
                keys.append(Entry(one.key, words, one.keys[0], stays))
    return keys


def keys_in_help(found: Iterable[BoundAction]) -> Keys:
    """What the help shows: all keys of each; actions of the same words share a row, and so do the
    four moves."""
    words_of_moves = {_(move.words) for move in _MOVES}
    moves: list[str] = []
    rows: dict[str, list[str]] = {}
    for one in found:
        if one.words in words_of_moves:
            moves += one.keys[:1]
        elif one.keys:
            rows.setdefault(one.words, []).extend(map(key_in_words, one.keys))
    named = [Entry(" ".join(keys), words) for words, keys in rows.items()]
    return [Entry(keys_in_words(moves), _("Move")), *named] if moves else named
