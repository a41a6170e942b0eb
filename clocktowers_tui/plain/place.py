"""A place of plain mode: the words that can be typed there."""

import shlex
from collections.abc import Awaitable, Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from clocktowers_tui.deeds.deed import Deed
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.text.fitting import shown
from clocktowers_tui.text.i18n import _

if TYPE_CHECKING:
    from clocktowers_tui.plain.client import PlainClient

_LEAST: Final = 2
"""Letters by which a word can be called, if no other begins so."""


class PlainPlace:
    """What is said of it, and its deeds: one that has no `does` is a method `do_WORD` here."""

    all_deeds: Sequence[Deed] = ()

    def __init__(self, client: "PlainClient") -> None:
        self.client = client

    def begins(self) -> Sequence[str] | Awaitable[Sequence[str]]:
        """What a player hears who comes here."""
        raise NotImplementedError

    @property
    def deeds(self) -> Sequence[Deed]:
        return [deed for deed in self.all_deeds if deed.told and deed.is_for(self.client)]

    async def do(self, deed: Deed) -> None:
        own = getattr(self, f"do_{deed.word}", None)
        if own is not None:
            await own()
        elif deed.does is not None:
            await deed.does(self.client, self.client)

    async def nothing(self) -> None:
        """An empty line."""


def split(line: str) -> list[str]:
    """The words of a line; what stands in quotes is one."""
    try:
        return shlex.split(line)
    except ValueError:  # a quote that does not end, as in: say don't
        return line.split()


def find(deeds: Iterable[Deed], word: str) -> Deed | None:
    """By its word or short form, or by how it begins."""
    typed, begun = word.lower(), _begun(deeds, word)
    for one in begun:
        if typed in (one.word, one.short):
            return one
    return begun[0] if len(begun) == 1 and len(typed) >= _LEAST else None


def _begun(deeds: Iterable[Deed], word: str) -> Sequence[Deed]:
    """Those that begin so, or have this short form; none where nothing is typed."""
    typed = word.lower()
    return [one for one in deeds if typed and (one.word.startswith(typed) or one.short == typed)]


def unknown_in_words(deeds: Iterable[Deed], word: str) -> str:
    """That there is no such command here, and what may have been meant."""
    begun = [one.word for one in _begun(deeds, word)] if len(word) >= _LEAST else []
    if begun:
        said = _("{word} may mean {values}: type more of it.")
        return said.format(word=word, values=", ".join(begun))
    word = shown(word)
    close = get_close_matches(word.lower(), [one.word for one in deeds], n=1)
    if close:
        said = _("There is no command {word} here. Did you mean {close}?")
        return said.format(word=word, close=close[0])
    return _("There is no command {word} here. help lists the commands.").format(word=word)


def help_in_words(deed: Deed) -> str:
    """`play CARD TOWER or new (p): what it does`; no sign that is read out, or is not."""
    takes = " " + deed.takes.replace("|", _(" or ")) if deed.takes else ""
    short = f" ({deed.short})" if deed.short else ""
    return f"{deed.word}{takes}{short}: {_(deed.told)}."


class Typed(Keymap):
    """For sentences that name keys: by the id of an action, the word that is typed instead."""

    def name(self, action: Action) -> str:
        usual = _("Enter") if action is actions.CONFIRM else ""
        return self.changed.get(action.id, (usual,))[0]

    def names(self, together: Sequence[Action]) -> str:
        return ", ".join(dict.fromkeys(map(self.name, together)))


def typed(deeds: Iterable[Deed]) -> Typed:
    """Where several deeds stand for one action, the first."""
    words: dict[str, tuple[str, ...]] = {}
    for deed in deeds:
        for action in deed.keys:
            words.setdefault(action.id, (deed.word,))
    return Typed(words)
