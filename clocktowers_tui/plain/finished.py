"""The player's finished matches in plain mode: a list, from which each can be seen again, reviewed,
written to a file or deleted."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from clocktowers_tui.cli.history_command import unusable
from clocktowers_tui.cli.replay_command import Missing, Replayed, find
from clocktowers_tui.deeds.finished import MATCHES
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.games.spoken import number, sentence
from clocktowers_tui.history import matches
from clocktowers_tui.history.making import made
from clocktowers_tui.history.matches import Kept, NoHistory
from clocktowers_tui.net.replaying import NoReplay, Projector
from clocktowers_tui.net.reviewing import NoReview
from clocktowers_tui.phrases.history import (
    game_in_words,
    no_replay_in_words,
    result_in_words,
    scores_in_words,
    when_in_words,
)
from clocktowers_tui.phrases.review import no_review_in_words, review_in_words
from clocktowers_tui.plain.lines import in_lines
from clocktowers_tui.plain.place import PlainPlace
from clocktowers_tui.plain.replay import ReplayPlace
from clocktowers_tui.text.i18n import _

if TYPE_CHECKING:
    from clocktowers_tui.plain.client import PlainClient

_LISTED: Final = 20


class MatchesPlace(PlainPlace):
    """The newest first, by number."""

    all_deeds = MATCHES

    def __init__(self, client: "PlainClient") -> None:
        super().__init__(client)
        self._listed: Sequence[Kept] = ()

    async def begins(self) -> list[str]:
        """The list."""
        try:
            kept = await asyncio.to_thread(matches.newest_first)
        except NoHistory as error:
            return [sentence(unusable(error))]
        self._listed = kept[:_LISTED]
        lines = [f"{n}: {_match_in_words(one)}." for n, one in enumerate(self._listed, 1)]
        none = _("You have no finished matches yet.")
        return [
            *(lines or [none]),
            _("replay N shows one again, review N judges it, menu goes back."),
        ]

    async def do_matches(self) -> None:
        self.client.say(*await self.begins())

    def _typed(self) -> str:
        """Which match is meant: its id, by the number in the list or as typed; "" after saying that
        none is."""
        typed = self.client.typed
        if not typed:
            self.client.object(_("Say which match: its number in the list, or its ID."))
        n = number(typed)
        return self._listed[n - 1].head.id if 0 < n <= len(self._listed) else " ".join(typed)

    async def do_replay(self) -> None:
        if (typed := self._typed()) and (match := await found(self.client, typed)):
            await see_again(self.client, match)

    async def do_review(self) -> None:
        if typed := self._typed():
            await review_of(self.client, typed)

    async def do_write(self) -> None:
        if (typed := self._typed()) and (match := await found(self.client, typed)):
            await self.client.write(match.match)

    async def do_delete(self) -> None:
        """Only a match of the history; a file can be seen again, and stays."""
        if not (typed := self._typed()):
            return
        match = await found(self.client, typed)
        kept = None if match is None else matches.of(match.match)
        if kept is not None:
            sure = _("Delete this match for good: {match}?").format(match=_match_in_words(kept))
            if await self.client.sure("", [sure], "", ""):
                await self._delete_for_good(kept.head.id)

    async def _delete_for_good(self, match: str) -> None:
        try:
            await asyncio.to_thread(matches.delete, match)
        except NoHistory as error:
            self.client.object(sentence(unusable(error)))
        else:
            self.client.say(_("The match is deleted."), *await self.begins())

    async def do_menu(self) -> None:
        await self.client.open(None)


def _match_in_words(one: Kept) -> str:
    parts = [when_in_words(one), game_in_words(one), result_in_words(one), scores_in_words(one)]
    return ", ".join(parts)


async def see_again(client: "PlainClient", replayed: Replayed) -> None:
    """Go to the replay of this match, or say why there is none."""
    try:
        projector = await Projector.start(replayed.line)
    except NoReplay as error:
        client.object(no_replay_in_words(str(error)))
        return
    await client.open(ReplayPlace(client, projector, replayed.me, replayed.ply or 0))


# Reviews ------------------------------------------------------------------------------------------


async def found(client: "PlainClient", typed: str) -> Replayed | None:
    """The finished match that is meant; says why there is none."""
    try:
        return await asyncio.to_thread(find, typed)
    except Missing as error:
        client.object(sentence(str(error)))
        return None


async def review_of(client: "PlainClient", typed: str) -> None:
    """Say the review of the player's own decisions, or of the first seat's."""
    if (replayed := await found(client, typed)) is None:
        return
    client.say(_("A bot looks at each decision; this takes a moment."))
    try:
        async with aclosing(made(replayed.line, replayed.match, replayed.me or 0)) as reviews:
            async for newest in reviews:
                done = newest
    except NoReview as error:
        client.object(no_review_in_words(str(error)))
        return
    client.say(*in_lines(review_in_words(FACES[done.begun.game], done, 0)))
