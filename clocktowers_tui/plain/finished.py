"""The player's finished matches in plain mode: a list, from which each can be seen again, reviewed,
written to a file or deleted.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Self

from clocktowers_tui.deeds.finished import MATCHES, REVIEWED, WHAT_IF, find
from clocktowers_tui.deeds.match import MATCH
from clocktowers_tui.deeds.replay import Replay, Trial, of_table
from clocktowers_tui.deeds.together import looks_together
from clocktowers_tui.games.registry import SPOKEN
from clocktowers_tui.games.spoken import Asks, Spoken, number, sentence
from clocktowers_tui.history import PICTURES, ExportForm, matches
from clocktowers_tui.history.matches import Kept, NoHistory
from clocktowers_tui.history.record import Replayed, after, before, round_from
from clocktowers_tui.history.review import (
    Reviewed,
    has_review,
    plies_of_mistakes,
    worst_of_others,
)
from clocktowers_tui.keys import actions
from clocktowers_tui.net.records import Projector
from clocktowers_tui.phrases import NotDone, none_of
from clocktowers_tui.phrases.history import (
    comment_in_words,
    eyes_in_words,
    game_in_words,
    has_words,
    none_in_words,
    place_in_words,
    plies_in_words,
    result_in_words,
    scores_in_words,
    when_in_words,
)
from clocktowers_tui.phrases.review import (
    heard_at,
    mistakes_found_in_words,
    no_other_mistake_in_words,
    told_in_order,
)
from clocktowers_tui.plain.lines import WIDE, each_alone, in_sentences
from clocktowers_tui.plain.place import PlainPlace, lookable, match_in_words
from clocktowers_tui.plain.what_if import (
    WhatIfPlace,
    tell,
)
from clocktowers_tui.plain.words import words_of
from clocktowers_tui.text.fitting import shown
from clocktowers_tui.text.i18n import N_, _

if TYPE_CHECKING:
    from clocktowers_tui.plain.client import PlainClient


_LISTED: Final = 20
_STORIES: Final = 12
_WALKS: Final = N_("next goes on, before goes back, leave ends the replay.")
_WAYS: Final = N_("replay N shows one again, review N judges it, leave goes back.")


class MatchesPlace(PlainPlace):
    """The newest first, by number; `words`: of those that have them."""

    all_deeds = MATCHES

    def __init__(self, client: "PlainClient", words: str = "") -> None:
        super().__init__(client)
        self._words = words
        self._listed: Mapping[int, Kept] = {}
        """By number, which is the same whatever words were sought."""

    async def begins(self) -> list[str]:
        if self._listed:
            return [_("You are back at your matches: matches lists them again."), _(_WAYS)]
        return await self._list()

    async def _list(self) -> list[str]:
        """The matches that have the words."""
        try:
            kept = await asyncio.to_thread(matches.newest_first)
        except NoHistory as error:
            return [str(error)]
        self._listed = dict(enumerate(kept, 1))
        told = ((n, _match_in_words(one)) for n, one in self._listed.items())
        those = ((n, said) for n, said in told if has_words(said, self._words))
        lines = [f"{n}: {said}." for n, said in islice(those, _LISTED)]
        return [*(lines or [none_in_words(self._words)]), _(_WAYS)]

    async def nothing(self) -> None:
        self.client.say(_(_WAYS))

    async def do_matches(self) -> None:
        self._words = " ".join(self.client.typed)
        self.client.say(*await self._list())

    async def listed(self) -> Self:
        """For elsewhere: the list is known, and not said."""
        await self._list()
        return self

    def _typed(self, word: str, typed: Sequence[str]) -> str:
        """Which match is meant: its id, by the number in the list or as typed. Raises NotDone."""
        if not typed:
            said = _("Type {word} and its number in the list, for example: {word} 1")
            self.client.question = Asks([], f"{word} {{}}")
            raise NotDone(said.format(word=word))
        n = number(typed)
        return self._listed[n].head.id if n in self._listed else " ".join(typed)

    async def do_replay(self) -> None:
        typed = self._typed("replay", self.client.typed)
        back = self if self.client.place is self else None
        await see_again(self.client, await find(typed), back)

    async def do_review(self) -> None:
        """Without a match: of the newest."""
        typed = self.client.typed or [*map(str, self._listed)]
        await self.client.reviews.tell(await find(self._typed("review", typed)))

    async def do_write(self) -> None:
        form, typed = form_of(self.client.typed[1:]), self._typed("write", self.client.typed[:1])
        await self.client.write((await find(typed)).match, form)

    async def do_share(self) -> None:
        replayed = await find(self._typed("share", self.client.typed))
        await self.client.say_line(replayed.match, f"write {self.client.typed[0]} text")

    async def do_delete(self) -> None:
        """Only a match of the history; a file can be seen again, and stays."""
        kept = matches.of((await find(self._typed("delete", self.client.typed))).match)
        if kept is None:
            return
        sure = _("Delete this match for good: {match}?").format(match=_match_in_words(kept))
        if await self.client.sure("", [sure], "", ""):
            await asyncio.to_thread(matches.delete, kept.head.id)
            self.client.say(_("The match is deleted."), *await self._list())

    async def do_leave(self) -> None:
        await self.client.open(None)


def form_of(typed: Sequence[str]) -> ExportForm:
    """How to write a match: as its record, unless something else is typed. Raises NotDone."""
    form = " ".join(typed).lower()
    if number(typed) > 0:
        raise NotDone(
            _("Here write means the match that you see: type write text, without a number.")
        )
    if form in ("", ExportForm.TEXT, *PICTURES):
        return ExportForm(form or ExportForm.JSON)
    said = _("No match is written as {form}: type text, png, svg, or nothing for its record.")
    raise NotDone(said.format(form=shown(form)))


def _match_in_words(one: Kept) -> str:
    parts = [when_in_words(one), game_in_words(one), result_in_words(one), scores_in_words(one)]
    return ", ".join(parts)


async def see_again(
    client: "PlainClient", replayed: Replayed, back: PlainPlace | None = None
) -> None:
    """Go to the replay of this match, which leads `back`. Raises NotDone."""
    replay = Replay(client, await Projector.start(replayed.line), replayed)
    await client.open(ReplayPlace(client, replay, back))


async def see_reviewed(client: "PlainClient", word: str) -> None:
    """Tell the next mistake of the review that was told last (`next`), go to the one that was told
    last in a replay of its match (`mistake`), or do that in another way (`try`). In a try these,
    and `review`, mean the match that is seen there. Raises NotDone."""
    match, here = client.state.match, client.place
    seen = here.back if isinstance(here, WhatIfPlace) else None
    if isinstance(seen, ReplayPlace) and word != "next":
        await here.do(next(one for one in here.deeds if one.word == "leave"))
        await getattr(seen, f"do_{word}")()
        return
    if seen is not None or (match is not None and not match.over):
        told = {"leave": client.keymap.name(actions.LEAVE), "word": word}
        raise NotDone(_("Not here: type {leave}, then {word}.").format(**told))
    if word == "next":
        await client.reviews.tell_next()
        return
    replayed, done = await client.reviews.newest()
    if done is None:
        raise NotDone(client.reviews.progress(replayed))
    lost = told_in_order(done)
    if not lost:
        raise NotDone(mistakes_found_in_words(done))
    last = (one.ply for one in lost if one.ply == client.reviews.at)
    at = replayed._replace(ply=next(last, lost[0].ply))
    replay = Replay(client, await Projector.start(at.line), at)
    there = ReplayPlace(client, replay, here)
    if word == "mistake":
        await client.open(there)
        return
    try:
        await there.do_try()
    finally:
        if client.place is here:
            await there.ends()


async def _try(client: "PlainClient", trial: Trial, own: int, back: PlainPlace) -> None:
    """Do a move in another way, perhaps in another player's place. `own`: the player's seat."""
    if trial.seat != own:
        client.say(sentence(_("you are {name}").format(name=trial.names[trial.seat])))
    await client.open(WhatIfPlace(client, trial, back))


async def see_together(client: "PlainClient", back: PlainPlace) -> None:
    """Go to the replay of the match of the table, looking along where somebody leads, else leading.
    `back`: where it leads afterwards. Raises NotDone."""
    if not looks_together(client):
        raise NotDone(_("There is nothing to look at together here."))
    here = client.place
    replay = await of_table(client)
    if client.place is not here:  # the next match has begun
        await replay.source.stop()
        return
    seen = ReplayPlace(client, replay, back)
    leads = not replay.shared.follows
    await client.open(seen)
    if leads and client.place is seen:
        await seen.do_together()


# A finished match seen again ply by ply, in plain mode.


class ReplayPlace(PlainPlace):
    """At one ply of a finished match; what happened there is said first."""

    all_deeds = (*REVIEWED, *(one for one in MATCH if one.word in ("write", "share")))

    def __init__(
        self, client: "PlainClient", replay: Replay, back: PlainPlace | None = None
    ) -> None:
        super().__init__(client)
        self._replay = replay
        self._shared = replay.shared
        self._back = back
        self._following = False
        self._eyes = replay.first_eyes
        self._ply = self._told_at = replay.begins_at
        self._eyes_told: int | None = None
        self._seen = -1
        """The mistake to which the player went last."""
        self._view: Any = None
        """What these eyes see at this ply."""
        self._story = 0
        """The first story of the page that was said last."""

    async def begins(self) -> list[str]:
        """Where the replay opens, and where somebody has said something."""
        found = await self.client.reviews.look_up(self._replay.replayed)
        is_back = self._view is not None and self._ply == self._told_at
        await tell(self.client, self._back_again if is_back else self._opening)
        if found is None and has_review(self._replay.line):
            await self.client.while_here(self._read_review())
        return []

    async def _read_review(self) -> None:
        """The one that stands in the record: whether it is as it should be is seen once all is
        read."""
        with suppress(NotDone):
            await self.client.reviews.find(self._replay.replayed)
            self.client.say(*self._found())

    async def _opening(self) -> list[str]:
        self._told_at = self._ply
        plies = ", ".join(map(str, self._replay.commented))
        said = [_("Comments at moves: {plies}.").format(plies=plies)] if plies else []
        names = match_in_words(self._replay.face.game, self._replay.names, self._replay.me)
        return [
            f"{names}.",
            *await self._here(),
            *said,
            *([] if self._is_at_mistake() else self._found()),
            _(_WALKS),
            "" if self._shared.follows else self.client.offered(),
        ]

    async def _back_again(self) -> list[str]:
        return [place_in_words(self._ply, self._replay.last) + ".", _(_WALKS)]

    # What is seen -------------------------------------------------------------------------------

    async def _here(self) -> list[str]:
        """Which ply, and what happened there; at the last one how the match ended."""
        ply, replay = self._ply, self._replay
        where = [place_in_words(ply, replay.last)]
        if self._eyes != self._eyes_told or self._is_somebody_else:
            where.append(self._whose(self._eyes))
        if self._is_somebody_else:
            where.append(_("you are {name}").format(name=replay.names[self._eyes]))
        self._eyes_told = self._eyes
        heard = await replay.hear(self._eyes)
        self._view = (await replay.source.show(ply, self._eyes)).view
        told = [sentence(one) for one in replay.phrases([heard[ply]], self._eyes)]
        if not told and ply:
            seat = replay.source.opened.seats[ply - 1]
            name = replay.names[seat] if seat >= 0 else _("Somebody")
            said = _("{name} was ready, or did what nobody else sees.")
            told = [_("You were ready.") if seat == self._eyes else said.format(name=name)]
        ended = await self._ended() if ply == replay.last else []
        comment = replay.comments.get(ply)
        return [
            ", ".join(where) + ".",
            *told,
            *(one for one in self._judged() if one not in told),
            *ended,
            *([comment_in_words(comment)] if comment else []),
        ]

    def _judged(self) -> list[str]:
        """What a review says of the player's decision at this ply, and of a mistake of another."""
        review, face = self._own_review(), self._replay.face
        told = [] if review is None else each_alone(heard_at(face, review, self._ply))
        return [*told, _("try does it in another way.")] if self._is_at_mistake() else told

    def _is_at_mistake(self) -> bool:
        """Whether a mistake was made here of which the review tells."""
        review = self._own_review()
        found = () if review is None else told_in_order(review)
        return any(one.ply == self._ply for one in found)

    def _found(self) -> list[str]:
        """How many mistakes a whole review has found."""
        review = self._own_review()
        if review is not None and review.whole:
            return [mistakes_found_in_words(review)]
        return [_("review says what was better.")] if self._replay.match else []

    @property
    def _is_somebody_else(self) -> bool:
        """Whether "you" are another player than the one who looks."""
        return self._eyes >= 0 and self._eyes != self._replay.me

    def _whose(self, eyes: int) -> str:
        return eyes_in_words(eyes, self._replay.names)

    async def _ended(self) -> list[str]:
        shown = await self._replay.source.show(self._replay.last, self._eyes)
        return in_sentences(self._replay.result(shown.view, WIDE), self._replay.names)

    async def _go(self, ply: int, says: Callable[[], Awaitable[list[str]]] | None = None) -> None:
        was, self._ply = self._ply, self._replay.bounded(ply)
        self._told_at = self._ply
        alone = self._ply != was and self._shared.moved(self._ply)
        await tell(self.client, says or self._here)
        if alone:
            self.client.say(self.client.offered())

    # Together -----------------------------------------------------------------------------------

    def hear(self) -> None:
        """Go along with the leader: of the plies that come meanwhile only the last is said. A
        player in a what if hears of it once they are back."""
        if (ply := self._shared.hear()) is None:
            return
        self._ply = self._replay.bounded(ply)
        here = self.client.place is self
        if here and self._ply != self._told_at and not self._following:
            self._following = True
            self.client.run_worker(self._follow(), group="looking along")

    async def _follow(self) -> None:
        try:
            while self._ply != self._told_at and self.client.place is self:
                self._told_at = self._ply
                await tell(self.client, self._here)
        finally:
            self._following = False

    async def do_together(self) -> None:
        if not self._shared.may:
            raise NotDone(_("There is nothing to look at together here."))
        await self._shared.switch(self.client, self._ply)
        self.hear()

    # Commands -----------------------------------------------------------------------------------

    async def nothing(self) -> None:
        if self._ply == self._replay.last:
            self.client.say(_("This was the last move. leave ends the replay."))
        else:
            await self._go(self._ply + 1)

    async def do_next(self) -> None:
        await self._go(self._ply + max(1, number(self.client.typed)))

    async def do_before(self) -> None:
        await self._go(self._ply - max(1, number(self.client.typed)))

    async def do_move(self) -> None:
        if (n := number(self.client.typed)) < 0:
            self.client.question = Asks([], "move {}")
            raise NotDone(_("Type which move, from 0 to {n}.").format(n=self._replay.last))
        await self._go(n)

    async def _own_plies(self) -> Sequence[int]:
        await self._replay.hear(self._eyes)
        return self._replay.turns(self._eyes).own

    async def do_own(self) -> None:
        await self._to_own(after(await self._own_plies(), self._ply, self._replay.last))

    async def do_ownbefore(self) -> None:
        await self._to_own(before(await self._own_plies(), self._ply))

    async def _to_own(self, ply: int) -> None:
        async def here_and_asked() -> list[str]:
            here = await self._here()
            return [*here, _("The next move is yours.")] if ply < self._replay.last else here

        await self._go(ply, here_and_asked)

    async def do_eyes(self) -> None:
        """By name or number; without one, the next."""
        eyes, names = self._replay.all_eyes, self._replay.names
        called, n = " ".join(self.client.typed).lower(), number(self.client.typed)
        named = [seat for seat, name in enumerate(names) if called and name.lower() == called]
        if 0 < n <= len(eyes):
            named = [eyes[n - 1]]
        if self.client.typed and not named:
            raise none_of(f"{n} {self._whose(one)}" for n, one in enumerate(eyes, 1))
        self._eyes = named[0] if named else eyes[(eyes.index(self._eyes) + 1) % len(eyes)]
        await tell(self.client, self._here)

    def _sight(self) -> tuple[Spoken, Any, Sequence[str]]:
        return SPOKEN[self._replay.face.game], self._view, self._replay.names

    def parts(self) -> Sequence[str]:
        return () if self._view is None else lookable(*self._sight())

    def unknown(self, word: str) -> str:
        """A move of the game is one that is tried."""
        moves = (*SPOKEN[self._replay.face.game].deeds, *WHAT_IF)
        if any(word.lower() in words_of(one) for one in moves):
            said = _("Not here: type {leave}, then {word}.")
            return said.format(leave="try", word=word)
        return super().unknown(word)

    async def do_look(self) -> None:
        async def looked() -> list[str]:
            self._view = (await self._replay.source.show(self._ply, self._eyes)).view
            return self.client.looked_at(*self._sight(), self.client.typed)

        await tell(self.client, looked)

    # The review ---------------------------------------------------------------------------------

    def shows(self, line: bytes) -> bool:
        return line == self._replay.line

    def _own_review(self) -> Reviewed | None:
        """Of the player whose eyes these are, as far as it is."""
        found = self.client.reviews.found.get(self._replay.line)
        return found and found._replace(seat=self._own)

    @property
    def _judged_match(self) -> Replayed:
        return self._replay.replayed._replace(me=self._own)

    async def do_review(self) -> None:
        await self.client.reviews.tell(self._judged_match)

    async def do_mistake(self) -> None:
        await self.client.reviews.once_made(self._judged_match, partial(self._to_mistake, 1))

    async def do_mistakebefore(self) -> None:
        await self.client.reviews.once_made(self._judged_match, partial(self._to_mistake, -1))

    async def _to_mistake(self, by: int) -> None:
        review, so_far = self._own_review(), self.client.reviews.progress(self._judged_match)
        if review is None:
            raise NotDone(so_far)
        if not (plies := plies_of_mistakes(review)):
            raise NotDone(so_far or mistakes_found_in_words(review))
        if (there := round_from(plies, self._ply, by, self._seen)) is None:
            raise NotDone(no_other_mistake_in_words(plies, self._ply))
        self._seen = there
        await self._go(there)

    async def do_story(self) -> None:
        """Say what can be followed (towers, tiles or cards), page by page, or what happened to one
        of these."""
        replay, n = self._replay, number(self.client.typed)
        told = await replay.hear(self._eyes)
        stories = list(replay.face.stories(told, replay.names))
        if not stories:
            raise NotDone(_("Nothing can be followed here yet."))
        if self.client.typed not in ([], ["more"]) and not 0 < n <= len(stories):
            lacks = _("Type story more, or story and a number from 1 to {n}.")
            raise NotDone(lacks.format(n=len(stories)))
        if not 0 < n <= len(stories):
            more = self._story + _STORIES if self.client.typed == ["more"] else 0
            self._story = more if more < len(stories) else 0
            listed = [f"{n}: {plies_in_words(one)}." for n, one in enumerate(stories, 1)]
            left = listed[self._story + _STORIES :]
            more_left = _("story more says {n} others.").format(n=len(left)) if left else ""
            self.client.say(*listed[self._story :][:_STORIES], more_left)
            return
        said = [
            f"{ply}: {sentence(one)}"
            for ply in stories[n - 1].plies
            for one in replay.phrases([told[ply]], self._eyes)
        ]
        self.client.say(*said)

    async def do_comment(self) -> None:
        if await self._replay.comment(self.client, self._ply):
            await tell(self.client, self._here)

    async def do_whatif(self) -> None:
        """At a mistake in the place of it."""
        begun = self._ply - self._is_at_mistake()
        await _try(self.client, await self._replay.play_on(self._own, begun), self._own, self)

    async def do_try(self) -> None:
        """Of another player's worst mistake, in their place."""
        others = worst_of_others(review) if (review := self._own_review()) else ()
        seat = next((one.seat for one in others if one.ply == self._ply), self._own)
        trial = await self._replay.try_again(self._eyes, seat, self._ply, self._own_review())
        await _try(self.client, trial, self._own, self)

    @property
    def _own(self) -> int:
        """The seat whose eyes these are, or the player's; of a watcher the first."""
        return self._eyes if self._eyes >= 0 else self._replay.me or 0

    async def do_log(self) -> None:
        told = (await self._replay.hear(self._eyes))[: self._ply + 1]
        self.client.say(*map(sentence, self._replay.phrases(told, self._eyes)))

    async def do_result(self) -> None:
        await tell(self.client, self._ended)

    async def do_write(self) -> None:
        await self.client.write(self._replay.match, form_of(self.client.typed))

    async def do_share(self) -> None:
        await self.client.say_line(self._replay.match)

    async def ends(self) -> None:
        self._shared.end()
        await self._replay.source.stop()

    async def do_leave(self) -> None:
        await self.ends()
        if self.client.place is self:  # the next match may have begun meanwhile
            await self.client.open(self._back)
