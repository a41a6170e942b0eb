"""Text is cut and padded to cells."""

from hypothesis import given, strategies as st

from clocktowers_tui.text.fitting import fit, pad
from protocol.text import cells, clean


@given(st.text(), st.integers(0, 30))
def test_fitted_text_keeps_its_width(typed: str, width: int) -> None:
    text = clean(typed)
    assert cells(fit(text, width)) <= width
    assert cells(pad(text, width)) == width


def test_what_fits_is_left_alone() -> None:
    assert fit("Björn", 5) == "Björn"
    assert fit("Björn", 4) == "Bjö…"
    assert fit("鐘楼", 3) == "鐘…"
