"""A parameter is a number, or it is as if it were not there."""

import pytest

from clocktowers_tui.games.params import number
from protocol.refusal import Param, Refusal


@pytest.mark.parametrize(("value", "found"), [(7, 7), (-3, -3), ("7", 0), ([7], 0)])
def test_only_numbers_are_believed(value: Param, found: int) -> None:
    assert number(Refusal("odd", {"n": value}), "n") == found
    assert number(Refusal("odd"), "n") == 0
