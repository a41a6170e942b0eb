"""The player's finished matches in plain mode: a list, each seen again ply by ply, and reviewed."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Any, Final

from clocktowers_tui.cli.history_command import NotThere
from clocktowers_tui.cli.replay_command import Missing, Replayed, find
from clocktowers_tui.doing.exporting import exported
from clocktowers_tui.games.registry import FACES, SPOKEN
from clocktowers_tui.games.spoken import number
from clocktowers_tui.history import matches
from clocktowers_tui.history.making import made
from clocktowers_tui.history.matches import Kept, NoHistory
from clocktowers_tui.history.turns import after, before, turns_of
from clocktowers_tui.keys import actions
from clocktowers_tui.net.replaying import NoReplay, Projector
from clocktowers_tui.net.reviewing import NoReview
from clocktowers_tui.phrases.history import (
    eyes_in_words,
    game_in_words,
    no_replay_in_words,
    place_in_words,
    players_in_words,
    plies_in_words,
    result_in_words,
    when_in_words,
)
from clocktowers_tui.phrases.review import no_review_in_words, review_in_words
from clocktowers_tui.plain.client import PlainClient, in_lines
from clocktowers_tui.plain.commands import Command
from clocktowers_tui.text.i18n import N_, _
from protocol.ids import Seat
from protocol.replaying import ALL_OPEN, WATCHER
from protocol.text import clean

_WIDE: Final = 1000
_LISTED: Final = 20
_WHICH: Final = "N|ID"


class MatchesPlace:
    """The newest first, by number."""

    def __init__(self, client: PlainClient) -> None:
        self._client = client
        self._listed: Sequence[Kept] = ()

    async def begins(self) -> list[str]:
        """The list."""
        try:
            kept = await asyncio.to_thread(matches.newest_first)
        except NoHistory as error:
            return [_("your history cannot be used: {why}").format(why=error)]
        self._listed = kept[:_LISTED]
        lines = [f"{n}: {_match_in_words(one)}." for n, one in enumerate(self._listed, 1)]
        none = _("You have no finished matches yet.")
        return [
            *(lines or [none]),
            _("replay N shows one again, review N judges it, menu goes back."),
        ]

    @property
    def commands(self) -> Sequence[Command]:
        return [
            Command("matches", N_("list your finished matches"), self._list, "m"),
            Command("replay", N_("see a match again"), self.replay, "p", _WHICH),
            Command(
                "review",
                N_("say what was better in a match"),
                self._review,
                "v",
                _WHICH,
                (actions.REVIEW_MATCH,),
            ),
            Command(
                "write",
                N_("write a match to a file"),
                self._write,
                "",
                _WHICH,
                (actions.EXPORT_MATCH,),
            ),
            Command(
                "delete", N_("delete a match"), self._delete, "", _WHICH, (actions.DELETE_MATCH,)
            ),
            Command("menu", N_("go to the menu"), self._client.home, "q"),
        ]

    async def _list(self, _rest: Sequence[str]) -> None:
        self._client.say(*await self.begins())

    def _named(self, rest: Sequence[str]) -> str:
        n = number(rest)
        return self._listed[n - 1].head.id if 0 < n <= len(self._listed) else " ".join(rest)

    async def _found(self, rest: Sequence[str]) -> Replayed | None:
        """The match that is meant; says why there is none."""
        if not rest:
            self._client.cannot(_("Say which match: its number in the list, or its ID."))
            return None
        try:
            return await asyncio.to_thread(find, self._named(rest))
        except Missing as error:
            self._client.cannot(str(error))
            return None

    async def replay(self, rest: Sequence[str]) -> None:
        if (found := await self._found(rest)) is not None:
            await see_again(self._client, found)

    async def _review(self, rest: Sequence[str]) -> None:
        if (found := await self._found(rest)) is not None:
            await review(self._client, found)

    async def _write(self, rest: Sequence[str]) -> None:
        if (found := await self._found(rest)) is not None:
            self._client.say(await exported(found.match))

    async def _delete(self, rest: Sequence[str]) -> None:
        found = await self._found(rest)
        if found is None or not found.match:
            return
        try:
            await asyncio.to_thread(matches.delete, found.match)
        except (NoHistory, NotThere) as error:
            self._client.cannot(str(error))
            return
        self._client.say(_("The match is deleted."), *await self.begins())


def _match_in_words(one: Kept) -> str:
    parts = [when_in_words(one), game_in_words(one), result_in_words(one), players_in_words(one)]
    return ", ".join(parts)


async def see_again(client: PlainClient, replayed: Replayed) -> None:
    """Go to the replay of this match, or say why there is none."""
    try:
        projector = await Projector.start(replayed.line)
    except NoReplay as error:
        client.cannot(no_replay_in_words(str(error)))
        return
    await client.open(ReplayPlace(client, projector, replayed.me, replayed.ply or 0))


async def review_of(client: PlainClient, match: str) -> None:
    """The same, of a match in the history."""
    try:
        found = await asyncio.to_thread(find, match)
    except Missing as error:
        client.cannot(str(error))
    else:
        await review(client, found)


async def review(client: PlainClient, replayed: Replayed) -> None:
    """Say the review of the player's own decisions, or of the first seat's."""
    client.say(_("A bot looks at each decision; this takes a moment."))
    try:
        async with aclosing(made(replayed.line, replayed.match, replayed.me or 0)) as found:
            async for newest in found:
                done = newest
    except NoReview as error:
        client.cannot(no_review_in_words(str(error)))
        return
    client.say(*in_lines(review_in_words(FACES[done.begun.game], done, _WIDE)))


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
        return [
            Command(word, words, getattr(self, f"_{does}"), short, takes, acts)
            for word, words, does, short, takes, acts in _REPLAY
        ]

    @staticmethod
    def commands_of(client: PlainClient) -> Sequence[Command]:
        """The same, of no match."""
        return [
            Command(word, words, client.home, short, takes, acts)
            for word, words, _does, short, takes, acts in _REPLAY
        ]

    # What is seen -------------------------------------------------------------------------------

    async def _heard(self) -> list[list[Any]]:
        if self._eyes not in self._told:
            self._told[self._eyes] = await self._projector.hear(self._eyes)
        return self._told[self._eyes]

    async def _here(self) -> list[str]:
        """Which ply, and what happened there; at the last one how the match ended."""
        face, you = FACES[self._game], Seat(self._eyes) if self._eyes >= 0 else None
        where = (
            f"{place_in_words(self._ply, self._last)}, {eyes_in_words(self._eyes, self._names)}."
        )
        events = (await self._heard())[self._ply]
        told = [face.phrase(event, self._names, you) for event in events]
        ended = await self._ended() if self._ply == self._last else []
        return [where, *told, *ended]

    async def _ended(self) -> list[str]:
        shown = await self._projector.show(self._last, self._eyes)
        outcome = self._projector.opened.outcome
        lines = FACES[self._game].result(shown.view, outcome, self._names, _WIDE)
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
            said = ", ".join(
                f"{n} {eyes_in_words(one, self._names)}" for n, one in enumerate(eyes, 1)
            )
            self._client.cannot(_("Choose one of {values}.").format(values=said))
            return
        self._eyes = named[0] if named else eyes[(eyes.index(self._eyes) + 1) % len(eyes)]
        await self._try(self._here)

    async def _look(self, _rest: Sequence[str]) -> None:
        async def scene() -> list[str]:
            shown = await self._projector.show(self._ply, self._eyes)
            return list(SPOKEN[self._game].scene(shown.view, self._names))

        await self._try(scene)

    async def _story(self, rest: Sequence[str]) -> None:
        """All towers, tiles or cards; or all that happens to one of them."""
        face, you = FACES[self._game], Seat(self._eyes) if self._eyes >= 0 else None
        told = await self._heard()
        stories, n = list(face.stories(told, self._names)), number(rest)
        if not 0 < n <= len(stories):
            listed = (f"{n}: {plies_in_words(one)}." for n, one in enumerate(stories, 1))
            self._client.say(*listed)
            return
        said = [
            f"{ply}: {sentence}"
            for ply in stories[n - 1].plies
            for event in told[ply]
            if (sentence := face.phrase(event, self._names, you))
        ]
        self._client.say(*said)

    async def _log(self, _rest: Sequence[str]) -> None:
        face, you = FACES[self._game], Seat(self._eyes) if self._eyes >= 0 else None
        told = (await self._heard())[: self._ply + 1]
        self._client.say(*(face.phrase(one, self._names, you) for events in told for one in events))

    async def _result(self, _rest: Sequence[str]) -> None:
        await self._try(self._ended)

    async def _menu(self, rest: Sequence[str]) -> None:
        await self._projector.stop()
        await self._client.home(rest)


_REPLAY: Final = (
    ("next", N_("go so many moves on"), "next", "n", "[N]", (actions.RIGHT, actions.DOWN)),
    ("before", N_("go so many moves back"), "before", "b", "[N]", (actions.LEFT, actions.UP)),
    ("move", N_("go to that move"), "ply_n", "g", "N", (actions.FIRST, actions.LAST)),
    ("own", N_("go to the next own turn"), "own", "o", "", (actions.OWN_TURN,)),
    (
        "ownbefore",
        N_("go to the own turn before"),
        "own_before",
        "",
        "",
        (actions.OWN_TURN_BEFORE,),
    ),
    ("eyes", N_("see it with other eyes"), "eyes_of", "e", "[NAME]", (actions.EYES,)),
    ("look", N_("say what is where"), "look", "l", "", ()),
    (
        "story",
        N_("list the pieces, or say what happens to one"),
        "story",
        "f",
        "[N]",
        (actions.STORY,),
    ),
    ("log", N_("say what has happened so far"), "log", "", "", ()),
    ("result", N_("say the result"), "result", "", "", ()),
    ("menu", N_("end the replay"), "menu", "q", "", ()),
)
"""Word, what it does, by which method, short form, what follows, actions."""
