"""What strangers typed is harmless once it is in the state."""

import pytest

from clocktowers_tui.state.cleaning import clean_params, clean_table
from protocol.listing import SeatInfo, SeatKind, TableInfo, TablePhase
from tests.stage.hostile_texts import HOSTILE, harmless


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
