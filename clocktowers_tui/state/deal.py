"""How the tables that played one deal are ranked."""

from msgspec import Struct
from msgspec.structs import replace

from clocktowers_tui.state.match import Match
from protocol.from_server import RankedTable, Ranking
from protocol.text import clean

_MOST_TABLES = 10
_MOST_SEATS = 8


class Ranked(Struct, frozen=True):
    """The best first. `match`: the player's own; `seed`: of all, in hex."""

    match: str
    deal: str
    seed: str
    tables: tuple[RankedTable, ...] = ()


def ranked(message: Ranking) -> Ranked:
    """With clean texts, and no more than a screen can hold."""
    tables = tuple(map(_clean, message.tables[:_MOST_TABLES]))
    return Ranked(message.match, clean(message.deal), message.seed, tables)


def _clean(table: RankedTable) -> RankedTable:
    return RankedTable(
        table=clean(table.table),
        names=[clean(name) for name in table.names[:_MOST_SEATS]],
        scores=table.scores[:_MOST_SEATS],
        points=table.points[:_MOST_SEATS],
    )


def opened(match: Match, known: Ranked | None) -> Match:
    """With the seed that its server has kept back until all tables were done."""
    if known is None or known.match != match.id or not match.over or match.seed:
        return match
    return replace(match, seed=known.seed)
