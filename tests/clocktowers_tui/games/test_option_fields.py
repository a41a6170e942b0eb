"""What differs from the defaults is said, and nothing else is."""

from clocktowers_tui.games.face import Numbers, OptionField
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


def test_a_number_that_the_form_does_not_list_is_named() -> None:
    """It is no standard rule, and a player who joins is told."""
    fields = [OptionField("limit", "Limit", ((60, "60 s"), (0, "none")), Numbers(30, 300, str))]
    assert what_differs(fields, {"limit": 31}) == "Limit: 31"
    assert [fields[0].words(number) for number in (0, 60, 29, 301, True)] == [
        "none",
        "60 s",
        *[None] * 3,
    ]


def test_what_no_field_knows_is_left_out() -> None:
    assert what_differs(FIELDS, {"size": 9, "first_seat": 2, "newer": True}) == "standard rules"


def test_who_begins_may_be_left_to_the_lot() -> None:
    assert [value for value, _words in first_seat(3).values] == [None, 0, 1, 2]
