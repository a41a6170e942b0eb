"""The first screen: continue, play, join, host, quit."""

import time
from typing import ClassVar

from msgspec.structs import replace
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static

from clocktowers_tui.config.settings import Draft, draft_of
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.keys.keymap import Keymap, ways_to_move
from clocktowers_tui.net.seats import Seat, unfinished as held_seats
from clocktowers_tui.net.wishes import Host, Return, Solo, Visit, Wish
from clocktowers_tui.new_table.drafts import drafted
from clocktowers_tui.new_table.lessons import lesson_of
from clocktowers_tui.new_table.offers import LEVELS, last_game
from clocktowers_tui.phrases.faults import fault_in_words
from clocktowers_tui.phrases.tables import bots_in_words
from clocktowers_tui.phrases.unfinished import kept_in_words, unfinished_in_words, waiting_in_words
from clocktowers_tui.screens.client import Client
from clocktowers_tui.screens.dialogs import NameForm, Question, Quit
from clocktowers_tui.screens.learning import with_offer
from clocktowers_tui.screens.screen import PlaceScreen
from clocktowers_tui.state.store import State, taken_up
from clocktowers_tui.state.unfinished import unfinished
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.key_line import KeyLine
from clocktowers_tui.widgets.menu import HomeMenu, Menu, Row


class HomeScreen(PlaceScreen):
    """The player also returns here when a connection was lost, and while a match waits."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.CONTINUE, "pick('continue')", shown=True),
        bound(actions.PLAY, "pick('solo')", shown=True),
        bound(actions.LEARN, "pick('learn')", shown=True),
        bound(actions.BOTS, "pick('form')", shown=True),
        bound(actions.JOIN, "pick('join')", shown=True),
        bound(actions.HOST, "pick('host')", shown=True),
        bound(actions.NAME, "pick('name')", shown=True),
        bound(actions.LEAVE, "pick('quit')", N_("Quit"), shown=True),
        bound(actions.BACK, "stop_waiting"),
    ]

    def __init__(self, client: Client) -> None:
        super().__init__()
        self._client = client
        self._starting = False
        self._seats: dict[str, Seat] = {}
        self._look_for_seats()

    def compose(self) -> ComposeResult:
        yield Static(Content.styled(" Clocktowers", "bold"), classes="banner", markup=False)
        with Vertical(classes="middle"), Vertical(id="home"):
            yield HomeMenu(self._rows())
            if not self._client.settings.played:
                yield Static(Content(_tip(self.keymap)), id="tip", markup=False)
        yield Static("", id="said", markup=False)
        yield KeyLine()

    def _rows(self) -> list[Row]:
        settings = self._client.settings
        game, draft = self._last()
        play = _("Play {game} ({against})")
        return [
            *self._unfinished_rows(),
            Row(
                "solo",
                play.format(game=title_of(game), against=bots_in_words(draft, game, LEVELS)),
            ),
            Row("form", _("Choose game, bots and rules")),
            Row("join", _("Join a table")),
            Row("host", _("Host a table")),
            Row("rules", _("Rules of {game}").format(game=title_of(game))),
            Row("name", _("Your name: {name}").format(name=settings.name)),
            Row("settings", _("Settings")),
            Row("quit", _("Quit")),
        ]

    def _last(self) -> tuple[str, Draft]:
        """The game to play when the player chooses nothing else, as its form was filled in last."""
        game = last_game(self._client.settings, list(self._client.faces))
        return game, draft_of(self._client.settings, game, solo=True)

    def _unfinished_rows(self) -> list[Row]:
        rows = []
        for n, one in enumerate(unfinished(self._client.state)):
            match = unfinished_in_words(one, self._client.faces[one.game])
            rows.append(Row(f"continue-{n}", _("Continue: {match}").format(match=match)))
        for seat in self._seats.values():
            rows.append(Row(f"seat-{seat.match}", _("Continue: {match}").format(match=_held(seat))))
        return rows

    def _look_for_seats(self) -> None:
        """Read from disk when the player comes here, and when a way back to a seat has failed."""
        self._seats = {seat.match: seat for seat in held_seats()}

    def show(self, state: State) -> None:
        self.query_one(Menu).show(self._rows())
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without a match that waits there is nothing to continue."""
        return parameters != ("continue",) or bool(unfinished(self._client.state) or self._seats)

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        await self.action_pick(event.option_id or "")

    async def action_pick(self, what: str) -> None:
        if self._starting:
            return
        match what:
            case "continue":
                await self.action_pick(self._unfinished_rows()[0].id)
            case "solo":
                game, draft = self._last()
                table = drafted(draft, self._client.faces[game], LEVELS, solo=True)
                self.go(Solo(table), _("Starting…"))
            case "learn":
                self.go(lesson_of(self._last()[0]), _("Starting…"))
            case "form":
                self._choose_bots()
            case "join":
                self._connect()
            case "host":
                self.go(Host(), _("Starting a server…"))
            case "rules":
                await self.app.run_action("rules")
            case "name":
                self._ask_name()
            case "settings":
                await self.app.run_action("settings")
            case "quit":
                self._quit()
            case _ if what.startswith("continue-"):
                self._client.change(taken_up(self._client.state))
            case _ if (seat := self._seats.get(what.removeprefix("seat-"))) is not None:
                self.go(Return(seat), _("Connecting…"))

    def action_stop_waiting(self) -> None:
        """Stop what is starting (Esc)."""
        if self._starting:
            self.workers.cancel_group(self, "going")
            self._starting = False
            self.say("")

    # Elsewhere ----------------------------------------------------------------------------------

    @work(exclusive=True, group="going")
    async def go(self, wish: Wish, saying: str) -> None:
        """Open the connection that the player wishes for, or say why that fails."""
        if not await self._gives_up():
            return
        chosen = await with_offer(self.app, self._client, wish)
        if chosen is None:
            return
        self._starting = True
        self.say(saying)
        error = await self._client.journey.go(chosen, self._client.settings.name)
        self._starting = False
        if error is not None:
            self._look_for_seats()
            self.show(self._client.state)
        self.say("" if error is None else fault_in_words(error))

    async def _gives_up(self) -> bool:
        """Ask whether a match that waits may end for something else."""
        waiting = waiting_in_words(self._client.state, self._client.faces)
        if not waiting:
            return True
        answers = [Row("back", _("Back to it")), Row("end", _("End it and start"))]
        safe = Row("", _("Stay here"))
        question = Question(_("You have an unfinished match"), waiting, answers, safe=safe)
        answer = await self.app.push_screen_wait(question)
        if answer == "back":
            self._client.change(taken_up(self._client.state))
        return answer == "end"

    @work(exclusive=True, group="asking")
    async def _connect(self) -> None:
        if await self._gives_up():
            from clocktowers_tui.screens.connect import ConnectScreen

            self.app.push_screen(ConnectScreen(self._client))

    @work(exclusive=True, group="asking")
    async def _choose_bots(self) -> None:
        from clocktowers_tui.screens.table_form import TableForm

        form = TableForm(self._client, LEVELS, solo=True)
        if (table := await self.app.push_screen_wait(form)) is not None:
            self.show(self._client.state)
            self.go(Solo(table), _("Starting…"))

    @work(exclusive=True, group="asking")
    async def _ask_name(self) -> None:
        if name := await self.app.push_screen_wait(NameForm(self._client.settings.name)):
            self._client.keep(replace(self._client.settings, name=name))
            self.show(self._client.state)

    @work(exclusive=True, group="asking")
    async def _quit(self) -> None:
        kept = kept_in_words(self._client.state, self._client.faces)
        if not kept or await self.app.push_screen_wait(Quit(kept)) == "quit":
            self._client.leave_program()

    @work(exclusive=True, group="asking")
    async def ask_again(self, sentence: str, wish: Wish) -> None:
        """The connection for `wish` was lost: say why, and ask whether to try once more."""
        self._look_for_seats()
        self.show(self._client.state)
        again = {
            Solo: _("Start a new game"),
            Host: _("Host again"),
            Visit: _("Connect again"),
            Return: _("Go on with the match"),
        }[type(wish)]
        stay = Row("home", _("Stay here"))
        question = Question(
            _("The connection is lost"),
            [sentence],
            [Row("again", again), stay],
            safe=stay,
            unasked=True,
        )
        if await self.app.push_screen_wait(question) == "again":
            self.go(wish, _("Connecting…"))
        else:
            self.say(sentence)


def _held(seat: Seat) -> str:
    """A seat on a server, in a few words; where it waits is what tells it from others, or since
    when."""
    if seat.folder:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(seat.kept_at))
        return _("{game}, {when}").format(game=title_of(seat.game), when=when)
    return _("table {table} at {address}, as {name}").format(
        table=seat.table, address=seat.address, name=seat.name
    )


def _tip(keymap: Keymap) -> str:
    """For a player who is here for the first time."""
    lines = (
        _("Move with {move}, choose with {confirm}, go back with {back}.").format(
            move=ways_to_move(keymap),
            confirm=keymap.name(actions.CONFIRM),
            back=keymap.name(actions.BACK),
        ),
        _("{help} says which keys do what, on every screen.").format(
            help=keymap.name(actions.HELP)
        ),
        _("Bots wait for you; an impossible move only tells why."),
    )
    return "\n".join(lines)
