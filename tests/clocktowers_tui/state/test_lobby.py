"""The list of tables through listings and changes."""

from clocktowers_tui.state.lobby import Lobby, changed, filtered, listed
from protocol.from_server import Listing, LobbyChanged
from protocol.listing import PAGE_TABLES, Filter, TableInfo, TablePhase


def info(code: str, title: str = "") -> TableInfo:
    return TableInfo(
        table=code, game="clocktowers", title=title, phase=TablePhase.WAITING, seats=[]
    )


def codes(lobby: Lobby) -> list[str]:
    return [table.table for table in lobby.tables]


def test_a_listing_replaces_what_was_there() -> None:
    lobby = listed(Lobby(), Listing(id=1, tables=[info("A"), info("B")], page=1, total=102))
    assert codes(lobby) == ["A", "B"]
    assert (lobby.page, lobby.pages) == (1, 2)
    assert Lobby().pages == 1


def test_a_code_stands_there_once_whatever_the_server_says() -> None:
    lobby = listed(Lobby(), Listing(id=1, tables=[info("A"), info("A", "again")], page=0, total=2))
    assert [table.title for table in lobby.tables] == ["again"]


def test_changes_keep_the_order() -> None:
    lobby = listed(
        Lobby(), Listing(id=1, tables=[info("A"), info("B"), info("C")], page=0, total=3)
    )
    lobby = changed(lobby, LobbyChanged(changed=[info("D"), info("A", "new")], gone=["B"], total=3))
    assert codes(lobby) == ["A", "C", "D"]
    assert lobby.tables[0].title == "new"


def test_what_is_gone_and_back_again_is_there() -> None:
    lobby = listed(Lobby(), Listing(id=1, tables=[info("A")], page=0, total=1))
    lobby = changed(lobby, LobbyChanged(changed=[info("A")], gone=["A"], total=1))
    assert codes(lobby) == ["A"]


def test_a_page_does_not_grow() -> None:
    full = [info(str(n)) for n in range(PAGE_TABLES)]
    lobby = listed(Lobby(), Listing(id=1, tables=full, page=0, total=PAGE_TABLES))
    lobby = changed(lobby, LobbyChanged(changed=[info("X")], gone=[], total=PAGE_TABLES + 1))
    assert len(lobby.tables) == PAGE_TABLES
    assert lobby.pages == 2


def test_what_was_asked_for_is_kept_and_begins_with_the_first_page() -> None:
    lobby = listed(Lobby(), Listing(id=1, tables=[info("A")], page=1, total=101))
    lobby = filtered(lobby, Filter(text="fen"))
    assert (lobby.filter, lobby.page, codes(lobby)) == (Filter(text="fen"), 0, ["A"])
    lobby = listed(lobby, Listing(id=2, tables=[info("B")], page=0, total=1))
    lobby = changed(lobby, LobbyChanged(changed=[info("C")], gone=[], total=2))
    assert (lobby.filter, codes(lobby)) == (Filter(text="fen"), ["B", "C"])
