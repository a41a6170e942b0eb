"""Keyboards with other letters: a Cyrillic letter is the Latin key that it stands on."""

from typing import Final

_CYRILLIC: Final = "йцукенгшщзхъфывапролджэячсмитьбюЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ"
_LATIN: Final = "qwertyuiop[]asdfghjkl;'zxcvbnm,.QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>"
IN_ITS_PLACE: Final = dict(zip(_CYRILLIC, _LATIN, strict=True))


def latin(typed: str) -> str:
    """What the same keys type with Latin letters."""
    return "".join(IN_ITS_PLACE.get(one, one) for one in typed)
