"""The tables of a server, as far as they are listed."""

from msgspec import Struct
from msgspec.structs import replace

from clocktowers_tui.state.cleaning import clean_table
from protocol.from_server import Listing, LobbyChanged
from protocol.table import PAGE_TABLES, Filter, TableInfo


class Lobby(Struct, frozen=True):
    """`tables`: one page, newest state; `total`: tables on the server that pass the `filter`, which
    the client asked for last."""

    tables: tuple[TableInfo, ...] = ()
    page: int = 0
    total: int = 0
    filter: Filter = Filter()

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // PAGE_TABLES))


def filtered(lobby: Lobby, filter_: Filter) -> Lobby:
    """Ask for other tables, from the first page on; the old tables stay until those come."""
    return replace(lobby, filter=filter_, page=0)


def listed(lobby: Lobby, listing: Listing) -> Lobby:
    """A page, as it came."""
    tables = {info.table: info for info in map(clean_table, listing.tables)}
    return Lobby(tuple(tables.values()), listing.page, listing.total, lobby.filter)


def changed(lobby: Lobby, news: LobbyChanged) -> Lobby:
    """Tables keep their place; new tables come last, as far as the page has room."""
    fresh = {info.table: info for info in map(clean_table, news.changed)}
    gone = set(news.gone)
    kept = [
        fresh.pop(info.table, info) for info in lobby.tables if info.table not in gone - set(fresh)
    ]
    tables = (*kept, *fresh.values())[:PAGE_TABLES]
    return Lobby(tables, lobby.page, news.total, lobby.filter)
