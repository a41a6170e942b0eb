"""What the banner says of the line."""

from msgspec.structs import replace

from clocktowers_tui.net.journey import PortTaken
from clocktowers_tui.phrases.line import news_in_words, trouble_in_words
from clocktowers_tui.state.connection import Connection, Kind


def test_only_trouble_is_told() -> None:
    line = Connection(kind=Kind.VISIT, address="host:7777", name="Ann")
    assert trouble_in_words(line) == trouble_in_words(None) == ""
    assert trouble_in_words(replace(line, attempt=3)) == "reconnecting, try 3"


def test_who_has_the_port_and_what_friends_use() -> None:
    own = news_in_words(PortTaken(7777, 40123, by_own=True))
    other = news_in_words(PortTaken(7777, 40123, by_own=False))
    assert "Your other server has port 7777" in own and "Another program has port 7777" in other
    assert "40123" in own and "40123" in other
