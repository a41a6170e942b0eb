"""Every text can be translated, at any time; each translation is whole, keeps what is filled in and
fits where its context says; the first page of each language says the same."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from clocktowers_tui.text.i18n import (
    SOURCE,
    _,
    decimal,
    language,
    languages,
    ngettext,
    pgettext,
    speak,
)
from protocol.text import cells
from tests.clocktowers_tui.locale.marked import limit

ROOT = Path(__file__).resolve().parents[3]
CLIENT = ROOT / "clocktowers_tui"
TEMPLATES = [
    CLIENT / "locale" / "clocktowers.pot",
    ROOT / "server" / "locale" / "clocktowers-server.pot",
]
FILES = [
    file
    for template in TEMPLATES
    for file in sorted(template.parent.glob(f"*/LC_MESSAGES/{template.stem}.po"))
]
PLACES = re.compile(r"\{\w*\}|%(?:\(\w+\))?[sr]")
LETTERS = (
    r"one letter for the colour",
    r"one letter for (?:a (?:house|park|school|baker|book|flor|toy|track|station)|the town)",
    r"one letter for (?:a (?:pistol|star$|bottle|horse|barrel|wanted)|loot|dynamite)",
)
"""Contexts of letters that stand beside each other."""


def named(file: Path) -> str:
    return "-".join(file.parts[-3::2])


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
    for keys in (
        _strings(m)[0] for m in messages.values() if (m.context or "").startswith("keys,")
    ):
        if len({*keys}) < len(keys) or {*keys} & {*"hjkldnqtux"}:
            yield f"a key of the declaration means something else, too: {keys}"


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


@pytest.mark.parametrize("file", FILES, ids=named)
def test_a_catalogue_is_whole(file: Path) -> None:
    """`make messages` puts new texts there; the sentence to add is named here."""
    template = file.parents[2] / f"{file.stem}.pot"
    found = list(faults(read(file, file.parts[-3]), read(template)))
    assert not found, "\n" + "\n".join(found)


def test_no_text_has_two_stops_in_a_row() -> None:
    """As `c is Click!.` would."""
    texts = [text for message in read(TEMPLATES[0]) for text in _ids(message)]
    assert texts and not [text for text in texts if re.search(r"[!?]\.", text)]


# Spoken -------------------------------------------------------------------------------------------


ROOMS = {"clocktowers": "clocktowers_tui", "clocktowers-server": "server"}
"""Domain → the package whose texts it has."""
TRANSLATING = {"_", "ngettext", "pgettext"}
MARKING = {*TRANSLATING, "N_"}


def test_languages_name_themselves() -> None:
    names = {"en": "English", "it": "Italiano", "nl": "Nederlands", "ru": "Русский"}
    assert names.items() <= languages().items()
    ours = CLIENT.glob("locale/*/LC_MESSAGES/clocktowers.po")
    assert {file.parts[-3] for file in ours} == languages().keys() - {"en"}


def test_the_language_changes_at_any_time() -> None:
    speak("it")
    assert (language(), _("The match is over.")) == ("it", "La partita è finita.")
    assert [ngettext("{n} table", "{n} tables", n) for n in (1, 2)] == ["{n} tavolo", "{n} tavoli"]
    assert pgettext("on a card, 7 cells", "ROOF") == "TETTO"
    assert _("a text that nobody translated") == "a text that nobody translated"
    speak("en")
    assert (language(), _("The match is over.")) == ("en", "The match is over.")


@pytest.mark.parametrize("code", sorted(languages()))
def test_an_empty_text_stays_empty(code: str) -> None:
    """And is not the header of the catalogue."""
    speak(code)
    assert (_(""), _("Back") != "") == ("", True)


@pytest.mark.parametrize(
    ("environ", "asked"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "it_IT.UTF-8"}, "it"),
        ({"LANG": "it_CH@euro"}, "it"),
        ({"LANG": "it_IT.UTF-8", "LC_MESSAGES": "eo_XX.UTF-8"}, "en"),
        ({"LC_ALL": "it", "LANG": "eo"}, "it"),
        ({"LANGUAGE": "eo:it", "LANG": "en_GB.UTF-8"}, "it"),
        ({"LANGUAGE": "en_GB:it", "LANG": "it_IT.UTF-8"}, "en"),
        ({"LANGUAGE": "", "LANG": "it_IT"}, "it"),
    ],
)
def test_without_a_choice_the_environment_chooses(
    environ: dict[str, str], asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LANG", raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    for code in (None, "nobody-speaks-this"):
        speak(code)
        assert language() == asked
    speak("it")
    assert language() == "it"


# Decimals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "mark"), [("en", "."), ("it", ","), ("nl", ","), ("ru", ",")])
def test_a_number_has_the_decimals_of_its_language(code: str, mark: str) -> None:
    speak(code)
    written = [decimal(2.25), decimal(-1, "+.1f"), decimal(1.5, ".2f"), decimal(4, "g")]
    assert written == [f"2{mark}2", f"-1{mark}0", f"1{mark}50", "4"]


# The code ----------------------------------------------------------------------------------------


def hidden_texts(tree: ast.AST) -> Iterator[int]:
    """Texts marked inside an f-string, which Python 3.11 cannot extract: nobody translates them."""
    for string in ast.walk(tree):
        if isinstance(string, ast.JoinedStr):
            for call in [node for node in ast.walk(string) if isinstance(node, ast.Call)]:
                marks = getattr(call.func, "id", "") in MARKING
                if marks and isinstance(call.args[0], ast.Constant):
                    yield call.lineno


def pointed(tree: ast.AST) -> Iterator[int]:
    """Numbers with decimals that are written with a point in every language."""
    for node in ast.walk(tree):
        written = ""
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            written = f"{{:{ast.unparse(node.format_spec)[2:-1]}}}"
        elif isinstance(node, ast.Constant):
            written = str(node.value)
        if re.search(r"%\+?\.\d[feg]|:[+<>\d.,]*[feg%]\}", written):
            yield getattr(node, "lineno", 0)


def translated_at_import(tree: ast.AST) -> Iterator[int]:
    """Calls that run when the module is imported: outside functions, or as defaults. Their texts
    stay in the first language."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in TRANSLATING:
            yield node.lineno
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            todo += [*node.args.defaults, *filter(None, node.args.kw_defaults)]
            todo += getattr(node, "decorator_list", [])
        else:
            todo += ast.iter_child_nodes(node)


WRONG = (
    """
def said(s, text=_("by default")):
    return f"{s} {_('in an f-string')}"
""",
    """
BINDINGS = [Key(pgettext("c", "at import"))]
def written(s):
    return f"{s:+.1f} s", f"{s:g}", "{s:.1f}".format(s=1), "%.1f" % s, f"{n:04}"
""",
)


def test_every_text_can_be_translated_when_it_is_shown() -> None:
    """`decimal` writes all numbers with decimals."""
    searches = hidden_texts, pointed, translated_at_import
    counts = [[len([*search(ast.parse(code))]) for search in searches] for code in WRONG]
    assert counts == [[1, 0, 1], [0, 4, 1]], "a control"
    found = []
    for file in CLIENT.rglob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        found += [f"{file}:{line}" for search in searches[::2] for line in search(tree)]
        if file.name != "i18n.py":
            found += [f"{file}:{line}" for line in pointed(tree)]
    assert not found


# The files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("domain", "package"), ROOMS.items())
def test_the_template_is_up_to_date(domain: str, package: str, tmp_path: Path) -> None:
    """`make messages` writes it again."""
    fresh = tmp_path / "fresh.pot"
    makefile = (ROOT / "Makefile").read_text("utf-8").replace("\\\n", " ")
    flags = re.findall(r"\(BABEL\) (extract .*) -o ", makefile)[0].split()
    command = [sys.executable, "-P", "-m", "babel.messages.frontend", *flags, "-o", str(fresh)]
    subprocess.run([*command, package, "protocol"], cwd=ROOT, check=True, timeout=60)
    template = ROOT / package / "locale" / f"{domain}.pot"
    assert fresh.read_text() == template.read_text(), "run `make messages`"


@pytest.mark.parametrize("file", FILES, ids=named)
def test_the_compiled_catalogue_is_what_the_translator_wrote(file: Path) -> None:
    """It is kept beside it, so that an installation needs no compiler."""
    with file.open("rb") as source:
        catalogue = read_po(source, locale=file.parts[-3])
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    with file.with_suffix(".mo").open("rb") as kept:
        assert texts_of(GNUTranslations(kept)) == texts_of(GNUTranslations(compiled)), (
            "run `make messages`"
        )


def texts_of(catalogue: GNUTranslations) -> dict[object, str]:
    kept: dict[object, str] = vars(catalogue)["_catalog"]
    return {key: text for key, text in kept.items() if key != ""}


# A player's and host's first page: the same commands, and the screens' words as they stand there --


PAGES: Final = {
    file.stem: file.read_text("utf-8") for file in sorted((ROOT / "docs" / "first").glob("*.md"))
}


class PageWords(NamedTuple):
    """`commands`: without their comments; `words`: those of screens, in italics."""

    commands: Sequence[str]
    words: Sequence[str]
    links: Sequence[str]


def said(page: str, code: str) -> PageWords:
    commands = [line.split("  ")[0] for line in re.findall(r"^    (.+)$", page, re.MULTILINE)]
    words = re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", re.sub(r"^    .+$", "", page, flags=re.M))
    links = [
        link.replace(f"/{code}.md", "/CODE.md") for link in re.findall(r"\]\((\.\..+?)\)", page)
    ]
    return PageWords(commands, words, links)


def expected(code: str) -> PageWords:
    """What the English page says, in this language."""
    source = said(PAGES[SOURCE], SOURCE)
    speak(code)
    return source._replace(words=[_(word) for word in source.words])


@pytest.mark.parametrize("code", PAGES)
def test_it_says_what_the_english_one_says(code: str) -> None:
    assert said(PAGES[code], code) == expected(code)
    assert len(expected(code).words) > 5 and len(expected(code).commands) > 8


def test_each_page_leads_to_all_others() -> None:
    for code, page in PAGES.items():
        assert {*re.findall(r"\]\((\w+)\.md\)", page)} == PAGES.keys() - {code}
