"""A bot on a seat: gets what the seat's client would get, and sends what it would send."""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from msgspec import Struct

from protocol.changes import News
from protocol.from_server import Ended, History, Update
from protocol.ids import Key, Seat
from server.bots.brains import SOMEBODY, Asker, Brains
from server.games.contract import Reaction
from server.matches.match import Match
from server.matches.wishes import Answered, Denied
from server.store.journal import BOT_KEY_BYTES
from server.tasks import Tasks


class BotDriver:
    """Sits `level` on a seat of a match. `receive` is the seat's outbox."""

    def __init__(
        self,
        match: Match,
        seat: Seat,
        level: str,
        *,
        brains: Brains,
        tasks: Tasks,
        pace_s: Callable[[], float],
        reaction: Reaction | None = None,
        waits: Callable[[Any], bool] = lambda view: False,
        asker: Callable[[], Asker] = lambda: SOMEBODY,
    ) -> None:
        """`pace_s`: how long an action is waited for at least, where no `reaction` says it.
        `waits`: whether with this view others go first. `asker`: whose decisions they are now."""
        self._match = match
        self._seat = seat
        self._level = level
        self._brains = brains
        self._tasks = tasks
        self._pace_s = pace_s
        self._reaction = reaction
        self._waits = waits
        self._asker = asker
        self._dice = f"{match.header.seed.hex()}/{seat}"
        """The same deal and the same moves make the same bots."""
        self._nerves = Random(self._dice)
        self._events: list[Any] = []
        self._newest: Update | None = None
        self._rests = False
        self._thinking: asyncio.Task[None] | None = None
        self._due_s: float | None = None
        self._hurried = asyncio.Event()

    def receive(self, message: Struct) -> None:
        """Receive what the match sends to this seat."""
        if isinstance(message, News):
            message = message.whole()
        match message:
            case History(events=events, taken_back=taken_back):
                self._undo(taken_back)
                self._events += events
            case Update():
                self._undo(message.taken_back)
                self._events += message.events
                self._newest = message
                self._consider(message)
            case Ended():
                self.stop()

    def _undo(self, taken_back: int) -> None:
        """Forget so many of the newest events, which no longer stand."""
        del self._events[len(self._events) - taken_back :]

    def hurry(self) -> None:
        """Act as soon as it is decided what to do: wait no longer for the pace."""
        if self._reaction is None:
            self._hurried.set()

    def stop(self) -> None:
        """Stop for good: the match is over, or the seat has another occupant."""
        self.rest()

    def rest(self) -> None:
        """Neither think nor act until `wake`."""
        self._rests = True
        self._think_no_more()

    def wake(self) -> None:
        """Go on from where the match is now."""
        self._rests = False
        if self._newest is not None:
            self._consider(self._newest)

    def _think_no_more(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

    def _consider(self, update: Update) -> None:
        self._think_no_more()
        may_act = not self._rests and self._seat in self._match.to_act()
        if not may_act or self._waits(update.view):
            self._due_s = None
            return
        now_s = asyncio.get_running_loop().time()
        if self._reaction is not None:
            self._due_s = now_s + self._reaction(update.view, self._nerves) / 1000
        elif self._due_s is None:
            # News changes what to think about, not how long it takes: else a seat that others
            # act beside would never come to it.
            self._due_s = now_s + self._pace_s()
            self._hurried.clear()
        self._thinking = self._tasks.spawn(self._decide(update, self._due_s))

    async def _decide(self, update: Update, due_s: float) -> None:
        """Decide, and show it no sooner than the pace allows, so that people can follow."""
        match = self._match
        decided = await self._brains.choose(
            match.header.game,
            self._level,
            update.view,
            self._events,
            f"{self._dice}/{update.version}",
            self._asker(),
        )
        await self._until(due_s)
        if decided is None:
            self._make_do(update)
        elif decided.action is not None:
            self._wish(update, decided.action)

    async def _until(self, due_s: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout_at(due_s):
                await self._hurried.wait()

    def _make_do(self, update: Update) -> None:
        """A legal action, so that the match goes on. None in a race, which goes on by itself and
        where any action would be a shot in the dark."""
        if not self._match.rules.races:
            self._wish(update, self._match.any_legal(self._seat))

    def _wish(self, update: Update, action: Any) -> None:
        self._due_s = None
        key = Key(secrets.token_bytes(BOT_KEY_BYTES))
        self._match.submit(self._seat, update.version, key, action, self._heard(update))

    def _heard(self, update: Update) -> Callable[[Answered], None]:
        """A refusal at the version it acted on means that the bot misjudged; the match must go on.

        A stale refusal needs nothing: the newer view is on its way. In a race others were quicker.
        """

        def heard(answer: Answered) -> None:
            match = self._match
            misjudged = isinstance(answer, Denied) and answer.version == update.version
            if misjudged and not self._rests and self._seat in match.to_act():
                self._make_do(update)

        return heard
