"""At a table before and between matches: who sits where, bots, ready, start."""

from typing import ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import OptionList, Static

from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.new_table.offers import levels_at
from clocktowers_tui.phrases.clocks import clock_in_words
from clocktowers_tui.phrases.friends import joining_in_words
from clocktowers_tui.phrases.line import trouble_in_words
from clocktowers_tui.phrases.refusals import refused_in_words
from clocktowers_tui.phrases.tables import level_in_words, seat_in_words, watching_in_words
from clocktowers_tui.screens.at_table import AtTableScreen
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.screens.kicking import kick, may_kick
from clocktowers_tui.screens.leaving import ask_and_leave_table
from clocktowers_tui.state.store import State
from clocktowers_tui.state.table import Table
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.key_line import KeyLine
from clocktowers_tui.widgets.menu import Menu, Row
from protocol.from_client import Join, Ready, Request, SetBot, Start
from protocol.from_server import Refused
from protocol.listing import SeatInfo, SeatKind, TablePhase
from protocol.text import clean

_BOT: Final = "bot "
"""The prefix of a level's row id, before the level: no level makes it another row's id."""


class TableScreen(AtTableScreen):
    """A single menu: the actions, then the seats."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.START, "do('start')", shown=True),
        bound(actions.READY, "do('ready')", shown=True),
        bound(actions.KICK, "do('kick')"),
        bound(actions.LEAVE, "do('leave')", N_("Leave the table"), shown=True),
        bound(actions.BACK, "do('leave')", N_("Leave the table")),
    ]

    def compose(self) -> ComposeResult:
        yield Banner(id="banner")
        yield Static("", id="about", markup=False)
        yield Menu(id="seats")
        yield Static("", id="said", markup=False)
        yield KeyLine()

    def show(self, state: State) -> None:
        if state.table is None or state.connection is None:
            return
        face = self._client.faces.get(state.table.info.game)
        line = trouble_in_words(state.connection)
        self.query_one(Banner).show(_banner(state.table), line)
        self.query_one("#about", Static).update(Content(_about(state, face)))
        self.query_one(Menu).show(_rows(state.table))
        self.refresh_bindings()
        self.hear(state)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A key appears only for what the player may do."""
        table = self._client.state.table
        if action != "do" or table is None:
            return True
        may = {
            "start": table.is_host,
            "ready": table.seat is not None and not table.is_host,
            "kick": may_kick(self._client.state),
        }
        return may.get(str(parameters[0]), True)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.action_do(event.option_id or "")

    def action_do(self, what: str) -> None:
        table = self._client.state.table
        if table is None:
            return
        match what:
            case "start" if table.is_host:
                self._wish(Start(id=0))
            case "ready" if table.seat is not None and not table.is_host:
                self._wish(Ready(id=0, ready=not table.info.seats[table.seat].ready))
            case "kick":
                self._kick()
            case "leave":
                self._leave()
            case _ if what.startswith("seat-"):
                self._pick_seat(table, int(what.removeprefix("seat-")))

    def _pick_seat(self, table: Table, seat: int) -> None:
        info = table.info.seats[seat]
        if table.seat is None and info.kind is SeatKind.FREE:
            self._wish(Join(id=0, table=table.info.table, seat=seat))
        elif table.is_host and info.kind is not SeatKind.HUMAN:
            self._set_bot(seat)

    @work(group="wish", exclusive=True)
    async def _set_bot(self, seat: int) -> None:
        levels = levels_at(self._client.state.connection)
        rows = [Row("keep", _("Leave it as it is"))]
        rows += [
            Row(_BOT + level, _("Bot, {level}").format(level=level_in_words(level)))
            for level in levels
        ]
        rows += [Row("free", _("Keep it free for a person"))]
        title = _("Who sits on seat {n}?").format(n=seat + 1)
        answer = await self.app.push_screen_wait(Question(title, [], rows))
        if answer != "keep":
            level = None if answer == "free" else answer.removeprefix(_BOT)
            await self._ask(SetBot(id=0, seat=seat, level=level))

    @work(group="wish", exclusive=True)
    async def _wish(self, wish: Request) -> None:
        await self._ask(wish)

    async def _ask(self, wish: Request) -> None:
        answer = await self._client.journey.request(wish)
        if isinstance(answer, Refused):
            self.say(refused_in_words(answer))
        elif answer is not None:
            self.say("")

    @work(group="wish", exclusive=True)
    async def _kick(self) -> None:
        self.say(await kick(self.app, self._client))

    @work(group="wish", exclusive=True)
    async def _leave(self) -> None:
        await ask_and_leave_table(self.app, self._client)


def _banner(table: Table) -> list[str]:
    game = title_of(table.info.game)
    code = _("table {code}").format(code=table.info.table)
    return [part for part in (game, code, table.info.title) if part]


def _about(state: State, face: Face | None) -> str:
    assert state.table is not None and state.connection is not None
    lines = []
    options = state.table.info.options
    if face is not None and isinstance(options, dict):
        lines.append(_("Rules: {rules}").format(rules=clean(face.options_in_words(options))))
    if state.table.info.clock is not None:
        lines.append(_("Clock: {clock}").format(clock=clock_in_words(state.table.info.clock)))
    if state.table.info.watchers:
        lines.append(watching_in_words(state.table.info.watchers))
    free = any(seat.kind is SeatKind.FREE for seat in state.table.info.seats)
    if free:
        lines.append(joining_in_words(state.connection.friends, state.table.info.table))
    if state.table.seat is None:
        lines.append(
            _("You are watching; choose a free seat to play.")
            if free
            else _("You are watching; no seat is free.")
        )
    elif not state.table.is_host:
        lines.append(_("The host starts the match when everybody is ready."))
    return "\n".join(line for line in lines if line)


def _rows(table: Table) -> list[Row]:
    rows = []
    if table.is_host:
        rows.append(Row("start", _("Start the match")))
    elif table.seat is not None:
        ready = table.info.seats[table.seat].ready
        rows.append(Row("ready", _("Not ready after all") if ready else _("I am ready")))
    rows += [_seat_row(table, n, seat) for n, seat in enumerate(table.info.seats)]
    return [*rows, Row("leave", _("Leave the table"))]


def _seat_row(table: Table, n: int, seat: SeatInfo) -> Row:
    marks = []
    if n == table.seat:
        marks.append(_("you"))
    if n == table.info.host:
        marks.append(_("host"))
    elif seat.kind is SeatKind.HUMAN and table.info.phase is not TablePhase.PLAYING:
        marks.append(_("ready") if seat.ready else _("not ready"))
    changeable = table.is_host and seat.kind is not SeatKind.HUMAN
    sittable = table.seat is None and seat.kind is SeatKind.FREE
    who = pad(seat_in_words(seat), 34)
    number = _("Seat {n}").format(n=n + 1)
    text = f"{number}  {who} {', '.join(marks)}"
    return Row(f"seat-{n}", text.rstrip(), changeable or sittable)
