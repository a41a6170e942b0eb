"""One deal at several tables, in words."""

from collections.abc import Sequence

from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import State
from clocktowers_tui.text.i18n import _, ngettext
from protocol.from_server import RankedTable
from protocol.table import TableInfo


def shared_deal_in_words(info: TableInfo) -> str:
    """What the deal of a table is called, and at how many tables; "" where it has none."""
    if not info.deal:
        return ""
    tables = ngettext("Deal {deal}: {n} table", "Deal {deal}: {n} tables", info.deal_tables)
    return tables.format(deal=info.deal, n=info.deal_tables)


def may_share(info: TableInfo) -> bool:
    """Whether another table may play this deal, too."""
    return bool(info.deal) and info.deal_done < info.deal_tables and not info.locked


def ranking_in_words(state: State, match: Match) -> list[str]:
    """For the result: how all tables have played, a line each; or how many are done."""
    known = state.ranked
    if known is not None and known.match == match.id:
        return [
            _("Deal {deal}, all tables:").format(deal=known.deal),
            *(_table(place_of(one, known.tables), one) for one in known.tables),
        ]
    info = state.table.info if state.table is not None else None
    if info is None or not info.deal or match.seed or match.aborted:
        return []
    left = info.deal_tables - info.deal_done
    said = ngettext(
        "{left} of {n} tables still plays this deal; the ranking comes then.",
        "{left} of {n} tables still play this deal; the ranking comes then.",
        left,
    )
    return [said.format(left=left, n=info.deal_tables)]


def place_of(one: RankedTable, tables: Sequence[RankedTable]) -> int:
    """From 1 on; tables with as many points share a place."""
    return 1 + sum(sum(other.points) > sum(one.points) for other in tables)


def _table(place: int, one: RankedTable) -> str:
    """A table's points in all, then each player's score."""
    players = ", ".join(
        f"{name} {score}" for name, score in zip(one.names, one.scores, strict=False)
    )
    points = ngettext("{n} point", "{n} points", sum(one.points)).format(n=sum(one.points))
    return f"{place}. {one.table}  {points}  {players}"
