"""The first screen: what waits, a card for each game, friends, and the rest."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar, Final

from msgspec.structs import replace
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import OptionList, Static

from clocktowers_tui import new_table
from clocktowers_tui.config.look import Look
from clocktowers_tui.deeds import asking
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.home import HOME, ask_name, left_behind, practice, waiting
from clocktowers_tui.games.registry import LESSONS, title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Context, Deed, Does, bound
from clocktowers_tui.net import house, seats, wishes
from clocktowers_tui.phrases import codes
from clocktowers_tui.phrases.home import waiting_in_words
from clocktowers_tui.screens import dialogs
from clocktowers_tui.screens.bound_actions import Keys, bound_deeds, entry, keys_in_help
from clocktowers_tui.screens.home_menu import GameCard, HomeMenu, row_of
from clocktowers_tui.screens.place import DeedScreen
from clocktowers_tui.state import store
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.menu import Column, Row
from protocol.games.registry import LEVELS

ASK_AGAIN_S: Final = 90.0
"""A server that waits for nobody but the player, on this machine, ends after a minute."""


class HomeScreen(DeedScreen[None]):
    """The player also returns here when a connection was lost, and while a match waits. `back`: the
    player has been elsewhere, so the key that left may come once more."""

    AUTO_FOCUS = ""  # the menu says where the cursor begins
    deeds = HOME
    BINDINGS: ClassVar[list[BindingType]] = [
        *bound_deeds(HOME, Context.HOME),
        bound(actions.BACK, "stop_waiting"),
    ]

    def __init__(self, client: Client, *, back: bool = False) -> None:
        super().__init__(client)
        self._back = back
        self._starting = False
        self._said_at = ""
        """The game under the cursor when the newest sentence was said."""
        self._waiting = waiting(client.faces)
        self._looked_at = ""
        """The finished match where the player left the list of them, by its id."""

    def compose(self) -> ComposeResult:
        title = Content.styled(_(" Clocktowers and two more games, in your terminal"), "bold")
        yield Static(title, classes="banner", markup=False)
        yield HomeMenu(self._client, self._waiting)
        yield from self.foot()

    @property
    def _menu(self) -> HomeMenu:
        return self.query_one(HomeMenu)

    def restyle(self, look: Look) -> None:
        self._menu.draw()

    def on_mount(self) -> None:
        self._ask_servers()
        self.set_timer(ASK_AGAIN_S / 2, self._ask_servers)  # a bot may have played by then
        self.set_interval(ASK_AGAIN_S, self._ask_servers)

    def _look_for_seats(self) -> None:
        """Read from disk when the player has done something here, and when a way back to a seat has
        failed. What servers have told stays until they are asked again."""
        self._waiting = waiting(self._client.faces).after_asking(self._waiting.dues.values())
        self.show(self._client.state)
        self._ask_servers()

    @work(exclusive=True, group="servers")
    async def _ask_servers(self) -> None:
        """Where matches wait: in which it is the player's turn."""
        if not all(seat.folder for seat in self._waiting.others):
            from clocktowers_tui.net.waiting import ask  # a start only lists seats

            self._waiting = self._waiting.after_asking(await ask(self._waiting.others))
            if self.query("#columns > Column"):  # else the player is elsewhere already
                self.show(self._client.state)

    def _to_continue(self) -> "seats.Seat | None":
        """The match of the game under the cursor, or else the first of those in rows."""
        return self._waiting.on_cards.get(self._menu.game) or next(iter(self._waiting.others), None)

    def show(self, state: "store.State") -> None:
        self._menu.show(self._waiting)
        self.refresh_bindings()

    def say(self, sentence: str) -> None:
        super().say(sentence)
        self._said_at = self._menu.game

    def on_descendant_focus(self) -> None:
        """The keys that a sentence names would mean another game now."""
        if not self._starting and self._said_at != self._menu.game:
            self.say("")

    def goal(self) -> list[str]:
        """Of the game under the cursor, and the first steps to it."""
        first = _("First: {learn} teaches it in 5 minutes, {play} plays against bots.")
        keys = self.keymap.name(actions.LEARN), self.keymap.name(actions.PLAY)
        face = self._client.faces[self._menu.game]
        return [f"{title_of(face.game)}: {face.about()}", first.format(learn=keys[0], play=keys[1])]

    def keys(self) -> Keys:
        """Enter says against whom, or that it goes on with a match; on the way there only Esc
        means something."""
        if self._starting:
            # TRANSLATORS: a button: ends what the program waits for.
            return [entry(self.keymap, [actions.BACK], _("Stop"))]
        found = [*super().keys()]
        if isinstance(column := self.focused, Column):
            words = _("Continue") if column.id == "waiting" else _("Choose")
            found.insert(0, entry(self.keymap, [actions.CONFIRM], words))
        if isinstance(card := self.focused, GameCard) and found:
            found[0] = entry(self.keymap, [actions.CONFIRM], card.plays)
            if card.game in self._waiting.on_cards:
                found.insert(1, entry(self.keymap, [actions.PLAY], _("New match")))
        return found

    def help_keys(self) -> Keys:
        """The letters of the menu come first, then the keys of the cursor."""
        vain = () if self._menu.has_matches else (actions.HISTORY,)
        return keys_in_help([one for one in self._by_deeds(self.bound) if one.action not in vain])

    def short_words(self) -> dict[Action, str]:
        return {actions.LEAVE: _("To the lobby")} if self._client.guest else {}

    def may(self, deed: Deed) -> bool:
        """Without a match that waits there is nothing to continue, and without one of days none to
        be away from; few games can be practised."""
        if not self.query(GameCard):
            return super().may(deed)  # the menu is about to come, perhaps in another language
        match deed.word:
            case "practise":
                return self._menu.may_practise
            case "continue":
                return bool(self._to_continue())
            case "vacation":
                return any(seat.days for seat in self._waiting.others)
        return super().may(deed)

    def on_game_card_chosen(self, event: GameCard.Chosen) -> None:
        self.action_do("continue" if event.game in self._waiting.on_cards else "play")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """The id of a row is the word of a deed, or a match's."""
        row = "" if self._starting else event.option_id or ""
        self.action_do(row)
        for seat in self._waiting.others:
            if row_of(seat) == row:
                self.go(wishes.Return(seat))

    def action_do(self, word: str, *typed: int) -> None:
        if not self._starting or word == "settings":
            super().action_do(word, *typed)

    async def _done(self, does: Does, typed: Sequence[int]) -> None:
        """A player who has moved here finds what has come, and one who is away until when."""
        await super()._done(does, typed)
        self._look_for_seats()

    def do_continue(self) -> None:
        if (seat := self._to_continue()) is not None:
            self.go(wishes.Return(seat))

    def do_play(self) -> None:
        game = self._menu.game
        face = self._client.faces[game]
        table = new_table.drafted(self._menu.offer(game), face, LEVELS, solo=True)
        self.go(new_table.solo_at(self._client.settings, table))

    def do_practise(self) -> None:
        self.go(practice(self._client, self._menu.game))

    def do_learn(self) -> None:
        self.go(new_table.lesson_of(self._menu.game))

    async def do_host(self) -> None:
        """A player who comes back finds the cursor where it was. Who has an open table of another
        game says which of the two it shall be."""
        client, game = self._client, self._menu.game
        client.keep(replace(client.settings, game=game))
        if (own := self._waiting.hosted_besides(game)) is not None:
            told = [_("Open: {match}").format(match=waiting_in_words(own))]
            new = Row("new", _("A new table: {game}").format(game=title_of(game)))
            back = Row("back", _("Back to {table}").format(table=own.table))
            question = dialogs.Question(
                _("Host a table"), told, [new, back], Row("", _("Stay here"))
            )
            answer = await self.ask(question)
            if answer == "back":
                self.go(wishes.Return(own))
            if answer != "new":
                return
        table = new_table.hosted(client.settings, client.faces)
        self.go(wishes.Host(table))

    async def do_rules(self) -> None:
        await self.app.run_action(f"app.rules({self._menu.game!r})")

    async def do_settings(self) -> None:
        await self.app.run_action("app.settings")

    def action_stop_waiting(self) -> None:
        """Stop what is starting (Esc)."""
        if self._starting:
            self.workers.cancel_node(self)
            self._set_out(False)
            self.say("")

    def _set_out(self, starting: bool) -> None:
        self._starting = starting
        self.refresh_bindings()

    # Elsewhere ----------------------------------------------------------------------------------

    @work(exclusive=True, group="going")
    async def go(self, wish: "wishes.Wish") -> None:
        """Open the connection that the player wishes for, or say why that fails."""
        if isinstance(wish, wishes.Solo) and not (
            wish.lesson or await self._wants_to_play(wish.table.game, _("Play at once"))
        ):
            return
        chosen: wishes.Wish | None = wish
        if isinstance(wish, wishes.Solo) and not wish.lesson:
            chosen = await self._in_its_place(wish)
        if isinstance(chosen, wishes.Return) and not await self._is_set(chosen.seat):
            return
        # Others see the name; bots do not care.
        others = isinstance(chosen, wishes.Host | wishes.Visit)
        if chosen is None or (others and not await self._is_named()):
            return
        self._set_out(True)
        away = isinstance(chosen, wishes.Visit)
        away = not chosen.seat.folder if isinstance(chosen, wishes.Return) else away
        self.say(_("Connecting…") if away else _("Starting…"))
        if isinstance(chosen, wishes.Visit):  # from a command line
            from clocktowers_tui.screens.connect import to_table

            chosen = await to_table(self._client, self, chosen)
        error = None if chosen is None else await asking.go(self._client, self, chosen)
        self._set_out(False)
        if error is not None:
            self._look_for_seats()
        self.say("" if error is None else codes.fault_in_words(error))

    async def _wants_to_play(self, game: str, plays: str) -> bool:
        """Offer the lesson of a game before its first match, once. Returns whether the player wants
        what `plays` says; they may begin the lesson instead."""
        lessons = self._client.settings.lessons
        if game not in LESSONS or game in lessons or game in self._client.settings.known:
            return True
        self._client.keep(replace(self._client.settings, lessons={**lessons, game: 0}))
        about = self._client.faces[game].about()
        offer = dialogs.LessonOffer(self.keymap, game, about, plays)
        answer = await self.app.push_screen_wait(offer)
        if answer == "learn":
            self.go(new_table.lesson_of(game))
        return answer == "play"

    async def _in_its_place(self, wish: "wishes.Solo") -> "wishes.Wish | None":
        """Each game keeps one match: ask whether the one that waits may end for a new one."""
        if (seat := self._waiting.on_cards.get(wish.table.game)) is None:
            return wish
        answers = [Row("back", _("Back to it")), Row("end", _("End it and start"))]
        safe = Row("", _("Stay here"))
        title = _("You have an unfinished match")
        ends = [_("{match}. A new match ends it.").format(match=waiting_in_words(seat))]
        match await self.ask(dialogs.Question(title, ends, answers, safe)):
            case "end":
                return wish._replace(instead=seat)
            case "back":
                return wishes.Return(seat)
            case _:
                return None

    async def _is_set(self, seat: "seats.Seat") -> bool:
        """Ask before a race runs on, where it waits for this player alone."""
        face = self._client.faces.get(seat.game)
        if not seat.folder or face is None or face.in_turns or seat.progress.practice:
            return True
        title, told = _("Go on with the race?"), [_("The clock starts when you see the Wheel.")]
        return await self.sure(title, told, _("Go on"), _("Stay here"), of_key="yes")

    async def _is_named(self) -> bool:
        """Ask who plays, once; whether the player has answered."""
        return bool(self._client.settings.name) or await self._ask_who(_("Who plays?"))

    async def _ask_who(self, title: str) -> bool:
        said = await ask_name(self._client, self, title)
        if said:
            self.show(self._client.state)
        return said

    async def do_join(self) -> None:
        if await self._is_named():
            from clocktowers_tui.screens.connect import ConnectScreen

            self.app.push_screen(ConnectScreen(self._client))

    async def do_setup(self) -> None:
        """Ask a player to whom the game is new about the lesson, before the form opens."""
        from clocktowers_tui.screens.table_form import TableForm

        game = self._menu.game
        if not await self._wants_to_play(game, _(actions.BOTS.words)):
            return
        form = TableForm(self._client, LEVELS, solo=True, game=game)
        if (table := await self.app.push_screen_wait(form)) is not None:
            self._menu.draw()
            self.go(new_table.solo_at(self._client.settings, table))

    async def do_today(self) -> None:
        """The first try counts. A slow disk may keep the history back: meanwhile only Esc means
        something."""
        from clocktowers_tui.deeds.looking_back import counted

        game, day = self._menu.game, new_table.today()
        self._set_out(True)
        self.say(_("Starting…"))
        lines = await asyncio.to_thread(counted, game, day)
        self._set_out(False)
        self.say("")
        back, title = Row("back", _("Back")), _("Deal of the day")
        told = [
            _("Today everybody in the world gets this deal. One hard bot plays against you."),
            _("Your first try counts; each later one is practice."),
        ]
        rows = [Row("play", _("Play it now")), back]
        if lines:
            title = _("Deal of the day: done")
            told = ["\n".join(lines), _("The next deal comes at midnight in UTC.")]
            again = Row("play", _("Play it again, as practice"))
            rows = [Row("copy", _("Copy the result")), again, back]
        match await self.ask(dialogs.Question(title, told, rows, back)):
            case "copy":
                await dialogs.copy(self, "\n".join(lines))
            case "play":
                self.go(new_table.deal_of(game, day))

    async def do_matches(self) -> None:
        """The list begins where the player left it; it may return one to go on with."""
        from clocktowers_tui.screens.history import HistoryScreen

        history = HistoryScreen(self._client, self._waiting, self._looked_at)
        seat = await self.app.push_screen_wait(history)
        self._looked_at = history.at
        # Beside it, for the same key may be pressed again at once.
        self.run_worker(self._menu.look(), group="looking", exclusive=True)
        if seat is not None:
            self.go(wishes.Return(seat))

    async def do_name(self) -> None:
        await self._ask_who(_("Your name"))

    async def do_quit(self) -> None:
        """A guest goes to the lobby. A player who has just come back is asked: the key may have
        been meant for the screen before."""
        if self._client.guest:
            self.go(house.lobby())
            return
        kept = left_behind(self._client, self._waiting.all)
        asks = self._back and (kept or not self._menu.seen)
        if not asks or await self.app.push_screen_wait(dialogs.Quit(kept)) == "quit":
            self._client.leave_program()

    @work(exclusive=True, group="asking")
    async def ask_again(self, sentence: str, wish: "wishes.Wish") -> None:
        """The connection for `wish` was lost: say why, and ask whether to try once more."""
        self._look_for_seats()
        again = {
            wishes.Solo: _("Start a new match"),
            wishes.Host: _("Host again"),
            wishes.Visit: _("Connect again"),
            wishes.Return: _("Go on with the match"),
        }[type(wish)]
        stay = Row("home", _("Stay here"))
        title, answers = _("The connection is lost"), [Row("again", again), stay]
        question = dialogs.Question(title, [sentence], answers, stay, unasked=True)
        if await self.ask(question) == "again":
            self.go(wish)
        else:
            self.say(sentence)
