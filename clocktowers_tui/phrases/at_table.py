"""A table before and between matches in words: its seats, its rules, and how friends get there."""

from collections.abc import Sequence

from textual.content import Content

from clocktowers_tui.games.face import Face
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.net.address import HOUSE
from clocktowers_tui.phrases.clocks import clock_in_words
from clocktowers_tui.phrases.friends import (
    anywhere_in_words,
    coming_in_words,
    commands,
    doors_in_words,
    typing_in_words,
)
from clocktowers_tui.phrases.tables import seat_in_words, shared_deal_in_words, watching_in_words
from clocktowers_tui.state.connection import Connection
from clocktowers_tui.state.table import Table
from clocktowers_tui.text.fitting import fit, pad
from clocktowers_tui.text.i18n import _
from clocktowers_tui.text.spelling import spelt
from protocol.table import SeatInfo, SeatKind, TablePhase
from protocol.text import cells, clean

_GAP = 2


def seats_in_rows(table: Table, keymap: Keymap, width: int) -> list[Content]:
    """A line of at most `width` cells for each seat: a full dot where it is ready, who sits there,
    and what is missing."""
    who = [seat_in_words(seat) for seat in table.info.seats]
    states = [", ".join(_marks(table, n, seat, keymap)) for n, seat in enumerate(table.info.seats)]
    room = width - 5 - _GAP - max(map(cells, states), default=0)
    column = min(max(map(cells, who), default=0), max(12, room))
    rows = []
    for n, seat in enumerate(table.info.seats):
        tone, mine = _tone(table, n, seat), n == table.seat
        dot = spelt("○" if seat.kind is SeatKind.FREE or tone == "$turn" else "●")
        name = pad(who[n], column) if states[n] else fit(who[n], width - 5)
        style = "bold $accent" if mine else "$foreground" if seat.kind is SeatKind.HUMAN else ""
        rest = fit(states[n], max(0, width - 5 - cells(name) - _GAP))
        parts = (dot, tone), (f" {n + 1}  ", style), (name, style), " " * _GAP, (rest, tone)
        rows.append(Content.assemble(*parts).rstrip())
    return rows


def _marks(table: Table, n: int, seat: SeatInfo, keymap: Keymap) -> Sequence[str]:
    """What else there is to say of a seat; of a free one how it is filled."""
    if seat.kind is SeatKind.FREE:
        return [_filled(table).format(confirm=keymap.name(actions.CONFIRM))]
    marks = [_("you")] if n == table.seat else []
    if n == table.info.host:
        return [*marks, _("host")]
    if seat.kind is SeatKind.HUMAN and table.info.phase is not TablePhase.PLAYING:
        marks.append(_("ready") if seat.ready else _("not ready"))
    return marks


def _filled(table: Table) -> str:
    if table.is_host:
        return _("{confirm}: seat a bot")
    return _("{confirm}: sit down") if table.seat is None else _("waits for a friend")


def _tone(table: Table, n: int, seat: SeatInfo) -> str:
    """Green is ready; a match waits for what has the colour of the turn."""
    if seat.kind is SeatKind.FREE:
        return ""
    waits = seat.kind is SeatKind.HUMAN and not seat.ready and n != table.info.host
    return "$turn" if waits and table.info.phase is not TablePhase.PLAYING else "$success"


def about_in_words(
    table: Table, connection: Connection, face: Face | None, invite: str = "", share: str = ""
) -> Content:
    """The rules of the house, what the table waits for, and what friends type. `invite`: the key
    that shows the host an invitation; `share`: the lobby's key for a table with the same deal."""
    info, lines = table.info, []
    if face is not None and isinstance(info.options, dict):
        lines.append(_("Rules: {rules}").format(rules=clean(face.options_in_words(info.options))))
    if info.clock is not None:
        lines.append(_("Clock: {clock}").format(clock=clock_in_words(info.clock)))
    if info.watchers:
        lines.append(watching_in_words(info.watchers))
    if info.deal:
        said = _("{deal}. In the list of tables {key} opens another.")
        lines.append(said.format(deal=shared_deal_in_words(info), key=share))
    free = any(seat.kind is SeatKind.FREE for seat in info.seats)
    if table.seat is None:
        lines.append(
            _("You are watching; choose a free seat to play.")
            if free
            else _("You are watching; no seat is free.")
        )
    elif not table.is_host:
        lines.append(_("The host starts the match when everybody is ready."))
    about = Content("\n".join(lines))
    if not free:
        return about
    if connection.address == str(HOUSE):
        return Content("\n").join([about, "", Content(coming_in_words(info.table))])
    commanded = "\n".join(commands(connection.friends or [connection.address], info.table))
    typed = Content.styled(typing_in_words(), "$quiet"), Content.styled(commanded, "bold")
    others = [Content(line) for line in doors_in_words(connection.ways, 0, info.table)]
    if invite and table.is_host and connection.invites:
        others.append(Content(anywhere_in_words(invite)))
    return Content("\n").join([about, "", *typed, *others])
