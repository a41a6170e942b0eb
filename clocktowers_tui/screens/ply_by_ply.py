"""A match on its board at one of its plies, and the keys that lead to others.

It looks like the match and says that it is none.

The views come from a `Source`: of a finished match from a process that knows the rules
(`net.replaying`), of one that runs from what was sent (`look_back`). Nothing can be played here.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Final, Protocol

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.games.board_widget import Board
from clocktowers_tui.games.face import Face
from clocktowers_tui.history.turns import Turns, after, before, turns_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.net.replaying import NoReplay
from clocktowers_tui.phrases.history import (
    no_replay_in_words,
)
from clocktowers_tui.phrases.match import log_by_turns, log_lines, names_of
from clocktowers_tui.screens.dialogs import Pages
from clocktowers_tui.screens.screen import SpeakingScreen
from clocktowers_tui.state.match import LineKind, LogLine, Match
from clocktowers_tui.text.fitting import fit
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.key_line import KeyLine
from protocol.ids import Seat
from protocol.recording import ALL_OPEN, WATCHER, Opened, Shown
from protocol.text import cells, clean

_NEWEST: Final = 40
"""Log lines handed to the board, as in a match."""


class Source(Protocol):
    """Where the views come from. Each request raises NoReplay."""

    @property
    def opened(self) -> Opened:
        """Which match it is; `outcome` is the game's own."""

    async def show(self, ply: int, eyes: int) -> Shown:
        """The view is the game's own."""

    async def hear(self, eyes: int) -> list[list[Any]]:
        """The game's events, for the first view and each later one."""

    async def stop(self) -> None:
        """Nothing more will be asked."""


class PlyByPly(SpeakingScreen[None]):
    """`me`: the player's own seat, whose eyes come first. `ply`: where it opens; one that there is
    not is the last. The screen stops the `source`."""

    called: ClassVar[str | None] = None
    """The name of the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.RIGHT, "by_ply(1)", N_("A move on")),
        bound(actions.LEFT, "by_ply(-1)", N_("A move back")),
        bound(actions.DOWN, "by_turn(1)", N_("A turn on")),
        bound(actions.UP, "by_turn(-1)", N_("A turn back")),
        bound(actions.OWN_TURN, "by_own(1)"),
        bound(actions.OWN_TURN_BEFORE, "by_own(-1)"),
        bound(actions.FIRST, "to_end(0)"),
        bound(actions.LAST, "to_end(1)"),
        bound(actions.LOG, "log"),
        bound(actions.BACK, "close", N_("Close")),
        bound(actions.LEAVE, "close", N_("Close")),
    ]

    def __init__(
        self, client: Client, source: Source, me: int | None, ply: int | None = None
    ) -> None:
        super().__init__(name=self.called)
        opened = source.opened
        self._source = source
        self._face: Face = client.faces[opened.game]
        self._board: Board = self._face.board(
            client.look, client.settings.layouts.get(opened.game, "")
        )
        self._board.can_focus = False
        self._board.disabled = True  # nor does it take a click
        self._match = Match(
            id="", table="", game=opened.game, sha256="", names=tuple(map(clean, opened.names))
        )
        self._names = names_of(self._match)
        self._last = len(opened.seats)
        unseated = ALL_OPEN if opened.opens else WATCHER
        self._own = me if me in range(len(self._names)) else None
        eyes = unseated if self._own is None else self._own
        self._wanted = (min(ply or 0, self._last), eyes)
        self._at = (-1, eyes)
        """Ply and eyes that are seen now."""
        self._told: dict[int, list[list[Any]]] = {}
        self._follows = False

    def compose(self) -> ComposeResult:
        yield Banner(id="banner")
        yield self._board
        yield Static("", id="said", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        self._go(self._wanted[0])

    async def on_unmount(self) -> None:
        await self._source.stop()

    async def say_again(self) -> None:
        await super().say_again()
        self._show_again(self._wanted[0])

    # What is seen -------------------------------------------------------------------------------

    def _go(self, ply: int, eyes: int | None = None) -> None:
        """Show this ply as soon as can be: of those that come meanwhile only the last."""
        ply = max(0, min(ply, self._last))
        self._wanted = (ply, self._wanted[1] if eyes is None else eyes)
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
            self.say(no_replay_in_words(str(error)))
        finally:
            self._follows = False

    async def _show(self, ply: int, eyes: int) -> None:
        if eyes not in self._told:
            self._told[eyes] = await self._source.hear(eyes)
        shown = await self._source.show(ply, eyes)
        goes_on = self._at == (ply - 1, eyes)
        led = None
        if ply and not goes_on:
            led = (await self._source.show(ply - 1, eyes)).view
        if self._gone:
            return
        self._at = (ply, eyes)
        told = [event for events in self._told[eyes][: ply + 1] for event in events]
        log = tuple(LogLine(LineKind.EVENT, event) for event in told)
        self._match = replace(self._match, view=shown.view, log=log)
        lines = log_lines(self._match, self._face, self._names, self._you, newest=_NEWEST)
        if goes_on:
            self._board.show(shown.view, self._names, waiting=False, log=lines)
        else:
            self._board.leap(led, shown.view, self._names, log=lines)
        self._say_where(shown.at_ms)
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

    def _what_happened(self) -> str:
        return joined(self._sentences(), self.room)

    def _sentences(self) -> list[str]:
        """What happened at this ply."""
        return self._phrases() or [self._face.expected(self._match.view, self._names)]

    def _phrases(self) -> list[str]:
        ply, eyes = self._at
        told = (self._face.phrase(event, self._names, self._you) for event in self._told[eyes][ply])
        return [sentence for sentence in told if sentence]

    # Keys ---------------------------------------------------------------------------------------

    def action_by_ply(self, by: int) -> None:
        self._stop()
        self._go(self._wanted[0] + by)

    def action_by_turn(self, by: int) -> None:
        self._seek(self._turns().starts, by)

    def action_by_own(self, by: int) -> None:
        self._seek(self._own_plies(), by)

    def _own_plies(self) -> Sequence[int]:
        return self._turns().own

    def _seek(self, plies: Sequence[int], by: int) -> None:
        """Nowhere before it is heard what these eyes were told: only then turns are known."""
        self._stop()
        at, eyes = self._wanted
        if eyes not in self._told:
            return
        self._go(after(plies, at, self._last) if by > 0 else before(plies, at))

    def _turns(self) -> Turns:
        """As these eyes see them; a watcher's own turns are the player's."""
        eyes = self._wanted[1]
        own = eyes if eyes >= 0 else -1 if self._own is None else self._own
        told = self._told.get(eyes, [])
        return turns_of(self._face, told, self._source.opened.seats, own)

    def _stop(self) -> None:
        """Whatever goes on by itself: the player steps."""

    def action_to_end(self, end: int) -> None:
        self._stop()
        self._go(end * self._last)

    def action_log(self) -> None:
        lines = log_by_turns(self._match, self._face, self._names, self._you)
        self.app.push_screen(Pages(_("What happened"), lines))

    def action_close(self) -> None:
        self.dismiss()


def joined(sentences: Sequence[str], room: float) -> str:
    """As many as stand in one row, so that the board keeps its size; the log has all of them."""
    said, *more = sentences
    for sentence in more:
        longer = f"{said}{'' if said.endswith('.') else ';'} {sentence}"
        if cells(longer) > room:
            break
        said = longer
    return said if cells(said) <= room else fit(said, int(room))
