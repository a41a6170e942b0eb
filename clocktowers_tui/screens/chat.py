"""The chat of a table: a panel beside the place where the player is, or below it."""

from typing import ClassVar, Final

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from clocktowers_tui.deeds.client import Client, is_my_turn
from clocktowers_tui.deeds.company import CHAT as DEEDS, keeps_order, table_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Context, bound
from clocktowers_tui.keys.keymap import key_in_words
from clocktowers_tui.phrases.codes import refused_in_words, trouble_in_words
from clocktowers_tui.phrases.tables import PHRASES, styled_line
from clocktowers_tui.screens.bound_actions import Entry, KeyLine, Keys, bound_deeds, entries
from clocktowers_tui.screens.place import CHAT, DeedScreen
from clocktowers_tui.screens.screen import MOVES
from clocktowers_tui.state.store import State, audible, played_for, you
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.banner import Banner, Countdown, MatchTop
from clocktowers_tui.widgets.field import TextLine
from clocktowers_tui.widgets.menu import Menu, Row
from clocktowers_tui.widgets.panel import Panel, Scrolled
from protocol.from_client import Say
from protocol.from_server import Refused, Said
from protocol.table import MAX_CHAT_CHARACTERS
from protocol.text import clean

BESIDE_COLUMNS: Final = 116
"""From these on a board has 80 beside the panel, which are enough for all of it."""


class ChatScreen(DeedScreen[bool]):
    """A panel beside the place where the player is, or below it, which stays in sight. Letters are
    text while the field has the focus; beside it digits say phrases. A line that is said closes it:
    the next key is meant for the place. Returns whether one has."""

    HORIZONTAL_BREAKPOINTS = [(0, "-below"), (BESIDE_COLUMNS, "-beside")]  # noqa: RUF012

    deeds = DEEDS
    BINDINGS: ClassVar[list[BindingType]] = [
        *MOVES,
        bound(actions.PAGE_UP, "turn(-1)"),
        bound(actions.PAGE_DOWN, "turn(1)"),
        *bound_deeds(DEEDS, Context.CHAT, Context.AT_TABLE),
    ]

    def __init__(self, client: Client) -> None:
        super().__init__(client, name=CHAT)
        self._shown: tuple[Said, ...] = ()

    def compose(self) -> ComposeResult:
        yield MatchTop()
        end = _("Enter says it and closes; {key} closes").format(key=self.keymap.name(actions.BACK))
        with Panel(_("Chat"), id="talking", foot=end):
            with Horizontal(id="talk"):
                with Scrolled(id="spoken"):
                    yield Static("", id="spoken-lines", markup=False)
                yield Menu(self._rows(), id="phrases")
            with Horizontal(id="say-row"):
                yield Static(Content.styled(_("Say: "), "bold"), markup=False)
                draft = self._client.state.chat.draft
                most = MAX_CHAT_CHARACTERS
                yield TextLine(draft, id="words", password=False, max_length=most, hint="")
            yield Static("", id="said", markup=False)
        yield KeyLine()

    def _rows(self) -> list[Row]:
        rows = [*zip(PHRASES, actions.PHRASES, map(_, PHRASES.values()), strict=True)]
        rows.append(("mute", actions.MUTE, _("Mute a player")))
        if keeps_order(self._client):
            again = bool(table_of(self._client).hushed)
            hush = _("Let watchers write") if again else _("Silence watchers")
            rows.append(("hush", actions.HUSH, hush))
            rows.append(("unsay", actions.UNSAY, _(actions.UNSAY.words)))
        acts = isinstance(self.focused, Menu)
        names = [self.keymap.name(key) if acts else "" for _id, key, _words in rows]
        return [
            Row(id, f"{name:1} {words}")
            for name, (id, _key, words) in zip(names, rows, strict=True)
        ]

    def on_descendant_focus(self) -> None:
        """Their keys stand beside the phrases while they say them."""
        self.query_one("#phrases", Menu).show(self._rows())

    def arrive(self) -> None:
        self.do_type()

    def begin(self) -> None:
        self._shown = ()
        self.show(self._client.state)

    def on_resize(self) -> None:
        self._get_room(self.size.width >= BESIDE_COLUMNS)

    def on_unmount(self) -> None:
        self._get_room(False)

    def _get_room(self, beside: bool) -> None:
        """The place below is as much narrower as the panel is wide; it may be another by now."""
        for screen in self.app.screen_stack:
            screen.set_class(beside and screen is not self, "-talks")

    # What is seen -------------------------------------------------------------------------------

    def show(self, state: State) -> None:
        """Show the lines; all of them count as read."""
        if state.table is None or not self.query(Banner):
            return  # left, or not yet composed
        self.query_one("#phrases", Menu).show(self._rows())
        self.on_resize()
        code = _("table {code}").format(code=state.table.info.table)
        parts = [part for part in (self._turn(state), _("Chat"), code) if part]
        line, match = trouble_in_words(state.connection), state.match
        self.query_one(Banner).show(parts, line)
        if match is not None and match.view is not None:
            face = self._client.faces[match.game]
            self.query_one(MatchTop).show_clocks(match, face, state.seat, certain=not line)
        self._show_lines(state)
        if state.chat.fresh:
            self._client.change(replace(state, chat=state.chat.all_read()))

    def _turn(self, state: State) -> str:
        """The part of the match that a talking player needs to know."""
        if played_for(state):
            return _("A bot plays for you.")
        return _("It is your turn.") if is_my_turn(state, self._client.faces) else ""

    def on_countdown_short(self, event: Countdown.Short) -> None:
        """The match below tells it, too."""
        event.stop()

    def _show_lines(self, state: State) -> None:
        lines = audible(state)
        if lines == self._shown:
            return
        self._shown = lines
        spoken = self.query_one("#spoken", Scrolled)
        at_end = spoken.scroll_y >= spoken.max_scroll_y
        at_end = at_end or not lines or lines[-1].name == you(state)
        text = Content("\n").join(styled_line(line, you(state)) for line in lines)
        self.query_one("#spoken-lines", Static).update(text)
        if at_end:
            self.call_after_refresh(spoken.scroll_end, animate=False)

    def short_words(self) -> dict[Action, str]:
        return {actions.MUTE: _("Mute"), actions.CHAT: _("Type"), actions.BACK: _("Back")}

    def keys(self) -> Keys:
        found = super().keys()
        if isinstance(self.focused, Input):
            # The field's own key, which no keymap changes.
            say = Entry(key_in_words("enter"), _("Say"), "enter")
            return [say, *entries(self.keymap, [((actions.NEXT,), _("Quick phrases"))]), *found]
        return [*entries(self.keymap, [(actions.PHRASES, _("Say"))]), *found]

    # What is said -------------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        """Keep the text for when the chat is opened again."""
        # The field's own value: another event may be under way behind this event.
        self._draft(event.input.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = clean(event.value)
        self._draft("")
        if text:
            # The app's task: the chat closes meanwhile.
            self.app.run_worker(self._say_it(Say(id=0, text=text)), group="say")
        self.dismiss(bool(text))

    def _draft(self, text: str) -> None:
        state = self._client.state
        if text != state.chat.draft:
            self._client.change(replace(state, chat=replace(state.chat, draft=text)))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id in ("mute", "hush", "unsay"):
            self.action_do(event.option_id)
        else:
            self.action_do("phrase", 1 + [*PHRASES].index(event.option_id or ""))

    async def _say_it(self, wish: Say) -> None:
        """A line that is not said is the draft again, unless something else is there by then."""
        answer, state = await self._client.journey.request(wish), self._client.state
        if isinstance(answer, Refused):
            self._client.tell(refused_in_words(answer))
        if (answer is None or isinstance(answer, Refused)) and state.table is not None:
            self._draft(state.chat.draft or wish.text)

    # Keys ---------------------------------------------------------------------------------------

    def do_type(self) -> None:
        """The next key is text: Textual's `focus` would let it overtake."""
        self.set_focus(self.query_one(TextLine))

    def do_close(self) -> None:
        self.dismiss()
