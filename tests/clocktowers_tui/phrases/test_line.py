"""What the banner says of the line."""

from msgspec.structs import replace

from clocktowers_tui.phrases.line import line_in_words
from clocktowers_tui.state.connection import Connection, Kind


def test_the_line_in_words() -> None:
    line = Connection(kind=Kind.VISIT, address="host:7777", name="Ann")
    assert line_in_words(line) == line_in_words(None) == "live"
    assert line_in_words(replace(line, attempt=3)) == "reconnecting, try 3"
