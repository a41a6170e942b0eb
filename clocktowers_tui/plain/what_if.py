"""What could have been done better in a finished match, in plain mode: its review, and the match
played on in another way."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from clocktowers_tui.deeds.by_mail import ByMail
from clocktowers_tui.deeds.finished import WHAT_IF, find
from clocktowers_tui.deeds.replay import Trial
from clocktowers_tui.games.registry import FACES, SPOKEN
from clocktowers_tui.games.spoken import number, sentence
from clocktowers_tui.history.record import Replayed, head_of
from clocktowers_tui.history.review import (
    ALWAYS,
    Reviewed,
    found_before,
    made,
    newest as reviewed_last,
)
from clocktowers_tui.net.records import NoReplay
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.review import (
    heard_in_words,
    mistakes_found_in_words,
    no_mistake_in_words,
    percent_in_words,
    progress_in_words,
    told_in_order,
)
from clocktowers_tui.plain.lines import WIDE, each_alone, in_sentences
from clocktowers_tui.plain.place import BESIDE, GamePlace, PlainPlace, match_in_words
from clocktowers_tui.plain.words import find as find_deed
from clocktowers_tui.text.i18n import N_, _
from protocol.recording import Finding
from protocol.text import clean

if TYPE_CHECKING:
    from clocktowers_tui.plain.client import PlainClient


NONE_REVIEWED: Final = N_("No match is reviewed yet: review does it.")


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
    """`back`: the replay, or where the player was before."""

    all_deeds = WHAT_IF

    def __init__(self, client: "PlainClient", trial: Trial, back: PlainPlace) -> None:
        super().__init__(client)
        self._trial = trial
        self._ply = trial.begun
        self.back: Final = back
        self.spoken = SPOKEN[trial.face.game]
        self._view: Any = None

    def ways(self) -> Sequence[str]:
        """What the player can do here."""
        n = self._trial.begun + 1
        if self._trial.tries:
            said = _("Do move {n} in another way; you hear what it is worth.").format(n=n)
            ways = _("hint says what is better, undo takes a move back, leave goes back.")
        else:
            said = _("From move {n} on in another way.").format(n=n)
            ways = _("undo takes a move back, leave goes back.")
        return said, _("Nothing of it is kept."), ways

    async def begins(self) -> list[str]:
        self.client.say(*self.ways())
        await self.play()
        if self._view is None:  # the process has failed, and that has been said
            await self.do_leave()
        return []

    def sight(self) -> tuple[Any, Sequence[str]]:
        return self._view, self._trial.names

    async def nothing(self) -> None:
        self.client.say(*self._asked())

    async def play(self, action: Any = None) -> None:
        """Do this, None = bots play until it is the player's turn; and say what has come of it."""
        before, trial, keymap = self._ply, self._trial, self.client.keymap
        first = self._view is None

        async def played() -> list[str]:
            if why := await trial.play(before, action, keymap):
                self.client.object(why)
                return []
            since, said = (trial.since if first else before) + 1, list[str]()
            if first and trial.face.in_turns and trial.last > before:  # bots play before the player
                then = (await trial.source.show(before, trial.seat)).view
                said.append(sentence(trial.face.expected(then, trial.names), trial.names))
            # What their own move brings is told before what others do.
            own = {before + 1} if action is not None and trial.face.in_turns else set[int]()
            for ply in sorted({*own, trial.last}):
                seen = self._view
                await self._come(ply)
                said += self._happened(since)
                said += [] if action is None else self.spoken.scored(seen, *self.sight())
                since = ply + 1
            if trial.is_judged(before, action):
                worth, how = await trial.judged(before, action, keymap)
                ways = [_("undo tries another move, hint says what is better.")] if how else []
                said += [sentence(worth), *ways]
            asked = self._asked()
            if first and trial.face.in_turns:  # over long ago: what the player had
                hand = self.spoken.parts(*self.sight()).get("hand", ())
                rest = (one for one in self.spoken.glance(*self.sight()) if one not in hand)
                heads = {one.partition(":")[0] for one in asked}
                said += [one for one in (*hand, *rest) if one.partition(":")[0] not in heads]
            goes_on = trial.face.in_turns and not self._is_over() and (first or action)
            return [*said, *(self.unheard(asked) if goes_on else asked)]

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
            return in_sentences(trial.result(view, WIDE), trial.names)
        if not trial.face.in_turns and not trial.face.is_my_turn(view):
            return []
        expected = sentence(trial.face.expected(view, trial.names))
        return [expected, *self.spoken.turn(view, trial.names)]

    def shows(self, line: bytes) -> bool:
        return self.back.shows(line)

    def unknown(self, word: str) -> str:
        if find_deed(self.back.deeds, word) is not None:
            return _("Not here: type {leave}, then {word}.").format(leave="leave", word=word)
        return super().unknown(word)

    # Commands -----------------------------------------------------------------------------------

    async def do_undo(self) -> None:
        if (ply := self._trial.taken_back(self.client, self._ply)) is not None:
            self._ply = ply
            await self.play()

    async def do_hint(self) -> None:
        """What is better than the move that is tried."""
        trial, (view, names) = self._trial, self.sight()
        if not trial.tries:
            raise NotDone(_("Only try has a hint."))
        if (best := trial.better(self._ply)) is not None:
            typed = _("Type: {command}").format(command=self.spoken.typed(view, best))
            self.client.say(self.spoken.advice(view, best, names, None), typed)
        elif not (said := trial.answered(self._ply)):
            raise NotDone(_("Make a move first; hint then says whether another is better."))
        else:
            self.client.say(sentence(said))

    async def do_review(self) -> None:
        await self.client.see_reviewed("review")

    async def do_log(self) -> None:
        newest = max(0, number(self.client.typed))
        self.client.say(*self._happened(0)[-newest:])

    def hear(self) -> None:
        self.back.hear()

    async def ends(self) -> None:
        await self.stop()
        await self.back.ends()

    async def stop(self) -> None:
        """Without the replay."""
        await self._trial.source.stop()

    async def do_leave(self) -> None:
        await self.stop()
        if self.client.place is self:  # the next match may have begun meanwhile
            self.client.say(sentence(await asyncio.to_thread(self._trial.left)))
            await self.client.open(self.back)


class ByMailPlace(WhatIfPlace):
    """A match that goes by mail. `back`: the menu."""

    _trial: ByMail

    def ways(self) -> Sequence[str]:
        said = _("Each move stands in the file at once. undo takes it back; leave leaves it.")
        same = self._trial.answer.replace("clocktowers", "clocktowers --plain", 1)
        self._trial.answer = same  # for the same face
        return [self._trial.begins(), said]

    async def play(self, action: Any = None) -> None:
        await super().play(action)
        self.client.say(self._trial.sends())


# The review of a finished match: made while the player types on, then said.


class Reviews:
    """What is found of finished matches, and how much of it the player has heard: nobody else keeps
    any of it. Of each match that is handed in, `me` is the seat whose review is told."""

    def __init__(self, client: "PlainClient") -> None:
        self._client: Final = client
        self.found: Final[dict[bytes, Reviewed]] = {}
        """By its record, what is found of a match by now."""
        self.making: Final[list[Replayed]] = []
        """The one that is being made, and those that wait behind it."""
        self._turn = asyncio.Lock()
        self._heard: set[bytes] = set()
        """Of which of these the player has heard meanwhile what was found."""
        self.untold: list[Replayed] = []
        """Those that were done while the player was elsewhere."""
        self._told_at: PlainPlace | None = None
        self.last: Replayed | None = None
        """The one that was told last,"""
        self.told: Final[set[int]] = set()
        """where its mistakes are that were told, since the last time that all were;"""
        self.at = -1
        """where the newest of them is; 0: it has none, and that was said."""

    async def look_up(self, replayed: Replayed) -> Reviewed | None:
        """What was found of this match, today or earlier; of a file today."""
        if replayed.line not in self.found and replayed.match:
            before = await asyncio.to_thread(found_before, replayed.match)
            if before is not None:
                self.found[replayed.line] = before
        return self.found.get(replayed.line)

    async def find(self, replayed: Replayed) -> Reviewed:
        """All of it. Raises NotDone."""
        known = self.found.get(replayed.line)
        async with aclosing(made(replayed.line, replayed.match, replayed.me or 0, known)) as some:
            async for done in some:
                self.found[replayed.line] = done
        return done

    async def once_made(self, replayed: Replayed, then: Callable[[], Awaitable[None]]) -> None:
        """Do this with the whole review, or with what is found by now of one that is being made; of
        one that is done later only say so, if the player is elsewhere by then, or has heard what
        was found meanwhile. Raises NotDone."""
        known = await self.look_up(replayed)
        making = any(one.line == replayed.line for one in self.making)
        if making or (known is not None and known.whole):
            self._heard |= {replayed.line} if making else set()
            await then()
            return
        await self._client.beside(self._make(replayed, then))

    async def _make(self, replayed: Replayed, then: Callable[[], Awaitable[None]]) -> None:
        client, here = self._client, self._client.place
        said = _("A bot looks at each decision; type on meanwhile. cancel or quit ends it.")
        if self.making:
            said = _(
                "First the review of {match} is made, then this one. cancel or quit ends both."
            )
            said = said.format(match=self._named(self.making[0]))
        self.making.append(replayed)
        self._heard.discard(replayed.line)
        self._turn_to(replayed._replace(me=replayed.me or 0))
        client.say(said)
        try:
            async with self._turn:
                done = await self.find(replayed)
        finally:
            self.making.remove(replayed)
        if client.place is here and replayed.line not in self._heard:
            await then()
        elif client.place.shows(replayed.line):
            client.say(mistakes_found_in_words(done._replace(seat=replayed.me or 0)))
        else:
            self.untold.append(replayed)
            self._turn_to(replayed)
            said = _("The review of {match} is done: next in the menu tells it.")
            client.say(said.format(match=self._named(replayed)))

    def stop(self) -> None:
        """What is found by then is kept. Raises NotDone."""
        if not self.making:
            raise NotDone(_("No review is being made."))
        said = _("The review of {match} stops. Asked for again, it goes on.")
        self._client.say(*(said.format(match=self._named(one)) for one in self.making))
        self._client.tasks.cancel(BESIDE)

    def _turn_to(self, replayed: Replayed) -> None:
        """Of this one nothing is told yet."""
        self.last, self.at = replayed, -1
        self.told.clear()

    def progress(self, replayed: Replayed) -> str:
        """How far the review is; "" of a whole one."""
        done = self.found.get(replayed.line)
        if done is not None and done.whole:
            return ""
        if all(one.line != replayed.line for one in self.making):
            said = _("The review of {match} has stopped before its end: review goes on with it.")
            return said.format(match=self._named(replayed))
        if (first := self.making[0]).line != replayed.line:
            said = _("The review of {match} waits until that of {other} is made.")
            return said.format(match=self._named(replayed), other=self._named(first))
        done = done and done._replace(seat=replayed.me or 0)
        if done is not None and done.share >= ALWAYS:
            return progress_in_words(done)
        said = _("The review of {match} is still being made: {share}.")
        share = percent_in_words(done.share if done is not None else 0)
        return said.format(match=self._named(replayed), share=share)

    @staticmethod
    def _named(replayed: Replayed) -> str:
        head = head_of(replayed.line)
        names = [clean(seat.name) for seat in head.seats]
        return match_in_words(head.game, names, replayed.me or 0)

    async def tell(self, replayed: Replayed) -> None:
        """How many mistakes the seat made, and the biggest; then one more each time, where `next`
        means a move. Raises NotDone."""
        replayed = replayed._replace(me=replayed.me or 0)

        async def tell() -> None:
            on = self._walks() and self._told_at is self._client.place
            if not on or self.last != replayed:
                self._turn_to(replayed)
            self._told_at = self._client.place
            await self.tell_next()

        await self.once_made(replayed, tell)

    async def newest(self) -> tuple[Replayed, Reviewed | None]:
        """The match that was told last, today or earlier, and what is found of it. Raises
        NotDone."""
        if self.last is None:
            if (found := await asyncio.to_thread(reviewed_last)) is None:
                raise NotDone(_(NONE_REVIEWED))
            replayed = await find(found[0])
            self.last = replayed._replace(me=replayed.me or 0)
            self.found[replayed.line] = found[1]
        match, last = self._client.state.match, self.last
        if self._at_match() and match is not None and match.id != last.match:
            raise NotDone(_("This match is not reviewed yet: review does it."))
        done = self.found.get(last.line)
        return last, done and done._replace(seat=last.me or 0)

    async def tell_next(self) -> None:
        """Of the review that was told last how many mistakes there were and the biggest; then each
        time the biggest of those found by then that were not told; behind the last the next review
        that is not told, or that it was the last. Raises NotDone."""
        replayed, done = await self.newest()
        client, so_far = self._client, self.progress(replayed)
        if done is None:
            raise NotDone(so_far)
        face = FACES[done.begun.game]
        found = told_in_order(done)
        self.untold = [one for one in self.untold if one.line != replayed.line]
        others = [] if so_far or self._at_match() else self.untold
        left = [n for n, one in enumerate(found) if one.ply not in self.told]
        if others and self.at >= 0 and not left:
            self._turn_to(others[0])
            await self.tell_next()
            return
        if not found and self.at == 0 and not (so_far or self._walks()):
            client.say(sentence(no_mistake_in_words(done)))
            return
        if found and not left:
            self.told.clear()
            last = _("That was the last one: next begins again with the biggest.")
            if self._walks():
                last = _("That was the last one: review begins again with the biggest.")
            client.say(last)
            return
        if so_far and not found:
            client.say(so_far)
            return
        named, n = self.told or client.place.shows(replayed.line), left[0] if left else 0
        client.say(
            "" if named else f"{self._named(replayed)}.",
            so_far,
            *each_alone(heard_in_words(face, done, n)),
            # Of a match in turns the verdict says it.
            "" if found or face.in_turns else sentence(no_mistake_in_words(done)),
        )
        self.at = found[n].ply if found else 0
        if found:
            self.told.add(self.at)
            after = [found[one] for one in left[1:]]
            client.say(*self._ways(done, found, n, after, others))

    def _at_match(self) -> bool:
        """Whether the match that is meant is the one that is over here."""
        return isinstance(self._client.place, GamePlace)

    def _walks(self) -> bool:
        """Whether `next` means a move here."""
        return any(deed.word == "next" for deed in self._client.place.deeds)

    def _ways(
        self,
        done: Reviewed,
        found: Sequence[Finding],
        n: int,
        after: Sequence[Finding],
        others: Sequence[Replayed],
    ) -> Iterator[str]:
        """Which of the mistakes that was, and how to go on."""
        own, one = sum(one.seat == done.seat for one in found), found[n]
        last = (
            _("That was {n} of {all}.")
            if one.seat == done.seat
            else _("That was the worst of {name}.")
        )
        yield last.format(n=n + 1, all=own, name=done.names[one.seat])
        walks = self._walks()
        there = (
            _("move {ply} goes there.")
            if walks
            else _("mistake goes there, try does it in another way.")
        )
        yield there.format(ply=one.ply)
        if after:
            name = done.names[after[0].seat]
            more = _("next tells the worst of {name}.")
            more = _("review tells the worst of {name}.") if walks else more
            if after[0].seat == done.seat:
                more = _("review tells another.") if walks else _("next tells another.")
            yield more.format(name=name)
        elif others and not walks:
            yield _("next tells the review of {match}.").format(match=self._named(others[0]))
