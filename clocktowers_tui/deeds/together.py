"""The match of a table, looked at together once it is over: one leads, and who looks along sees the
ply that the leader sees.

Laws: nobody has to follow. A player who goes to another ply looks alone from then on, until they
ask to look together again.
"""

import asyncio
from contextlib import suppress
from typing import Final

from clocktowers_tui.deeds.asking import Asker, asked
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.history.record import Replayed, unpacked
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Deed
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.codes import not_done_in_words
from clocktowers_tui.text.i18n import N_, _, pgettext
from protocol.from_client import Lead
from protocol.from_server import Leader, Refused


def looks_together(client: Client) -> bool:
    """Whether the player can look together with somebody, or lead."""
    state, table = client.state, client.state.table
    line = state.connection
    if table is None or line is None or not line.welcome.leads or state.alone:
        return False
    match = state.match
    over = match is not None and match.over and not match.aborted and bool(match.seed)
    return table.leader is not None or (over and table.seat is not None)


def offer(client: Client) -> str:
    """Who else leads the table, and how to look together; "" = nobody does."""
    table = client.state.table
    if table is None or client.guest or not led_by_another(client) or not looks_together(client):
        return ""
    said = _("{name} looks at the match again. {key}: look together")
    return said.format(name=table.leads, key=client.keymap.name(actions.TOGETHER))


def led_by_another(client: Client) -> bool:
    """Whether there is somebody to look together with."""
    table = client.state.table
    leader = None if table is None else table.leader
    return leader is not None and leader.seat != client.state.seat


_TOGETHER = N_("look at the finished match together with the others, or no longer")

TOGETHER: Final = Deed(
    "together", _TOGETHER, (actions.TOGETHER,), now=looks_together, shown=True, guest=False
)
"""In the replay it also ends that."""


async def match_of_table(client: Client) -> tuple[str, Replayed]:
    """The id of the match that somebody leads through, or else of the one that is over; and where
    to begin. The record is that of the history, or else what the server sends. Raises
    NotDone."""
    from clocktowers_tui.history import matches  # seldom used

    state = client.state
    leader = None if state.table is None else state.table.leader
    match = leader.match if leader else state.match.id if state.match else ""
    ply = leader.ply if leader else None
    await client.keeping.settle()
    with suppress(matches.NoHistory):
        kept = await asyncio.to_thread(matches.of, match)
        if kept is not None:
            line = await asyncio.to_thread(matches.line_of, match)
            return match, Replayed(line, kept.me, ply, match)
    told = await client.journey.record(match)
    if told is None or isinstance(told, Refused):
        raise NotDone(not_done_in_words(told, client.state.connection))
    me = state.seat if state.match is not None and state.match.id == match else None
    return match, Replayed(unpacked(told, match).line, me, ply)


class SharedReplay:
    """What a replay of `match` that the player looks at has to do with the others at their table.
    `follows`: the player looks along, if somebody leads."""

    def __init__(self, client: Client, match: str, *, follows: bool = False) -> None:
        self._client: Final = client
        self._match: Final = match
        self.follows = follows
        self._at = self._told = 0
        """The ply where the player is; the one that the server was told last."""
        self._telling = False

    @property
    def leader(self) -> Leader | None:
        """Who leads through this match."""
        table = self._client.state.table
        found = None if table is None else table.leader
        return found if found is not None and found.match == self._match else None

    @property
    def leads(self) -> bool:
        """Whether the player does."""
        return self.leader is not None and self.leader.seat == self._client.state.seat

    @property
    def may(self) -> bool:
        """Whether the others can look at this match, too."""
        match = self._client.state.match
        newest = match is not None and match.id == self._match
        return looks_together(self._client) and (newest or self.leader is not None)

    def hear(self) -> int | None:
        """The state has changed. Returns at which ply the leader is, if the player looks along."""
        leader = self.leader
        self.follows = self.follows and leader is not None
        self._tell()
        return leader.ply if leader is not None and self.follows and not self.leads else None

    def moved(self, ply: int) -> bool:
        """The player has gone to this ply. Returns whether they looked along until now."""
        followed, self.follows = self.follows, False
        self._at = ply
        self._tell()
        return followed

    def _tell(self) -> None:
        if self.leads and not self._telling and self._told != self._at:
            self._telling = True
            self._client.run_worker(self._tell_server(), group="leading")

    async def _tell_server(self) -> None:
        """One ply after the other: of those that come meanwhile only the last."""
        try:
            while self.leads and self._told != self._at:
                self._told = self._at
                await self._client.journey.request(Lead(id=0, ply=self._at))
        finally:
            self._telling = False

    async def switch(self, ask: Asker, ply: int) -> None:
        """Lead from this ply on, or no longer; where somebody else leads, follow, or no
        longer."""
        if self.leader is None:
            self._at = self._told = ply
            if await asked(self._client, ask, Lead(id=0, ply=ply)):
                ask.aloud(_("The others at the table can look together with you now."))
        elif self.leads:
            if await asked(self._client, ask, Lead(id=0)):
                ask.aloud(_("The others look alone now."))
        else:
            self.follows = not self.follows
            said = _("You look together with {name}.") if self.follows else _("You look alone now.")
            ask.aloud(said.format(name=self._name))

    def end(self) -> None:
        """The player has closed the replay."""
        if self.leads:
            self._client.run_worker(self._end(), group="leading")

    async def _end(self) -> None:
        await self._client.journey.request(Lead(id=0))

    @property
    def _name(self) -> str:
        """The leader's."""
        table = self._client.state.table
        return "" if table is None else table.leads

    def in_words(self) -> list[str]:
        """Who leads and who follows; nothing where nobody leads."""
        if self.leader is None:
            return []
        if self.leads:
            return [_("You lead the others")]
        key = self._client.keymap.name(actions.TOGETHER)
        said = _("with {name}") if self.follows else _("{key}: look together with {name}")
        return [said.format(key=key, name=self._name)]

    def key_in_words(self) -> str:
        """What the key does now."""
        if self.leads or self.follows:
            return pgettext("in a replay", "Alone")
        return pgettext("in a replay", "Together")
