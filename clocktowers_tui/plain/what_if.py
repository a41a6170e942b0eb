"""What could have been done better in a finished match, in plain mode: its review, and the match
played on in another way."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from clocktowers_tui.deeds.by_mail import ByMail
from clocktowers_tui.deeds.finished import WHAT_IF, find
from clocktowers_tui.deeds.replay import Trial
from clocktowers_tui.games.registry import FACES, SPOKEN, title_of
from clocktowers_tui.games.spoken import number, sentence
from clocktowers_tui.history.record import Replayed
from clocktowers_tui.history.review import Reviewed, found_before, made, newest as reviewed_last
from clocktowers_tui.net.records import NoReplay
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.review import (
    heard_in_words,
    mistakes_found_in_words,
    percent_in_words,
    progress_in_words,
    worst_first,
)
from clocktowers_tui.plain.lines import WIDE, each_alone, in_sentences
from clocktowers_tui.plain.place import GamePlace, PlainPlace
from clocktowers_tui.plain.words import find as find_deed
from clocktowers_tui.text.i18n import N_, _

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
            raise NotDone(_("Do a move first; hint then says whether another is better."))
        else:
            self.client.say(sentence(said))

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


async def review_of(client: "PlainClient", typed: str) -> None:
    """The review of the player's own decisions, or of the first seat's. Raises NotDone."""
    replayed = await find(typed)
    known = await found_by_now(replayed.match)

    async def make() -> Reviewed:
        return await reviewed(client, replayed, replayed.me or 0, known, quietly=False)

    await once_made(client, replayed, make, known, partial(say_next, client))


async def once_made(
    client: "PlainClient",
    replayed: Replayed,
    make: Callable[[], Awaitable[Reviewed]],
    known: Reviewed | None,
    then: Callable[[], Awaitable[None]],
) -> None:
    """Do this with the review that is made; only say that it is done, if the player is elsewhere by
    then, or has heard what was found meanwhile. One that is being made goes on, and this is done
    with what is found by now. `known`: what was found before. Raises NotDone."""
    here = client.place
    if made_now := client.making.get(replayed.line):
        client.newest, client.told = made_now, -1
        await then()
        return

    async def told() -> None:
        done = await make()
        elsewhere, last = client.place is not here, client.newest
        heard = last is not None and (last[0].line != replayed.line or client.told >= 0)
        client.newest, client.told = (replayed, done), -1
        if elsewhere:
            client.promised.append(client.newest)
            said = _("The review of {game} is done: next in the menu tells it.")
            client.say(said.format(game=title_of(done.begun.game)))
        elif heard and not whole:
            client.say(mistakes_found_in_words(done))
        else:
            await then()

    if whole := known is not None and known.whole:
        await told()
        return
    if client.making:
        client.say(_("The other review stops: review goes on with it."))
    await client.beside(told())


async def found_by_now(match: str) -> Reviewed | None:
    """What was found of this match before, as far as it is; of a file nothing."""
    return await asyncio.to_thread(found_before, match) if match else None


async def reviewed(
    client: "PlainClient", replayed: Replayed, seat: int, known: Reviewed | None, *, quietly: bool
) -> Reviewed:
    """Once all is found; when half of it is, that is said where the player still waits. `known`:
    what was found before. Raises NotDone."""
    here, waits = client.place, not quietly and (known is None or not known.whole)
    if waits:
        client.say(_("A bot looks at each decision; type on meanwhile."))
    try:
        async with aclosing(made(replayed.line, replayed.match, seat, known)) as reviews:
            async for done in reviews:
                if not (quietly or replayed.line in client.making):
                    client.newest, client.told = (replayed, done), -1
                client.making[replayed.line] = replayed, done
                if waits and 2 * len(done.findings) > len(done.begun.plies):
                    waits = False
                    if client.place is here:
                        client.say(_("{part} is looked at.").format(part=percent_in_words(500)))
    finally:
        client.making.pop(replayed.line, None)
    return done


async def newest(client: "PlainClient") -> tuple[Replayed, Reviewed]:
    """The match that was reviewed last, today or earlier, and its review; while one is made,
    what is found by then. Raises NotDone."""
    if client.newest is not None:
        client.newest = client.making.get(client.newest[0].line, client.newest)
    elif client.making:
        client.newest, client.told = [*client.making.values()][-1], -1
    else:
        if (found := await asyncio.to_thread(reviewed_last)) is None:
            raise NotDone(_(NONE_REVIEWED))
        match, done = found
        replayed = await find(match)
        client.newest = replayed, done._replace(seat=replayed.me or 0)
    return client.newest


async def say_next(client: "PlainClient") -> None:
    """Of the review that was made last how many mistakes there were and the biggest; then one more
    each time; behind the last the next review that was promised, or that it was the last. Raises
    NotDone."""
    replayed, done = await newest(client)
    face = FACES[done.begun.game]
    found = worst_first(face, done)
    client.promised = [one for one in client.promised if one[0].line != replayed.line]
    others = [] if client.making else client.promised  # one that is being made comes first
    if others and client.told + 1 >= max(1, len(found)):
        client.newest, client.told = others[0], -1
        await say_next(client)
        return
    client.told = (client.told + 1) % (len(found) + 1)
    if found and client.told == len(found):
        client.say(_("That was the last one: next begins again with the biggest."))
        return
    so_far = "" if done.whole else progress_in_words(done)
    if so_far and not found:
        client.say(so_far)
        return
    client.say(so_far, *each_alone(heard_in_words(face, done, client.told)))
    if not found:
        return
    own = sum(one.seat == done.seat for one in found)
    last = _("That was {n} of {all}.") if client.told < own else _("That was the worst of {name}.")
    whose = done.names[found[client.told].seat]
    ways = [_("mistake goes there, try does it in another way.")]
    walks = any(one.word == "next" for one in client.place.deeds)  # move by move
    if (len(found) > client.told + 1 or others) and not walks:
        ways.append(_("next tells another."))
    client.say(last.format(n=client.told + 1, all=own, name=whose), *ways)
