"""Asks where to go: servers that the player knows or that are heard, or an address."""

from collections.abc import Sequence
from contextlib import aclosing, suppress
from typing import ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Key, Paste
from textual.widgets import Input, OptionList, Static

from clocktowers_tui.config.settings import called
from clocktowers_tui.deeds.asking import go
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.net import nearby
from clocktowers_tui.net.address import Address, parse_place
from clocktowers_tui.net.arrival import held, visiting
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.nearby import Deaf, Neighbour
from clocktowers_tui.net.wishes import Visit, visit_to
from clocktowers_tui.phrases.codes import fault_in_words
from clocktowers_tui.phrases.friends import (
    deaf_in_words,
    is_own,
    known_server_in_words,
)
from clocktowers_tui.phrases.tables import joinable
from clocktowers_tui.screens.bound_actions import Keys, entry
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.screens.place import DeedScreen
from clocktowers_tui.screens.screen import MOVES
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.field import Field
from clocktowers_tui.widgets.menu import BoundedMenu, Menu, Row
from clocktowers_tui.widgets.panel import Panel
from protocol.from_client import ListTables
from protocol.from_server import Listing
from protocol.invitation import MOST_LETTERS
from protocol.text import clean

_SCROLL_BAR: Final = 1
_CODE: Final = 8
"""Characters of a table's code, at most."""
_SILENT: Final = (Fault.CLOSED_PORT, Fault.UNREACHABLE, Fault.TIMEOUT, Fault.MUTE)
"""Nobody has answered there."""


def _addresses(typed: Sequence[str]) -> dict[Address, str]:
    """By the first address, in their order. What an older version has kept may be none."""
    found = dict[Address, str]()
    for one in typed:
        try:
            (first, *_others), _code = parse_place(one)
        except LinkError:
            continue
        found[first] = one
    return dict(sorted(found.items()))


class ConnectScreen(DeedScreen[None]):
    """The list of servers: the player's own, those heard on the network, where the player has been,
    what has not answered. A cursor that the player has moved, or on a server that is heard, keeps
    its row: Enter leads to what is seen there. The id of a row is what somebody would type. The
    fields keep their text when the connection fails."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.CONFIRM, "connect", N_("Connect"), shown=True),
        *MOVES,
        bound(actions.BACK, "back", shown=True),
    ]

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self._been_at = _addresses(client.settings.servers)
        self._heard: dict[Address, Neighbour] = {}
        self._silent = set[Address]()
        self._connecting = False

    def compose(self) -> ComposeResult:
        yield Static(Content.styled(_(" Join a table"), "bold"), classes="banner", markup=False)
        host = self.keymap.name(actions.HOST)
        with Vertical(classes="middle"):
            with Panel(_("Servers you know, or on your network"), id="near"):
                menu = BoundedMenu(self._rows(0), id="servers")
                menu.display = menu.can_focus = bool(menu.options)
                yield menu
                yield Static("", id="nearby", classes="note", markup=False)
            with Panel(_("Or type where")):
                yield Field(_("Server"), "", id="server", max_length=MOST_LETTERS)
                yield Field(_("Table (if known)"), id="table", max_length=_CODE)
                yield _note(_("Paste an invitation (ct:…) or the host's line, or type an address:"))
                yield _note("192.168.1.5:7777/KX4R")
            yield _note(_("You can host a table yourself: {key} in the menu.").format(key=host))
        yield from self.foot()

    def on_mount(self) -> None:
        if nearby.wanted():
            self._listen()

    def begin(self) -> None:
        looks = nearby.wanted() and not self._heard
        self.show_text("nearby", _("Looking for servers on your network…") if looks else "")

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_servers)

    @work
    async def _listen(self) -> None:
        try:
            async with aclosing(nearby.heard()) as heard:
                async for now in heard:
                    self.hear(now)
        except Deaf as error:
            self.show_text("nearby", deaf_in_words(error))

    def hear(self, now: Sequence[Neighbour]) -> None:
        """These are there now."""
        there: dict[Address, Neighbour] = {}
        for one in sorted(now, key=lambda one: (one.nearby.name, one.address)):
            there.setdefault(one.address, one)  # the first that names an address
        at = self.query_one(Menu).at
        stay = {
            one: old for one, old in self._heard.items() if one in there or self._row(one) == at
        }
        self._heard = {**stay, **there}
        self.show_text("nearby", "" if self._heard else _("No server near you has answered yet."))
        self._show_servers()

    def _rows(self, width: int) -> list[Row]:
        """In lines of so many cells."""
        own_key, found = self._client.settings.own_key, list[tuple[int, Row]]()
        for one in {**self._heard, **self._been_at}:
            heard, silent = self._heard.get(one), one in self._silent
            said = known_server_in_words(one, heard, width, own_key, silent=silent)
            rank = 3 if silent else 0 if is_own(heard, own_key) else 1 if heard else 2
            found.append((rank, Row(self._row(one), said)))
        return [row for _rank, row in sorted(found, key=lambda one: one[0])]

    def _row(self, one: Address) -> str:
        return self._been_at.get(one, str(one))

    def _show_servers(self) -> None:
        """A player who has typed nothing yet chooses with the arrows, as soon as there is one."""
        menu, room = self.query_one(Menu), self.query_one("#near").size.width - _SCROLL_BAR
        rows = self._rows(max(0, room))
        menu.show(rows)
        if not menu.moved and menu.at not in [*map(self._row, self._heard)]:
            menu.action_first()
        if bool(rows) == menu.display:
            return
        if menu.has_focus:
            self.focus_next()
        menu.display = menu.can_focus = bool(rows)
        if rows and not self._typed("server"):
            menu.focus()

    def keys(self) -> Keys:
        """The focused field takes the key, and does the same with it."""
        connect = entry(self.keymap, [actions.CONFIRM], _("Connect"))
        others = super().keys()
        return [connect, *(key for key in others if key != connect)]

    def _typed(self, id: str) -> str:
        return self.query_one(f"#{id}", Input).value.strip()

    def line_for(self, event: Key | Paste) -> Input | None:
        """What is typed or pasted while the list has the focus goes into the field, in place of
        what stands there; so does what is pasted at the table and is too long for its code."""
        if isinstance(event, Key):
            meant = self.active_bindings.get(event.key)
            if meant is not None and meant.enabled:
                return None
        elif isinstance(self.focused, Input) and len(event.text.strip()) <= _CODE:
            return self.focused
        return self.query_one("#server", Input)

    def on_input_submitted(self) -> None:
        self.action_connect()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """The list leads there at once, whatever was typed before."""
        self.action_connect(event.option_id or "")

    def action_connect(self, chosen: str = "") -> None:
        if not self._connecting:
            self._connect(chosen or self._typed("server"))

    @work(exclusive=True, group="going")
    async def _connect(self, where: str) -> None:
        try:
            visit = visit_to(where, self._typed("table"))
        except LinkError as error:
            self.say(fault_in_words(error) if where else _("Choose a server, or type where."))
            return
        self._connecting = True
        self.say(_("Connecting to {address}… (Esc stops)").format(address=visit.address))
        try:
            if visit.match:
                await self._tried(self._see(visit))
            else:
                heard = visit.address in self._heard
                chosen = await to_table(self._client, self, visit, sits=heard)
                fault = None if chosen is None else await go(self._client, self, chosen)
                self.say("" if fault is None else fault_in_words(fault))
                if fault is not None and fault.fault in _SILENT:
                    self._silent.add(visit.address)
                    self._show_servers()
        finally:
            self._connecting = False

    async def _see(self, visit: Visit) -> None:
        """Show the finished match to which an invitation leads. Raises NotDone."""
        from clocktowers_tui.deeds.finished import fetch  # seldom used
        from clocktowers_tui.screens.replay import see_again

        me = await fetch(visit, called(self._client.settings))
        self.say("")
        await see_again(self.app, self._client, visit.match, me)

    def action_back(self) -> None:
        """Stop connecting; or, when there is nothing to stop, go home."""
        if self._connecting:
            self.workers.cancel_group(self, "going")
            self.say("")
        else:
            self.dismiss()


async def to_table(
    client: Client, here: DeedScreen[None], visit: Visit, *, sits: bool = False
) -> Visit | None:
    """A player who has a seat there chooses between it and tables where others wait now; None: they
    stay `here`. `sits`: a player without one goes to the only table that waits."""
    name = called(client.settings)
    seat = held(visit, name)
    if visit.table or (seat is None and not sits):
        return visit
    games, listing = {} if seat is None else {seat.table: seat.game}, None
    with suppress(LinkError):
        async with visiting(visit, name) as line:
            listing = await line.request(ListTables(id=0))
    for one in listing.tables if isinstance(listing, Listing) else ():
        if joinable(one) and one.host is not None and not (seat is None and one.locked):
            games[one.table] = one.game
    rows = [Row(one, clean(f"{one}: {title_of(game)}")) for one, game in games.items()]
    if seat is None:
        return visit._replace(table=rows[0].id) if len(rows) == 1 else visit
    if len(rows) == 1:
        return visit
    told = [_("Your seat at {table} waits; others wait elsewhere.").format(table=seat.table)]
    code = await here.ask(Question(_("Which table?"), told, rows, Row("", _("Stay here"))))
    return visit._replace(table=code) if code else None


def _note(text: str) -> Static:
    return Static(Content(text), classes="note", markup=False)
