"""Comments, docstrings and documents are in plain present-day English.

This does not look at what players read: the texts of the client and the rules pages.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.test_tree import ROOT, files

DIALECT = re.compile(r"\b(whoever|whomever|anew|oneself|one's)\b", re.IGNORECASE)
"""Say who: "a player who …", "again", "your own", "the player's"."""
_LETTERS = re.compile(r"whoever|whomever|anew|oneself|one\\?'s", re.IGNORECASE)
"""In a program, as a string may hold them; without them it need not be taken apart."""
_SHOWN = re.compile(r"/rules/\w+\.md$")
_HERE = Path(__file__)


def prose(file: Path) -> Iterator[str]:
    """Whole documents; of a program its comments and docstrings."""
    text = file.read_text("utf-8")
    if file.suffix != ".py":
        yield text
        return
    if not _LETTERS.search(text):
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def dialect(texts: Iterator[str]) -> list[str]:
    return [word for text in texts for word in DIALECT.findall(text)]


def test_nobody_says_whoever_or_anew() -> None:
    written = [
        file
        for file in files()
        if (file.suffix in (".py", ".md") or file.name in ("Makefile", ".importlinter"))
        and not _SHOWN.search(str(file))
        and file != _HERE
    ]
    found = {str(file.relative_to(ROOT)): dialect(prose(file)) for file in written}
    assert len(found) > 500 and not {file: words for file, words in found.items() if words}


def test_a_word_of_the_dialect_would_be_noticed(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text('"""Begins anew."""\nx = "whoever"  # one\'s own\n"""Whoever."""\n')
    assert dialect(prose(program)) == ["one's", "anew", "Whoever"]
    page = tmp_path / "page.md"
    page.write_text("Whoever comes")
    assert dialect(prose(page)) == ["Whoever"]
