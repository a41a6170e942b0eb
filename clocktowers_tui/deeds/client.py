"""One running client, whatever shows it: the newest state, the connection, the settings.

The app and the client of plain mode are each one. The state changes in the store alone; what is
shown or said follows from it.
"""

from collections.abc import Coroutine, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from clocktowers_tui.config.look import Look
from clocktowers_tui.config.settings import Settings, save, settings_file
from clocktowers_tui.deeds import keeping as keepings, plausible
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.net import journey as journeys, seats
from clocktowers_tui.phrases import codes
from clocktowers_tui.phrases.home import due_elsewhere_in_words
from clocktowers_tui.state import store as states
from clocktowers_tui.text.i18n import _
from protocol.table import Days

if TYPE_CHECKING:
    from clocktowers_tui.games.face import Face
    from clocktowers_tui.net.arrival import Arrival
    from clocktowers_tui.net.waiting import Due
    from protocol.from_server import Refused


class Client:
    """The methods without a body are those of a screen, or of plain mode."""

    look: Look
    able: Look
    """The best that the terminal can show, for what the settings leave open."""
    guest: bool
    """Whether a server's door has started this client for a guest: its root is the lobby there."""

    def __init__(
        self,
        settings: Settings,
        faces: "Mapping[str, Face]",
        keymap: Keymap,
        arrival: "Arrival | None",
    ) -> None:
        """`arrival`: a connection that is open already."""
        self.settings = self._saved = settings
        self.faces = faces
        self.keymap = keymap
        self._due = False
        """The screen, or plain mode, will show the newest state soon."""
        self._noted: object = None
        """The table, its chat and notes, when it was last noted how far the match is."""
        self._due_in = ""
        """The match of days in which it is the player's turn."""
        self.arrived = arrival

    # The menu's first picture comes before these.

    @cached_property
    def store(self) -> "states.Store":
        return self.new_store()

    @cached_property
    def journey(self) -> "journeys.Journey":
        return journeys.Journey(self, self.arrived)

    @cached_property
    def keeping(self) -> "keepings.Keeping":
        return keepings.Keeping(self)

    def new_store(self) -> "states.Store":
        """One more, of which the player sees nothing until it is shown."""
        return states.Store(self._changed, self._check)

    def show_store(self, store: "states.Store") -> None:
        """Let the player see this one in place of the one before."""
        self.store = store
        self._changed()

    @property
    def state(self) -> "states.State":
        """The newest state; each new one is shown, or what is new in it is said."""
        return self.store.state

    def change(self, state: "states.State") -> None:
        """Put a new state in place of the old."""
        self.store.change(state)

    def keep(self, settings: Settings) -> None:
        """Remember these settings, here and on disk."""
        self.settings = settings
        if settings == self._saved or save(settings, settings_file(), self._saved):
            self._saved = settings
        else:
            self.tell(_("Your settings could not be saved; they last until you quit."))

    def keep_layout(self, game: str, layout: str) -> None:
        """How the player wants this game's board."""
        self.keep(replace(self.settings, layouts={**self.settings.layouts, game: layout}))

    def tell(self, sentence: str) -> None:
        """Show a sentence wherever the player is, or is next."""
        raise NotImplementedError

    def restyle(self, look: Look) -> None:
        """Draw everything in another way from now on."""
        raise NotImplementedError

    def speak(self, code: str | None) -> None:
        """Say everything in another language from now on; None: in the environment's."""
        raise NotImplementedError

    def leave_program(self) -> None:
        """End the program."""
        raise NotImplementedError

    def run_worker(
        self, work: Coroutine[Any, Any, None], *, group: str, exclusive: bool = False
    ) -> object:
        """Run a task, which outlives the screen that has begun it; `exclusive`: in place of the
        others of its group."""
        raise NotImplementedError

    # What is new --------------------------------------------------------------------------------

    def _changed(self) -> None:
        """Show the newest state soon: many changes in one turn of the loop cost one update."""
        self.journey.state_changed()
        self.keeping.hear(self.state)
        if not self._due:
            self._due = True
            self._follow_soon()

    def _follow_soon(self) -> None:
        """Show the newest state in the loop's next turn, and say that it is no longer due."""
        raise NotImplementedError

    def _shown(self) -> None:
        """What follows for a match whose newest state the player sees or hears."""
        now = self.state.table, self.state.chat, self.state.notes
        news = now != self._noted or is_my_turn(self.state, self.faces)
        if news and (so_far := progress(self.state, self.faces)) is not None:
            self._noted = now
            self.journey.note(so_far)
        self.keeping.say_whether_it_counts(self.state)
        was, match = self._due_in, self.state.match
        mine = lasts_days(self) and is_my_turn(self.state, self.faces)
        self._due_in = match.id if match is not None and mine else ""
        if match is not None and match.id == was and not mine:
            self.run_worker(self._tell_where_due(), group="due", exclusive=True)

    async def _tell_where_due(self) -> None:
        """The player has done their part in a match of days."""
        dues = await due_elsewhere()
        if lasts_days(self) and not self._due_in:  # else bots were quicker, or the player has left
            self.tell(due_elsewhere_in_words(dues, self.keymap.name(actions.NEXT_DUE)))

    def told_once(self) -> list[str]:
        """What the state says only once, in sentences; the state forgets it. Alone there is
        no table to go on at after a match that broke off; a server takes its time to stop."""
        state, said = self.state, list[str]()
        if state.ejected is not None:
            said.append(codes.gone_in_words(*state.ejected))
        if state.told is not None:
            said.append(codes.notice_in_words(state.told.code, state.told.params))
        if state.stillborn:
            said.append(codes.broken_off_in_words())
            if states.place(state) is states.Place.HOME:
                self.run_worker(self.journey.end(), group="ending")
        if said:
            self.change(replace(state, ejected=None, told=None, stillborn=False))
        return said

    def _check(self, message: Struct, before: "states.State", after: "states.State") -> None:
        plausible.refuse_implausible(message, before, after, self.faces)

    def tell_refused(self, answer: "Refused") -> None:
        """The server does not let the player to where they wished to be."""
        self.tell(codes.not_let_in_words(answer))


# Whose turn it is in the player's match, and how far it is.


def is_my_turn(state: "states.State", faces: "Mapping[str, Face]") -> bool:
    """Whether the match waits for this player."""
    match = state.match
    if match is None or match.view is None or match.over:
        return False
    seated = state.seat is not None
    return seated and faces[match.game].is_my_turn(match.view)


def lasts_days(client: Client) -> bool:
    """Whether the player has a seat at a table with a clock of days."""
    table = client.state.table
    return table is not None and table.seat is not None and isinstance(table.info.clock, Days)


async def due_elsewhere() -> "Sequence[Due]":
    """Of the player's other matches, in the order of `ask`."""
    from clocktowers_tui.net.waiting import ask  # seldom used

    return await ask(seats.unfinished())


def may_act(state: "states.State") -> bool:
    """Whether the player has a seat in a match that goes on, and none of their actions is on its
    way."""
    match = state.match
    return state.seat is not None and match is not None and match.pending is None and not match.over


def progress(state: "states.State", faces: "Mapping[str, Face]") -> "seats.Progress | None":
    """For the menu of a client that starts later. Without a turn while others have it: each turn of
    the player's is noted once."""
    if (match := state.match) is None or state.table is None:
        return None
    people, bots = state.table.opponents
    muted, read = tuple(sorted(states.muted(state))), state.chat.newest_read
    daily = bool(state.looked_back and state.looked_back.banner)
    notes = {**state.notes.get(match.id, {})}
    face = faces[match.game]
    calm = match.view is not None and not face.in_turns and not face.hurries(match.view)
    found = seats.Progress(people, bots, 0, 0, muted, read, daily, calm, notes)
    if not is_my_turn(state, faces):
        return found
    return replace(found, turn=face.turn(match.view), round=face.round(match.view))
