"""The keys in force: the registry's defaults, changed by the player's own file; and what keys are
called.

Law: a file is never believed unseen. Textual ignores an id that it does not know and silently drops
the default that a new key hides, so everything it is told has passed `read_keymap`.
"""

import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

import platformdirs

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import BACK, Action, live_together
from clocktowers_tui.text.fitting import fit
from clocktowers_tui.text.i18n import N_, _
from protocol.text import clean

NO_KEY: Final = "<ignore>"
"""Textual's key that never comes; an empty text would leave the default in force."""


class Keymap(NamedTuple):
    """`changed`: id to keys by Textual's names; all other actions have their default keys.
    `complaints`: a sentence for every line of the player's file that does not hold."""

    changed: Mapping[str, tuple[str, ...]] = {}
    complaints: tuple[str, ...] = ()

    def keys(self, action: Action) -> tuple[str, ...]:
        spoken = () if action.spoken is None else (action.spoken(),)
        return self.changed.get(action.id, spoken or action.keys)

    @property
    def own(self) -> set[str]:
        """The keys that the player has chosen, by Textual's names."""
        return {key for keys in self.changed.values() for key in keys}

    def name(self, action: Action) -> str:
        """The key to show for an action; "" when it has none."""
        keys = self.keys(action)
        return key_in_words(keys[0]) if keys else ""

    def names(self, together: Sequence[Action]) -> str:
        """The keys of actions that stand together."""
        return keys_in_words([self.keys(action)[0] for action in together if self.keys(action)])

    def press(self, together: Sequence[Action]) -> str:
        """By Textual's name, their only key; "" for none or several."""
        keys = [self.keys(action)[0] for action in together if self.keys(action)]
        return keys[0] if len(keys) == 1 else ""

    def for_textual(self) -> dict[str, str]:
        """The argument for `App.set_keymap`."""
        return {id: ",".join(keys) or NO_KEY for id, keys in self.changed.items()}


DEFAULT_KEYS: Final = Keymap()


class _Keyless(Keymap):
    """A keymap in which no action has a key: sentences name none."""

    def keys(self, action: Action) -> tuple[str, ...]:
        return ()


KEYLESS: Final = _Keyless()


def keymap_of(app: Any) -> Keymap:
    """The keys in force in an app; the defaults in an app without a keymap."""
    keymap: Keymap = getattr(app, "keymap", DEFAULT_KEYS)
    return keymap


def ways_to_move(keymap: Keymap) -> str:
    """The keys that move the cursor, in words."""
    return keymap.names((actions.UP, actions.DOWN, actions.LEFT, actions.RIGHT))


# The player's `keymap.toml`, read line by line; good lines hold, bad lines are named.
#
#     back = ["escape", "backspace", "b"]
#     "board.discard" = ["x", "delete"]
#     theme = []

MAX_BYTES: Final = 64 * 1024
_MAX_KEYS: Final = 8

_FORBIDDEN: Final = frozenset(
    f"ctrl+{key}" for key in ("i", "j", "m", "h", "left_square_bracket", "s", "q", "c")
)
"""To a terminal five of these are Tab, Enter twice, Backspace and Esc, two stop and start its
output; the last is the way out."""


def in_brief(keymap: Keymap) -> str:
    """The complaints, in the few lines there are at the start."""
    first, *rest = keymap.complaints
    if not rest:
        return f"keymap.toml: {first}"
    more = _("{n} more: `clocktowers keys` names them.").format(n=len(rest))
    return f"keymap.toml: {first} {more}"


class _Bad(Exception):
    """A line that does not hold; the text is a sentence that says so."""


def keymap_file() -> Path:
    """Where the file lives on this system: beside the settings."""
    return Path(platformdirs.user_config_dir("clocktowers", appauthor=False)) / "keymap.toml"


def read_keymap(file: Path, known: Callable[[], Sequence[Action]]) -> Keymap:
    """The keys in `file`; the defaults where there is none, and then nobody asks what is `known`.
    Never raises."""
    try:
        with file.open("rb") as source:
            content = source.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return DEFAULT_KEYS
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return _nothing(_("it cannot be read: {reason}.").format(reason=reason))
    if len(content) > MAX_BYTES:
        return _nothing(_("it is larger than {n} bytes; a keymap is small.").format(n=MAX_BYTES))
    return read_keymap_text(content, known())


def read_keymap_text(content: bytes, known: Sequence[Action]) -> Keymap:
    """As `read_keymap`, from the file's content."""
    import tomllib  # few players have such a file; the others start without it

    try:
        lines = dict(_flat(tomllib.loads(content.decode())))
    except UnicodeDecodeError:
        return _nothing(_("it is not UTF-8 text."))
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        reason = clean(str(error)) or type(error).__name__
        return _nothing(_("it is not TOML: {reason}.").format(reason=reason))
    return check(lines, known)


def check(lines: Mapping[str, Any], known: Sequence[Action]) -> Keymap:
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
    return Keymap(changed, tuple(complaints))


def _nothing(complaint: str) -> Keymap:
    """The default keys, with a complaint about a file that cannot be read as TOML."""
    return Keymap(complaints=(_("No key was changed: {complaint}").format(complaint=complaint),))


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


# The names of keys: as players write them, as Textual knows them, as they are shown.
#
# A player may write `?`, `Esc`, `PgUp`, `Ctrl+P`, or Textual's own `question_mark`, `escape`….
# Cyrillic letters mean the Latin keys that they stand on, as keys and as typed words.

_SHOWN: Final[Mapping[str, str]] = {
    "escape": N_("Esc"),
    "enter": N_("Enter"),
    "space": N_("Space"),
    "backspace": N_("Backspace"),
    "tab": N_("Tab"),
    "up": N_("Up"),
    "down": N_("Down"),
    "left": N_("Left"),
    "right": N_("Right"),
    "home": N_("Home"),
    "end": N_("End"),
    "pageup": N_("PgUp"),
    "pagedown": N_("PgDn"),
    "insert": N_("Ins"),
    "delete": N_("Del"),
    **{f"f{n}": f"F{n}" for n in range(1, 13)},
}
_ALIASES: Final[Mapping[str, str]] = {
    "esc": "escape",
    "return": "enter",
    "pgup": "pageup",
    "page_up": "pageup",
    "pgdn": "pagedown",
    "page_down": "pagedown",
    "ins": "insert",
    "del": "delete",
}
_MODIFIERS: Final = ("ctrl", "alt", "shift")


@cache
def _characters() -> Mapping[str, str]:
    """By Textual's names, which it is asked for only where there are keys: `?` is `question_mark`.
    Letters and digits are their own names."""
    from textual.binding import Binding

    made = Binding.make_bindings([(char, "") for char in string.punctuation if char != ","])
    # A comma separates keys in a binding, so a player must write its name.
    named = zip(made, (char for char in string.punctuation if char != ","), strict=True)
    return {**{one.key: char for one, char in named}, "comma": ","}


def key_from(written: str) -> str | None:
    """Textual's name of a key that a terminal can send; None when there is no such key."""
    *modifiers, base = written.strip().split("+") if written.strip() != "+" else ["+"]
    modifiers = [modifier.strip().lower() for modifier in modifiers]
    key = _base(base.strip())
    known = len(set(modifiers)) == len(modifiers) and set(modifiers) <= set(_MODIFIERS)
    if key is None or not known:
        return None
    if modifiers and len(key) == 1:
        key = key.lower()
    if modifiers == ["shift"] and key not in _SHOWN:
        return None  # a terminal sends the character that Shift makes of it
    return "+".join([*(name for name in _MODIFIERS if name in modifiers), key])


def _base(written: str) -> str | None:
    if len(written) == 1:
        named = {char: name for name, char in _characters().items()}
        return named.get(written) or (written if written.isalnum() else None)
    name = written.lower()
    name = _ALIASES.get(name, name)
    return name if name in _SHOWN or name in _characters() else None


def key_in_words(key: str) -> str:
    """`question_mark` as `?`, `ctrl+p` as `Ctrl+P`, `escape` as `Esc`."""
    *modifiers, base = key.split("+")
    shown = _characters().get(base, _(_SHOWN[base]) if base in _SHOWN else base)
    if not modifiers:
        return shown
    return "+".join(
        [*(name.title() for name in modifiers), shown.upper() if len(shown) == 1 else shown]
    )


def keys_in_words(keys: Sequence[str]) -> str:
    """Of what stands together: `1-4`, `f c r`, `arrows`."""
    if len(keys) > 1 and all(key in ("up", "down", "left", "right") for key in keys):
        return _("arrows")
    if len(keys) > 2 and "".join(keys) in "1234567890":
        return f"{keys[0]}-{keys[-1]}"
    return " ".join(map(key_in_words, keys))


def types_text(key: str) -> bool:
    """Whether a text field uses the key itself."""
    return len(key) == 1 or key in _characters() or key in ("space", "backspace", "delete")


# Keyboards with other letters: a Cyrillic letter is the Latin key that it stands on.


_CYRILLIC: Final = "йцукенгшщзхъфывапролджэячсмитьбюЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ"
_LATIN: Final = "qwertyuiop[]asdfghjkl;'zxcvbnm,.QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>"
IN_ITS_PLACE: Final = dict(zip(_CYRILLIC, _LATIN, strict=True))


def latin(typed: str) -> str:
    """What the same keys type with Latin letters."""
    return "".join(IN_ITS_PLACE.get(one, one) for one in typed)
