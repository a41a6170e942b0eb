"""At a table before and between matches: who sits where, bots, ready, start."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from msgspec.structs import replace
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import OptionList, Static

from clocktowers_tui.config.look import Look
from clocktowers_tui.deeds.asking import asked
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.table import TABLE, may_lose
from clocktowers_tui.deeds.together import offer
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Context
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.new_table import levels_at, levels_of, settled
from clocktowers_tui.phrases.codes import trouble_in_words
from clocktowers_tui.phrases.friends import (
    anywhere_in_words,
    coming_in_words,
    doors_in_words,
    typed_by_friends,
    typing_in_words,
)
from clocktowers_tui.phrases.tables import (
    beginning_in_words,
    company_in_words,
    level_in_words,
    line_of,
    marks_in_words,
    rules_of_table,
    seat_in_words,
    shared_deal_in_words,
    speaker_in_words,
    watching_in_words,
)
from clocktowers_tui.screens.bound_actions import (
    BoundAction,
    Keys,
    bound_deeds,
    keys_in_line,
)
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.screens.place import OPENS_CHAT, DeedScreen
from clocktowers_tui.state.store import State, audible, unread, you
from clocktowers_tui.state.table import Connection, Table
from clocktowers_tui.text.fitting import fit, large, pad
from clocktowers_tui.text.i18n import _
from clocktowers_tui.text.spelling import spelt
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.menu import Menu, Row
from clocktowers_tui.widgets.panel import Panel, Picture
from protocol.from_client import Join, SetBot
from protocol.from_server import Said
from protocol.games.registry import LEVELS
from protocol.table import Days, SeatInfo, SeatKind, TablePhase
from protocol.text import cells

_BOT: Final = "bot "
"""The prefix of a level's row id, before the level: no level makes it another row's id."""


ROWS_FOR_CODE: Final = 30
"""From these on the words about a table leave room for its code in large letters."""


class AtTableScreen(DeedScreen[None]):
    """A place at a table. The key of the chat tells how many lines are unread."""

    BINDINGS: ClassVar[list[BindingType]] = [OPENS_CHAT]

    def keys(self) -> Keys:
        """The chat's key stands last: actions come before talk."""
        found = sorted(self.offered(), key=lambda one: one.action == actions.CHAT)
        return keys_in_line(found, self.short_words())

    def short_words(self) -> dict[Action, str]:
        # In the smallest terminal these words take a game key's place.
        new = len(unread(self._client.state))
        return {actions.CHAT: _("Chat ({n})").format(n=new)} if new else {}

    def offered(self) -> Sequence[BoundAction]:
        """What may stand in the key line."""
        return self.bound

    def read_chat(self) -> None:
        """The player sees its new lines here."""
        state = self._client.state
        self._client.change(replace(state, chat=state.chat.all_read()))


class TableScreen(AtTableScreen):
    """Two panes: the seats, and what comes next; the rules, how friends join, the chat."""

    # Side by side where what a friend types fits into a line.
    HORIZONTAL_BREAKPOINTS = [(0, "-below"), (100, "-beside")]  # noqa: RUF012  (so in Textual)

    deeds = TABLE
    BINDINGS: ClassVar[list[BindingType]] = bound_deeds(TABLE, Context.TABLE, Context.AFTER)
    _refused_at: Sequence[SeatInfo] | None = None
    """The seats when the server refused a wish: once they are others, its reason is old news."""
    _shown: Table | None = None

    def compose(self) -> ComposeResult:
        yield Banner()
        with Container(id="panes"):
            with Panel(_("Seats"), id="list"):
                yield Menu(id="seats")
                yield Static("", id="next", markup=False)
                yield Picture(id="poster")
            with Panel(id="about-pane"):
                yield Static("", id="about", markup=False)
                yield _NewestChat(id="heard")
        yield from self.foot()

    def show(self, state: State) -> None:
        if state.table is None or state.connection is None:
            return
        face = self._client.faces.get(state.table.info.game)
        line = trouble_in_words(state.connection)
        info = state.table.info
        named = title_of(info.game), _("table {code}").format(code=info.table), info.title
        self.query_one(Banner).show([*filter(None, named)], line)
        about = about_in_words(state.table, state.connection, face, self.keymap)
        self.query_one("#about-pane", Panel).entitle(title_of(info.game))
        step = Content("\n").join(next_in_words(state.table, self.keymap))
        self.query_one("#next", Static).update(step)
        shown = [*self._large_code(state.table), *_offered(self._client), about]
        self.query_one("#about", Static).update(Content("\n").join(shown))
        self.query_one(_NewestChat).show(audible(state), you(state))
        self.call_after_refresh(self._see_chat)
        menu = self.query_one(Menu)
        menu.show(_rows(state.table, self.keymap, menu.size.width - 1))
        if self._refused_at not in (None, state.table.info.seats):
            self._refused_at = None
            self.say("")
        before, self._shown = self._shown, state.table
        if before is not None and (said := company_in_words(before, state.table)):
            super().object(" ".join(said))
        self.refresh_bindings()

    def begin(self) -> None:
        self.restyle(self._client.look)

    def _see_chat(self) -> None:
        """If all its new lines have room here."""
        pane = self.query_one("#about-pane").content_region
        room = pane.intersection(self.query_one(_NewestChat).region).height
        if self.is_current and 0 < self._client.state.chat.fresh <= room:
            self.read_chat()

    def restyle(self, look: Look) -> None:
        table = self._client.state.table
        if table is not None and (face := self._client.faces.get(table.info.game)) is not None:
            self.query_one(Picture).draw(partial(face.card_art, look))

    def on_resize(self) -> None:
        self.call_after_refresh(lambda: self.show(self._client.state))

    def _large_code(self, table: Table) -> list[Content]:
        """The table's code for a host who reads it out, where there is room beside the words."""
        rows, width = large(table.info.table), self.query_one("#about", Static).size.width
        room = (
            rows
            and self.app.size.height >= ROWS_FOR_CODE
            and all(len(row) <= width for row in rows)
        )
        wanted = table.is_host and table.free and room
        return [*(Content.styled(row, "$accent") for row in rows), Content("")] if wanted else []

    def short_words(self) -> dict[Action, str]:
        table = self._client.state.table
        ready = table is not None and table.seat is not None and table.info.seats[table.seat].ready
        takes_back = {actions.READY: _("Not ready")} if ready else {}
        leaves = dict.fromkeys((actions.LEAVE, actions.BACK), _("Leave"))
        return {**super().short_words(), actions.SETTLE: _("Rules"), **leaves, **takes_back}

    def object(self, sentence: str) -> None:
        table = self._client.state.table
        self._refused_at = None if table is None else table.info.seats
        super().object(sentence)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        table, seat = self._client.state.table, int(event.option_id or 0)
        if table is None:
            return
        info = table.info.seats[seat]
        if table.seat is None and info.kind is SeatKind.FREE:
            sits = asked(self._client, self, Join(id=0, table=table.info.table, seat=seat))
            self.run_worker(sits, group="wish", exclusive=True)
        elif _is_given(table, seat):
            self._set_bot(table.info.game, seat)

    @work(group="wish", exclusive=True)
    async def _set_bot(self, game: str, seat: int) -> None:
        levels = levels_of(game, levels_at(self._client.state.connection))
        rows = [Row("keep", _("Change nothing"))]
        rows += [
            Row(_BOT + level, _("Bot, {level}").format(level=level_in_words(level)))
            for level in levels
        ]
        rows += [Row("free", _("Keep it free for a person"))]
        title = _("Who sits on seat {n}?").format(n=seat + 1)
        answer = await self.ask(Question(title, [], rows))
        if answer != "keep":
            level = None if answer == "free" else answer.removeprefix(_BOT)
            await asked(self._client, self, SetBot(id=0, seat=seat, level=level))

    async def do_change(self) -> None:
        from clocktowers_tui.screens.table_form import TableForm

        if (table := self._client.state.table) is not None:
            form = TableForm(self._client, LEVELS, solo=False, at=table.info)
            if (wished := await self.app.push_screen_wait(form)) is not None:
                await asked(self._client, self, settled(wished))

    async def do_together(self) -> None:
        from clocktowers_tui.screens.replay import see_together

        await see_together(self.app, self._client)


def _offered(client: Client) -> list[Content]:
    """A line, and a blank one, while somebody looks at the match again."""
    said = offer(client)
    return [Content.styled(said, "$turn"), Content("")] if said else []


def _rows(table: Table, keymap: Keymap, width: int) -> list[Row]:
    rows = []
    for n, words in enumerate(seats_in_rows(table, keymap, width)):
        info = table.info.seats[n]
        sittable = table.seat is None and info.kind is SeatKind.FREE
        rows.append(Row(str(n), words.plain, _is_given(table, n) or sittable, styled=words))
    return rows


def _is_given(table: Table, n: int) -> bool:
    """Whether the player, as the host, says who has this seat."""
    return table.is_host and (table.info.seats[n].kind is not SeatKind.HUMAN or may_lose(table, n))


class _NewestChat(Widget):
    """As many of the newest lines of the chat as there is room for."""

    _shown = reactive[tuple[Sequence[Said], str]](((), ""))

    def show(self, lines: Sequence[Said], you: str) -> None:
        self._shown = lines, you

    def render(self) -> Content:
        (width, height), (lines, you) = self.size, self._shown
        last = lines[-height:] if height else ()
        return Content("\n").join(_line(said, you, width) for said in last)


def _line(said: Said, you: str, width: int) -> Content:
    words = Content(fit(line_of(said, you), width))
    return words.stylize("bold", 0, len(speaker_in_words(said, you)) + 1)


# A table before and between matches in words: its seats, its rules, and how friends get there.


_GAP = 2


def seats_in_rows(table: Table, keymap: Keymap, width: int) -> list[Content]:
    """A line of at most `width` cells for each seat: a full dot where it is ready, who sits there,
    and what is missing."""
    who = [seat_in_words(seat) for seat in table.info.seats]
    fills = _filled(table).format(confirm=keymap.name(actions.CONFIRM))
    states = [
        fills if seat.kind is SeatKind.FREE else ", ".join(marks_in_words(table, n))
        for n, seat in enumerate(table.info.seats)
    ]
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


def _filled(table: Table) -> str:
    """What fills a free seat."""
    if table.is_host:
        return _("{confirm}: seat a bot")
    return _("{confirm}: sit down") if table.seat is None else _("waits for a friend")


def _tone(table: Table, n: int, seat: SeatInfo) -> str:
    """Green is ready; a match waits for what has the colour of the turn."""
    if seat.kind is SeatKind.FREE:
        return ""
    waits = seat.kind is SeatKind.HUMAN and not seat.ready and n != table.info.host
    return "$turn" if waits and table.info.phase is not TablePhase.PLAYING else "$success"


def next_in_words(table: Table, keymap: Keymap) -> list[Content]:
    """What the player does next, with its key, and what the table waits for."""
    if table.seat is None:
        sits = _("You are watching; choose a free seat to play.")
        return [Content(sits if table.free else _("You are watching; no seat is free."))]
    if not table.is_host:
        ready = table.info.seats[table.seat].ready
        words = _("Say that you are not ready") if ready else _("Say that you are ready")
        waits = _("The host starts the match when everybody is ready.")
        if isinstance(table.info.clock, Days) and table.info.seats[table.info.host or 0].dropped:
            waits = _("The match begins when all seats are taken and all who are here are ready.")
        return [_key_and_words(keymap.name(actions.READY), words, may=not ready), Content(waits)]
    may = not table.late and (table.closes_up or not table.free)
    start = _key_and_words(keymap.name(actions.START), _("Start the match"), may=may)
    return [start, Content(beginning_in_words(table))]


def _key_and_words(key: str, words: str, *, may: bool) -> Content:
    """As a row of the menu at home; `may`: nothing is in its way."""
    styled = Content.styled(words, "bold $turn" if may else "$quiet")
    return Row("", words, key=key, styled=styled).prompt


def about_in_words(
    table: Table, connection: Connection, face: Face | None, keymap: Keymap
) -> Content:
    """The rules of the house, and what friends type."""
    info, lines = table.info, rules_of_table(table.info, face)
    if info.watchers:
        lines.append(watching_in_words(info.watchers))
    if info.deal:
        said = _("{deal}. In the list of tables {key} opens another.")
        key = keymap.name(actions.SAME_DEAL)
        lines.append(said.format(deal=shared_deal_in_words(info), key=key))
    about = Content("\n".join(lines))
    if not table.free:
        return about
    if not (commands := typed_by_friends(connection, info.table)):
        return Content("\n").join([about, "", Content(coming_in_words(connection, info.table))])
    commanded = Content.styled("\n".join(commands), "bold")
    typed = Content.styled(typing_in_words(), "$quiet"), commanded
    invite = keymap.name(actions.INVITE) if table.is_host and connection.welcome.invites else ""
    invitation = [anywhere_in_words(invite)] if invite else []
    others = map(Content, [*invitation, *doors_in_words(connection.ways, 0, info.table)])
    return Content("\n").join([about, "", *typed, *others])
