"""A finished match played on in another way, in plain mode: see `screens.what_if`."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from clocktowers_tui.deeds.finished import WHAT_IF
from clocktowers_tui.games.registry import FACES, SPOKEN
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.net.records import NoReplay, Projector
from clocktowers_tui.phrases.history import no_replay_in_words
from clocktowers_tui.phrases.review import tried_in_words
from clocktowers_tui.plain.lines import WIDE, in_lines
from clocktowers_tui.plain.place import GamePlace, PlainPlace
from clocktowers_tui.text.i18n import _
from protocol.ids import Seat
from protocol.text import clean

if TYPE_CHECKING:
    from clocktowers_tui.plain.client import PlainClient


async def tell(client: "PlainClient", does: Callable[[], Awaitable[list[str]]]) -> None:
    """Say what this returns, or why the process that replays the match cannot tell it; nothing to a
    player who has been taken to another place meanwhile, where the process has been stopped."""
    here = client.place
    try:
        said = await does()
    except NoReplay as error:
        if client.place is here:
            client.object(no_replay_in_words(str(error)))
    else:
        if client.place is here:
            client.say(*said)


class WhatIfPlace(GamePlace):
    """`ply`: from where on; `tries`: the next move is the player's, and is judged. `back`: the
    replay."""

    all_deeds = WHAT_IF

    def __init__(
        self,
        client: "PlainClient",
        projector: Projector,
        seat: int,
        ply: int,
        back: PlainPlace,
        *,
        tries: bool = False,
    ) -> None:
        super().__init__(client)
        self._projector = projector
        self._seat = Seat(seat)
        self._begun = self._ply = ply
        self._back = back
        self._tries = tries
        game = projector.opened.game
        self._face, self.spoken = FACES[game], SPOKEN[game]
        self._names = [clean(name) or "?" for name in projector.opened.names]
        self._view: Any = None

    async def begins(self) -> list[str]:
        ways = _("Nothing of it is kept. undo takes a move back, menu goes back to the replay.")
        self.client.say(ways)
        await self.play()
        if self._view is None:  # the process has failed, and that has been said
            await self.do_menu()
        return []

    def sight(self) -> tuple[Any, Sequence[str]]:
        return self._view, self._names

    async def nothing(self) -> None:
        self.client.say(*self._asked())

    async def play(self, action: Any = None) -> None:
        """Do this, None = bots play until it is the player's turn; and say what has come of it."""
        before, seat, projector = self._ply, self._seat, self._projector
        keymap = self.client.keymap

        async def played() -> list[str]:
            refusal = await projector.play(before, seat, action)
            if refusal is not None:
                self.client.object(self._face.refusal(refusal, keymap) or refusal.code)
                return []
            told = await self._come(len(projector.opened.seats))
            said = self._phrases(told[before + 1 :])
            if self._tries and action is not None and before == self._begun:
                one = await projector.weigh(before + 1, seat, action)
                said.append(tried_in_words(one, keymap)[0])
            return [*said, *self._asked()]

        await tell(self.client, played)

    async def _come(self, ply: int) -> list[list[Any]]:
        """Be there; returns what was told by then. Raises NoReplay."""
        self._view = (await self._projector.show(ply, self._seat)).view
        self._ply = ply
        return (await self._projector.hear(self._seat))[: ply + 1]

    def _phrases(self, told: Sequence[Sequence[Any]]) -> list[str]:
        said = (self._face.phrase(one, self._names, self._seat) for each in told for one in each)
        return [sentence(one) for one in said if one]

    def _asked(self) -> list[str]:
        """What the player has to know to choose; at the end how the match ended."""
        view, opened = self._view, self._projector.opened
        if opened.outcome is not None and self._ply == len(opened.seats):
            lines = self._face.result(view, opened.outcome, self._names, WIDE)
            return list(in_lines(line.plain for line in lines))
        expected = sentence(self._face.expected(view, self._names))
        return [expected, *self.spoken.turn(view, self._names)]

    # Commands -----------------------------------------------------------------------------------

    async def do_undo(self) -> None:
        seats = self._projector.opened.seats
        own = [ply for ply in range(self._begun, self._ply) if seats[ply] == self._seat]
        if not own:
            self.client.object(_("This is where you have begun."))
            return

        async def back() -> list[str]:
            await self._come(own[-1])
            return self._asked()

        await tell(self.client, back)

    async def do_log(self) -> None:
        async def log() -> list[str]:
            return self._phrases(await self._come(self._ply))

        await tell(self.client, log)

    def hear(self) -> None:
        self._back.hear()

    async def ends(self) -> None:
        await self._projector.stop()
        await self._back.ends()

    async def do_menu(self) -> None:
        await self._projector.stop()
        if self.client.place is self:  # the next match may have begun meanwhile
            await self.client.open(self._back)
