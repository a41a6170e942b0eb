"""The catalogue of texts to translate is complete."""

import subprocess
import sys
from pathlib import Path

from clocktowers_tui.i18n import N_, _, ngettext

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "clocktowers_tui" / "locale" / "clocktowers.pot"


def test_without_a_catalogue_english_is_read() -> None:
    assert _("Leave") == N_("Leave") == "Leave"
    assert [ngettext("{n} table", "{n} tables", n) for n in (1, 2)] == ["{n} table", "{n} tables"]


def test_the_template_is_up_to_date(tmp_path: Path) -> None:
    """`make messages` writes it anew."""
    fresh = tmp_path / "fresh.pot"
    extract = "babel.messages.frontend extract --omit-header --sort-by-file --no-location"
    command = [sys.executable, "-P", "-m", *extract.split(), "-o", str(fresh), "clocktowers_tui"]
    subprocess.run(command, cwd=ROOT, check=True, timeout=60, capture_output=True)
    assert fresh.read_text() == TEMPLATE.read_text(), "run `make messages`"
