"""What differs from the defaults is said, and nothing else is."""

from clocktowers_tui.games.face import OptionField
from clocktowers_tui.games.option_fields import first_seat, take_back, what_differs

FIELDS = (
    OptionField("size", "Size", ((2, "small"), ([1, 2], "both"))),
    take_back(),
    first_seat(2),
)


def test_defaults_are_the_standard_rules() -> None:
    assert what_differs(FIELDS, {}) == "standard rules"
    assert what_differs(FIELDS, {"size": 2, "take_back": "on"}) == "standard rules"


def test_others_are_named_in_the_order_of_the_form() -> None:
    options = {"first_seat": 1, "take_back": "off", "size": (1, 2)}
    words = "Size: both; Taking moves back: not allowed; Who begins: seat 2"
    assert what_differs(FIELDS, options) == words


def test_what_no_field_knows_is_left_out() -> None:
    assert what_differs(FIELDS, {"size": 9, "first_seat": 2, "newer": True}) == "standard rules"


def test_who_begins_may_be_left_to_the_lot() -> None:
    assert [value for value, _words in first_seat(3).values] == [None, 0, 1, 2]
