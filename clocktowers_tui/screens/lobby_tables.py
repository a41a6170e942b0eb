"""The list of a server's tables, and beside or below it what there is to know of the chosen one."""

from collections.abc import Sequence
from typing import Final

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.keys.keymap import keymap_of
from clocktowers_tui.phrases.lobby import (
    about_table_in_words,
    joinable,
    nothing_in_words,
    tables_in_columns,
)
from clocktowers_tui.state.lobby import Lobby
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.menu import Menu, Row
from clocktowers_tui.widgets.panel import Panel
from protocol.table import TableInfo

_TABLE: Final = "table "
"""The prefix of a table's row id, before its code: no code makes it another row's id."""

_FRAME: Final = 5
"""Cells that a pane's frame and the scroll bar take from a line."""

BESIDE: Final = 80
"""With fewer columns the panes lie below each other."""

_PEOPLE: Final = 70
"""With fewer columns beside the other pane, the list does not say who sits where."""

_LIST: Final = 65
"""The share of the width that the list has beside the other pane, in percent."""


class Tables(Container):
    """Two panes. Around the tables the list has a row for a new one and a row for a code."""

    def __init__(self, client: Client) -> None:
        super().__init__(id="panes")
        self._client = client
        self._pointed = False
        """The cursor has been put on a table that waits."""

    def compose(self) -> ComposeResult:
        with Panel(_("Tables"), id="list"):
            yield Menu(id="tables")
        with Panel(id="about-pane"):
            yield Static("", id="about", markup=False)

    @property
    def at(self) -> TableInfo | None:
        """The table under the cursor; none while the screen is composed again."""
        at = next((menu.at for menu in self.query(Menu)), "")
        tables = self._client.state.lobby.tables
        return next((info for info in tables if _TABLE + info.table == at), None)

    @property
    def _beside(self) -> bool:
        """Whether the panes have room side by side."""
        return self.screen.size.width >= BESIDE

    def focus_list(self) -> None:
        self.query_one(Menu).focus()

    def show(self, lobby: Lobby, *, other: bool = False) -> None:
        """Show these tables; `other`: the server was asked for others."""
        self._pointed = self._pointed and not other
        rows = [Row("new", _("New table"))]
        if self._client.guest:
            rows.append(Row("menu", _("Play against bots, learn or practise")))
        menu, whole = self.query_one(Menu), self.screen.size.width
        width = whole * _LIST // 100 if self._beside else whole
        head, *lines = tables_in_columns(
            lobby.tables, width - _FRAME, people=width >= _PEOPLE or not self._beside
        )
        if lobby.tables:
            rows.append(Row("head", head, enabled=False))
            pairs = zip(lobby.tables, lines, strict=True)
            rows += [Row(_TABLE + info.table, line) for info, line in pairs]
        rows.append(Row("join", _("Enter a table's code")))
        menu.show(rows)
        self._point(lobby, [row.id for row in rows])
        self._show_about()

    def _point(self, lobby: Lobby, rows: Sequence[str]) -> None:
        """Once for each listing: to the first table that waits for a player, or else Enter would
        make another."""
        waiting = [info for info in lobby.tables if joinable(info)]
        if waiting and not self._pointed:
            self._pointed = True
            self.query_one(Menu).highlighted = rows.index(_TABLE + waiting[0].table)

    def _show_about(self) -> None:
        lobby, connection = self._client.state.lobby, self._client.state.connection
        keymap = keymap_of(self.app)
        if info := self.at:
            face = self._client.faces.get(info.game)
            about = about_table_in_words(info, face, keymap, below=self._beside)
            title = " ".join(filter(None, (info.table, info.title)))
        else:
            # At the player's own server what friends type stands above.
            own = connection is None or connection.friends or self._client.guest
            address = "" if own or connection is None else connection.address
            about = nothing_in_words(lobby, keymap, address) if not lobby.tables else ""
            title = ""
        self.query_one("#about-pane", Panel).entitle(title)
        self.query_one("#about-pane").display = bool(about)
        self.query_one("#about", Static).update(Content(about))

    def on_resize(self) -> None:
        self.show(self._client.state.lobby)

    def on_option_list_option_highlighted(self) -> None:
        self._show_about()
        self.screen.refresh_bindings()
