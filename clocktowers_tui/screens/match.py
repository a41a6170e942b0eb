"""A match, played or watched: a banner, the game's board, a line for hints, and keys.

The board knows the game and nothing of the connection; with this screen it is the other way round.
"""

from collections.abc import Iterable, Sequence
from time import monotonic
from typing import Any, ClassVar, Final, NamedTuple

from msgspec.structs import replace
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Key

from clocktowers_tui.config.settings import called
from clocktowers_tui.deeds.client import Client, may_act
from clocktowers_tui.deeds.match import (
    MATCH,
    RESULT,
    act,
    ask_for_hint,
    given_up_in_words,
    hands_over,
    held_in_words,
    is_spent,
    keep_pace,
    may_play_again,
    next_in_words,
    to_table,
    undo,
    why_refused,
)
from clocktowers_tui.deeds.table import leave, leave_for_good
from clocktowers_tui.deeds.together import offer
from clocktowers_tui.games.board import Board
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Context, Deed, bound
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.net.keyboard import Keyboard
from clocktowers_tui.new_table import levels_at, levels_of, solo_at, usual_level
from clocktowers_tui.phrases.codes import (
    fault_in_words,
    not_done_in_words,
    trouble_in_words,
)
from clocktowers_tui.phrases.match import (
    away,
    banner_in_words,
    due_in_words,
    log_by_turns,
    log_lines,
    names_of,
    names_there,
    since_move,
)
from clocktowers_tui.phrases.tables import fewer_in_words, line_of
from clocktowers_tui.screens.bound_actions import (
    BoundAction,
    Keys,
    bound_deeds,
    entries,
    keys_in_help,
)
from clocktowers_tui.screens.dialogs import Cover, Pages, Question
from clocktowers_tui.screens.place import BoardScreen, is_busy, is_chatting
from clocktowers_tui.screens.result import Result, result_page, share_last
from clocktowers_tui.screens.table import AtTableScreen
from clocktowers_tui.screens.table_form import TableForm
from clocktowers_tui.state.match import LineKind, LogLine, Match
from clocktowers_tui.state.store import State, audible, handed_over, unread, you
from clocktowers_tui.text.fitting import fit
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.banner import Banner, MatchTop
from clocktowers_tui.widgets.menu import Row
from protocol.from_client import Rematch, SetBot
from protocol.from_server import NoticeCode, Refused
from protocol.games.registry import LEVELS
from protocol.ids import Seat
from protocol.table import Pace, SeatKind
from protocol.text import cells

_NEWEST: Final = 40
"""Log lines handed to the board: more than the largest terminal shows beside the towns."""

_TOLD_AT_ONCE: Final = 8
"""Log lines of a question."""
_READING_S: Final = 5.0
_OF_TURNS: Final = frozenset({actions.TAKE_BACK, actions.HURRY, actions.HAND_OVER})
"""What all do at once can neither be taken back nor left to bots."""
_ANSWERS_WHY: Final = frozenset({"undo", "hint", "fast", "autoplay"})


_TOLD: Final = (
    NoticeCode.LEFT,
    NoticeCode.KICKED,
    NoticeCode.HOST,
    NoticeCode.BOT_TOOK_OVER,
    NoticeCode.CAME_BACK,
)
"""Of what happens at the table: it is said when it happens; the rest stands in the log alone."""


class _Said(NamedTuple):
    """The newest sentence; when it was said, and at which version of the view; is it news?"""

    sentence: str = ""
    version: int = 0
    at_s: float = 0.0
    news: bool = False


class MatchScreen(AtTableScreen, BoardScreen):
    """Watchers see the same, with nothing to choose. The board says which of its own keys lead
    somewhere."""

    deeds = MATCH
    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.BACK, "back"),
        *bound_deeds(MATCH, Context.MATCH, Context.AFTER),
        bound(actions.NEXT_DUE, "do('continue')"),
        # Also with the result closed.
        bound(actions.REVIEW_RESULT, "do('review')", shown=True),
        bound(actions.EXPORT_RESULT, "do('write')", shown=True),
    ]

    def __init__(self, client: Client, match: Match) -> None:
        super().__init__(client, client.faces[match.game])
        self._board.id = "board"
        self._playing = match.id
        self._told = ""
        """The match whose result has been shown."""
        self._paced = Pace.NORMAL
        """How fast bots act at this table, as far as this screen has asked."""
        self._said = _Said()
        self._mine = False
        """It was the player's turn in the newest view."""
        self._over = False
        """The match had ended by then."""
        self._aside = ""
        self._newest = () if unread(client.state) else audible(client.state)[-1:]
        """The newest line of the chat, and as it was shown."""
        self._heard = ""
        self._gone = tuple(one for one in _who_left(match) if "moves" not in one.what.params)
        """What has been said of those who left."""

    def compose(self) -> ComposeResult:
        yield MatchTop()
        yield self._board
        yield from self.foot()

    def on_mount(self) -> None:
        if self.focused is None:
            self._board.focus()
        keyboard = self._client.journey.keyboard
        if keyboard is not None and keyboard.eyes.covered:
            self._wait_for_person(keyboard)

    @work(group="cover", exclusive=True)
    async def _wait_for_person(self, keyboard: Keyboard) -> None:
        """Tell what the others did since the last turn of the person who is due, and wait until
        that person says that they are there. The screen goes with the question."""
        match, told = self._client.state.match, list[str]()
        if match is not None:
            since = since_move(match, keyboard.seat)
            told = log_lines(since, self._face, names_of(match), None, newest=_TOLD_AT_ONCE)
        while keyboard.eyes.covered:
            cover = Cover(due_in_words(keyboard), told, keyboard.revoker)
            match await self.app.push_screen_wait(cover):
                case "leave":
                    await self.do_leave()
                case "undo":
                    await undo(self._client, self)
                case _:
                    keyboard.uncover()

    # Down ---------------------------------------------------------------------------------------

    def show(self, state: State) -> None:
        match = state.match
        if match is None or match.view is None:
            return
        if match.id != self._playing:
            self._playing = match.id
            self.say("")
        elif self._is_stale(match):
            self.say("")
        names = names_there(state, match)
        keyboard = self._client.journey.keyboard
        self._board.hands = () if keyboard is None else keyboard.hands
        lines = log_lines(match, self._face, names_of(match), self._reader, newest=_NEWEST)
        self._board.away = away(state, match)
        self._board.show(match.view, names, waiting=match.pending is not None, log=lines)
        self._show_banner(state, match, names)
        if not self._said.sentence:
            self.say("")
        self.refresh_bindings()
        self._show_chat(state)
        told = {id(line) for line in self._gone}  # a long log forgets its first lines
        self._gone = _who_left(match)
        if new := tuple(line for line in self._gone if id(line) not in told):
            said = log_lines(replace(match, log=new), self._face, names_of(match), state.seat)
            while len(said) > 1 and cells(" ".join(said)) > self.room:
                del said[0]  # the log has all of them
            self.tell(fit(" ".join(said), self.room))
        if match.over and match.id != self._told and not is_busy(self.app):
            self._told = match.id
            self._show_result()

    @property
    def _reader(self) -> Seat | None:
        """Whom the log calls "you": of people who race at one keyboard nobody."""
        return None if self._board.hands else self._client.state.seat

    def _show_chat(self, state: State) -> None:
        """A new line of the chat, also the player's own, stands where sentences do until something
        else is said; alone it counts as read."""
        newest, new = audible(state)[-1:], unread(state)
        if newest == self._newest or is_chatting(self.app):
            return
        self._newest = newest
        if not newest or not (new or newest[0].name == you(state)):
            return
        self._heard = fit(line_of(newest[0], you(state)), self.room)
        self.tell(self._heard)
        if len(new) == 1:
            self.call_after_refresh(self._see_chat)

    def _see_chat(self) -> None:
        if self._sentence == self._heard:
            self.read_chat()

    def _is_stale(self, match: Match) -> bool:
        """Whether what was said last holds no more: an objection goes when the player's turn
        begins, everything else with the next view, but not before it could be read; all of it when
        the match has ended."""
        over, self._over = self._over, match.over
        mine, self._mine = self._mine, self._face.is_my_turn(match.view)
        if (match.over and not over) or (self._objects and self._mine and not mine):
            return True
        read_s = self._said.at_s + _READING_S * (12 if self._said.news else 1)
        return match.version != self._said.version and monotonic() > read_s

    def otherwise(self) -> str:
        """What is said while there is nothing else to say: to a player alone with bots who can only
        wait for the end, how to come there."""
        if not is_spent(self._client):
            return ""
        said = _("You can score no more. {key}: a bot plays on, and the match counts.")
        return said.format(key=self.keymap.name(actions.HAND_OVER))

    def _show_banner(self, state: State, match: Match, names: list[str]) -> None:
        line = trouble_in_words(state.connection)
        self.query_one(MatchTop).show_clocks(match, self._face, state.seat, certain=not line)
        parts = banner_in_words(state, match, self._face, names, self.keymap)
        my_turn = not match.over and self._face.is_my_turn(match.view)
        if my_turn and (keyboard := self._client.journey.keyboard) is not None:
            parts[0] = f"{keyboard.due}: {parts[0]}"
        loud = parts[0] if my_turn else ""
        self._aside = aside = self._board.aside()
        if offered := offer(self._client):
            parts, loud = [offered, *parts], offered
        if aside:
            parts, loud = ["  ".join([*parts[: int(my_turn)], aside])], aside
        self.query_one(Banner).show(parts, line, loud)

    def say(self, sentence: str) -> None:
        """Show this until the next view, and for 5 s at least; then, and for "", what `otherwise`
        says."""
        match = self._client.state.match
        self._said = _Said(sentence, match.version if match is not None else 0, monotonic())
        super().say(sentence or self.otherwise())

    async def say_again(self) -> None:
        """The board speaks the new language from its next drawing on, and keeps the choice."""
        self.say("")
        self.show(self._client.state)

    # Up -----------------------------------------------------------------------------------------

    def tell(self, sentence: str) -> None:
        super().tell(sentence)
        self._said = self._said._replace(news=True)

    def on_key(self, _event: Key) -> None:
        self._said = self._said._replace(news=False)

    def on_board_hint(self, event: Board.Hint) -> None:
        """A board that has nothing to say, as after the first move of a bot, takes no news away."""
        if event.text or not self._said.news:
            self.say(event.text)
        self.show_keys()
        state, match = self._client.state, self._client.state.match
        if match is not None and match.view is not None and self._board.aside() != self._aside:
            self._show_banner(state, match, names_there(state, match))

    def on_guarded_failed(self) -> None:
        self._client.journey.distrust()

    @work(group="act")
    async def on_board_chosen(self, event: Board.Chosen) -> None:
        keyboard = self._client.journey.keyboard
        if event.person is not None and keyboard is not None:
            answer = await keyboard.act(event.person, event.action)
            if isinstance(answer, Refused):
                self.object(f"{keyboard.name(event.person)}: {why_refused(self._client, answer)}")
            return
        if not may_act(self._client.state):
            self.show(self._client.state)
            return
        await self.play(event.action)

    async def play(self, action: Any) -> bool:
        """Send an action; returns whether it was not refused."""
        return await act(self._client, self, action)

    async def do_hint(self) -> None:
        """What the player chooses while the bot looks stays: a key would play what nobody has
        seen."""
        self.say(_("A bot looks for a good move…"))
        before = self._board.choice
        match await ask_for_hint(self._client, self._face):
            case str(trouble):
                self.object(trouble)
            case action, then if self._board.choice == before:
                self._board.suggest(action, then)
            case _:
                key = self.keymap.name(actions.HINT)
                self.object(_("Your choice has changed: {key} asks again.").format(key=key))

    @work(group="pace", exclusive=True)
    async def on_screen_resume(self) -> None:
        """The pace may have been chosen while the settings lay on top."""
        self._paced = await keep_pace(self._client, self._paced, self._client.settings.pace)

    # Its keys: which of them lead somewhere now, and the words for them --------------------------

    def game_keys(self) -> Keys:
        match = self._client.state.match
        if match is None or match.over or not self._board.children:  # nothing is drawn yet
            return []
        if handed_over(self._client.state):
            told = [((actions.HAND_OVER,), _("Play on")), ((actions.HURRY,), _("Finish"))]
            return entries(self.keymap, told)
        groups = [*self._board.actions_now()]
        if hands_over(self._client):  # last, so that it is the first to go where the line is short
            end = is_spent(self._client)
            groups.append(((actions.HAND_OVER,), _("Finish") if end else _("Autoplay")))
        return entries(self.keymap, groups)

    def help_keys(self) -> Keys:
        """The game has shorter words for its own keys than the registry."""
        told = {action for together, _words in self._face.answers_to() for action in together}
        told |= {*self._face.actions, actions.CHOOSE}
        found = self._never_vain(one for one in self.bound if not one.action.moves)
        others = [one for one in found if one.action not in told]
        return [*entries(self.keymap, self._face.answers_to()), *keys_in_help(others)]

    def palette_actions(self) -> Sequence[BoundAction]:
        """The board's actions that lead somewhere now."""
        match = self._client.state.match
        now = () if match is None or match.over else self._board.actions_now()
        here = {action for together, _words in now for action in together}
        found = self._now(self._never_vain(super().palette_actions()))
        game = self._face.actions
        return [one for one in found if one.action not in game or one.action in here]

    def goal(self) -> Sequence[str]:
        return self._board.goal()

    def may(self, deed: Deed) -> bool:
        """What only the match forbids says why when its key is pressed."""
        if deed.word == "earlier":
            return not self._client.journey.teaches
        return deed.word in _ANSWERS_WHY or super().may(deed)

    def offered(self) -> Sequence[BoundAction]:
        return self._now(super().offered())

    def _now(self, found: Iterable[BoundAction]) -> Sequence[BoundAction]:
        """Without those that lead nowhere now; a player who presses such a key is told why."""
        vain = {key for deed in self.deeds if not deed.now(self._client) for key in deed.keys}
        if handed_over(self._client.state):  # the key for autoplay does it, and says so
            vain |= {actions.HURRY, actions.PLAY_ON}
        return [one for one in found if one.action not in vain]

    def _never_vain(self, found: Iterable[BoundAction]) -> Sequence[BoundAction]:
        """Without the actions that can never work in this match."""
        vain = set[Action]()
        if not self._face.in_turns:
            vain |= _OF_TURNS
        table = self._client.state.table
        if not (self._client.journey.teaches or (table is not None and table.info.hints)):
            vain.add(actions.HINT)
        return [one for one in found if one.action not in vain]

    # What they do -------------------------------------------------------------------------------

    def action_back(self) -> None:
        if not self._board.step_back():
            self.say("")

    def do_log(self) -> None:
        state = self._client.state
        if state.match is not None:
            names = names_of(state.match)
            lines = log_by_turns(state.match, self._face, names, self._reader)
            self.app.push_screen(Pages(_("Log"), lines))

    def do_earlier(self) -> None:
        match = self._client.state.match
        if match is None or self._face.races(match.view):
            self.object(_("You cannot look back while the race runs."))
        elif len(match.seen) < 2:
            self.object(_("There is nothing to look back at yet."))
        else:
            from clocktowers_tui.screens.ply_by_ply import LookBackScreen

            looking = LookBackScreen(self._client, match)
            self.app.push_screen(looking, lambda _nothing: self.show(self._client.state))

    def do_result(self) -> None:
        if self._client.state.match is not None and self._client.state.match.over:
            self._show_result()

    async def do_leave(self) -> None:
        """A match whose clock runs on meanwhile says so, and its clock stands as soon as its only
        player is at the menu."""
        client, state, match = self._client, self._client.state, self._client.state.match
        if match is None or match.over or (state.seat is None and not state.covered):
            # a watcher loses nothing
            await leave(client, self)
            return
        runs = self._face.due_ms(match.view) is not None
        stands = runs and state.alone
        answer = await self.ask(_whether_to_leave(state, runs=stands))
        if answer == "leave":
            await leave_for_good(client)
            if not state.alone:
                client.tell(_("You have given up your seat in the match."))
        elif answer == "menu":
            await client.journey.end(hold_seat=True)
            if stands:
                client.tell(_("Your match waits, and its clock stands still."))

    # The end ------------------------------------------------------------------------------------

    # A group of its own, so that an open question does not cancel a task that waits for its answer.
    @work(group="result", exclusive=True)
    async def _show_result(self) -> None:
        await self._board.still()
        self.say("")  # what says how to come here
        match = self._client.state.match
        if match is None:
            return
        page = result_page(self._client.state, match, self._face)
        offer, key = next_in_words(self._client), self.keymap.name(actions.NEXT_LEVEL)
        offer = offer and _("You won. {offer} ({key}).").format(key=key, offer=offer)
        result = Result(self._client, page, offer)
        word = await self.app.push_screen_wait(result)
        if word == "together":  # it takes a while; the key for it may come a second time
            self.action_do(word)
            return
        for deed in RESULT:
            if deed.word == word and (doing := self._doing(deed, ())) is not None:
                await self._tried(doing)
        if self._client.state.match is not match:
            return
        if word == "leave":
            self.do_result()
        elif not word:
            seated = may_play_again(self._client)
            self.say(_ended_in_words(self.keymap, seated=seated))

    async def do_review(self) -> None:
        """The result comes back when the player has closed the review."""
        # Only now: a start takes no time for it.
        from clocktowers_tui.screens.replay import see_again

        seat, back = self._client.state.seat, lambda _nothing: self.do_result()
        await see_again(self.app, self._client, self._playing, seat, reviews=True, then=back)

    async def do_write(self) -> None:
        await share_last(self, self._client)

    async def do_together(self) -> None:
        from clocktowers_tui.screens.replay import see_together

        await see_together(self.app, self._client, then=lambda _nothing: self.do_result())

    async def do_bots(self) -> None:
        await self._client.keeping.settle()
        form = TableForm(self._client, LEVELS, solo=True, game=self._face.game)
        if (table := await self.app.push_screen_wait(form)) is None:
            self.do_result()
            return
        settings = self._client.settings
        error = await self._client.journey.go(solo_at(settings, table), called(settings))
        self.say("" if error is None else fault_in_words(error))

    async def do_rematch(self) -> None:
        if not await _fill_seats(self, self._client):
            return
        self.say(_("Waiting for the others…"))
        answer = await self._client.journey.request(Rematch(id=0))
        if answer is None or isinstance(answer, Refused):
            self.say(not_done_in_words(answer, self._client.state.connection))


def _who_left(match: Match) -> tuple[LogLine, ...]:
    notices = (line for line in match.log if line.kind is LineKind.NOTICE)
    return tuple(line for line in notices if line.what.code in _TOLD)


def _whether_to_leave(state: State, *, runs: bool) -> Question:
    title, given_up = _("Leave this match?"), given_up_in_words(state)
    stay, leaves = Row("stay", _("Stay")), Row("leave", _("Give up your seat for good"))
    if state.alone:
        menu = Row("menu", _("To the menu (the match waits)"))
        clock = [_("The clock runs on here; in the menu it stands still.")] if runs else []
        ends = Row("leave", _("End the match"))
        return Question(title, [*clock, given_up], [stay, menu, ends])
    menu = Row("menu", _("To the menu: your seat waits"))
    return Question(title, [held_in_words(state), given_up], [stay, menu, leaves])


async def _fill_seats(ask: AtTableScreen, client: Client) -> bool:
    """Whether a rematch can be asked for: where somebody has left, the others may play on alone,
    the host may put bots there, and everybody may go to the table instead."""
    table = client.state.table
    if table is None or not table.free:
        return True
    rows = [Row("table", _("To the table")), Row("board", _("Look at the board"))]
    said = _("A rematch needs another player, or a bot, which the host can add.")
    if table.is_host:
        said = _("A rematch needs another player, or a bot: you can put one there.")
        rows = [Row("bots", _("Put bots there and play again")), *rows]
    if table.closes_up:
        rows = [Row("fewer", _("Play again without them")), *rows]
        said = fewer_in_words(table)
    answer = await ask.ask(Question(_("A player has left"), [said], rows, rows[-1]))
    if answer == "table":
        await to_table(client, ask)
    elif answer == "bots":
        game = table.info.game
        known = levels_of(game, levels_at(client.state.connection))
        level = usual_level(client.settings, client.faces[game], known)
        for number, seat in enumerate(table.info.seats):
            if seat.kind is SeatKind.FREE:
                await client.journey.request(SetBot(id=0, seat=number, level=level))
    return answer in ("bots", "fewer")


def _ended_in_words(keymap: Keymap, *, seated: bool) -> str:
    """What the player can do after closing the result."""
    said = _("{result}: result. {leave}: leave.")
    if seated:
        said = _("{result}: result, then {rematch}: rematch. {leave}: leave.")
    result, rematch, leave = map(keymap.name, (actions.RESULT, actions.REMATCH, actions.LEAVE))
    return said.format(result=result, rematch=rematch, leave=leave)
