"""Fills a sentence with the parameters of its code."""

from collections.abc import Mapping

from clocktowers_tui.state.cleaning import clean_params
from clocktowers_tui.text.i18n import _
from protocol.errors import Param
from protocol.text import clean


class _Given(dict[str, str]):
    """Without a parameter that the other side forgot, the rest of the sentence still reads."""

    def __missing__(self, name: str) -> str:
        return "?"


def _words(value: Param) -> str:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value)


def fill(sentence: str, params: Mapping[str, Param]) -> str:
    """`sentence` translated, its `{name}` places filled with clean text."""
    given = {name: _words(value) for name, value in clean_params(params).items()}
    return _(sentence).format_map(_Given(given))


def of_code(sentences: Mapping[str, str], code: str, params: Mapping[str, Param]) -> str:
    """The sentence of `code`; a newer server's unknown code is at least shown."""
    if (sentence := sentences.get(code)) is None:
        return _("The server says: {code}").format(code=clean(code)[:60])
    return fill(sentence, params)
