"""The first screen: what waits, a card for each game, friends, and the rest."""

from typing import ClassVar

from msgspec.structs import replace
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static

from clocktowers_tui.config.look import Look
from clocktowers_tui.config.settings import called
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.net.seats import Seat, unfinished as held_seats
from clocktowers_tui.net.wishes import Host, Return, Solo, Visit, Wish
from clocktowers_tui.new_table.drafts import begun, drafted
from clocktowers_tui.new_table.lessons import lesson_of
from clocktowers_tui.new_table.offers import LEVELS
from clocktowers_tui.phrases.faults import fault_in_words
from clocktowers_tui.phrases.unfinished import (
    kept_in_words,
    seat_in_words,
    unfinished_in_words,
    waiting_in_words,
)
from clocktowers_tui.screens.bound_actions import entry
from clocktowers_tui.screens.client import Client
from clocktowers_tui.screens.dialogs import NameForm, Question, Quit
from clocktowers_tui.screens.home_menu import HomeMenu
from clocktowers_tui.screens.learning import with_offer
from clocktowers_tui.screens.screen import PlaceScreen
from clocktowers_tui.state.store import State, taken_up
from clocktowers_tui.state.unfinished import unfinished
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.game_card import GameCard
from clocktowers_tui.widgets.key_line import KeyLine, Keys
from clocktowers_tui.widgets.menu import Row


class HomeScreen(PlaceScreen):
    """The player also returns here when a connection was lost, and while a match waits."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.CONTINUE, "pick('continue')", shown=True),
        bound(actions.PLAY, "pick('solo')"),
        bound(actions.LEARN, "pick('learn')", shown=True),
        bound(actions.BOTS, "pick('form')"),
        bound(actions.JOIN, "pick('join')"),
        bound(actions.HOST, "pick('host')"),
        bound(actions.RULES, "pick('rules')"),
        bound(actions.NAME, "pick('name')"),
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
        with Vertical(classes="middle"):
            yield HomeMenu(self._client, self._waiting())
        yield Static("", id="said", markup=False)
        yield KeyLine()

    @property
    def _menu(self) -> HomeMenu:
        return self.query_one(HomeMenu)

    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self._menu.draw()

    def _waiting(self) -> list[Row]:
        """Matches to continue; the key continues the first."""
        rows = []
        for n, one in enumerate(unfinished(self._client.state)):
            match = unfinished_in_words(one, self._client.faces[one.game])
            rows.append((f"continue-{n}", match))
        rows += [(f"seat-{seat.match}", seat_in_words(seat)) for seat in self._seats.values()]
        key = self.keymap.name(actions.CONTINUE)
        words = _("Continue: {match}")
        return [
            Row(id, words.format(match=match), key=" " * len(key) if n else key)
            for n, (id, match) in enumerate(rows)
        ]

    def _look_for_seats(self) -> None:
        """Read from disk when the player comes here, and when a way back to a seat has failed."""
        self._seats = {seat.match: seat for seat in held_seats()}

    def show(self, state: State) -> None:
        self._menu.show(self._waiting())
        self.refresh_bindings()

    def goal(self) -> list[str]:
        """Of the game under the cursor, and the first steps to it."""
        first = _("First: {learn} teaches it in 3 minutes, {play} plays against bots.")
        keys = self.keymap.name(actions.LEARN), self.keymap.name(actions.PLAY)
        face = self._client.faces[self._menu.game]
        return [f"{title_of(face.game)}: {face.about()}", first.format(learn=keys[0], play=keys[1])]

    def keys(self) -> Keys:
        """Enter says against whom."""
        found = [*super().keys()]
        if isinstance(card := self.focused, GameCard) and found:
            found[0] = entry(self.keymap, [actions.CONFIRM], card.plays)
        return found

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without a match that waits there is nothing to continue."""
        return parameters != ("continue",) or bool(unfinished(self._client.state) or self._seats)

    async def on_game_card_chosen(self, event: GameCard.Chosen) -> None:
        await self.action_pick("solo")

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        await self.action_pick(event.option_id or "")

    async def action_pick(self, what: str) -> None:
        if self._starting:
            return
        match what:
            case "continue":
                await self.action_pick(self._waiting()[0].id)
            case "solo":
                face = self._client.faces[self._menu.game]
                draft = begun(self._client.settings, face, solo=True)
                table = drafted(draft, face, LEVELS, solo=True)
                self.go(Solo(table), _("Starting…"))
            case "learn":
                self.go(lesson_of(self._menu.game), _("Starting…"))
            case "form":
                self._choose_bots()
            case "join":
                self._connect()
            case "host":
                self.go(Host(), _("Starting a server…"))
            case "rules":
                await self.app.run_action(f"app.rules({self._menu.game!r})")
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
        if chosen is None or not await self._is_named():
            return
        self._starting = True
        self.say(saying)
        error = await self._client.journey.go(chosen, called(self._client.settings))
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

    async def _is_named(self) -> bool:
        """Ask who plays, once; whether the player has answered."""
        return bool(self._client.settings.name) or await self._ask_who(_("Who plays?"))

    async def _ask_who(self, title: str) -> bool:
        name = await self.app.push_screen_wait(NameForm(title, called(self._client.settings)))
        if name:
            self._client.keep(replace(self._client.settings, name=name))
            self.show(self._client.state)
        return bool(name)

    @work(exclusive=True, group="asking")
    async def _connect(self) -> None:
        if await self._gives_up() and await self._is_named():
            from clocktowers_tui.screens.connect import ConnectScreen

            self.app.push_screen(ConnectScreen(self._client))

    @work(exclusive=True, group="asking")
    async def _choose_bots(self) -> None:
        from clocktowers_tui.screens.table_form import TableForm

        form = TableForm(self._client, LEVELS, solo=True, game=self._menu.game)
        if (table := await self.app.push_screen_wait(form)) is not None:
            self._menu.draw()
            self.go(Solo(table), _("Starting…"))

    @work(exclusive=True, group="asking")
    async def _ask_name(self) -> None:
        await self._ask_who(_("Your name"))

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
