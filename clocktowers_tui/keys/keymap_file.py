"""Reads the player's `keymap.toml` line by line; good lines hold, bad lines are named.

back = ["escape", "backspace", "b"]
"board.discard" = ["x", "delete"]
theme = []
"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

import platformdirs

from clocktowers_tui.keys.actions import ACTIONS, BACK, Action, live_together
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap, key_from, key_in_words, types_text
from clocktowers_tui.text.fitting import fit
from clocktowers_tui.text.i18n import _
from protocol.text import clean

MAX_BYTES: Final = 64 * 1024
_MAX_KEYS: Final = 8

_FORBIDDEN: Final = frozenset(
    f"ctrl+{key}" for key in ("i", "j", "m", "h", "left_square_bracket", "s", "q", "c")
)
"""To a terminal five of these are Tab, Enter twice, Backspace and Esc, two stop and start its
output; the last is the way out."""


class ReadKeymap(NamedTuple):
    """`complaints`: a sentence for every line that does not hold."""

    keymap: Keymap = DEFAULT_KEYS
    complaints: tuple[str, ...] = ()


def in_brief(reading: ReadKeymap) -> str:
    """The complaints, in the few lines there are at the start."""
    first, *rest = reading.complaints
    if not rest:
        return f"keymap.toml: {first}"
    more = _("{n} more: `clocktowers keys` names them.").format(n=len(rest))
    return f"keymap.toml: {first} {more}"


class _Bad(Exception):
    """A line that does not hold; the text is a sentence that says so."""


def keymap_file() -> Path:
    """Where the file lives on this system: beside the settings."""
    return Path(platformdirs.user_config_dir("clocktowers", appauthor=False)) / "keymap.toml"


def read(file: Path, known: Sequence[Action] = ACTIONS) -> ReadKeymap:
    """The keys in `file`; the defaults where there is none. Never raises."""
    try:
        with file.open("rb") as source:
            content = source.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return ReadKeymap()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return _nothing(_("it cannot be read: {reason}.").format(reason=reason))
    if len(content) > MAX_BYTES:
        return _nothing(_("it is larger than {n} bytes; a keymap is small.").format(n=MAX_BYTES))
    return read_text(content, known)


def read_text(content: bytes, known: Sequence[Action] = ACTIONS) -> ReadKeymap:
    """As `read`, from the file's content."""
    import tomllib  # few players have such a file; the others start without it

    try:
        lines = tomllib.loads(content.decode())
    except UnicodeDecodeError:
        return _nothing(_("it is not UTF-8 text."))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        reason = clean(str(error)) or type(error).__name__
        return _nothing(_("it is not TOML: {reason}.").format(reason=reason))
    return check(dict(_flat(lines)), known)


def check(lines: Mapping[str, Any], known: Sequence[Action]) -> ReadKeymap:
    """The good lines: id to keys."""
    by_id = {action.id: action for action in known}
    changed: dict[str, tuple[str, ...]] = {}
    complaints = []
    for id, value in lines.items():
        try:
            changed[id] = _keys(_action(id, by_id), value)
        except _Bad as bad:
            complaints.append(str(bad))
    while changed and (clash := _clash(changed, known)) is not None:
        changed.pop(clash[0])
        complaints.append(clash[1])
    return ReadKeymap(Keymap(changed), tuple(complaints))


def _nothing(complaint: str) -> ReadKeymap:
    """For a file of which no line can be believed."""
    return ReadKeymap(
        complaints=(_("No key was changed: {complaint}").format(complaint=complaint),)
    )


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """`board.discard` unquoted, or under `[board]`, is a table in TOML; it means the same."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _action(id: str, by_id: Mapping[str, Action]) -> Action:
    if id in by_id:
        return by_id[id]
    shown = fit(clean(id), 40)
    near = get_close_matches(id[:80], by_id, n=1)
    if near:
        sentence = _("“{id}” is not an action; did you mean “{near}”?")
        raise _Bad(sentence.format(id=shown, near=near[0]))
    raise _Bad(_("“{id}” is not an action; `clocktowers keys` lists them.").format(id=shown))


def _keys(action: Action, value: Any) -> tuple[str, ...]:
    written = [value] if isinstance(value, str) else value
    if not isinstance(written, list) or not all(isinstance(key, str) for key in written):
        sentence = _('{id}: write keys as texts in brackets, for example ["x", "delete"].')
        raise _Bad(sentence.format(id=action.id))
    if len(written) > _MAX_KEYS:
        sentence = _("{id}: an action can have up to {n} keys.")
        raise _Bad(sentence.format(id=action.id, n=_MAX_KEYS))
    keys = tuple(dict.fromkeys(_key(action, key) for key in written))
    if action.firm and not keys:
        sentence = _("{id}: leave at least one key for it.")
        raise _Bad(sentence.format(id=action.id))
    if action.id == BACK.id and all(types_text(key) for key in keys):
        sentence = _("{id}: give it a key that works while you type, like Esc.")
        raise _Bad(sentence.format(id=action.id))
    return keys


def _key(action: Action, written: str) -> str:
    key = key_from(written)
    if key is None:
        sentence = _("{id}: “{key}” is not a key; examples: x, X, ?, f5, delete, ctrl+r.")
        raise _Bad(sentence.format(id=action.id, key=fit(clean(written), 20)))
    if key in _FORBIDDEN:
        sentence = _("{id}: terminals keep {key} for themselves; choose another key.")
        raise _Bad(sentence.format(id=action.id, key=key_in_words(key)))
    return key


def _clash(
    changed: Mapping[str, tuple[str, ...]], known: Sequence[Action]
) -> tuple[str, str] | None:
    """(id of a line to give up, why), while a key means two things at the same moment."""
    keymap = Keymap(changed)
    order = list(changed)
    for one, other in combinations(known, 2):
        shared = [key for key in keymap.keys(one) if key in keymap.keys(other)]
        lines = sorted((id for id in (one.id, other.id) if id in changed), key=order.index)
        if shared and lines and live_together(one, other):
            rest = other.id if lines[-1] == one.id else one.id
            sentence = _("{id}: {key} already belongs to {other}; give one of them another key.")
            key = key_in_words(shared[0])
            return lines[-1], sentence.format(id=lines[-1], key=key, other=rest)
    return None
