"""A match on its board at one of its plies, and the keys that lead to others.

It looks like the match and says that it is none.

The views come from a `Source`: of a finished match from a process that knows the rules
(`net.records`), of one that runs from what was sent (`Sent`). Nothing can be played here.
"""

from collections.abc import Sequence
from functools import partialmethod
from math import inf
from typing import Any, ClassVar, Final

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.finished import LOOK_BACK
from clocktowers_tui.deeds.replay import Plies
from clocktowers_tui.games.spans import wrapped
from clocktowers_tui.history.record import after, before
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Context
from clocktowers_tui.net.records import NoReplay
from clocktowers_tui.phrases.match import log_by_turns, log_lines, names_of
from clocktowers_tui.screens.bound_actions import (
    Keys,
    bound_deeds,
    keys_in_help,
)
from clocktowers_tui.screens.dialogs import Pages
from clocktowers_tui.screens.place import LOOKS_BACK, BoardScreen
from clocktowers_tui.state.match import LineKind, LogLine, Match, joined
from clocktowers_tui.state.store import State
from clocktowers_tui.text.fitting import fit
from clocktowers_tui.text.i18n import _, decimal, pgettext
from clocktowers_tui.widgets.banner import Banner
from protocol.ids import Seat
from protocol.recording import Opened, Shown
from protocol.text import cells

_NEWEST: Final = 40
"""Log lines handed to the board, as in a match."""


OF_PLIES: Final = (Context.AWAY, Context.LISTS, Context.MATCH, Context.REPLAY, Context.AFTER)


class PlyByPly(BoardScreen):
    """`ply`: where it opens; one that there is not is the last. The screen stops the source of the
    `plies`."""

    def __init__(self, client: Client, plies: Plies, ply: int, *, name: str | None = None) -> None:
        super().__init__(client, plies.face, name=name)
        self._plies = plies
        self._names = plies.names
        self._board.can_focus = False
        self._board.disabled = True  # nor does it take a click
        names = tuple(plies.names)
        self._match = Match(id="", table="", game=self._face.game, sha256="", names=names)
        eyes = plies.first_eyes
        self._wanted = (min(ply, plies.last), eyes)
        self._at = (-1, eyes)
        """Ply and eyes that are seen now."""
        self._decided: Any = None
        """The view before this ply, in which somebody decided on it."""
        self._follows = False

    def compose(self) -> ComposeResult:
        yield Banner()
        yield self._board
        yield from self.foot()

    def begin(self) -> None:
        self._show_again(self._wanted[0])

    async def on_unmount(self) -> None:
        await self._plies.source.stop()

    # What is seen -------------------------------------------------------------------------------

    def _go(self, ply: int, eyes: int | None = None) -> None:
        """Show this ply as soon as can be: of those that come meanwhile only the last."""
        self._wanted = (self._plies.bounded(ply), self._wanted[1] if eyes is None else eyes)
        self._objects = False
        if not self._follows:
            self._follows = True
            self.run_worker(self._follow(), group="replay")

    def _show_again(self, ply: int) -> None:
        """Also what is seen already: it is said in other words now."""
        self._at = (-1, self._at[1])
        self._go(ply)

    async def _follow(self) -> None:
        try:
            while self._at != self._wanted and not self._gone:
                await self._show(*self._wanted)
        except NoReplay as error:
            self._stop()
            self.say(str(error))
        finally:
            self._follows = False

    async def _show(self, ply: int, eyes: int) -> None:
        heard, source = await self._plies.hear(eyes), self._plies.source
        shown = await source.show(ply, eyes)
        scene = self._board.scene
        goes_on = self._at == (ply - 1, eyes) and scene and scene.view is self._match.view
        led = None
        if ply and not goes_on:
            led = (await source.show(ply - 1, eyes)).view
        if self._gone:
            return
        self._decided = self._match.view if goes_on else led or shown.view
        self._at = (ply, eyes)
        told = [event for events in heard[: ply + 1] for event in events]
        log = tuple(LogLine(LineKind.EVENT, event) for event in told)
        self._match = replace(self._match, view=shown.view, log=log)
        lines = log_lines(self._match, self._face, self._names, self._you, newest=_NEWEST)
        if goes_on:
            self._board.show(shown.view, self._names, waiting=False, log=lines)
        else:
            self._board.leap(led, shown.view, self._names, log=lines)
        self._say_where(shown.at_ms)
        if not self._objects:  # else a key meant nothing here while this came
            self.say(self._what_happened())

    @property
    def _gone(self) -> bool:
        """The player has closed the screen while something was waited for."""
        return not self.query("#said")

    def say(self, sentence: str) -> None:
        if not self._gone:
            super().say(sentence)

    @property
    def _you(self) -> Seat | None:
        eyes = self._at[1]
        return Seat(eyes) if eyes >= 0 else None

    def _say_where(self, at_ms: int) -> None:
        """Which ply this is, in the first line. `at_ms`: match time."""
        raise NotImplementedError

    def at_rest(self) -> str:
        return self._what_happened() if self._at[0] >= 0 else ""

    def _what_happened(self) -> str:
        """At the last ply the end is how the match ended, whatever has no room before it."""
        if self._at[0] != self._plies.last or self._plies.source.opened.outcome is None:
            return in_a_row(self._sentences(), self.room)
        sentences = [*self._phrases(), self._result()[0]]
        while len(sentences) > 1 and cells(in_a_row(sentences, inf)) > self.room:
            del sentences[0]
        return in_a_row(sentences, self.room)

    def _result(self) -> list[str]:
        """Of the last view."""
        view, outcome = self._match.view, self._plies.source.opened.outcome
        details = self._face.result_details(view, outcome, self._names, 70)
        return [*self._plies.result(view, 70), *(line.plain for line in details)]

    def _race_time(self, at_ms: int) -> str:
        """In a game of turns it says nothing."""
        if self._face.in_turns:
            return ""
        return f"{at_ms // 60000}:{decimal(at_ms % 60000 / 1000, '04.1f')}"

    def fitting(self, sentences: Sequence[str], rows: int = 1) -> str:
        """The first that fits into its row, or so many; else the last, cut."""
        for said in sentences:
            if sum(len(wrapped(line, self.room)) for line in said.split("\n")) <= rows:
                return said
        return fit(sentences[-1], self.room)

    def _sentences(self) -> list[str]:
        """What happened at this ply."""
        return self._phrases() or [self._face.expected(self._match.view, self._names)]

    def _phrases(self) -> list[str]:
        ply, eyes = self._at
        return self._plies.phrases([self._plies.told[eyes][ply]], eyes)

    # Keys ---------------------------------------------------------------------------------------

    def help_keys(self) -> Keys:
        """What is done here comes first, in the order of the deeds. There is no field to go to."""
        fields = (actions.NEXT, actions.PREVIOUS)
        found = [one for one in self.bound if one.action not in fields]
        return keys_in_help(self._by_deeds(found))

    def short_words(self) -> dict[Action, str]:
        move, turn = pgettext("in a replay", "Move"), pgettext("in a replay", "Turn")
        return {actions.LEFT: move, actions.RIGHT: move, actions.UP: turn, actions.DOWN: turn}

    def do_next(self, by: int = 1) -> None:
        self._stop()
        self._go(self._wanted[0] + by)

    do_before = partialmethod(do_next, -1)

    def do_first(self) -> None:
        self.do_next(-self._wanted[0])

    def do_last(self) -> None:
        self.do_next(self._plies.last)

    def do_turn(self, by: int = 1) -> None:
        self._seek(self._plies.turns(self._wanted[1]).starts, by)

    do_turnbefore = partialmethod(do_turn, -1)

    def do_own(self, by: int = 1) -> None:
        self._seek(self._own_plies(), by)

    do_ownbefore = partialmethod(do_own, -1)

    def _own_plies(self) -> Sequence[int]:
        return self._plies.turns(self._wanted[1]).own

    def _seek(self, plies: Sequence[int], by: int) -> None:
        """Nowhere before it is heard what these eyes were told: only then turns are known."""
        self._stop()
        at, eyes = self._wanted
        if eyes not in self._plies.told:
            return
        self._go(after(plies, at, self._plies.last) if by > 0 else before(plies, at))

    def _stop(self) -> None:
        """Whatever goes on by itself: the player steps."""

    def do_log(self) -> None:
        lines = log_by_turns(self._match, self._face, self._names, self._you)
        self.app.push_screen(Pages(_("Log"), lines))

    def do_leave(self) -> None:
        self.dismiss()


def in_a_row(sentences: Sequence[str], room: float) -> str:
    """As many as stand in one row, so that the board keeps its size; the log has all of them."""
    said, *more = sentences
    for sentence in more:
        longer = f"{said}{'' if said.endswith('.') else ';'} {sentence}"
        if cells(longer) > room:
            break
        said = longer
    return said if cells(said) <= room else fit(said, int(room))


# Earlier moments of a match that runs, as they were sent to this player, on the board.
#
# Law: while this lies on the match nothing can be played, and the first line says so. The match
# goes on below: what the player must know of it is said here, and one key leads there.


class Sent:
    """The moments of a match as they were sent to this client; a ply is the place of one."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self.seen = match.seen

    @property
    def opened(self) -> Opened:
        acted = [_actor(events) for events in self.events()[1:]]
        return Opened(self._match.game, names_of(self._match), acted, None, opens=False)

    def take(self, match: Match) -> None:
        """The same match later. What was there when the player began to look back stays there."""
        self._match, self.seen = match, joined(self.seen, match.seen)

    async def show(self, ply: int, _eyes: int) -> Shown:
        return Shown(ply, self.seen[ply].at_ms, self.seen[ply].view)

    async def hear(self, _eyes: int) -> list[list[Any]]:
        return self.events()

    async def stop(self) -> None:
        """Nothing runs."""

    def events(self) -> list[list[Any]]:
        """What happened before each moment, since the one before it."""
        ends = [moment.told for moment in self.seen]
        told = self._match.events
        return [list(told[a:b]) for a, b in zip([0, *ends], ends, strict=False)]


def _actor(events: Sequence[Any]) -> int:
    """The seat that acted; -1 = the clock."""
    seats = (getattr(event, "seat", None) for event in events)
    return next((seat for seat in seats if seat is not None), -1)


class LookBackScreen(PlyByPly):
    """Opens a step before the newest moment."""

    deeds = LOOK_BACK
    BINDINGS: ClassVar[list[BindingType]] = bound_deeds(LOOK_BACK, *OF_PLIES)

    def __init__(self, client: Client, match: Match) -> None:
        self._sent = Sent(match)
        plies = Plies(self._sent, client.state.seat)
        super().__init__(client, plies, len(match.seen) - 2, name=LOOKS_BACK)
        self._live = match

    def show(self, state: State) -> None:
        """The match has gone on."""
        match = state.match
        if self._gone:
            return
        if match is None or match.id != self._live.id or self._face.races(match.view):
            self.dismiss()  # as soon as nothing lies on top
            return
        before, self._live = self._sent.seen, match
        self._sent.take(match)
        self._plies.last = len(self._sent.seen) - 1
        at, eyes = self._at
        self._plies.told.clear()
        if at > self._plies.last or before[at : at + 1] != self._sent.seen[at : at + 1]:
            self._at = (-1, eyes)  # it has been taken back
        self._go(self._wanted[0])
        if self._at[0] >= 0:
            self._show_words()

    def on_screen_resume(self) -> None:
        self.show(self._client.state)

    # What is seen -------------------------------------------------------------------------------

    def _show_words(self) -> None:
        self._plies.told[self._at[1]] = self._sent.events()
        self._say_where(0)
        self.say(self._what_happened())

    def _say_where(self, _at_ms: int) -> None:
        turn = self._face.turn(self._sent.seen[self._at[0]].view)
        said, turns = _("Looking back: turn {n} of {total}"), self._face.turn(self._live.view)
        place = said.format(n=turn, total=turns)
        back = _("{key}: to the match").format(key=self.keymap.name(actions.BACK))
        self.query_one(Banner).show([place, back], "")

    def _sentences(self) -> list[str]:
        found = self._phrases() or [self._face.expected(self._match.view, self._names)]
        if self._live.over:
            return [_("The match is over."), *found]
        mine = self._face.is_my_turn(self._live.view)
        return [_("It is your turn."), *found] if mine else found

    # Keys ---------------------------------------------------------------------------------------

    def short_words(self) -> dict[Action, str]:
        return {**super().short_words(), actions.BACK: _("To the match")}
