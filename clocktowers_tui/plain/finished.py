"""The player's finished matches in plain mode: a list, from which each can be seen again, reviewed,
written to a file or deleted."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

from clocktowers_tui.cli.history_command import unusable
from clocktowers_tui.cli.replay_command import Replayed
from clocktowers_tui.games.spoken import number, sentence
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Kept, NoHistory
from clocktowers_tui.keys import actions
from clocktowers_tui.net.replaying import NoReplay, Projector
from clocktowers_tui.phrases.history import (
    game_in_words,
    no_replay_in_words,
    players_in_words,
    result_in_words,
    when_in_words,
)
from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.commands import Command
from clocktowers_tui.plain.replay import ReplayPlace
from clocktowers_tui.plain.reviewing import found, review_of
from clocktowers_tui.text.i18n import N_, _

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
            return [sentence(unusable(error))]
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

    def _typed(self, rest: Sequence[str]) -> str:
        """Which match is meant; "" after saying that none is."""
        if not rest:
            self._client.cannot(_("Say which match: its number in the list, or its ID."))
        return self._named(rest)

    async def replay(self, rest: Sequence[str]) -> None:
        if (typed := self._typed(rest)) and (match := await found(self._client, typed)):
            await see_again(self._client, match)

    async def _review(self, rest: Sequence[str]) -> None:
        if typed := self._typed(rest):
            await review_of(self._client, typed)

    async def _write(self, rest: Sequence[str]) -> None:
        if (typed := self._typed(rest)) and (match := await found(self._client, typed)):
            await self._client.write(match.match)

    async def _delete(self, rest: Sequence[str]) -> None:
        """Only a match of the history; a file can be seen again, and stays."""
        if not (typed := self._typed(rest)):
            return
        match = await found(self._client, typed)
        kept = None if match is None else matches.of(match.match)
        if kept is not None:
            said = _match_in_words(kept)
            sure = _("Delete this match for good: {match}?").format(match=said)
            self._client.ask_first(partial(self._delete_at_once, kept.head.id), sure)

    async def _delete_at_once(self, match: str) -> None:
        try:
            await asyncio.to_thread(matches.delete, match)
        except NoHistory as error:
            self._client.cannot(sentence(unusable(error)))
        else:
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
