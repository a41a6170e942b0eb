"""Every command line of `clocktowers-server` in the documents is one that it understands."""

import re
import shlex
from pathlib import Path

import pytest

from server.__main__ import read

ROOT = Path(__file__).parents[3]


def test_every_command_line_is_understood() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    text = "\n".join(page.read_text("utf-8") for page in pages).replace("\\\n", " ")
    lines = re.findall(r"^ {4}(?:sudo )?clocktowers-server ([^#\n]*)", text, re.MULTILINE)
    assert len(lines) > 20
    for line in lines:
        assert callable(read(shlex.split(line)).run)
    with pytest.raises(SystemExit):
        read(["serve", "--prot", "7"])


def test_the_page_installs_what_the_unit_starts() -> None:
    page = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    unit = (ROOT / "packaging" / "clocktowers.service").read_text("utf-8")
    (program,) = re.findall(r"^ExecStart=(\S+)", unit, re.MULTILINE)
    assert f"python3 -m venv {Path(program).parents[1]}\n" in page
    assert f"ln -s {program} " in page
    (file,) = re.findall(r"^EnvironmentFile=-(\S+)", unit, re.MULTILINE)
    assert f"`{file}`" in page
