"""The names of keys: as players write them, as Textual knows them, as they are shown.

A player may write `?`, `Esc`, `PgUp`, `Ctrl+P`, or Textual's own `question_mark`, `escape`….
Cyrillic letters mean the Latin keys that they stand on, as keys and as typed words.
"""

import string
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from clocktowers_tui.text.i18n import N_, _

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
