"""What `make messages` reads in a file: the marked texts, and the words of the deeds."""

from collections.abc import Iterator
from typing import IO, Any, Final

from babel.messages import extract as babel

from clocktowers_tui.plain.words import TYPED

_SAID: Final = (
    "TRANSLATORS: this is typed for a command in plain mode, one word. At each place",
    "(help lists its words) no two are the same; accents may be left out.",
)


def extract(file: IO[bytes], keywords: Any, tags: Any, options: Any) -> Iterator[tuple[Any, ...]]:
    """As Babel finds it; a `Deed` whose second text is empty has no word in plain mode."""
    found: Any = babel.extract_python(file, {*keywords, "Deed"}, tags, options)  # type: ignore[arg-type]
    for line, name, texts, said in found:
        if name != "Deed":
            yield line, name, texts, said
        elif isinstance(texts, str) or texts[1:2] != ("",):
            word = texts if isinstance(texts, str) else texts[0]
            yield line, "pgettext", (TYPED, word), [*_SAID]
