"""Text of others, made safe and fitted."""

import pytest
from hypothesis import given, strategies as st

from clocktowers_tui.text.fitting import as_name, clean_params, clean_table, fit, pad
from protocol.listing import SeatInfo, SeatKind, TableInfo, TablePhase
from protocol.text import MAX_NAME_CELLS, cells, clean
from tests.stage.hostile_texts import HOSTILE, harmless


@given(st.text(), st.integers(0, 30))
def test_fitted_text_keeps_its_width(typed: str, width: int) -> None:
    text = clean(typed)
    assert cells(fit(text, width)) <= width
    assert cells(pad(text, width)) == width


def test_what_fits_is_left_alone() -> None:
    assert fit("Björn", 5) == "Björn"
    assert fit("Björn", 4) == "Bjö…"
    assert fit("鐘楼", 3) == "鐘…"


@given(st.text())
def test_names_are_what_servers_take(typed: str) -> None:
    name = as_name(typed)
    assert name == clean(name)
    assert cells(name) <= MAX_NAME_CELLS


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_harmless_wherever_it_stands(name: str) -> None:
    seat = SeatInfo(kind=SeatKind.HUMAN, name=name, level=name)
    info = TableInfo(
        table=name, game="clocktowers", title=name, phase=TablePhase.WAITING, seats=[seat]
    )
    cleaned = clean_table(info)
    params = clean_params({"name": name, "names": [name], "n": 3, "ns": [1, 2]})
    texts = [cleaned.table, cleaned.title, cleaned.seats[0].name, cleaned.seats[0].level]
    assert all(harmless(text) for text in [*texts, str(params["name"]), str(params["names"])])
    assert params["n"] == 3 and params["ns"] == [1, 2]
