"""Every text can be translated, at any time, and the catalogues are what the code asks for."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from clocktowers_tui.text.i18n import (
    N_,
    _,
    decimal,
    language,
    languages,
    ngettext,
    pgettext,
    speak,
)

ROOT = Path(__file__).resolve().parents[3]
CLIENT = ROOT / "clocktowers_tui"
ROOMS = {"clocktowers": "clocktowers_tui", "clocktowers-server": "server"}
"""Domain → the package whose texts it has."""
CATALOGUES = sorted(CLIENT.glob("locale/*/LC_MESSAGES/clocktowers.po"))
TRANSLATING = {"_", "ngettext", "pgettext"}


def test_english_needs_no_catalogue() -> None:
    assert _("Leave") == N_("Leave") == "Leave"
    assert [ngettext("{n} table", "{n} tables", n) for n in (1, 2)] == ["{n} table", "{n} tables"]


def test_languages_name_themselves() -> None:
    names = {"en": "English", "it": "Italiano", "nl": "Nederlands", "ru": "Русский"}
    assert names.items() <= languages().items()
    assert {file.parts[-3] for file in CATALOGUES} == languages().keys() - {"en"}


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


def pointed(source: str) -> list[str]:
    """Numbers with decimals that are written with a point in every language."""
    tree = [*ast.walk(ast.parse(source))]
    specs = [node.format_spec for node in tree if isinstance(node, ast.FormattedValue)]
    written = [f"{{:{ast.unparse(spec)[2:-1]}}}" for spec in specs if spec is not None]
    written += [str(node.value) for node in tree if isinstance(node, ast.Constant)]
    return [one for one in written if re.search(r"%\+?\.\d[feg]|:[+<>\d.,]*[feg%]\}", one)]


def test_what_a_player_reads_has_no_decimals_of_its_own() -> None:
    """`decimal` writes them all."""
    files = [file for file in CLIENT.rglob("*.py") if file.name != "i18n.py"]
    found = {str(file): wrong for file in files if (wrong := pointed(file.read_text("utf-8")))}
    assert not found
    control = 'f"{s:.1f}"', 'f"{s:+.1f} s"', 'f"{s:g}"', '"{s:.1f}".format(s=1)', '"%.1f" % s'
    assert all(map(pointed, control)) and not pointed('f"{n:04}" + decimal(s, "+.1f")')


# What is translated at import stays in the first language -----------------------------------------


def translated_at_import(source: str) -> Iterator[int]:
    """Lines of calls that run when the module is imported: outside functions, or as defaults."""
    todo: list[ast.AST] = [ast.parse(source)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in TRANSLATING:
            yield node.lineno
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            todo += [*node.args.defaults, *filter(None, node.args.kw_defaults)]
            todo += getattr(node, "decorator_list", [])
        else:
            todo += ast.iter_child_nodes(node)


def test_nothing_is_translated_at_import() -> None:
    found = {
        str(file.relative_to(ROOT)): lines
        for file in CLIENT.rglob("*.py")
        if (lines := list(translated_at_import(file.read_text(encoding="utf-8"))))
    }
    assert not found


@pytest.mark.parametrize(
    "source",
    [
        'WORDS = {"a": _("a")}',
        'class Screen:\n    label = _("a")',
        'def show(text=ngettext("a", "b", 1)): ...',
        'BINDINGS = [Binding("a", "b", pgettext("c", "d"))]',
    ],
)
def test_what_would_be_translated_at_import_is_found(source: str) -> None:
    assert list(translated_at_import(source))


# The files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("domain", "package"), ROOMS.items())
def test_the_template_is_up_to_date(domain: str, package: str, tmp_path: Path) -> None:
    """`make messages` writes it again."""
    fresh = tmp_path / "fresh.pot"
    extract = "babel.messages.frontend extract --omit-header --sort-by-file --no-location"
    command = [sys.executable, "-P", "-m", *extract.split(), "-o", str(fresh), package, "protocol"]
    subprocess.run(command, cwd=ROOT, check=True, timeout=60, capture_output=True)
    template = ROOT / package / "locale" / f"{domain}.pot"
    assert fresh.read_text() == template.read_text(), "run `make messages`"


@pytest.mark.parametrize(
    "file",
    [*CATALOGUES, *sorted(ROOT.glob("server/locale/*/LC_MESSAGES/*.po"))],
    ids=lambda file: "-".join(file.parts[-3::2]),
)
def test_the_compiled_catalogue_is_what_the_translator_wrote(file: Path) -> None:
    """It is kept beside it, so that an installation needs no compiler."""
    with file.open("rb") as source:
        catalogue = read_po(source, locale=file.parts[-3])
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    with file.with_suffix(".mo").open("rb") as kept:
        assert texts(GNUTranslations(kept)) == texts(GNUTranslations(compiled)), (
            "run `make messages`"
        )


def texts(catalogue: GNUTranslations) -> dict[object, str]:
    kept: dict[object, str] = vars(catalogue)["_catalog"]
    return {key: text for key, text in kept.items() if key != ""}
