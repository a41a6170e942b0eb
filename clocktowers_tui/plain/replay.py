"""A finished match seen again ply by ply, in plain mode."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from clocktowers_tui.games.registry import FACES, SPOKEN
from clocktowers_tui.games.spoken import number
from clocktowers_tui.history.turns import after, before, turns_of
from clocktowers_tui.keys import actions
from clocktowers_tui.net.replaying import NoReplay, Projector
from clocktowers_tui.phrases.history import (
    eyes_in_words,
    no_replay_in_words,
    place_in_words,
    plies_in_words,
)
from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.commands import Command
from clocktowers_tui.plain.saying import WIDE, in_lines
from clocktowers_tui.text.i18n import N_, _
from protocol.ids import Seat
from protocol.recording import ALL_OPEN, WATCHER
from protocol.text import clean


class ReplayPlace:
    """At one ply of a finished match; what happened there is said first."""

    def __init__(self, client: PlainClient, projector: Projector, me: int | None, ply: int) -> None:
        opened = projector.opened
        self._client = client
        self._projector = projector
        self._game = opened.game
        self._names = [clean(name) or "?" for name in opened.names]
        self._last = len(opened.seats)
        self._me = me if me in range(len(self._names)) else None
        self._eyes = self._me if self._me is not None else ALL_OPEN if opened.opens else WATCHER
        self._ply = max(0, min(ply, self._last))
        self._told: dict[int, list[list[Any]]] = {}

    async def begins(self) -> list[str]:
        """Where the replay opens."""
        return [*await self._here(), _("next goes on, before goes back, menu ends the replay.")]

    @property
    def commands(self) -> Sequence[Command]:
        def command(
            word: str,
            words: str,
            does: Callable[[Sequence[str]], Awaitable[None]],
            short: str = "",
            takes: str = "",
            *done: actions.Action,
        ) -> Command:
            return Command(word, words, does, short, takes, done)

        on, back = (actions.RIGHT, actions.DOWN), (actions.LEFT, actions.UP)
        ends, own, earlier = (
            (actions.FIRST, actions.LAST),
            actions.OWN_TURN,
            actions.OWN_TURN_BEFORE,
        )
        pieces = N_("list the pieces, or say what happens to one")
        return [
            command("next", N_("go so many moves on"), self._next, "n", "[N]", *on),
            command("before", N_("go so many moves back"), self._before, "b", "[N]", *back),
            command("move", N_("go to that move"), self._ply_n, "g", "N", *ends),
            command("own", N_("go to the next own turn"), self._own, "o", "", own),
            command(
                "ownbefore", N_("go to the own turn before"), self._own_before, "", "", earlier
            ),
            command(
                "eyes", N_("see it with other eyes"), self._eyes_of, "e", "[NAME]", actions.EYES
            ),
            command("look", N_("say what is where, or only that part"), self._look, "l", "[PART]"),
            command("story", pieces, self._story, "f", "[N]", actions.STORY),
            command("log", N_("say what has happened so far"), self._log),
            command("result", N_("say the result"), self._result),
            command("menu", N_("end the replay"), self._menu, "q"),
        ]

    # What is seen -------------------------------------------------------------------------------

    async def _heard(self) -> list[list[Any]]:
        if self._eyes not in self._told:
            self._told[self._eyes] = await self._projector.hear(self._eyes)
        return self._told[self._eyes]

    async def _here(self) -> list[str]:
        """Which ply, and what happened there; at the last one how the match ended."""
        where = f"{place_in_words(self._ply, self._last)}, {self._whose(self._eyes)}."
        told = map(self._said, (await self._heard())[self._ply])
        ended = await self._ended() if self._ply == self._last else []
        return [where, *told, *ended]

    def _said(self, event: Any) -> str:
        """As the log has it for these eyes; "" where it does not."""
        you = Seat(self._eyes) if self._eyes >= 0 else None
        return FACES[self._game].phrase(event, self._names, you)

    def _whose(self, eyes: int) -> str:
        return eyes_in_words(eyes, self._names)

    async def _ended(self) -> list[str]:
        shown = await self._projector.show(self._last, self._eyes)
        outcome = self._projector.opened.outcome
        lines = FACES[self._game].result(shown.view, outcome, self._names, WIDE)
        return list(in_lines(line.plain for line in lines))

    async def _try(self, does: Callable[[], Awaitable[list[str]]]) -> None:
        try:
            self._client.say(*await does())
        except NoReplay as error:
            self._client.cannot(no_replay_in_words(str(error)))

    async def _go(self, ply: int) -> None:
        self._ply = max(0, min(ply, self._last))
        await self._try(self._here)

    # Commands -----------------------------------------------------------------------------------

    async def _next(self, rest: Sequence[str]) -> None:
        await self._go(self._ply + max(1, number(rest)))

    async def _before(self, rest: Sequence[str]) -> None:
        await self._go(self._ply - max(1, number(rest)))

    async def _ply_n(self, rest: Sequence[str]) -> None:
        if (n := number(rest)) < 0:
            self._client.cannot(_("Say which move, from 0 to {n}.").format(n=self._last))
        else:
            await self._go(n)

    async def _own_plies(self) -> Sequence[int]:
        seats = self._projector.opened.seats
        own = self._eyes if self._eyes >= 0 else -1 if self._me is None else self._me
        return turns_of(FACES[self._game], await self._heard(), seats, own).own

    async def _own(self, _rest: Sequence[str]) -> None:
        await self._go(after(await self._own_plies(), self._ply, self._last))

    async def _own_before(self, _rest: Sequence[str]) -> None:
        await self._go(before(await self._own_plies(), self._ply))

    async def _eyes_of(self, rest: Sequence[str]) -> None:
        """By name or number; without one, the next."""
        opens = [ALL_OPEN] if self._projector.opened.opens else []
        eyes = [*range(len(self._names)), WATCHER, *opens]
        called, n = " ".join(rest).lower(), number(rest)
        named = [seat for seat, name in enumerate(self._names) if called and name.lower() == called]
        if 0 < n <= len(eyes):
            named = [eyes[n - 1]]
        if rest and not named:
            said = ", ".join(f"{n} {self._whose(one)}" for n, one in enumerate(eyes, 1))
            self._client.cannot(_("Choose one of {values}.").format(values=said))
            return
        self._eyes = named[0] if named else eyes[(eyes.index(self._eyes) + 1) % len(eyes)]
        await self._try(self._here)

    async def _look(self, rest: Sequence[str]) -> None:
        async def scene() -> list[str]:
            shown = await self._projector.show(self._ply, self._eyes)
            return self._client.part_of(SPOKEN[self._game].parts(shown.view, self._names), rest)

        await self._try(scene)

    async def _story(self, rest: Sequence[str]) -> None:
        """Say what can be followed (towers, tiles or cards), or what happened to one of these."""
        told = await self._heard()
        stories, n = list(FACES[self._game].stories(told, self._names)), number(rest)
        if not 0 < n <= len(stories):
            listed = (f"{n}: {plies_in_words(one)}." for n, one in enumerate(stories, 1))
            self._client.say(*listed)
            return
        said = [
            f"{ply}: {sentence}"
            for ply in stories[n - 1].plies
            for event in told[ply]
            if (sentence := self._said(event))
        ]
        self._client.say(*said)

    async def _log(self, _rest: Sequence[str]) -> None:
        told = (await self._heard())[: self._ply + 1]
        self._client.say(*(self._said(event) for events in told for event in events))

    async def _result(self, _rest: Sequence[str]) -> None:
        await self._try(self._ended)

    async def _menu(self, rest: Sequence[str]) -> None:
        await self._projector.stop()
        await self._client.home(rest)
