"""Which language the environment asks for: the client and the tools of the server speak it."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

SOURCE: Final = "en"
"""The language of the texts in the code; it has no catalogue."""

_ASKED: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def asked_for(environ: Mapping[str, str], known: Collection[str]) -> str:
    """The first known language among those asked for; English if there is none.

    By LANGUAGE, LC_ALL, LC_MESSAGES and LANG, as programs do. Unlike Python's own search it knows
    that English needs no catalogue: `en:it` asks for English.
    """
    return next((code for code in _asked(environ) if code in known), SOURCE)


def _asked(environ: Mapping[str, str]) -> Iterator[str]:
    asked = next((value for name in _ASKED if (value := environ.get(name))), "")
    for locale in asked.split(":"):
        code = locale.partition(".")[0].partition("@")[0]
        yield from (code, code.partition("_")[0])
