"""Keyboards with other letters: a Cyrillic letter is the Latin key that it stands on."""

from collections.abc import Collection
from typing import Final

from textual.events import Key

from clocktowers_tui.keys.names import key_from

_CYRILLIC: Final = "йцукенгшщзхъфывапролджэячсмитьбюЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ"
_LATIN: Final = "qwertyuiop[]asdfghjkl;'zxcvbnm,.QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>"
_IN_ITS_PLACE: Final = dict(zip(_CYRILLIC, _LATIN, strict=True))


def meant(pressed: Key, own: Collection[str]) -> Key:
    """The key that a player with a Russian layout means; a letter of `own` keys is itself."""
    character = _IN_ITS_PLACE.get(pressed.character or "")
    if character is None or pressed.key in own:
        return pressed
    return Key(key_from(character) or character, character)
