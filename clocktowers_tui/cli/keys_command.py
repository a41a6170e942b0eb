"""`clocktowers keys`: lists every action with its id, its keys and its words, and checks the
keymap."""

import sys
from collections.abc import Iterator, Sequence

from clocktowers_tui.cli.command import deafen
from clocktowers_tui.games.registry import ALL_ACTIONS, title_of
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.keys.keymap import Keymap, keymap_file, read_keymap
from clocktowers_tui.keys.names import key_in_words
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.i18n import _
from protocol.text import cells


def run() -> int:
    """The exit code: 2 when a line of the keymap does not hold."""
    file = keymap_file()
    keymap = read_keymap(file, ALL_ACTIONS)
    try:
        print("\n".join([*lines(keymap, ALL_ACTIONS), "", str(file)]), flush=True)
    except BrokenPipeError:  # the reader has seen enough
        deafen()
    for complaint in keymap.complaints:
        print(f"clocktowers: keymap.toml: {complaint}", file=sys.stderr)
    return 2 if keymap.complaints else 0


def lines(keymap: Keymap, actions: Sequence[Action]) -> Iterator[str]:
    """A line for each action, below the name of where it lives and, on a board, of its game."""
    keys = {action: in_words(keymap, action) for action in actions}
    id_width = max(len(action.id) for action in actions)
    keys_width = max(cells(words) for words in keys.values())
    head = ""
    for action in actions:
        if (heading := _heading(action)) != head:
            head = heading
            yield head
        yield f"  {pad(action.id, id_width)}  {pad(keys[action], keys_width)}  {_(action.words)}"


def _heading(action: Action) -> str:
    where = _(action.context.value)
    return f"{where}: {title_of(action.game)}" if action.game else where


def in_words(keymap: Keymap, action: Action) -> str:
    """All keys of an action; a dash when it has none."""
    return "  ".join(key_in_words(key) for key in keymap.keys(action)) or "-"
