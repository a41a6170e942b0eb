"""Every translation is whole, keeps what is filled in, and fits where its context says."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from protocol.text import cells
from tests.clocktowers_tui.locale.marked import limit

FOLDER = Path(__file__).resolve().parents[3] / "clocktowers_tui" / "locale"
PLACES = re.compile(r"\{\w*\}|%(?:\(\w+\))?[sr]")
LETTERS = (
    r"one letter for the colour",
    r"one letter for (?:a (?:house|park|school|baker|book|flor|toy|track|station)|the town)",
    r"one letter for (?:a (?:pistol|star$|bottle|horse|barrel|wanted)|loot|dynamite)",
    r"one letter for an? \w+ card$",
    r"one letter for a card with",
)
"""Contexts of letters that stand beside each other."""
SERVER = FOLDER.parents[1] / "server" / "locale"
PROTOCOL = FOLDER.parents[1] / "protocol"
"""Both catalogues have what is marked there."""
TEMPLATES = [FOLDER / "clocktowers.pot", SERVER / "clocktowers-server.pot"]
FILES = sorted(
    (file, template)
    for template in TEMPLATES
    for file in template.parent.glob(f"*/LC_MESSAGES/{template.stem}.po")
)


def read(file: Path, code: str | None = None) -> Catalog:
    with file.open("rb") as source:
        return read_po(source, locale=code)


def faults(catalogue: Catalog, template: Iterable[Message]) -> Iterator[str]:
    """What a translator has to look at, a line each."""
    messages = {(message.context, message.id): message for message in catalogue if message.id}
    for wanted in template:
        if not wanted.id:
            continue
        message = messages.get((wanted.context, wanted.id))
        if message is None or not all(_strings(message)):
            yield f"not translated: {wanted.id}"
        elif message.fuzzy:
            yield f"a guess: {message.id}"
        else:
            yield from _wrong(message)
    for kind in LETTERS:
        letters = [_strings(m)[0] for m in messages.values() if re.match(kind, m.context or "")]
        if len({letter.lower() for letter in letters}) < len(letters):
            yield f"one letter stands for two things: {' '.join(letters)}"


def _wrong(message: Message) -> Iterator[str]:
    ids = _ids(message)
    for text in _strings(message):
        if set(PLACES.findall(text)) != set(PLACES.findall(ids[-1])):
            yield f"other places to fill than in {ids[-1]!r}: {text!r}"
        if (most := limit(message.context)) is not None and cells(text) > most:
            yield f"longer than {most} cells: {text!r}"
        if re.search(r"[!?]\.", text):
            yield f"two stops in a row: {text!r}"
        if _blanks(text) != _blanks(ids[0]):
            yield f"blanks at an end: {text!r}"


def _ids(message: Message) -> list[str]:
    return [*message.id] if isinstance(message.id, list | tuple) else [message.id]


def _strings(message: Message) -> tuple[str, ...]:
    texts = message.string if isinstance(message.string, list | tuple) else [message.string]
    return tuple(text or "" for text in texts if not isinstance(text, list))


def _blanks(text: str) -> tuple[bool, bool]:
    return text[:1].isspace(), text[-1:].isspace()


def texts(folder: Path) -> set[tuple[str, ...]]:
    """Every text that the code marks, with its plural: as `make messages` finds them."""
    found = (message for _file, _line, message, *_rest in extract_from_dir(folder))
    return {(text,) if isinstance(text, str) else text for text in found}


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.stem)
def test_the_template_has_every_text_of_the_code(file: Path, tmp_path: Path) -> None:
    """`make messages` brings it up to date."""
    template = {tuple(_ids(m)) for m in read(file) if m.id}
    assert texts(file.parents[1]) | texts(PROTOCOL) == template
    (tmp_path / "new.py").write_text('_("A text that nobody extracted")')
    assert texts(tmp_path) - template == {("A text that nobody extracted",)}


def hidden_texts(source: str) -> list[str]:
    """Texts marked inside an f-string, which Python 3.11 cannot extract: nobody translates them."""
    return [
        ast.unparse(call)
        for string in ast.walk(ast.parse(source))
        if isinstance(string, ast.JoinedStr)
        for call in ast.walk(string)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in ("_", "N_", "ngettext", "pgettext")
        and isinstance(call.args[0], ast.Constant)
    ]


def test_no_text_hides_in_an_f_string() -> None:
    found = {str(file): hidden_texts(file.read_text()) for file in FOLDER.parent.rglob("*.py")}
    assert found
    assert not {file: texts for file, texts in found.items() if texts}
    assert hidden_texts("""f"{words}, {_('over')}" """) == ["_('over')"]


@pytest.mark.parametrize(("file", "template"), FILES, ids=lambda file: "-".join(file.parts[-3::2]))
def test_a_catalogue_is_whole(file: Path, template: Path) -> None:
    """`make messages` puts new texts there; the sentence to add is named here."""
    found = list(faults(read(file, file.parts[-3]), read(template)))
    assert not found, "\n" + "\n".join(found)


def test_no_text_has_two_stops_in_a_row() -> None:
    """As `c is Click!.` would."""
    texts = [text for message in read(FOLDER / "clocktowers.pot") for text in _ids(message)]
    assert texts and not [text for text in texts if re.search(r"[!?]\.", text)]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (Message("{name} wins", ""), "not translated"),
        (Message("{name} wins", "Vince {name}", flags=["fuzzy"]), "a guess"),
        (Message("{name} wins", "Vince {nome}"), "other places"),
        (Message(("{n} bot", "{n} bots"), ("un bot", "{n} bot")), "other places"),
        (Message("ROOF", "TETTUCCI", context="on a card, 7 cells"), "longer than 7"),
        (Message("Back", "Indietro "), "blanks"),
        (Message("c is Click!", "c è Click!."), "two stops"),
    ],
)
def test_what_is_wrong_is_found(wrong: Message, says: str) -> None:
    catalogue = Catalog()
    catalogue[wrong.id] = wrong
    assert [says] == [fault[: len(says)] for fault in faults(catalogue, [wrong])]


def test_two_colours_with_one_letter_are_found() -> None:
    words = [
        Message("G", "V", context="one letter for the colour green"),
        Message("P", "v", context="one letter for the colour purple"),
    ]
    catalogue = Catalog()
    for word in words:
        catalogue[word.id] = word
    assert any("two things" in fault for fault in faults(catalogue, words))
