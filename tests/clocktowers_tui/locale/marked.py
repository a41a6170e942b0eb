"""A language in which a text shows where it begins and ends, and how to read a screen in it.

`Pseudo` is made of the English texts: no letter stays plain, each text is 30 % longer and stands
between brackets, so that text which is untranslated, clipped or too narrow shows.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from gettext import NullTranslations
from itertools import chain
from math import ceil
from typing import Final

from protocol.text import cells as text_cells

OPEN: Final = "⟦"
CLOSE: Final = "⟧"

_LETTERS: Final = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "ÀɃÇĎÉƑĜĤÎĴĶĹḾŃÓṔꝖŔŚŢÚṼŴẊÝŹàƀçďéƒĝĥîĵķĺḿńóṕɋŕśţúṽŵẋýź",
)
_PLACE: Final = re.compile(r"\{\w+\}|%(?:\(\w+\))?[sr]")
_LIMIT: Final = re.compile(r"(\d+) cells?$")
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_CODES: Final = re.compile(r"\b[12][-cm]|\b[1K][-m]|\bR[a-zA-ZÀ-ſ]\b|[RAYGW][CB]\b|\bRAYG\b")


def limit(context: str | None) -> int | None:
    """The cells that a context promises to a text."""
    if (context or "").startswith("one letter"):
        return 1
    found = _LIMIT.search(context or "")
    return int(found[1]) if found else None


def disguised(text: str, cells: int | None = None, least: int = 0) -> str:
    """The text in the pseudo-language, in at most as many cells as it may take; without such a
    limit in `least` cells or more."""
    if not text.strip():
        return text
    before = text[: len(text) - len(text.lstrip())]
    after = text[len(text.rstrip()) :]
    body = _accented(text.strip())
    if cells is not None:
        return body[:1] if cells < 3 else OPEN + body[: cells - 2].ljust(cells - 2, "õ") + CLOSE
    return f"{before}{OPEN}{body}{_padding(body, least)}{CLOSE}{after}"


def _accented(text: str) -> str:
    places = _PLACE.findall(text)
    parts = [part.translate(_LETTERS) for part in _PLACE.split(text)]
    return "".join(chain(*zip(parts, [*places, ""], strict=True)))


def _padding(body: str, least: int) -> str:
    """Three cells in ten, or more up to `least`; the brackets are two of them."""
    room = max(0, ceil(0.3 * len(body)) - 2, least - len(body) - 2)
    if room < 5:
        return "õ" * room
    return "".join(" " if n % 6 == 0 else "õ" for n in range(room))


class Pseudo(NullTranslations):
    """No text is shorter than in any of `others`: what is whole in this language is in those."""

    def __init__(self, others: Sequence[NullTranslations] = ()) -> None:
        super().__init__()
        self._others = tuple(others)

    def gettext(self, message: str) -> str:
        return _pseudo(self._others, None, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        least = _longest(other.ngettext(msgid1, msgid2, n) for other in self._others)
        return disguised(msgid1 if n == 1 else msgid2, least=least)

    def pgettext(self, context: str, message: str) -> str:
        return _pseudo(self._others, context, message)


@cache
def _pseudo(others: Sequence[NullTranslations], context: str | None, message: str) -> str:
    if context is None:
        said = [other.gettext(message) for other in others]
    else:
        said = [other.pgettext(context, message) for other in others]
    return disguised(message, limit(context), _longest(said))


def _longest(texts: Iterable[str]) -> int:
    return max((text_cells(text) for text in texts), default=0)


def untranslated(screen: str, known: Collection[str]) -> list[str]:
    """Words in plain letters. `known`: names, addresses and the like that may be there."""
    for name in sorted(known, key=len, reverse=True):
        screen = screen.replace(name, "")
    return _WORD.findall(_CODES.sub("", screen))


def clipped(screen: str) -> list[str]:
    """The lines in which texts begin that end nowhere, and the other way round."""
    unended: list[str] = []
    unbegun: list[str] = []
    for line in screen.splitlines():
        for char in line:
            if char == OPEN:
                unended.append(line)
            elif char == CLOSE and unended:
                unended.pop()
            elif char == CLOSE:
                unbegun.append(line)
    return unended + unbegun
