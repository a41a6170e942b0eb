"""After a match in plain mode: its result, a rematch, a file of it, a review."""

from collections.abc import Sequence

from msgspec.structs import replace

from clocktowers_tui.games.registry import FACES, SPOKEN
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.phrases.duplicate import ranking_in_words
from clocktowers_tui.phrases.looking_back import numbers_in_words
from clocktowers_tui.phrases.names import names_of
from clocktowers_tui.phrases.notices import broken_off_in_words
from clocktowers_tui.phrases.proof import proof_in_words
from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.commands import Command, Does
from clocktowers_tui.plain.reviewing import review_of
from clocktowers_tui.plain.saying import WIDE, in_lines
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import State
from clocktowers_tui.text.i18n import N_, _
from protocol.from_client import Rematch


class Ending:
    """While the match goes on its commands say so."""

    def __init__(self, client: PlainClient) -> None:
        self._client = client

    @property
    def commands(self) -> Sequence[Command]:
        client, state = self._client, self._client.state
        over = state.match is not None and state.match.over
        kept = over and not client.guest
        again = over and state.seat is not None
        back = over and not state.alone
        write = N_("write the finished match to a file")
        better = N_("say what you could have done better in the finished match")
        return [
            self._command("result", N_("say the result"), self._result, actions.RESULT, now=over),
            self._command("rematch", N_("play again"), self._rematch, actions.REMATCH, now=again),
            self._command(
                "table", N_("go back to the table"), self._to_table, actions.TO_TABLE, now=back
            ),
            self._command("write", write, self._write, actions.EXPORT_RESULT, now=kept),
            self._command("review", better, self._review, actions.REVIEW_RESULT, now=kept),
        ]

    def _command(self, word: str, words: str, does: Does, action: Action, *, now: bool) -> Command:
        async def once_over(rest: Sequence[str]) -> None:
            if self._match.over:
                await does(rest)
            else:
                self._client.cannot(_("The match is not over yet."))

        return Command(word, words, once_over, actions=(action,), now=now)

    @property
    def _state(self) -> State:
        return self._client.state

    @property
    def _match(self) -> Match:
        match = self._state.match
        assert match is not None
        return match

    def result(self) -> list[str]:
        """Who won, the points, what they are made of; then what else there is to say."""
        match, state = self._match, self._state
        if match.aborted:
            return [_("The match is over."), broken_off_in_words()]
        face, names = FACES[match.game], names_of(match)
        lines = face.result(match.view, match.outcome, names, WIDE)
        made = SPOKEN[match.game].ending(match.view, match.outcome, names)
        chosen = state.table is not None and state.table.info.seeded
        proof = "" if chosen else proof_in_words(match, face).words
        looked = state.looked_back
        looked = looked if looked is not None and looked.match == match.id else None
        more = [proof, *ranking_in_words(state, match), *numbers_in_words(looked, state)]
        ways = _("rematch plays again, leave leaves.") if state.seat is not None else ""
        return [*in_lines(line.plain for line in lines), *in_lines([*made, *more]), ways]

    async def _result(self, _rest: Sequence[str]) -> None:
        self._client.say(*self.result())

    async def _rematch(self, _rest: Sequence[str]) -> None:
        if not await self._client.ask(Rematch(id=0)):
            return
        self._client.say(_("Waiting for the others…"))
        over = self._match.id
        await self._client.until(lambda: self._gone_on(over), None if self._state.alone else 0.0)

    def _gone_on(self, over: str) -> bool:
        match = self._state.match
        return match is None or match.id != over or self._state.connection is None

    async def _to_table(self, _rest: Sequence[str]) -> None:
        if self._state.alone:
            self._client.cannot(_("There is no table to go back to now."))
        else:
            self._client.change(replace(self._state, result_seen=True))

    async def _write(self, _rest: Sequence[str]) -> None:
        await self._client.keeping.settle()
        await self._client.write(self._match.id)

    async def _review(self, _rest: Sequence[str]) -> None:
        await self._client.keeping.settle()
        await review_of(self._client, self._match.id)
