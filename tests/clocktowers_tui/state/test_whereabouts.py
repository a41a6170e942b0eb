"""What is asked for on a new line: what the state says of the old one, and no more."""

from msgspec.structs import replace

from clocktowers_tui.state.connection import Connection, Kind
from clocktowers_tui.state.store import State, heard
from clocktowers_tui.state.whereabouts import (
    match_called,
    seen_version,
    way_to_lobby,
    ways_back,
)
from protocol.from_client import Join, ListTables, Watch
from protocol.from_server import History, Listing
from protocol.listing import Filter
from tests.stage import small_match

THERE = State(connection=Connection(kind=Kind.VISIT, address="here:7", name="Ann"))
AT_TABLE = heard(THERE, small_match.at_table("Ann", "Ben"))
PLAYING = heard(heard(AT_TABLE, small_match.started()), small_match.update(3))


def test_a_seat_is_asked_for_then_any_then_to_watch() -> None:
    assert AT_TABLE.table is not None
    code, seat = AT_TABLE.table.info.table, AT_TABLE.table.seat
    assert ways_back(AT_TABLE) == [
        Join(id=0, table=code, seat=seat),
        Join(id=0, table=code),
        Watch(id=0, table=code),
    ]
    watching = replace(PLAYING, table=replace(AT_TABLE.table, seat=None))
    assert ways_back(watching) == [Watch(id=0, table=code, match="m1", version=3)]
    assert ways_back(THERE) == []


def test_a_match_of_which_nothing_was_told_has_no_version() -> None:
    begun = heard(AT_TABLE, small_match.started())
    assert match_called(begun, "m1") is begun.coming is not None
    assert seen_version(begun, "m1") is None and seen_version(begun, "m2") is None
    assert seen_version(PLAYING, "m1") == 3
    assert seen_version(heard(begun, small_match.update(0)), "m1") == 0


def test_a_page_of_history_is_not_lost_with_the_line() -> None:
    """Before the first view, too: the server goes on behind the version that it is told."""
    page = History(match="m1", version=7, events=small_match.update(0, discards=3).events)
    begun = heard(heard(AT_TABLE, small_match.started()), page)
    assert seen_version(begun, "m1") == 7
    again = heard(begun, small_match.started())
    assert again.coming is not None
    assert len(again.coming.events) == 3 and seen_version(again, "m1") == 7


def test_the_page_that_is_looked_at_is_listed_again() -> None:
    wanted = Filter(text="cleo")
    lobby = replace(THERE.lobby, filter=wanted)
    listed = heard(replace(THERE, lobby=lobby), Listing(id=1, tables=[], page=2, total=300))
    assert way_to_lobby(listed) == ListTables(id=0, page=2, filter=wanted)
    assert way_to_lobby(AT_TABLE) is None and way_to_lobby(State()) is None
