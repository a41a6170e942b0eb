"""The tables of a server: join one, watch one, make one."""

from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import OptionList, Static

from clocktowers_tui import actions
from clocktowers_tui.actions import bound
from clocktowers_tui.i18n import N_, _, ngettext
from clocktowers_tui.phrases.friends import joining_in_words
from clocktowers_tui.phrases.refusals import refusal_in_words
from clocktowers_tui.screens.client import Client
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.screens.screen import PlaceScreen
from clocktowers_tui.screens.table_form import TableForm
from clocktowers_tui.state.connection import Connection
from clocktowers_tui.state.store import State
from clocktowers_tui.tables import LEVELS, phase_in_words, seat_in_words
from clocktowers_tui.text import pad
from clocktowers_tui.widgets.key_line import KeyLine
from clocktowers_tui.widgets.menu import Menu, Row
from protocol.from_client import Join, ListTables, Request, Watch
from protocol.from_server import Refused
from protocol.listing import SeatKind, TableInfo, TablePhase
from protocol.refusal import Refusal

_NEW = "+"  # no table's code


class LobbyScreen(PlaceScreen):
    """Is told of changes by the server for as long as it is there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.NEW_TABLE, "create", shown=True),
        bound(actions.WATCH, "watch", shown=True),
        # The menu has them until its own end is reached.
        bound(actions.PAGE_DOWN, "turn(1)", N_("Next page")),
        bound(actions.PAGE_UP, "turn(-1)", N_("Page before")),
        bound(actions.LEAVE, "leave", N_("Leave the server"), shown=True),
        bound(actions.BACK, "leave", N_("Leave the server")),
    ]

    def __init__(self, client: Client, *, create_first: bool = False) -> None:
        super().__init__()
        self._client = client
        self._create_first = create_first

    def compose(self) -> ComposeResult:
        yield Static("", id="banner", classes="banner", markup=False)
        yield Static("", id="friends", markup=False)
        yield Menu(id="tables")
        yield Static("", id="said", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        super().on_mount()
        self._list(self._client.state.lobby.page)
        if self._create_first:
            self.action_create()

    def show(self, state: State) -> None:
        if state.connection is None:
            return
        self.query_one("#banner", Static).update(Content.styled(_banner(state), "bold"))
        friends = joining_in_words(state.connection.friends)
        self.query_one("#friends", Static).update(Content(friends))
        self.query_one("#friends", Static).display = bool(friends)
        rows = [Row(_NEW, _("New table"))]
        rows += [Row(info.table, table_in_words(info)) for info in state.lobby.tables]
        self.query_one(Menu).show(rows)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        code = event.option_id or _NEW
        if code == _NEW:
            self.action_create()
        elif (info := self._info(code)) and not _joinable(info):
            self._wish(Watch(id=0, table=code))
        else:
            self._wish(Join(id=0, table=code))

    def _info(self, code: str) -> TableInfo | None:
        tables = self._client.state.lobby.tables
        return next((info for info in tables if info.table == code), None)

    def action_watch(self) -> None:
        code = self.query_one(Menu).at
        if code is not None and code != _NEW:
            self._wish(Watch(id=0, table=code))

    def action_turn(self, by: int) -> None:
        lobby = self._client.state.lobby
        if 0 <= lobby.page + by < lobby.pages:
            self._list(lobby.page + by)

    @work(group="listing", exclusive=True)
    async def _list(self, page: int) -> None:
        await self._client.request(ListTables(id=0, page=page))

    @work(group="wish", exclusive=True)
    async def _wish(self, wish: Request) -> None:
        answer = await self._client.request(wish)
        if isinstance(answer, Refused):
            self.say(refusal_in_words(Refusal(answer.code, answer.params)))

    @work(group="wish", exclusive=True)
    async def action_create(self) -> None:
        connection = self._client.state.connection
        levels = connection.levels if connection is not None else ()
        form = TableForm(self._client, levels or LEVELS, solo=False)
        if (table := await self.app.push_screen_wait(form)) is not None:
            answer = await self._client.request(table)
            if isinstance(answer, Refused):
                self.say(refusal_in_words(Refusal(answer.code, answer.params)))

    @work(group="leave", exclusive=True)
    async def action_leave(self) -> None:
        connection = self._client.state.connection
        where = connection.address if connection is not None else ""
        question = Question(
            [_("Leave the server {address}?").format(address=where)],
            [Row("stay", _("Stay")), Row("leave", _("Leave"))],
        )
        if await self.app.push_screen_wait(question) == "leave":
            await self._client.depart()


def _banner(state: State) -> str:
    assert state.connection is not None
    total = state.lobby.total
    tables = ngettext("{n} table", "{n} tables", total).format(n=total)
    if state.lobby.pages > 1:
        tables += " " + _("page {page} of {pages}").format(
            page=state.lobby.page + 1, pages=state.lobby.pages
        )
    return f" {_where(state.connection)}  {tables}"


def _where(connection: Connection) -> str:
    return _("{address} as {name}").format(address=connection.address, name=connection.name)


def _joinable(info: TableInfo) -> bool:
    free = any(seat.kind is SeatKind.FREE for seat in info.seats)
    return free and info.phase is not TablePhase.PLAYING


def table_in_words(info: TableInfo) -> str:
    """One line: code, title, phase, who sits there."""
    seats = ", ".join(seat_in_words(seat) for seat in info.seats)
    title = pad(info.title, 16)
    return f"{pad(info.table, 5)} {title} {pad(phase_in_words(info.phase), 9)} {seats}"
