"""What could have been done better in a finished match, in plain mode: its review, and the match
played on in another way."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from clocktowers_tui.deeds.finished import WHAT_IF, find
from clocktowers_tui.deeds.replay import Trial
from clocktowers_tui.games.registry import FACES, SPOKEN
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.history.review import Reviewed, found_before, made, mistakes
from clocktowers_tui.net.records import NoReplay
from clocktowers_tui.phrases.review import percent_in_words, review_in_words
from clocktowers_tui.plain.lines import WIDE, in_lines
from clocktowers_tui.plain.place import GamePlace, PlainPlace
from clocktowers_tui.text.i18n import _

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
            client.object(str(error))
    else:
        if client.place is here:
            client.say(*said)


class WhatIfPlace(GamePlace):
    """`back`: the replay."""

    all_deeds = WHAT_IF

    def __init__(self, client: "PlainClient", trial: Trial, back: PlainPlace) -> None:
        super().__init__(client)
        self._trial = trial
        self._ply = trial.begun
        self._back = back
        self.spoken = SPOKEN[trial.face.game]
        self._view: Any = None

    async def begins(self) -> list[str]:
        ways = _("Nothing of it is kept. undo takes a move back, menu goes back to the replay.")
        self.client.say(ways)
        await self.play()
        if self._view is None:  # the process has failed, and that has been said
            await self.do_menu()
        return []

    def sight(self) -> tuple[Any, Sequence[str]]:
        return self._view, self._trial.names

    async def nothing(self) -> None:
        self.client.say(*self._asked())

    async def play(self, action: Any = None) -> None:
        """Do this, None = bots play until it is the player's turn; and say what has come of it."""
        before, trial, keymap = self._ply, self._trial, self.client.keymap

        async def played() -> list[str]:
            if why := await trial.play(before, action, keymap):
                self.client.object(why)
                return []
            await self._come(trial.last)
            said = self._happened(before + 1)
            if trial.is_judged(before, action):
                said.append((await trial.judged(action, keymap))[0])
            asked = self._asked()
            return [*said, *(asked if self._is_over() else self.unheard(asked))]

        await tell(self.client, played)

    async def _come(self, ply: int) -> None:
        """Be there. Raises NoReplay."""
        self._view = (await self._trial.source.show(ply, self._trial.seat)).view
        self._ply = ply

    def _happened(self, since: int) -> list[str]:
        """What has happened by now, from this ply on."""
        trial = self._trial
        told = trial.told.get(trial.seat, [])[since : self._ply + 1]
        return [*map(sentence, trial.phrases(told, trial.seat))]

    def _is_over(self) -> bool:
        return self._trial.source.opened.outcome is not None and self._ply == self._trial.last

    def _asked(self) -> list[str]:
        """What the player has to know to choose; at the end how the match ended."""
        view, trial = self._view, self._trial
        if self._is_over():
            return list(in_lines(trial.result(view, WIDE)))
        expected = sentence(trial.face.expected(view, trial.names))
        return [expected, *self.spoken.turn(view, trial.names)]

    # Commands -----------------------------------------------------------------------------------

    async def do_undo(self) -> None:
        if (ply := self._trial.taken_back(self.client, self._ply)) is None:
            return

        async def back() -> list[str]:
            await self._come(ply)
            return self._asked()

        await tell(self.client, back)

    async def do_log(self) -> None:
        self.client.say(*self._happened(0))

    def hear(self) -> None:
        self._back.hear()

    async def ends(self) -> None:
        await self._trial.source.stop()
        await self._back.ends()

    async def do_menu(self) -> None:
        await self._trial.source.stop()
        if self.client.place is self:  # the next match may have begun meanwhile
            self.client.say(sentence(self._trial.answer))
            await self.client.open(self._back)


# The review of a finished match: made while the player types on, then said.


async def review_of(client: "PlainClient", typed: str) -> None:
    """Say the review of the player's own decisions, or of the first seat's. Raises NotDone."""
    replayed = await find(typed)

    async def told() -> None:
        line, match = replayed.line, replayed.match
        done = await reviewed(client, line, match, replayed.me or 0, await found_by_now(match))
        say_review(client, done)
        lost = mistakes(done) if FACES[done.begun.game].in_turns else ()
        if lost:
            client.worst = replayed, lost[0].ply
            client.say(_("worst plays the biggest mistake once more."))

    await client.while_here(told())


async def found_by_now(match: str) -> Reviewed | None:
    """What was found of this match before, as far as it is; of a file nothing."""
    return await asyncio.to_thread(found_before, match) if match else None


async def reviewed(
    client: "PlainClient",
    line: bytes,
    match: str,
    seat: int,
    known: Reviewed | None,
    *,
    quietly: bool = False,
) -> Reviewed:
    """Once all is found; how far it is, is said meanwhile. `known`: what was found before. Raises
    NotDone."""
    quietly, quarters = quietly or (known is not None and known.whole), 0
    if not quietly:
        client.say(_("A bot looks at each decision; this takes a moment."))
    async with aclosing(made(line, match, seat, known)) as reviews:
        async for done in reviews:
            now = 4 * len(done.findings) // max(1, len(done.begun.plies))
            if quarters < now < 4 and not quietly:
                quarters = now
                part = percent_in_words(now * 250)
                client.say(_("{part} is looked at.").format(part=part))
    return done


def say_review(client: "PlainClient", done: Reviewed) -> None:
    told = in_lines(review_in_words(FACES[done.begun.game], done, 0))
    client.say(*(sentence(one) for one in told if one))
