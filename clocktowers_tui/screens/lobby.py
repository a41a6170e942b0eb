"""The tables of a server: find one, join it, watch it, make one."""

from typing import ClassVar, Final

from msgspec.structs import replace
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from clocktowers_tui.deeds.asking import asked
from clocktowers_tui.deeds.table import LOBBY, NARROWINGS
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Context, Deed, bound
from clocktowers_tui.net import house
from clocktowers_tui.net.seats import unfinished as held_seats
from clocktowers_tui.new_table import levels_at
from clocktowers_tui.phrases.codes import trouble_in_words
from clocktowers_tui.phrases.friends import (
    hosting_in_words,
    joining_in_words,
    staying_in_words,
    typed_by_friends,
)
from clocktowers_tui.phrases.tables import (
    about_table_in_words,
    joinable,
    lobby_in_words,
    may_share,
    tables_in_columns,
)
from clocktowers_tui.screens.bound_actions import Keys, bound_deeds, entry
from clocktowers_tui.screens.place import DeedScreen
from clocktowers_tui.screens.table_form import TableForm
from clocktowers_tui.state.store import State
from clocktowers_tui.state.table import Connection, Lobby, filtered
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.field import TextLine
from clocktowers_tui.widgets.menu import BoundedMenu, Menu, Row
from clocktowers_tui.widgets.panel import Panel
from protocol.from_client import CreateTable, Join, ListTables, Request, Watch
from protocol.table import Filter, TableInfo

_TABLE: Final = "table "
"""The prefix of a table's row id, before its code: no code makes it another row's id."""

_FRAME: Final = 5
"""Cells that a pane's frame and the scroll bar take from a line."""

BESIDE: Final = 80
"""With fewer columns the panes lie below each other."""

_PEOPLE: Final = 70
"""With fewer columns beside the other pane, the list does not say who sits where."""

_LIST: Final = 63
"""The share of the width that the list has beside the other pane, in percent."""


class LobbyScreen(DeedScreen[None]):
    """The list of tables, and beside or below it what there is to know of the chosen one; while
    there is no table, one pane, which says what the player can do. The server tells this screen of
    changes for as long as it is shown; the server filters."""

    HORIZONTAL_BREAKPOINTS = [(0, "-below"), (BESIDE, "-beside")]  # noqa: RUF012  (so in Textual)

    AUTO_FOCUS = "#tables"  # a quick first key is not typed into the hidden line
    deeds = LOBBY
    BINDINGS: ClassVar[list[BindingType]] = [
        *bound_deeds(LOBBY, Context.LOBBY),
        bound(actions.BACK, "back", N_("All tables, or leave")),
        bound(actions.RULES, "rules"),
        # The menu has these keys until its own end is reached.
        bound(actions.PAGE_DOWN, "turn(1)", N_("Next page")),
        bound(actions.PAGE_UP, "turn(-1)", N_("Previous page")),
        bound(actions.DOWN, "to_tables"),
    ]
    _pointed = False
    """The cursor has been put on a table that waits."""

    def compose(self) -> ComposeResult:
        yield Banner()
        yield Static("", id="friends", markup=False)
        with Horizontal(id="filter-row"):
            yield Static(Content.styled(_("Game, title, code or player: "), "bold"), markup=False)
            text = self._client.state.lobby.filter.text
            yield TextLine(text, id="filter", password=False, max_length=100, hint=_("Esc clears"))
        with Container(id="panes"):
            with Panel(_("Tables"), id="list"):
                yield Static("", id="none", markup=False)
                yield BoundedMenu(id="tables")
            with Panel(id="about-pane"):
                yield Static("", id="about", markup=False)
        yield from self.foot()

    def arrive(self) -> None:
        self.query_one(Menu).focus()
        self._list(self._client.state.lobby.page)
        self._point_to_seat()

    def _point_to_seat(self) -> None:
        """Remind a disconnected player that *Continue* in the menu resumes their seat."""
        line = self._client.state.connection
        if line is not None and any(str(seat.address) == line.address for seat in held_seats()):
            sentence = _("You have a seat here: press {leave}, then Continue in the menu.")
            leave = actions.ALONE if self._client.guest else actions.LEAVE
            self.say(sentence.format(leave=self.keymap.name(leave)))

    def begin(self) -> None:
        self.query_one("#filter-row").display = bool(self._client.state.lobby.filter.text)

    # What is seen -------------------------------------------------------------------------------

    def show(self, state: State) -> None:
        if state.connection is None:
            return
        parts = lobby_in_words(state.connection, state.lobby)
        self.query_one(Banner).show(parts, trouble_in_words(state.connection))
        self._show_friends(state.connection)
        self._show_tables(state.lobby)
        self.refresh_bindings()

    def on_resize(self) -> None:
        self.show(self._client.state)

    def _show_friends(self, connection: Connection) -> None:
        key = self.keymap.name(actions.LOBBY_INVITE)
        friends = hosting_in_words(connection, self.app.size.width - 2, key)
        friends = friends or staying_in_words(house.told())
        self.show_text("friends", friends)

    @property
    def _at(self) -> TableInfo | None:
        """The table under the cursor; none while the screen is composed again."""
        at = next((menu.at for menu in self.query(Menu)), "")
        tables = self._client.state.lobby.tables
        return next((info for info in tables if _TABLE + info.table == at), None)

    def _show_tables(self, lobby: Lobby) -> None:
        rows: list[Row] = []
        menu, whole = self.query_one(Menu), self.size.width
        width = whole * _LIST // 100 if whole >= BESIDE else whole
        head, *lines = tables_in_columns(
            lobby.tables, width - _FRAME, people=width >= _PEOPLE or whole < BESIDE
        )
        if lobby.tables:
            rows.append(Row("head", head, enabled=False))
            pairs = zip(lobby.tables, lines, strict=True)
            rows += [Row(_TABLE + info.table, line) for info, line in pairs]
        menu.show(rows)
        waiting = [_TABLE + info.table for info in lobby.tables if joinable(info)]
        if waiting and not self._pointed:
            self._pointed = True
            menu.highlighted = [row.id for row in rows].index(waiting[0])
        self.query_one("#panes").set_class(not lobby.tables, "-empty")
        self.query_one("#none", Static).update(self._none())
        self._show_about()

    def _none(self) -> Content:
        """Why no table is listed; the rows are as those of the menu at home."""
        lobby, connection = self._client.state.lobby, self._client.state.connection
        keymap = self.keymap
        if lobby.filter != Filter():
            said = _("No table has these words; {back} shows all again.")
            return Content(said.format(back=keymap.name(actions.BACK)))
        words_of = {actions.NEW_TABLE: _("New table"), actions.CODE: _("Enter a table's code")}
        if self._client.guest:
            words_of[actions.ALONE] = _("Play against bots, learn or practise")
        rows = [Row("", words, key=keymap.name(key)).prompt for key, words in words_of.items()]
        none = "" if lobby.total is None else _("There is no table yet.")
        lines = [Content(none), Content(""), *rows]
        # At the player's own server what friends type stands above.
        if connection is not None and not connection.friends:
            told = joining_in_words(typed_by_friends(connection))
            lines += [Content("\n" + line) for line in told]
        return Content("\n").join(lines)

    def _show_about(self) -> None:
        about, title = "", ""
        if info := self._at:
            face = self._client.faces.get(info.game)
            barred = info.table in self._client.state.barred
            below = self.size.width >= BESIDE
            about = about_table_in_words(info, face, self.keymap, below=below, barred=barred)
            title = " ".join(filter(None, (info.table, info.title)))
        self.query_one("#about-pane", Panel).entitle(title)
        self.query_one("#about-pane").display = bool(about)
        self.query_one("#about", Static).update(Content(about))

    def on_option_list_option_highlighted(self) -> None:
        self._show_about()
        self.refresh_bindings()

    async def action_rules(self) -> None:
        """Those of the table under the cursor; where it has none, of the game chosen last."""
        game = self._at.game if self._at and self._at.game in self._client.faces else ""
        await self.app.run_action(f"app.rules({game!r})")

    # Which tables -------------------------------------------------------------------------------

    def do_filter(self) -> None:
        self.query_one("#filter-row").display = True
        self.query_one("#filter").focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._filter(replace(self._client.state.lobby.filter, text=event.value.strip()))

    def on_input_submitted(self) -> None:
        self.action_to_tables()

    def action_to_tables(self) -> None:
        self.begin()
        self.query_one(Menu).focus()

    def do_only(self) -> None:
        now = self._client.state.lobby.filter
        kinds = [*NARROWINGS.values()]
        after = kinds[(kinds.index(replace(now, text="")) + 1) % len(kinds)]
        self._filter(replace(after, text=now.text))

    def _filter(self, filter_: Filter) -> None:
        state = self._client.state
        if filter_ != state.lobby.filter:
            self._client.change(replace(state, lobby=filtered(state.lobby, filter_)))
            self._list(0)
            self.refresh_bindings()

    def action_back(self) -> None:
        """Clear the filter; when there is none, leave the lobby, which for a guest is the end."""
        if not self._narrowed():
            if self._client.guest:
                self.object(_("{leave}: leave").format(leave=self.keymap.name(actions.LEAVE)))
            else:
                self.action_do("leave")
            return
        self._filter(Filter())
        self.query_one("#filter", Input).value = ""
        self.action_to_tables()

    def _narrowed(self) -> bool:
        return isinstance(self.focused, Input) or self._client.state.lobby.filter != Filter()

    def keys(self) -> Keys:
        """The key that goes back is worth a place while there is a filter to clear."""
        back = entry(self.keymap, [actions.BACK], _("All tables"))._replace(stays=True)
        found = [*super().keys(), *([back] if self._narrowed() else [])]
        if (info := self._at) is not None and isinstance(self.focused, Menu):
            words = _("Sit down") if joinable(info) else _("Watch")
            found.insert(0, entry(self.keymap, [actions.CONFIRM], words))
        return found

    def short_words(self) -> dict[Action, str]:
        # TRANSLATORS: keys: list fewer tables; for a guest: play against bots, or learn a game.
        return {actions.NARROW: _("Which tables"), actions.ALONE: _("Bots")}

    def action_turn(self, by: int) -> None:
        lobby = self._client.state.lobby
        if 0 <= lobby.page + by < lobby.pages:
            self._list(lobby.page + by)

    @work(group="listing", exclusive=True)
    async def _list(self, page: int) -> None:
        filter_ = self._client.state.lobby.filter
        await self._client.journey.request(ListTables(id=0, page=page, filter=filter_))
        self._pointed = False
        if self.query(Menu):  # not while the screen is composed again, which ends with the newest
            self._show_tables(self._client.state.lobby)

    # To a table ---------------------------------------------------------------------------------

    def on_option_list_option_selected(self) -> None:
        if (info := self._at) is not None:
            to = Join if joinable(info) else Watch
            self._wish(to(id=0, table=info.table))

    def do_watch(self) -> None:
        if (info := self._at) is None:
            self.object(_("Choose a table in the list first."))
            return
        self._wish(Watch(id=0, table=info.table))

    def do_same(self) -> None:
        """Open a table that plays the deal of the table under the cursor."""
        if (info := self._at) is not None and may_share(info):
            wish = CreateTable(id=0, game=info.game, seats=len(info.seats), duplicate=info.table)
            self._wish(wish)

    @work(group="wish", exclusive=True)
    async def _wish(self, wish: Request) -> None:
        await asked(self._client, self, wish)

    async def do_new(self) -> None:
        form = TableForm(self._client, levels_at(self._client.state.connection), solo=False)
        if (table := await self.app.push_screen_wait(form)) is not None:
            await asked(self._client, self, table)

    do_first = do_new

    def may(self, deed: Deed) -> bool:
        """A key for the same deal needs a table that may share it."""
        at = self._at if deed.word == "same" else None
        return super().may(deed) and (deed.word != "same" or (at is not None and may_share(at)))

    async def do_invite(self) -> None:
        if (line := self._client.state.connection) is not None:
            await self.show_invitation(line.ways, "", typed_by_friends(line))
