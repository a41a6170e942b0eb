"""What the banner says of the line."""

from msgspec.structs import replace

from clocktowers_tui.phrases.line import trouble_in_words
from clocktowers_tui.state.connection import Connection, Kind


def test_only_trouble_is_told() -> None:
    line = Connection(kind=Kind.VISIT, address="host:7777", name="Ann")
    assert trouble_in_words(line) == trouble_in_words(None) == ""
    assert trouble_in_words(replace(line, attempt=3)) == "reconnecting, try 3"
