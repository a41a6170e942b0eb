"""The client of plain mode: it says what is new, reads a line, obeys it, until the player leaves.

What is said follows from what was said before and from the newest state.
"""

import asyncio
import os
import re
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import dropwhile
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from clocktowers_tui.cli.command import STOPPED, Command, TypedDeed, encoding, fail
from clocktowers_tui.config.files import failure, note
from clocktowers_tui.config.look import Look
from clocktowers_tui.config.settings import Settings, Verbosity, as_name, called
from clocktowers_tui.deeds.asking import OfKey, go
from clocktowers_tui.deeds.by_mail import by_mail
from clocktowers_tui.deeds.client import Client, is_my_turn
from clocktowers_tui.deeds.finished import exported, for_a_friend, hand_over
from clocktowers_tui.deeds.home import HOME, waiting
from clocktowers_tui.deeds.match import is_over
from clocktowers_tui.deeds.together import offer
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.games.spoken import Asks, Spoken, number, sentence
from clocktowers_tui.history import ExportForm
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Deed
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.net.house import is_guest
from clocktowers_tui.net.journey import BOARD_S
from clocktowers_tui.net.seats import beside, unfinished
from clocktowers_tui.net.wishes import Host, Mailed, Return, Solo, Visit, Wish
from clocktowers_tui.new_table import begun_lessons, by_ear
from clocktowers_tui.phrases import NotDone, none_of
from clocktowers_tui.phrases.codes import fault_in_words
from clocktowers_tui.phrases.friends import (
    doors_in_words,
    inviting,
    plainly_in_words,
    typing_in_words,
)
from clocktowers_tui.phrases.home import kept_in_words, waiting_in_words
from clocktowers_tui.phrases.match import handed_on_in_words, since_move
from clocktowers_tui.plain.finished import MatchesPlace, see_reviewed
from clocktowers_tui.plain.home import HomePlace
from clocktowers_tui.plain.lesson import LessonPlace
from clocktowers_tui.plain.lines import WIDE, Lines, Saying
from clocktowers_tui.plain.lobby import LobbyPlace, TablePlace
from clocktowers_tui.plain.match import LATE_S, MatchPlace, happened, logged
from clocktowers_tui.plain.place import (
    ANSWERS,
    BESIDE,
    EVERYWHERE,
    OWN,
    Everywhere,
    GamePlace,
    PlainPlace,
    lookable,
    split,
    typed,
)
from clocktowers_tui.plain.tasks import Tasks
from clocktowers_tui.plain.what_if import ByMailPlace, Reviews
from clocktowers_tui.plain.words import (
    begins,
    behind,
    english,
    find,
    is_menu,
    joined,
    own_word,
    words_of,
)
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import Place, State, is_told, place, played_for
from clocktowers_tui.terminal import detect
from clocktowers_tui.text import i18n
from clocktowers_tui.text.i18n import _
from protocol.from_server import Refused
from protocol.invitation import Ways
from protocol.text import clean

if TYPE_CHECKING:
    from clocktowers_tui.net.arrival import Arrival
    from clocktowers_tui.net.keyboard import Eyes

LAST_WORDS_S: Final = 10.0
"""How long a player whose input has ended waits for what the others do: bots take some seconds."""
PROGRAM: Final = ("clocktowers", "--plain")
_HERE: Final = "here"
"""What is done while the player is at one place."""
_SHORT_S: Final = 0.3
"""How long a prompt waits for the answer to what was typed."""
_PLACES: Final[Mapping[Place, type[PlainPlace]]] = {
    Place.HOME: HomePlace,
    Place.LOBBY: LobbyPlace,
    Place.TABLE: TablePlace,
    Place.MATCH: MatchPlace,
}


class PlainClient(Client):
    """`own_pace`: a person types and reads; else a command that needs the player's turn waits for
    it. `arrival`: a connection that is open."""

    def __init__(
        self,
        settings: Settings,
        look: Look,
        lines: Lines,
        saying: Saying,
        arrival: "Arrival | None" = None,
    ) -> None:
        self.guest = is_guest()
        self.look = self.able = look
        self.lines: Final = lines
        self.saying: Final = saying
        self.own_pace = sys.stdin.isatty()
        self.undone = False
        """Something that was typed could not be done."""
        self.leaves = False
        self.asks = False
        """The next line may be the answer to a question."""
        self.typed: Sequence[str] = ()
        self.question: Asks | None = None
        """What the last line was answered with, if that was a question."""
        self.meant = ""
        """What an unknown word may mean; after its line, the line with it."""
        self._interrupted = False
        """Ctrl-C was pressed, and nothing typed since."""
        self._moved = asyncio.Event()
        self._parts = False
        self.reviews: Final = Reviews(self)
        self._beside: asyncio.Task[None] | None = None
        self.tasks: Final = Tasks()
        super().__init__(settings, FACES, DEFAULT_KEYS, arrival)
        self._said = self.state
        """The state that was said last."""
        self._eyes: Eyes | None = None
        """Who has heard it, of several people at one keyboard."""
        self._asked_last: list[str] = []
        """What the player is asked, as it was said last; nothing while others have the turn."""
        self._come_to = ""
        """The match of which the player has been told whose turn it was when they came."""
        self._over = ""
        """The match whose result was said."""
        self._everywhere = Everywhere(self)
        self.place: PlainPlace = HomePlace(self)
        self._offered = ""
        """Who leads a table, as far as the player has been told."""
        self._be_at(self.place)

    # What screens may ask, too (deeds.client.Client) ------------------------------------------

    def tell(self, sentence: str) -> None:
        """On the way to a place, once the player has heard where they are."""
        self.run_worker(self._tell(sentence), group="telling")

    async def _tell(self, sentence: str) -> None:
        await self._arrive()
        self.say(sentence)

    def restyle(self, look: Look) -> None:
        self.look = look

    def speak(self, code: str | None) -> None:
        i18n.speak(code)

    def leave_program(self) -> None:
        self.leaves = True

    def interrupt(self) -> None:
        """A listener who means to copy or to stop what is read out has not lost the program."""
        if self._interrupted:
            asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
            self.tasks.end(STOPPED)
        self._interrupted = True
        self.say(_("Ctrl-C again ends the program; a match that goes on waits for you."))

    def run_worker(
        self, work: Coroutine[Any, Any, None], *, group: str, exclusive: bool = False
    ) -> object:
        return self.tasks.run_worker(work, group=group, exclusive=exclusive)

    # What deeds ask (deeds.asking.Asker) ----------------------------------------------------------

    def say(self, *sentences: str) -> None:
        self.saying.say(sentences)
        self._prompt()

    aloud = say

    def withdraw(self, sentence: str) -> None:
        """What is said is said."""

    def object(self, *sentences: str) -> None:
        self.undone = True
        self.say(*(one.replace(" ()", "") for one in sentences))  # keys that are no words

    async def sure(
        self, title: str, told: Sequence[str], yes: str, no: str, *, of_key: OfKey = ""
    ) -> bool:
        """A line that is neither yes nor no is obeyed, and answers no; so does one that is typed
        somewhere else. A script learns by its exit code that nobody has answered."""
        if of_key:
            return True
        here, words = self.place, [*told, _("Type yes or no.")]
        self.say(*words)
        self.asks = True
        try:
            while (line := await self._line()) is not None:
                words_typed = split(line)
                first = words_typed[0] if words_typed else ""
                first = next((one for one in ANSWERS if first.lower() == one[0]), first)
                deed = find(self.deeds, first)
                if self.place is not here or first.isdigit():
                    break
                if not first:
                    self.say(*words)
                elif deed is None or deed.word == "help":
                    await self.obey(line)
                elif deed.word in ANSWERS:
                    self.say("" if deed.word == "yes" else _("You said no."))
                    return deed.word == "yes"
                else:
                    break
            self.lines.put_back(line)
            self.undone = True
            return False
        finally:
            self.asks = False

    async def choose(
        self, title: str, told: Sequence[str], options: Mapping[str, str], none: str, lacks: str
    ) -> str:
        if not self.typed:
            self.say(*told)
            raise NotDone(lacks)
        return " ".join(self.typed)

    async def line(
        self, title: str, label: str, told: str, *, had: str = "", most: int, lacks: str = ""
    ) -> str | None:
        typed = " ".join(self.typed)
        if lacks and not clean(typed):
            raise NotDone(lacks)
        return typed

    async def password(self, why: str) -> str:
        if not self.own_pace:
            return ""
        with self.lines.hidden():
            self.say(why, _("Type the password; an empty line gives up."))
            return await self.lines.next() or ""

    async def until(self, holds: Callable[[], bool], within_s: float | None = None) -> bool:
        """Wait for a state in which this holds, and until what is new in it is said; whether it
        does at last."""
        try:
            async with asyncio.timeout(within_s):
                while self._due or not holds():
                    await self._moved.wait()
        except TimeoutError:
            return False
        return True

    async def show_lines(
        self, title: str, lines: Sequence[str], over: "asyncio.Future[Any]"
    ) -> None:
        """A person who types something gives up, and that is obeyed; a script waits."""
        self.say(*lines)
        waits: set[asyncio.Future[Any]] = {over}
        if self.own_pace:
            self.say(_("Enter ends it."))
            waits.add(asyncio.ensure_future(self.lines.next()))
        done, others = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for line_typed in done - {over}:
            self.lines.put_back(line_typed.result() or None)
        for other in others - {over}:
            other.cancel()

    async def show_invitation(self, ways: Ways, table: str, short: Sequence[str]) -> None:
        whole = [inviting(clean(ways.invitation))] if ways.invitation else []
        self.say(*plainly_in_words([*short, *whole]), typing_in_words(), *short[:1], *whole)
        self.say(*doors_in_words(replace(ways, nearby=False), WIDE, table))

    # What places ask ----------------------------------------------------------------------------

    def looked_at(
        self, game: Spoken, view: Any, names: Sequence[str], typed: Sequence[str]
    ) -> list[str]:
        """The part of a board with this name, or what a player has; of these what has this number
        or word; without a name what is seen at a glance. Raises NotDone."""
        if not typed:
            return [*game.glance(view, names)]
        parts, name, n = game.parts(view, names), typed[0].lower(), number(typed, 1)
        name = next(iter(game.meant(view).get(name, [name])))
        meant = [part for part in parts if begins(part, name)]
        told = [said for part in meant for said in parts[part]]
        if not meant:
            seats = [seat for seat, one in enumerate(names) if one.lower().startswith(name)]
            if name in (OWN, own_word(OWN)) and view.seat is not None:
                seats = [view.seat]
            if not seats:
                raise none_of(lookable(game, view, names))
            told = [*game.owned(view, seats[0], names)]
        if n > 0:
            told = [one for one in told if re.search(rf"\b{n}\b", one.partition(":")[0])] or told
        elif typed[1:]:
            told = [said for said in told if typed[1].lower() in said.lower()]
        return told or [_("There is none now.")]

    async def write(self, match: str, form: ExportForm) -> None:
        """Write a finished match to a file, and say where it is. Raises NotDone."""
        said = _("The file is being written…")
        late = asyncio.get_running_loop().call_later(LATE_S, self.say, said)
        try:
            self.say(await exported(match, form))
        finally:
            late.cancel()

    async def say_line(self, match: str, writes: str = "write text") -> None:
        """Say what a friend types to see a finished match at its server. `writes`: what is typed to
        write it to a file. Raises NotDone."""
        line, why = await for_a_friend(match), _("this match was at no server")
        if line:
            self.say(_("One moment…"))
            handed, why = await hand_over(match, line)
        if why:
            said = _("Write it to a file: {command}").format(command=writes)
            raise NotDone(f"{sentence(why)} {said}")
        typed = _("Your friend types: {command}").format(command=line)
        self.say(typed, *plainly_in_words([line]), handed)

    def _need_turns(self, wish: Wish) -> None:
        """Raises NotDone for two people who act at once."""
        game = wish.table.game if isinstance(wish, Solo) and wish.people else ""
        if isinstance(wish, Return) and beside(wish.seat):
            game = wish.seat.game
        if game in self.faces and not self.faces[game].in_turns:
            said = _("Two play {game} by ear at a table (host), or alone (practise).")
            raise NotDone(said.format(game=title_of(game)))

    async def go(self, wish: Wish) -> None:
        """Open a connection and be there. A player whom others see says first who they are, once:
        a command is no name, and is obeyed there; help hears the question again. A script has the
        name of its user. Raises NotDone."""
        self._need_turns(wish)
        if isinstance(wish, Host):
            wish = wish._replace(table=by_ear(wish.table))
        others = isinstance(wish, Host | Visit)
        if others and self.own_pace and not (self.guest or self.settings.name):
            name = called(self.settings)
            said = _("Who plays? Type a name; an empty line takes {name}.").format(name=name)
            self.say(said)
            helps = words_of(next(one for one in EVERYWHERE if one.word == "help"))
            while (line := await self._line() or "").strip().lower() in helps:
                self.say(said)
            if _is_command(line):
                self.lines.put_back(line)
                line = ""
            name = as_name(line) or name
            self.keep(replace(self.settings, name=name))
        if isinstance(wish, Visit) and not wish.table and not await self._goes_back(wish):
            wish = wish._replace(fresh=True)
        if (error := await go(self, self, wish)) is not None:
            raise NotDone(fault_in_words(error))
        await self._arrive()
        if isinstance(wish, Solo):
            await self.until(
                lambda: place(self.state) is Place.MATCH or self.state.connection is None
            )

    async def _goes_back(self, wish: Visit) -> bool:
        """Whether a player who has named no table goes on at a seat that they have there, where
        they have one. A script does."""
        from clocktowers_tui.net.arrival import held  # seldom needed

        if (seat := held(wish, called(self.settings))) is None or not self.own_pace:
            return True
        said = _("You have a seat there: {match}. Go on with it? Else you hear of all tables.")
        return await self.sure("", [said.format(match=waiting_in_words(seat))], "", "")

    async def _arrive(self) -> None:
        """Wait for the place where the line leads: what is typed meanwhile is meant for it."""
        await self.until(lambda: not self.journey.under_way)

    async def open(self, beside: PlainPlace | None) -> None:
        """Go to a place beside the menu: the finished matches, or one of them; None: the menu."""
        self._be_at(HomePlace(self) if beside is None else beside)
        said = self.place.begins()
        self.say(*(said if isinstance(said, Sequence) else await said))

    async def see_reviewed(self, word: str) -> None:
        """Of the match that was reviewed last. Raises NotDone."""
        await see_reviewed(self, word)

    async def while_here(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this while the player types on; it stops when they go to another place. What comes
        from a file or a pipe waits for it."""
        doing = self.tasks.run_worker(self._tried(work), group=_HERE, exclusive=True)
        await asyncio.wait([doing], timeout=_SHORT_S if self.own_pace else None)

    async def beside(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this while the player types on and goes where they like; a pipe that ends waits for
        it, and for what was begun before it."""
        self._beside = self.tasks.run_worker(self._tried(work), group=BESIDE)
        await asyncio.wait([self._beside], timeout=_SHORT_S)

    def _be_at(self, here: PlainPlace) -> None:
        """Sentences that name keys then name the words of this place, and those of the menu."""
        self.tasks.cancel(_HERE)
        self.place = here
        self.keymap = typed([*self.deeds, *HOME])

    # What is new --------------------------------------------------------------------------------

    def _follow_soon(self) -> None:
        asyncio.get_running_loop().call_soon(self._follow)

    def _follow(self) -> None:
        self._due = False
        try:
            if not self.journey.under_way:
                with self._distrusting():
                    self._say_news()
                self._shown()
                self._prompt()
        except Exception as error:
            self.tasks.fail(error)
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()

    def _say_news(self) -> None:
        """Say what happened, where the player is now, and what they are asked. A player who ends
        the program does not hear the menu."""
        if self._parts:
            return
        before, once = self._said, [*map(sentence, self.told_once())]
        self._said = state = self.state
        if self._handed_on(before, state):
            return
        # What an operator says stands in a match's log, too.
        happened_now = [*happened(before, state), *self._led(before, state)]
        new = [one for one in happened_now if one not in once]
        new = [" ".join(new)] if new and self.settings.verbosity is Verbosity.BRIEF else new
        news, moved = [*once, *new], [*self._move(before, state)]
        told = [*moved, *news] if place(state) is Place.MATCH else [*news, *moved]
        self.say(*told, *self._asked(state, silent=not told))
        self.place.hear()

    def _handed_on(self, before: State, state: State) -> bool:
        """Whether the keyboard goes to another person, or to all at the end."""
        keyboard, was = self.journey.keyboard, self._eyes
        if keyboard is None or was in (None, keyboard.eyes) or place(before) is not Place.MATCH:
            return False
        if keyboard.eyes.covered and was is not None and was.of >= 0:
            self.saying.clear()
        self._be_at(MatchPlace(self))
        self._asked_last = []
        self.say(*self._asked(state))
        return True

    def _named(self, match: Match, state: State) -> Iterator[str]:
        """Who of several people at one keyboard is due, when that is another one; first what
        happened since that person's last turn."""
        keyboard, was = self.journey.keyboard, self._eyes
        self._eyes = None if keyboard is None else keyboard.eyes
        if keyboard is None or was == self._eyes or not keyboard.due:
            return
        if was is None or not was.covered:
            yield from logged(since_move(match, keyboard.seat), state)
        yield sentence(handed_on_in_words(keyboard))

    def offered(self) -> str:
        """The offer to look together, which the player is told now; "" = there is none."""
        if said := sentence(offer(self)):
            assert self.state.table is not None
            self._offered = self.state.table.leads
        return said

    def _led(self, before: State, state: State) -> Iterator[str]:
        """Who has begun to lead the table through its match, or no longer does."""
        had, table = before.table, state.table
        was, now = "" if had is None else had.leads, "" if table is None else table.leads
        if was == now:
            return
        if now and self.keymap.name(actions.TOGETHER):  # else the replay says it, behind a what if
            yield self.offered()
        if not now and place(state) is place(before) and was == self._offered:
            self._offered = ""
            yield _("{name} no longer leads through the match.").format(name=was)

    def _move(self, before: State, state: State) -> Iterator[str]:
        """To the place where the player is, if it is another one; why the line was lost."""
        if (lost := self.journey.take_lost()) is not None:
            yield fault_in_words(lost.error)
            self.undone = True
        here, was = place(state), place(before)
        new_match = here is Place.MATCH and _match_of(state) != _match_of(before)
        if here is was and not new_match:
            return
        teaches = here is Place.MATCH and self.journey.teaches
        now = LessonPlace(self) if teaches else _PLACES[here](self)
        self.run_worker(self.place.ends(), group="ending")
        self._be_at(now)
        self._asked_last, self._come_to = [], ""
        said = now.begins()
        assert isinstance(said, Sequence)
        yield from said
        if isinstance(now, MatchPlace):
            self.run_worker(now.settle_pace(), group="pace")

    def _asked(self, state: State, *, silent: bool = False) -> Iterator[str]:
        """What the match asks of the player; once it is over, the result. `silent`: nothing else is
        said: a player who has done their part hears for whom they wait."""
        match = state.match
        if match is None or match.view is None or not isinstance(self.place, MatchPlace):
            return
        yield from self._named(match, state)
        if match.over:
            if self._over != match.id:
                self._over = match.id
                yield from self.place.result()
            return
        if match.pending is not None:
            return
        needed = is_my_turn(state, FACES) and not played_for(state)
        asked = self.place.turn() if needed else []
        waits = silent and self._asked_last and state.table is not None and state.table.others
        if not needed and not state.covered and (waits or self._come_to != match.id):
            yield from self.place.now()
        self._come_to = match.id
        if asked != self._asked_last:  # where all act at once, others change nothing for the player
            yield from self.place.unheard(asked)
        self._asked_last = asked

    @contextmanager
    def _distrusting(self) -> Iterator[None]:
        """A view of which nothing can be said ends the connection, not the client."""
        try:
            yield
        except Exception as error:
            if self.state.match is None or self.state.match.view is None:
                raise
            note(f"said: {failure(error)}")
            self.journey.distrust()

    def tell_refused(self, answer: Refused) -> None:
        super().tell_refused(answer)
        self.undone = True

    # What is typed ------------------------------------------------------------------------------

    @property
    def deeds(self) -> Sequence[Deed]:
        """Those of the place, and those that are everywhere."""
        return self._everywhere.with_those_of(self.place)

    async def _line(self) -> str | None:
        """The next one, once everything is said that is known; None at the end."""
        await self.until(self._is_calm, _SHORT_S if self.own_pace else None)
        # The board of a match in play comes a moment after its table.
        await self.until(lambda: self.state.table is None or is_told(self.state), BOARD_S)
        if self.leaves or not self.saying.heard:
            return None
        self.saying.awaits()
        self._prompt()
        line = await self.lines.next()
        self.saying.typed()
        self._interrupted = False
        return line

    def _prompt(self) -> None:
        """Between the moves of others no prompt is heard."""
        here = self.place
        with self._distrusting():
            if self.asks or not (isinstance(here, MatchPlace) and here.only_hears()):
                self.saying.prompt()

    async def obey(self, line: str) -> None:
        """Do what a line says; a yes may be for what the last one may have meant, and what is no
        command may answer a question."""
        meant, self.meant, question, self.question = self.meant, "", self.question, None
        words: Sequence[str] = [*dropwhile(lambda word: word in PROGRAM, split(line))]
        if question is not None and words and self._answers(words[0], question):
            await self.obey(question.so.replace("{}", " ".join(words)))
            return
        words = self.place.meant(joined(words)) if words else ()  # as in a shell
        in_match = self.place if isinstance(self.place, MatchPlace) else None
        if not words:
            await self.place.nothing()
        elif isinstance(self.place, GamePlace) and words[0].isdigit():
            if not self.own_pace and in_match is not None:
                await self.until(in_match.needs_nobody_else)
            await self.place.numbers(words)
        elif (deed := find(self.deeds, words[0])) is None and self._is_for_the_menu(words[0]):
            await self._to_menu()
            await (self.obey(line) if find(HOME, words[0]) else self.open(None))
        elif deed is None:
            self.object(self.place.unknown(words[0]))
            self.meant = self.meant and " ".join([self.meant, *words[1:]])
        elif meant and deed.word in ANSWERS:
            self.say("" if deed.word == "yes" else _("Nothing is changed."))
            if deed.word == "yes":
                await self.obey(meant)
        else:
            if deed.waits and not self.own_pace and in_match is not None:
                await self.until(in_match.needs_nobody_else)
            self.typed = behind(deed, words)
            numbers = any(one.isdigit() for one in self.typed)
            if self.typed and not deed.takes and (numbers or deed.waits or deed.word in ANSWERS):
                said = _("Type {word} alone: nothing can stand behind it.")
                self.object(said.format(word=words[0]))
                return
            here = self.place if deed in self.place.deeds else self._everywhere
            await self._tried(here.do(deed))
            self.meant = self.meant and " ".join([words[0], self.meant])  # what help was asked of

    def _answers(self, word: str, question: Asks) -> bool:
        """Whether it has a number in it, as a cell has, or the question names it."""
        if find(self.deeds, word) is not None:
            return False
        named = re.findall(r"[\w-]+", " ".join(question.said).lower())
        return any(map(str.isdigit, word)) or english(word.lower()) in named

    def _is_for_the_menu(self, word: str) -> bool:
        """Typed where nothing goes on, and nobody else is."""
        calm = self.state.connection is None or (self.state.alone and is_over(self))
        known = is_menu(word) or find(HOME, word) is not None
        return calm and known and not isinstance(self.place, HomePlace)

    async def _to_menu(self) -> None:
        """What the menu says is not heard."""
        await self.place.ends()
        self._parts = True
        await self.journey.end()
        self._said, self._parts = self.state, False
        self._be_at(HomePlace(self))

    async def _tried(self, doing: Awaitable[None]) -> None:
        """Do it, or say why it is not done."""
        try:
            await doing
        except NotDone as error:
            self.object(sentence(str(error)))

    # From beginning to end ----------------------------------------------------------------------

    async def run(
        self, wish: Wish | None, replays: str | Mailed = "", does: TypedDeed | None = None
    ) -> int:
        """The exit code: 0; 1 when something that was read from a pipe could not be done. A seat in
        a match that goes on is kept. `replays`: the match that is seen first, again, as it was
        typed, or by mail. `does`: only do this. Raises NotDone."""
        try:
            return await self._run(wish, replays, does)
        finally:
            self._parts = True
            played = self.state.match is not None and not self.state.match.over
            await self.journey.end(hold_seat=True)
            if self.leaves:
                self.say(*kept_in_words(waiting(self.faces).all, begun_lessons(self.settings)))
            elif played:
                self.say(*kept_in_words(unfinished()[:1], []))

    async def _run(self, wish: Wish | None, replays: str | Mailed, does: TypedDeed | None) -> int:
        if self.journey.arrival is not None:
            self.journey.go_on(self.journey.arrival, called(self.settings))
            await self._arrive()
        elif does is not None:
            word, self.typed = does
            await self.place.do(next(one for one in HOME if one.word == word))
            return int(self.undone)
        elif isinstance(replays, Mailed):
            match = await by_mail(replays, called(self.settings))
            await self.open(ByMailPlace(self, match, HomePlace(self)))
        elif replays:
            self.typed = [replays]
            await self._tried(MatchesPlace(self).do_replay())
        elif wish is None:
            await self.open(None)
        else:
            await self.go(wish)
        while (line := await self._line()) is not None:
            with self._distrusting():
                await self.obey(line)
        if not self.leaves and self.saying.heard:
            if self._beside is not None:
                await asyncio.wait([self._beside])
            await self._last_words()
        return 1 if self.undone and not self.own_pace else 0

    def _is_calm(self) -> bool:
        """Whether everything that is known is said, and nothing of the player's is on its way."""
        match = self.state.match
        quiet = self.state is self._said and not self.journey.under_way
        return quiet and (match is None or match.pending is None)

    async def _last_words(self) -> None:
        """Hear what the others do after the player's last move; a watcher hears all of it."""
        state = self.state
        if state.table is not None and state.seat is None and not state.covered:
            await self.until(self._is_over)
        elif isinstance(self.place, MatchPlace):
            await self.until(self.place.needs_nobody_else, LAST_WORDS_S)

    def _is_over(self) -> bool:
        """Whether a watcher has heard all."""
        match = self.state.match
        over = match is not None and match.over
        return over or self.state.table is None or not self.saying.heard


def _is_command(line: str) -> bool:
    """Whether it begins with a word that means something anywhere, and so is no name."""
    from clocktowers_tui.deeds.places import PLACES  # seldom needed

    told = [deed for deeds in (*PLACES, EVERYWHERE) for deed in deeds if deed.told]
    return any(word.lower() in words_of(deed) for word in split(line)[:1] for deed in told)


def _match_of(state: State) -> str:
    return "" if state.match is None else state.match.id


# From a command line to the client.


def start(command: Command, kept: Settings, *, chosen: bool) -> int:
    """The exit code of the program. `chosen`: the player wants no screen; else there is none."""
    if not chosen:
        said = _(
            "no terminal for a screen, so this is plain mode. --plain chooses it, --full-screen "
            "the screen; over SSH the screen needs: ssh -t HOST clocktowers"
        )
        print(f"clocktowers: {said}", file=sys.stderr, flush=True)
    try:
        return asyncio.run(_play(command, kept))
    except KeyboardInterrupt:
        return STOPPED
    except NotDone as error:
        return fail(str(error))


async def _play(command: Command, kept: Settings) -> int:
    look = detect.look(os.environ, encoding=encoding())
    saying = Saying(sys.stdout, prompts=sys.stdin.isatty() and sys.stdout.isatty())
    client = PlainClient(kept, look, Lines(sys.stdin.fileno()), saying)
    if client.own_pace:
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, client.interrupt)
    run = client.run(command.wish, command.replays, command.does)
    return await client.tasks.while_sound(run)
