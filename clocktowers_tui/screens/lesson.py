"""A guided match: what is so above the board, what to press below it; only the action that this
asks for is sent.

A lesson that was left is played again up to where the player was: the deal and the bots are the
same each time.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import Click, Key
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from clocktowers_tui.config.settings import Draft, called
from clocktowers_tui.deeds.client import Client, is_my_turn, may_act
from clocktowers_tui.deeds.home import finished, offered, waiting
from clocktowers_tui.deeds.match import LESSON, Teaching
from clocktowers_tui.games.board import Board
from clocktowers_tui.games.lesson import TWO_ROWS, Course
from clocktowers_tui.games.pane import Pane
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Deed, KeyGroups, bound
from clocktowers_tui.keys.keymap import key_in_words
from clocktowers_tui.net.wishes import Solo
from clocktowers_tui.new_table import drafted
from clocktowers_tui.phrases.codes import fault_in_words
from clocktowers_tui.phrases.tables import offer_in_words
from clocktowers_tui.screens.bound_actions import BoundAction, Keys, entries
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import State
from clocktowers_tui.text.fitting import fit, pad
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.menu import Row
from protocol.games.registry import LEVELS
from protocol.text import cells

_PICTURED: Final = 80
"""From so many columns on cards are pictures, down to the board's last row."""
_GOES_ON: Final = (actions.CONFIRM, actions.CHOOSE)
_NOT_YET: Final = N_("{key} does nothing here yet.")


class LessonScreen(MatchScreen):
    """The step in view is the course's as soon as the match waits for the player."""

    deeds = LESSON

    def __init__(self, client: Client, match: Match) -> None:
        super().__init__(client, match)
        self._teaching = Teaching(client, match.game)
        self._guided = -1
        """The step that the board is told of."""
        self._pressed: str | None = None
        """The key that was pressed last; "" after a click, None before the first."""
        self._earlier = 0
        """How many steps before its own the player reads once more."""

    def compose(self) -> ComposeResult:
        yield LessonStrip(id="lesson", classes="banner")
        yield from super().compose()

    @property
    def _course(self) -> Course:
        return self._teaching.course

    # Down ---------------------------------------------------------------------------------------

    def show(self, state: State) -> None:
        super().show(state)
        self._board.hide(self._course.hidden)
        if not is_my_turn(state, self._client.faces):  # the step comes when it can be done
            self.query_one(LessonStrip).show("", "")
        if not self._mine or not may_act(state):
            return
        if self._course.catching_up:
            self._catch_up()
        else:
            self._show_step()

    def _show_step(self) -> None:
        step = self._course.step
        if step is None:
            return
        if self._guided != self._course.at:  # what is chosen at the board begins again
            self._guided = self._course.at
            begin = self._board.seek if step.is_free else self._board.guide
            begin(step.wanted(self._teaching.view))
        steps = len(self._course.lesson.steps)
        strip, read = self.query_one(LessonStrip), self._read
        strip.show(f"{read.at + 1}/{steps}", read.words(self.keymap))
        reader = strip if self._course.reads else self._board
        if self.focused is not reader:
            reader.focus()
        for pane in self._board.query(Pane):
            pane.lit = pane.id in step.lit
        self.refresh_bindings()

    @property
    def _read(self) -> Course:
        """The step whose sentences stand there."""
        return self._course._replace(at=self._course.at - self._earlier)

    def on_board_hint(self, event: Board.Hint) -> None:
        """Before the first key the lesson speaks, also to a player who comes back to it."""
        if self._pressed is None:
            event.prevent_default()
            self.show_keys()

    async def say_again(self) -> None:
        await super().say_again()
        self._show_step()

    def game_keys(self) -> Keys:
        """None before the first step is in view."""
        return entries(self.keymap, self.taken()) if self._guided >= 0 else ()

    def taken(self) -> KeyGroups:
        """What leads on: of the board's actions those that the step asks for, or all where the
        player has to find the action."""
        step = self._course.step
        if step is None or self._course.reads or self._earlier:
            earlier: KeyGroups = [((actions.BACK,), _("Step before"))] if self._read.at else []
            return [((actions.CONFIRM,), _("Go on")), *earlier]
        now = self._board.actions_now()
        if step.is_free:
            return now
        named = self._course.lesson.pressed(step)
        led = (([one for one in together if one in named], words) for together, words in now)
        return [(together, words) for together, words in led if together]

    def may(self, deed: Deed) -> bool:
        return self._course.may_play if deed.word == "play on" else super().may(deed)

    def offered(self) -> Sequence[BoundAction]:
        """A hint tells why, except where there is no more to tell, or the player has to find the
        action, and there is none where the player only reads; a match may come before the end."""
        vain = {actions.TAKE_BACK, actions.HURRY}
        if self._course.reads or self._earlier:
            vain.add(actions.HINT)
        return [one for one in self.bound if one.action not in vain]

    def short_words(self) -> dict[Action, str]:
        return {**super().short_words(), actions.PLAY_ON: _("Play now")}

    # Up -----------------------------------------------------------------------------------------

    async def play(self, action: Any) -> bool:
        if self._course.refusal(self._teaching.view, action, self.keymap):
            self.show(self._client.state)
            wrong = self._board.put_right(action)
            said = self._course.refusal(self._teaching.view, action, self.keymap, self._room, wrong)
            self.object(said)
            return False
        done = await super().play(action)
        if done:
            self._go_on()
        return done

    def otherwise(self) -> str:
        """What to do now; in another's turn nothing."""
        if not self._earlier:
            return self._course.order(self.keymap) if self._mine else ""
        key = self.keymap.name(actions.CONFIRM)
        return _("Press {confirm} to go on.").format(confirm=key)

    def action_back(self) -> None:
        """With nothing chosen the player reads the step before once more, and from there goes on
        with the usual key; any other key leads to the present step, and has its own meaning
        there."""
        if self._course.catching_up or self._board.step_back():
            return
        self._read_again(min(self._earlier + 1, self._course.at))

    def _read_again(self, earlier: int) -> None:
        self._earlier = earlier
        self._show_step()
        self.say("")

    @work(group="act")
    async def _catch_up(self) -> None:
        if await self._teaching.catch_up(self.play):
            self._show_step()

    def action_read(self) -> None:
        """The player has read the sentence."""
        if self._earlier:
            self._read_again(self._earlier - 1)
        elif self._guided >= 0 and self._course.step is not None and self._course.reads:
            self._go_on()

    def on_key(self, event: Key) -> None:
        typed = event.character or ""
        self._pressed = typed if typed.isalnum() else key_in_words(event.key)
        if self._earlier and event.key not in self.keymap.keys(actions.BACK):
            goes_on = any(event.key in self.keymap.keys(one) for one in _GOES_ON)
            self._read_again(self._earlier - 1 if goes_on else 0)
            if goes_on:
                event.stop()

    def on_mouse_down(self) -> None:
        self._pressed = ""

    def on_click(self, event: Click) -> None:
        """A click on a key that the sentence names, or anywhere on one that names no other, is as
        good as the key."""
        said = self.query_one("#said", Static)
        at = event.get_content_offset(said)
        row = "" if at is None else said.render_line(at.y).text
        if at is not None and (key := self._course.key_at(self.keymap, row, at.x)):
            # From the app: what a screen sends does not come past it, where the keys are bound.
            self.app.call_later(self.app.simulate_key, key)

    def on_board_strayed(self, event: Board.Strayed) -> None:
        """What the rules forbid, and what only the lesson does not ask for, are told apart."""
        pressed = _(_NOT_YET).format(key=self._pressed) if self._pressed else ""
        self._correct(event.why or pressed)

    def puzzled(self, key: str) -> None:
        self._correct(_(_NOT_YET).format(key=key))

    @property
    def _room(self) -> int:
        """Cells for an objection: one row, where a second would lie on the player's cards."""
        width = self.size.width
        return min(TWO_ROWS, width - 2) if width >= _PICTURED else TWO_ROWS

    def _correct(self, against: str) -> None:
        follows = self._board.follows()
        said = self._course.objection(self.keymap, follows, against, self._room)
        self.object(said if self._mine else against)

    def _go_on(self) -> None:
        self._earlier = 0
        self.say("")
        if self._teaching.go_on():
            self.show(self._client.state)
        else:
            self._finish()

    async def do_hint(self) -> None:
        """The step again, and why; what the player has to find lies there as the floating
        choice."""
        step = self._course.step
        if step is None or not step.is_free:
            self.say(self._course.reason(self.keymap))
        elif wanted := step.wanted(self._teaching.view):
            self._board.suggest(wanted[0])

    async def do_leave(self) -> None:
        """Nothing is lost, so nothing is asked."""
        begun = self._client.settings.lessons[self._course.lesson.game]
        learn = self.keymap.name(actions.LEARN)
        self._end(self._teaching.waits_in_words(learn) if begun else "")

    @work(group="asking", exclusive=True)
    async def _finish(self) -> None:
        """A match follows at once, unless one waits in the menu."""
        if self._has_match or not await self._wants_match():
            self._end(self._teaching.done_in_words(self.keymap.name(actions.CONFIRM)))
        else:
            await self._begin_match()

    async def do_playon(self) -> None:
        """The lesson waits meanwhile."""
        if self._has_match:
            await self.do_leave()
        else:
            await self._begin_match()

    @property
    def _has_match(self) -> bool:
        """Whether one waits in the menu."""
        return self._face.game in waiting(self._client.faces).on_cards

    @property
    def _draft(self) -> Draft:
        return offered(self._client.settings, self._face, finished())

    async def _begin_match(self) -> None:
        """Without a question for a name: bots do not care, and a field for it would take the keys
        that were meant for the board."""
        table = drafted(self._draft, self._face, LEVELS, solo=True)
        error = await self._client.journey.go(Solo(table), called(self._client.settings))
        if error is not None:
            self._end(fault_in_words(error))

    async def _wants_match(self) -> bool:
        title = _("You know {game} now").format(game=self._teaching.title)
        said = _("{help} explains everything, also in a match.")
        help_key = self.keymap.name(actions.HELP)
        play = offer_in_words(self._draft, self._client.settings, self._face)
        rows = [Row("play", play), Row("menu", _("To the menu"))]
        said = said.format(help=help_key)
        question = Question(title, [said], rows, safe=rows[-1], goal=self.goal())
        return await self.app.push_screen_wait(question) == "play"

    @work(group="ending")
    async def _end(self, sentence: str) -> None:
        await self._client.journey.end()
        self._client.tell(sentence)


# The sentence of a lesson above its board, and how far the player is.


_ROOMY: Final = 76
"""Columns from which there is room for a word before how far the player is."""


class LessonStrip(Widget, can_focus=True):
    """One row. It has the focus while there is something to read, and then takes the key that goes
    on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(bound(key, "screen.read", N_("Go on")) for key in (actions.CONFIRM, actions.CHOOSE))
    ]
    _shown = reactive(("", ""))

    def show(self, place: str, sentence: str) -> None:
        self._shown = place, sentence

    def render(self) -> Content:
        place, sentence = self._shown
        width, said = self.size.width, f" {sentence}"
        steps = [f" {place} ", place] if place else [""]
        if place and width >= _ROOMY:
            steps.insert(0, _(" Step {at} ").format(at=place))
        fits = (step for step in steps if cells(step) + cells(said) <= width)
        where = next(fits, steps[-1])
        room = max(0, width - cells(where))
        return Content.assemble((where, "reverse"), pad(fit(said, room), room))

    async def on_click(self, _event: Click) -> None:
        if self.has_focus:
            await self.run_action("screen.read")
