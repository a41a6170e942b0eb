"""A match seen ply by ply: what both faces know of it, and what can be done with a finished one."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol

from msgspec.structs import replace

from clocktowers_tui.deeds.asking import Asker
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.together import SharedReplay, led_by_another, match_of_table
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.history import matches
from clocktowers_tui.history.record import (
    Replayed,
    Turns,
    comments_of,
    said_in,
    turns_of,
)
from clocktowers_tui.history.review import Reviewed, told_loss
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.net.records import Projector
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.codes import REFUSALS, of_code
from clocktowers_tui.phrases.history import place_in_words
from clocktowers_tui.phrases.review import (
    answer_in_words,
    better_in_words,
    told_above,
    tried_in_words,
)
from clocktowers_tui.phrases.tables import seat_name
from clocktowers_tui.text.i18n import N_, _
from protocol.errors import Refusal, RefusalCode
from protocol.ids import Seat
from protocol.recording import ALL_OPEN, WATCHER, Finding, Judged, Opened, Shown
from protocol.signing import MOST_COMMENT
from protocol.text import clean


class Source(Protocol):
    """Where the views come from. Each request raises NoReplay."""

    @property
    def opened(self) -> Opened:
        """Which match it is; `outcome` is the game's own."""

    async def show(self, ply: int, eyes: int) -> Shown:
        """The view is the game's own."""

    async def hear(self, eyes: int) -> list[list[Any]]:
        """The game's events, for the first view and each later one."""

    async def stop(self) -> None:
        """Nothing more will be asked."""


class Plies:
    """A match at whose plies one can look, with the eyes of a seat, of a watcher, or all cards
    open. `me`: the player's own seat."""

    def __init__(self, source: Source, me: int | None) -> None:
        opened = source.opened
        self.source = source
        self.face: Final[Face] = FACES[opened.game]
        names = tuple(opened.names)
        self.names: Final = [seat_name(names, seat) for seat in range(len(names))]
        self.all_eyes: Final = [*range(len(self.names)), WATCHER, *([ALL_OPEN] * opened.opens)]
        self.me = me if me in range(len(self.names)) else None
        self.last = len(opened.seats)
        self.told: dict[int, list[list[Any]]] = {}
        """What these eyes were told of the deal and of each ply, as far as it was asked for."""

    @property
    def first_eyes(self) -> int:
        """The player's own; else those that see most."""
        return self.all_eyes[-1] if self.me is None else self.me

    def bounded(self, ply: int) -> int:
        return max(0, min(ply, self.last))

    async def hear(self, eyes: int) -> list[list[Any]]:
        """What these eyes were told. Raises NoReplay."""
        if eyes not in self.told:
            self.told[eyes] = await self.source.hear(eyes)
        return self.told[eyes]

    def phrases(self, told: Iterable[Sequence[Any]], eyes: int) -> list[str]:
        """As the log has it for these eyes, which have heard it."""
        you = Seat(eyes) if eyes >= 0 else None
        said = (self.face.phrase(event, self.names, you) for events in told for event in events)
        return [one for one in said if one]

    def result(self, view: Any, width: int) -> list[str]:
        """Of the last view."""
        lines = self.face.result(view, self.source.opened.outcome, self.names, width)
        return [line.plain for line in lines]

    def turns(self, eyes: int) -> Turns:
        """As these eyes have seen them; a watcher's own turns are the player's."""
        own = eyes if eyes >= 0 else -1 if self.me is None else self.me
        return turns_of(self.face, self.told.get(eyes, []), self.source.opened.seats, own)


class Replay(Plies):
    """A finished match. `shared`: what the others at the table have to do with it, where it opens
    together with them."""

    def __init__(
        self,
        client: Client,
        projector: Projector,
        replayed: Replayed,
        shared: SharedReplay | None = None,
    ) -> None:
        super().__init__(projector, replayed.me)
        self.begins_at: Final = self.bounded(replayed.ply or 0)
        self.replayed: Final = replayed
        self.match: Final = replayed.match
        self.line: Final = replayed.line
        self.comments = comments_of(replayed.line)
        self._own: Final = said_in(replayed.line)
        self.shared: Final = shared or SharedReplay(client, replayed.match)

    @property
    def commented(self) -> Sequence[int]:
        """The plies of which somebody has said something."""
        return [ply for ply in sorted(self.comments) if 0 <= ply <= self.last]

    async def comment(self, ask: Asker, ply: int) -> bool:
        """Say something of this ply, or something else; an empty line takes it away. False: the
        player gives up. Raises NotDone."""
        if not self.match:
            raise NotDone(_("You can comment only on a match of your list: import it first."))
        note = _("It is kept with the match. An empty line takes it away.")
        place, had = place_in_words(ply, self.last), clean(self._own.get(str(ply), ""))
        typed = await ask.line(place, _("Comment"), note, had=had, most=MOST_COMMENT)
        if typed is None:
            return False
        self.comments = await asyncio.to_thread(matches.comment, self.match, ply, typed)
        self._own[str(ply)] = typed[:MOST_COMMENT]
        return True

    async def play_on(self, seat: int, ply: int) -> "Trial":
        """In another way from there, by a process of its own. Raises NotDone."""
        if not self.face.in_turns:
            raise NotDone(_("A race cannot be played on."))
        return Trial(await Projector.start(self.line), seat, ply)

    async def try_again(
        self, eyes: int, seat: int, ply: int, review: Reviewed | None = None
    ) -> "Trial":
        """A move of this seat: the one that led to this ply, or else the one that comes. `eyes`:
        whose are looked through. `review`: as far as it is made. Raises NotDone."""
        seats = self.source.opened.seats
        if not self.face.in_turns:
            return await self._race_again(seat, ply)
        for before in (ply - 1, ply):
            if 0 <= before < len(seats) and seats[before] == seat:
                at, found = (before + 1, seat), review.findings if review is not None else ()
                known = next((one for one in found if (one.ply, one.seat) == at), None)
                source = await Projector.start(self.line)
                return Trial(source, seat, before, tries=True, known=known)
        if seat == self.me:
            raise NotDone(_("Go to a move of yours: that one can be tried again."))
        said = _("You see it with the eyes of {name}: go to a move of {name} to try it again.")
        said = said if eyes == seat else _("Go to a move of {name} to try it again.")
        raise NotDone(said.format(name=self.names[seat]))

    async def _race_again(self, seat: int, ply: int) -> "Trial":
        """The last card before this ply with which the seat could shoot. Raises NotDone."""
        for before in range(ply, -1, -1):
            view = (await self.source.show(before, seat)).view
            if (begun := self.face.tried(view, None)) is not None:
                race = Unhurried(self, seat, before, begun[0])
                return Trial(race, seat, before, tries=True)
        raise NotDone(_("Go to a race: its card can be tried again."))


class Unhurried:
    """The source of a race that is tried again: only the player acts, and what their shot and their
    declaration make is found without a server."""

    def __init__(self, replay: Plies, seat: int, begun: int, view: Any) -> None:
        self._replay, self._seat, self._begun = replay, seat, begun
        self._seen: list[tuple[Any, Any]] = [(view, None)]

    @property
    def opened(self) -> Opened:
        first = self._replay.source.opened
        acted = [*first.seats[: self._begun], *[self._seat] * (len(self._seen) - 1)]
        return Opened(first.game, first.names, acted, None, opens=False)

    async def show(self, ply: int, _eyes: int) -> Shown:
        return Shown(ply, 0, self._seen[max(0, ply - self._begun)][0])

    async def hear(self, _eyes: int) -> list[list[Any]]:
        return [[]] * self._begun + [[event] if event else [] for _view, event in self._seen]

    async def play(self, ply: int, _seat: int, action: Any) -> Refusal | None:
        """None: nobody else acts. What cannot follow, as another shot, begins the race again."""
        if action is None:
            del self._seen[ply - self._begun + 1 :]
            return None
        tried = self._replay.face.tried
        seen = self._seen[: ply - self._begun + 1]
        if (made := tried(seen[-1][0], action)) is None:
            del seen[1:]
            made = tried(seen[0][0], action)
        if made is None:
            return Refusal(RefusalCode.MATCH_OVER)
        self._seen = [*seen, made]
        return None

    @property
    def came(self) -> Any:
        """The event of the last action; None: the player has more to do."""
        return self._seen[-1][1]

    def judged(self) -> str:
        """What was better than what the player has done with the card."""
        return better_in_words(self._replay.face, self._seen[0][0], self.came)

    async def stop(self) -> None:
        """Nothing runs."""


async def of_table(client: Client) -> Replay:
    """The match of the table, looking along where somebody leads. Raises NotDone."""
    led = led_by_another(client)
    match, replayed = await match_of_table(client)
    shared = SharedReplay(client, match, follows=led)
    return Replay(client, await Projector.start(replayed.line), replayed, shared)


class Trial(Plies):
    """A finished match played on from `begun` in another way: bots act in the other seats, and
    nothing of it is kept. `tries`: the first turn is judged, each move of it; `known`: as the
    review has judged the first that was played, so that both say the same."""

    def __init__(
        self,
        source: Projector | Unhurried,
        seat: int,
        begun: int,
        *,
        tries: bool = False,
        known: Finding | None = None,
    ) -> None:
        super().__init__(source, seat)
        self.source: Projector | Unhurried
        self.seat: Final = Seat(seat)
        self.begun = self.since = begun
        """`since`: what has happened from there on is said first."""
        self.tries: Final = tries
        self._known: Final = known
        self.title = N_("Try again") if tries else N_("What if")
        self.first: Any = None
        """What the player does at once."""
        self.answer = ""
        """What is better than the moves that were tried last."""

    def left(self) -> str:
        """What the player hears who leaves it. It waits for the disk."""
        return self.answer

    async def play(self, ply: int, action: Any, keymap: Keymap) -> str:
        """Do this after so many plies, and let bots act until it is the player's turn; None: bots
        alone. Returns why it is impossible. Raises NoReplay."""
        refusal = await self.source.play(ply, self.seat, action)
        if refusal is not None:
            return self.face.refusal(refusal, keymap) or of_code(
                REFUSALS, refusal.code, refusal.params
            )
        self.told = {self.seat: await self.source.hear(self.seat)}
        self.last = len(self.source.opened.seats)
        return ""

    def is_judged(self, ply: int, action: Any) -> bool:
        if isinstance(self.source, Unhurried):
            return self.source.came is not None
        between = self.source.opened.seats[self.begun : ply]
        return self.tries and action is not None and {*between} <= {self.seat}

    async def judged(self, ply: int, action: Any, keymap: Keymap) -> Sequence[str]:
        """What the move after so many plies is worth; then how to go on. Raises NoReplay."""
        if isinstance(self.source, Unhurried):
            return [self.source.judged(), ""]  # the board says the rest
        at, first = (ply + 1, self.seat), ply == self.begun
        known = self._known if isinstance(self._known, Judged) else None
        if known is None or not first:
            one = await self.source.weigh(*at, action)
        elif action == known.action:
            one = known
        elif action == known.best:
            one = replace(known, action=action, played=known.better, lost=0)
        else:
            one = await self.source.weigh(*at, action, known.best)
            above = told_above(known, known.better, one.played)
            if known.lost and not one.lost and above >= told_loss(known):
                # As far below the best as what the review calls a mistake: the same is said of it.
                better = {"best": known.best, "better": known.better, "lost": known.lost}
                one = replace(one, **better, in_points=known.in_points)
        before = "" if first else self.answer
        self.answer = answer_in_words(self.face, self.names, one, known) or before
        return tried_in_words(one, known, keymap)

    def better(self, ply: int) -> Any:
        """The action that the review found better than the one that is tried; None: it knows none,
        or the player is elsewhere."""
        known = self._known if ply == self.begun and isinstance(self._known, Judged) else None
        return known.best if known is not None and known.lost else None

    def hint(self, ply: int) -> str:
        """What is better than what is tried there; "" before anything was that the review does not
        know."""
        if self.better(ply) is not None and isinstance(self._known, Judged):
            return answer_in_words(self.face, self.names, self._known, self._known)
        return self.answered(ply)

    def answered(self, ply: int) -> str:
        """What is better than what was tried; "" before anything was."""
        if isinstance(self.source, Unhurried):
            return self.source.judged()
        return "" if ply == self.begun else self.answer or _("Nothing was better.")

    def taken_back(self, ask: Asker, ply: int) -> int | None:
        """Before which ply the player's last move was, in a race their shot; None after saying that
        there is none."""
        seats = self.source.opened.seats
        own = [one for one in range(self.begun, ply) if seats[one] == self.seat]
        if not own:
            ask.object(_("This is where you have begun."))
        at = 0 if isinstance(self.source, Unhurried) else -1
        return own[at] if own else None
