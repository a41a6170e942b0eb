"""The words that can be typed: in English everywhere, and in the player's language.

Laws: a word of a language means one thing at each place, and no other thing than in English; its
accents need not be typed; a whole word is understood before one that is cut short, and of those
that are cut short the English ones are first.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final

from clocktowers_tui.deeds.finished import REVIEWED
from clocktowers_tui.deeds.home import HOME
from clocktowers_tui.deeds.match import MATCH
from clocktowers_tui.keys.actions import Deed
from clocktowers_tui.keys.keymap import latin
from clocktowers_tui.text.i18n import pgettext
from clocktowers_tui.text.spelling import kept

TYPED: Final = "typed in plain mode"
"""The context of a deed's word in the catalogues, which `make messages` reads off its row."""
_WORD = re.compile("[a-z]+")
ELSEWHERE: Final = {"chat": "say", "practice": "practise", "worst": "try", "score": "points"}
"""What is meant by a word of another place, or another country, where there is none like it."""
_LEAST = 2
"""Letters by which a word can be called, if no other begins so."""


def find(deeds: Sequence[Deed], word: str) -> Deed | None:
    """By its word or short form, or by how it begins; also on a Russian keyboard, and where one has
    been typed as several: `mistakes`."""
    elsewhere, one = ELSEWHERE.get(word.lower(), ""), _folded(word).removesuffix("s")
    for typed in (_folded(word), latin(word.lower()), elsewhere, one):
        exact = [one for one in deeds if typed in (*_english(one), _own(one))]
        found = exact[:1] or ([] if _is_the_menu_s(typed) else _begun(deeds, typed))
        if found:
            return found[0] if len(found) == 1 else None
    return None


def joined(words: Sequence[str]) -> Sequence[str]:
    """Its first two words as one, where that is a command, here or elsewhere: `mistake before`."""
    two = {_folded(sign.join(words[:2])) for sign in " -"} if len(words) > 1 else ()
    deeds = (*HOME, *MATCH, *REVIEWED)
    named = [word for deed in deeds for word in words_of(deed) if _folded(word) in two]
    return [named[0], *words[2:]] if named else words


def is_menu(word: str) -> bool:
    """Whether it is what leads to the menu from wherever nothing goes on."""
    return _folded(word) in ("menu", _folded(pgettext("typed in plain mode", "menu")))


def _is_the_menu_s(typed: str) -> bool:
    """A whole word of the menu is no beginning of another: `play` is not `play on`."""
    return any(typed in (one.word, _own(one)) for one in HOME if one.told)


def begun(deeds: Sequence[Deed], word: str) -> Sequence[str]:
    """The words that begin so, in the language in which they do."""
    typed = _folded(word)
    found = _begun(deeds, typed)
    return [one.word if one.word.startswith(typed) else words_of(one)[-1] for one in found]


def _begun(deeds: Sequence[Deed], typed: str) -> Sequence[Deed]:
    """Those whose English word begins so; if there is none, those whose own word does."""
    if len(typed) < _LEAST:
        return []
    english = [one for one in deeds if one.word.startswith(typed)]
    return english or [one for one in deeds if _own(one).startswith(typed)]


def words_of(deed: Deed) -> Sequence[str]:
    """In English, and in the player's language where that is another."""
    return tuple(dict.fromkeys((deed.word, pgettext(TYPED, deed.word))))


def behind(deed: Deed, words: Sequence[str]) -> Sequence[str]:
    """What follows the word, in English where it is a word that the deed lists, as `new` in `CARD
    TOWER|new`; in Latin letters if the word was typed on a Russian keyboard."""
    if "TEXT" in deed.takes or "NAME" in deed.takes:
        return words[1:]
    typed = _folded(words[0])
    known = any(one.startswith(typed) for one in (*_english(deed), _own(deed)))
    read, listed = [one if known else latin(one) for one in words[1:]], _WORD.findall(deed.takes)
    return [own if (own := english(one)) in listed else one for one in read]


def english(word: str) -> str:
    """What stands behind a command, if the player's language has this word for it."""
    typed = _folded(word)
    return next((one for one, own in _behind().items() if _folded(own) == typed), word)


def begins(word: str, typed: str) -> bool:
    """Whether this word, or the player's own for it, begins with what is typed."""
    return any(_folded(one).startswith(_folded(typed)) for one in (word, own_word(word)))


def own_word(word: str) -> str:
    """What can be typed behind a command for this English word."""
    return _behind().get(word, word)


def _english(deed: Deed) -> Sequence[str]:
    return (deed.word, deed.short) if deed.short else (deed.word,)


def _own(deed: Deed) -> str:
    return _folded(words_of(deed)[-1])


def _folded(word: str) -> str:
    """Small letters without accents."""
    spelt = unicodedata.normalize("NFD", word.lower())
    return "".join(one for one in spelt if not unicodedata.combining(one))


@kept
def _behind() -> Mapping[str, str]:
    return {
        # TRANSLATORS: these are typed behind a command in plain mode, as in `play 1 new` (on a new
        # tower), `look towers`, `leave end`; one word each, no two the same.
        "aims": pgettext("typed behind a command", "aims"),
        "card": pgettext("typed behind a command", "card"),
        "end": pgettext("typed behind a command", "end"),
        "hand": pgettext("typed behind a command", "hand"),
        "more": pgettext("typed behind a command", "more"),
        "new": pgettext("typed behind a command", "new"),
        "own": pgettext("typed behind a command", "own"),
        "piles": pgettext("typed behind a command", "piles"),
        "points": pgettext("typed behind a command", "points"),
        "row": pgettext("typed behind a command", "row"),
        "tile": pgettext("typed behind a command", "tile"),
        "towers": pgettext("typed behind a command", "towers"),
        "town": pgettext("typed behind a command", "town"),
        "wheel": pgettext("typed behind a command", "wheel"),
        "won": pgettext("typed behind a command", "won"),
    }
