"""Tables in words: who sits there, how good the bots are, which deal is shared; clocks and chat."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, assert_never

from clocktowers_tui.config.settings import Draft, Settings
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.net.address import HOUSE
from clocktowers_tui.new_table import PRACTICE, begun, bots_of
from clocktowers_tui.phrases.codes import gone_in_words, notice_in_words
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import State
from clocktowers_tui.state.table import Connection, Lobby, Table
from clocktowers_tui.text.fitting import aligned, day_of, fit, time_left, widths
from clocktowers_tui.text.i18n import N_, _, ngettext
from protocol.from_server import NoticeCode, RankedTable, Said, TableGone
from protocol.games.registry import LEVELS
from protocol.ids import Seat
from protocol.table import (
    TAKEN_AWAY,
    Bank,
    Clock,
    Days,
    Filter,
    Late,
    PerTurn,
    Phrase,
    Running,
    SeatInfo,
    SeatKind,
    TableInfo,
    TablePhase,
)
from protocol.text import MAX_NAME_CELLS, cells, clean, cut

# Of each level its name, and what bench.bots measures; bench/README.md has the numbers.
_LEVELS: Final = {
    "random": (N_("random"), N_("It does any move, without a plan.")),
    "learner": (N_("learner"), N_("For your first match: it makes many mistakes.")),
    # TRANSLATORS: a level of bots.
    "easy": (N_("easy"), N_("For your first matches.")),
    "normal": (N_("normal"), N_("It wins at least four of five matches against easy.")),
    # TRANSLATORS: a level of bots.
    "hard": (N_("hard"), N_("It wins at least four of five matches against normal.")),
    # TRANSLATORS: a level of bots.
    "expert": (N_("expert"), N_("It wins about three of four matches against hard.")),
}
_PHASE_WORDS: Final = {
    # TRANSLATORS: state of a table.
    TablePhase.WAITING: N_("waiting"),
    # TRANSLATORS: state of a table.
    TablePhase.PLAYING: N_("playing"),
    # TRANSLATORS: state of a table.
    TablePhase.ENDED: N_("over"),
}


def offer_in_words(draft: Draft, settings: Settings, face: Face) -> str:
    """The match that Play begins: how many people, if several, how many bots, and their levels,
    where all share one that; bots grow with the player."""
    sat, n = bots_of(draft, face.game, LEVELS), draft.people
    people = [ngettext("{n} person", "{n} people", n).format(n=n)] if n > 1 else []
    bots = [ngettext("{n} bot", "{n} bots", len(sat)).format(n=len(sat))] if sat else []
    levels = map(level_in_words, sat if len({*sat}) > 1 else sat[:1])
    against = ", ".join([*people, *bots, *levels]) or _("alone")
    if draft.preset == PRACTICE:
        return _("Play without a clock: {against}").format(against=against)
    if draft.levels != begun(settings, face, solo=True).levels:
        # TRANSLATORS: what Enter plays after a win: bots that are one level better.
        return _("Next level: {against}").format(against=against)
    said = _("Play: {against}") if face.in_turns else _("Play with the clock: {against}")
    return said.format(against=against)


def level_in_words(level: str) -> str:
    """A bot's level; a level that this client does not know keeps the server's name for it."""
    return _(_LEVELS[level][0]) if level in _LEVELS else level


def about_level_in_words(level: str) -> str:
    """How well its bots play, as a sentence; "" for a level that this client does not know."""
    return _(_LEVELS[level][1]) if level in _LEVELS else ""


def phase_in_words(phase: TablePhase) -> str:
    return _(_PHASE_WORDS[phase])


def seat_in_words(seat: SeatInfo) -> str:
    """Who sits there, with the level of a bot."""
    if seat.kind is SeatKind.FREE:
        return _("(free)")
    if seat.kind is SeatKind.HUMAN:
        played_for = seat.timed_out or seat.handed_over
        return _("{name} (a bot plays)").format(name=seat.name) if played_for else seat.name
    if seat.away:
        return _("{name} (away, a bot plays)").format(name=seat.name)
    return _("{name} (bot, {level})").format(name=seat.name, level=level_in_words(seat.level))


def marks_in_words(table: Table, n: int) -> list[str]:
    """What else there is to say of who sits there."""
    marks, seat = [_("you")] if n == table.seat else [], table.info.seats[n]
    if n == table.info.host:
        # TRANSLATORS: behind a player's name: the one who opened the table.
        marks.append(_("host"))
    if seat.dropped and seat.away_until:
        # TRANSLATORS: behind a player's name: they are on vacation.
        return [*marks, _("away until {date}").format(date=day_of(seat.away_until))]
    if seat.dropped:
        # TRANSLATORS: behind a player's name, "Anna, host, away": the line is lost.
        return [*marks, _("away")]
    if n == table.info.host:
        return marks
    if seat.kind is SeatKind.HUMAN and table.info.phase is not TablePhase.PLAYING:
        marks.append(_("ready") if seat.ready else _("not ready"))
    return marks


def company_in_words(before: Table, after: Table) -> list[str]:
    """Who came, went, is away or back, and who is the host now, at a table that does not play."""
    said = [(NoticeCode.LEFT, name) for name in _people(before, after)]
    said += [(NoticeCode.JOINED, name) for name in _people(after, before)]
    lost, away = ([seat.name for seat in at.info.seats if seat.dropped] for at in (before, after))
    said += [(NoticeCode.DROPPED, name) for name in away if name not in lost]
    back = [name for name in lost if name in after.names and name not in away]
    said += [(NoticeCode.CAME_BACK, name) for name in back]
    if (host := after.info.host) not in (None, before.info.host):
        said.append((NoticeCode.HOST, after.names[host]))
    own = "" if after.seat is None else after.names[after.seat]
    return [notice_in_words(code, {"name": name}, mine=name == own) for code, name in said]


def _people(here: Table, other: Table) -> list[str]:
    """Who sits at the one and not at the other, by name."""
    people = [seat.name for seat in here.info.seats if seat.kind is SeatKind.HUMAN]
    return [name for name in people if name not in other.names]


def beginning_in_words(table: Table) -> str:
    """What is in the way of a match, or what it does with the free seats; "" where all is well."""
    if table.late:
        return _("Not ready yet: {names}").format(names=", ".join(table.late))
    if table.closes_up:
        return fewer_in_words(table)
    if table.deal_open and table.free:
        return _("All tables of this deal need the same number of players: take every seat.")
    return _("A match needs somebody else: a friend, or a bot.") if table.free else ""


def fewer_in_words(table: Table) -> str:
    """What a match does with the free seats."""
    players = len(table.info.seats) - table.free
    said = ngettext(
        "The match begins with {n} player, without the free seats.",
        "The match begins with {n} players, without the free seats.",
        players,
    )
    return said.format(n=players)


def watching_in_words(watchers: int) -> str:
    return ngettext("{n} is watching", "{n} are watching", watchers).format(n=watchers)


def seat_name(names: tuple[str, ...], seat: int) -> str:
    """The player's name, or the seat's number where there is none."""
    return (names[seat] if seat < len(names) else "") or _("Seat {n}").format(n=seat + 1)


# One deal at several tables, in words.


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
    """A table's points in all, then each player's score; one that is ranked apart has no place."""
    players = ", ".join(
        f"{name} {score}" for name, score in zip(one.names, one.scores, strict=False)
    )
    if one.apart:
        return _("{table}  not ranked: a bot played for somebody  {players}").format(
            table=one.table, players=players
        )
    points = ngettext("{n} point", "{n} points", sum(one.points)).format(n=sum(one.points))
    return f"{place}. {one.table}  {points}  {players}"


# The tables of a server in words: a line each, and more about the one under the cursor.


# TRANSLATORS: "Seats" heads a column of tables: taken and all.
_HEAD: Final = (N_("Code"), N_("Game"), N_("Seats"), N_("State"), N_("Title"), N_("Who"))
_SHARES: Final = (0, 0, 0, 0, 3, 2)
_ALWAYS: Final = 4
"""The first columns are always shown."""


def tables_in_columns(tables: Sequence[TableInfo], width: int, *, people: bool = True) -> list[str]:
    """A heading, then a line of at most `width` cells for each table. `people`: with who sits
    there."""
    rows = [[_(word) for word in _HEAD], *map(_cells, tables)]
    columns = len(_HEAD) if people else len(_HEAD) - 1
    # The other pane tells what there is no room for.
    while columns > _ALWAYS and not _fits([row[:columns] for row in rows], width):
        columns -= 1
    return aligned([row[:columns] for row in rows], _SHARES[:columns], width)


def _fits(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Whether each column has room for its heading."""
    given = widths(rows, _SHARES[: len(rows[0])], width)
    return all(room >= cells(head) for room, head in zip(given, rows[0], strict=True))


def _cells(info: TableInfo) -> list[str]:
    taken = sum(seat.kind is not SeatKind.FREE for seat in info.seats)
    phase = phase_in_words(info.phase)
    seats = f"{taken}/{len(info.seats)}"
    title = " · ".join(filter(None, (shared_deal_in_words(info), info.title)))
    return [info.table, title_of(info.game), seats, phase, title, _who(info.seats)]


def _who(seats: Sequence[SeatInfo]) -> str:
    """People by name, bots by number."""
    names = [seat.name for seat in seats if seat.kind is SeatKind.HUMAN or seat.away]
    bots = sum(seat.kind is SeatKind.BOT and not seat.away for seat in seats)
    if bots:
        names.append(ngettext("{n} bot", "{n} bots", bots).format(n=bots))
    return ", ".join(names)


def rules_of_table(info: TableInfo, face: Face | None) -> list[str]:
    """Its rules and its clock, a line each; after a match the turn goes round, and no rule says who
    begins."""
    lines = []
    if face is not None and isinstance(info.options, dict):
        options = {**info.options}
        first = options.pop("first_seat", None) if info.matches else None
        lines.append(_("Rules: {rules}").format(rules=clean(face.options_in_words(options))))
        if type(first) is int and first in range(len(info.seats)):
            lines.append(_("Seat {n} begins").format(n=first + 1))
    if info.clock is not None:
        lines.append(_("Clock: {clock}").format(clock=clock_in_words(info.clock)))
    if late := late_in_words(info):
        lines.append(late)
    if not info.watchable:
        lines.append(_("Nobody may watch"))
    return lines


def about_table_in_words(
    info: TableInfo, face: Face | None, keymap: Keymap, *, below: bool, barred: bool
) -> str:
    """What a player wants to know before sitting down: game, rules, people, what Enter does.
    `below`: there is room for the seats below each other. `barred`: they were sent away."""
    first, *others = [*rules_of_table(info, face), ""]
    lines = [". ".join(filter(None, (title_of(info.game), first))), *filter(None, others)]
    seats = [
        _("{name} (away)").format(name=seat.name) if seat.dropped else seat_in_words(seat)
        for seat in info.seats
    ]
    lines += [f"{n}. {seat}" for n, seat in enumerate(seats, 1)] if below else [", ".join(seats)]
    watchers = info.watchers
    if watchers:
        lines[-1] += "; " + watching_in_words(watchers)
    if may_share(info):
        said = _("{deal}. {key}: open a table with the same deal")
        lines.append(
            said.format(deal=shared_deal_in_words(info), key=keymap.name(actions.SAME_DEAL))
        )
    if info.locked:
        lines.append(_("This table asks for a password."))
    if barred:
        return "\n".join([*lines, gone_in_words(TableGone.KICKED, info.table)])
    lines.append(
        _ways_there(info).format(
            confirm=keymap.name(actions.CONFIRM), watch=keymap.name(actions.WATCH)
        )
    )
    return "\n".join(lines)


def _ways_there(info: TableInfo) -> str:
    if not info.watchable:
        return _("{confirm}: sit down there") if joinable(info) else _("Nobody may watch there.")
    if joinable(info):
        return _("{confirm}: sit down there. {watch}: watch")
    if info.phase is TablePhase.PLAYING:
        return _("A match is running. {confirm}: watch it")
    return _("All seats are taken. {confirm}: watch")


def joinable(info: TableInfo) -> bool:
    """Whether a player can sit down now."""
    free = any(seat.kind is SeatKind.FREE for seat in info.seats)
    return free and info.phase is not TablePhase.PLAYING


def address_in_words(connection: Connection) -> str:
    """Its address; a guest knows none."""
    return _("this server") if connection.address == str(HOUSE) else connection.address


def lobby_in_words(connection: Connection, lobby: Lobby) -> list[str]:
    """Where the player is, and how many tables are listed."""
    address = address_in_words(connection)
    where = _("{address} as {name}").format(address=address, name=connection.name)
    tables = ngettext("{n} table", "{n} tables", n := lobby.total or 0).format(n=n)
    known = lobby.total is not None
    parts = [where, tables if known else "", narrowing_in_words(lobby.filter)]
    if lobby.pages > 1:
        page = _("page {page} of {pages}")
        parts.append(page.format(page=lobby.page + 1, pages=lobby.pages))
    return [part for part in parts if part]


def narrowing_in_words(filter_: Filter) -> str:
    """Which tables are listed, apart from the typed text; "" for all."""
    match filter_.phase:
        case None:
            return _("only tables with a free seat") if filter_.free_seat else ""
        case TablePhase.WAITING:
            return _("only tables that wait")
        case TablePhase.PLAYING:
            return _("only tables that play")
        case TablePhase.ENDED:
            return _("only tables between matches")


# Clocks in words.


def clock_in_words(clock: Clock | None) -> str:
    """How long a player may think."""
    match clock:
        case None:
            return _("no clock")
        case PerTurn(turn_s=turn_s):
            return _("{time} a turn").format(time=_time(turn_s))
        case Bank(bank_s=bank_s, increment_s=0):
            return _("{time} a match").format(time=_time(bank_s))
        case Bank(bank_s=bank_s, increment_s=more_s):
            said = _("{time} and {more} a turn")
            return said.format(time=_time(bank_s), more=_time(more_s))
        case Days(days=days):
            return ngettext("{n} day a turn", "{n} days a turn", days).format(n=days)
    assert_never(clock)


LATE: Final[Mapping[str, str]] = {
    Late.BOT: N_("a bot plays that turn"),
    Late.LOSE: N_("the player loses"),
    Late.WAIT: N_("the others wait"),
}
"""What becomes of a seat whose days are over."""
USUALLY_LATE: Final = N_("they lose against one, else a bot plays")
"""The same, where it depends on how many play (`Days.late_of`)."""


def late_in_words(info: TableInfo) -> str:
    """The same, of a table; "" where nobody has days."""
    if not isinstance(info.clock, Days):
        return ""
    seats, late = len(info.seats), info.clock.late
    open_yet = late is None and seats > 2 and info.phase is TablePhase.WAITING
    then = USUALLY_LATE if open_yet else LATE[info.clock.late_of(seats)]
    return _("When the time is up: {then}").format(then=_(then))


def _time(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    if not rest:
        return _("{n} min").format(n=minutes)
    return _("{n} s").format(n=seconds)


def bank_in_words(clock: Running | None, seat: Seat | None) -> str:
    """What the player has left while it is another's turn; "" when there is nothing to tell."""
    if clock is None or seat is None or clock.seat == seat or seat >= len(clock.banks_ms):
        return ""
    return _("you {time}").format(time=time_left(clock.banks_ms[seat] // 1000))


# Chat lines in words: a phrase in the reader's language, a text as it is.


if TYPE_CHECKING:  # what draws
    from textual.content import Content


PHRASES: Final[Mapping[str, str]] = {
    Phrase.HELLO: N_("Hello!"),
    Phrase.GOOD_LUCK: N_("Good luck!"),
    Phrase.NICE_MOVE: N_("Nice move!"),
    Phrase.THANKS: N_("Thanks!"),
    Phrase.SORRY: N_("Sorry!"),
    Phrase.ONE_MOMENT: N_("One moment…"),
    Phrase.BACK: N_("I am back."),
    Phrase.HURRY_UP: N_("Hurry up, please!"),
    Phrase.GOOD_GAME: N_("Good game!"),
    Phrase.BYE: N_("Bye!"),
}
"""In the order of the keys that say them."""

_CODE_CELLS: Final = 40


def speaker_in_words(said: Said, you: str) -> str:
    """The sender's name; a watcher's is marked."""
    watches = said.seat is None
    if said.name == you:
        return _("You (watching)") if watches else _("You")
    name = fit(said.name, MAX_NAME_CELLS) or "?"
    return _("{name} (watching)").format(name=name) if watches else name


def words_of(said: Said) -> str:
    """The text; a newer server's phrase as its code."""
    if not said.phrase:
        return said.text
    if said.phrase == TAKEN_AWAY:
        return _("(taken away by the host)")
    known = PHRASES.get(said.phrase)
    return cut(said.phrase, _CODE_CELLS) if known is None else _(known)


def line_of(said: Said, you: str) -> str:
    """Sender and text, in one line."""
    return f"{speaker_in_words(said, you)}: {words_of(said)}"


def styled_line(said: Said, you: str) -> "Content":
    """The same for a list of lines: the reader sees where each begins."""
    from textual.content import Content

    return Content.assemble((f"{speaker_in_words(said, you)}:", "bold"), " ", words_of(said))
