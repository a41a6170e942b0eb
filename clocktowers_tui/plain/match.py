"""A match in plain mode, played or watched: moves, what is where, hints, the end."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from clocktowers_tui.config.settings import knowing
from clocktowers_tui.deeds.acting import act, take_back
from clocktowers_tui.deeds.helping import keep_pace
from clocktowers_tui.deeds.leaving import given_up_in_words, leave
from clocktowers_tui.deeds.turns import is_my_turn, may_act
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import FACES, SPOKEN, title_of
from clocktowers_tui.games.spoken import Order, Spoken, number, sentence
from clocktowers_tui.keys import actions
from clocktowers_tui.phrases.banner import expected_in_words, match_in_words
from clocktowers_tui.phrases.names import names_of
from clocktowers_tui.phrases.refusals import refused_in_words
from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.commands import Command
from clocktowers_tui.plain.company import company
from clocktowers_tui.plain.ending import Ending
from clocktowers_tui.plain.helping import helping
from clocktowers_tui.plain.news import fresh, logged
from clocktowers_tui.state.match import Line, Match
from clocktowers_tui.state.store import State, handed_over, stands_still, timed_out
from clocktowers_tui.text.i18n import N_, _
from protocol.errors import Refusal
from protocol.from_server import Refused
from protocol.table import Pace

_NEWEST = 20
"""Log lines, where no number is typed."""


class MatchPlace:
    """Watchers have the same, without moves."""

    def __init__(self, client: PlainClient) -> None:
        self._client = client
        self._paced = Pace.NORMAL
        self._turn_log: Sequence[Line] = ()
        """The log when the player has last acted."""
        self._heard: set[str] = set()
        """What stands as it was said."""
        self.ending = Ending(client)

    # What is so ---------------------------------------------------------------------------------

    @property
    def _state(self) -> State:
        return self._client.state

    @property
    def match(self) -> Match:
        match = self._state.match
        assert match is not None
        return match

    @property
    def face(self) -> Face:
        return FACES[self.match.game]

    @property
    def spoken(self) -> Spoken:
        return SPOKEN[self.match.game]

    @property
    def names(self) -> list[str]:
        return names_of(self.match)

    def begins(self) -> list[str]:
        """Where the player is, when a match begins or goes on."""
        match, state = self.match, self._state
        others = [name for seat, name in enumerate(self.names) if seat != state.seat]
        said = _("{game} with {names}.") if others else _("{game}, alone.")
        said = said.format(game=title_of(match.game), names=", ".join(others))
        ways = _(
            "An empty line says what you are asked, look tells what is where, "
            "help lists the commands."
        )
        return [said, ways]

    def turn(self) -> list[str]:
        """What the player has to know to choose."""
        view, names = self.match.view, self.names
        return [sentence(self.face.expected(view, names)), *self.spoken.turn(view, names)]

    def unheard(self, asked: Sequence[str]) -> list[str]:
        """What is asked, without what stands as it was said in an earlier turn."""
        standing = set(self.spoken.standing(self.match.view))
        known, self._heard = self._heard, standing & (self._heard | set(asked))
        return [one for one in asked if one not in known]

    # Commands -----------------------------------------------------------------------------------

    @property
    def commands(self) -> Sequence[Command]:
        """The game's own stand first."""
        return [*map(self._ordered, self.spoken.orders), *self.common]

    def _ordered(self, order: Order) -> Command:
        async def does(rest: Sequence[str]) -> None:
            await self.order(order.word, rest)

        plays = self._state.seat is not None and not self.match.over
        return Command(
            order.word,
            order.words,
            does,
            order.short,
            order.takes,
            order.actions,
            waits=not order.asks,
            now=plays or order.asks,
        )

    @property
    def common(self) -> Sequence[Command]:
        """Of every game."""
        state = self._state
        match = state.match
        plays = match is not None and not match.over and state.seat is not None
        seen = match is not None and len(match.seen) > 1
        return [
            Command("look", N_("say what is where, or only that part"), self._look, "l", "[PART]"),
            Command("again", N_("say what happened since your last move"), self._again, "a"),
            Command(
                "log", N_("say the last lines of the log"), self._log, "g", "[N]", (actions.LOG,)
            ),
            *helping(self._client),
            Command(
                "undo",
                N_("take your last move back"),
                self._undo,
                "u",
                actions=(actions.TAKE_BACK,),
                now=plays,
            ),
            Command(
                "earlier",
                N_("say what was where so many moves ago"),
                self._earlier,
                "e",
                "N [PART]",
                (actions.LOOK_BACK,),
                now=seen,
            ),
            *self.ending.commands,
            *company(self._client, actions.KICK_PLAYER),
            Command("wait", N_("wait until the match needs you"), self._wait, "w", now=plays),
            Command(
                "leave",
                N_("go to the menu; the match waits for you. leave end: end it for good"),
                self._leave,
                "q",
                "[end]",
                (actions.LEAVE, actions.BACK),
            ),
        ]

    async def numbers(self, words: Sequence[str]) -> None:
        """Only numbers: the move that takes them."""
        await self._client.until(self.needs_nobody_else)
        await self.order("", words)

    async def order(self, word: str, rest: Sequence[str]) -> None:
        """A command of the game."""
        words = [one.lower() for one in rest]
        asks = any(one.asks for one in self.spoken.orders if one.word == word)
        if not asks and (self.match.over or self._state.seat is None):
            self._client.cannot(self._why_not())
            return
        read = self.spoken.read(self.match.view, self.names, word, words)
        if isinstance(read, Struct):
            await self.play(read)
        elif asks:
            self._client.say(*read)
        else:
            self._client.cannot(*read)

    async def play(self, action: Any) -> bool:
        """Send an action, and say why it is refused; whether it stands."""
        if not may_act(self._state) or not self.match.view:
            self._client.cannot(self._why_not())
            return False
        self._turn_log = self.match.log
        return self._took(await act(self._client, action))

    def _why_not(self) -> str:
        if self.match.over:
            return _("The match is over.")
        if self._state.seat is None:
            return _("You are watching: you cannot play.")
        return _("Your move is on its way.")

    def _took(self, refused: Refused | None) -> bool:
        if refused is not None:
            refusal = Refusal(refused.code, refused.params)
            said = self.face.refusal(refusal, self._client.keys.keymap)
            self._client.cannot(said or refused_in_words(refused))
        return refused is None

    def needs_nobody_else(self) -> bool:
        """Whether the match waits for this player, or for nobody."""
        state = self._state
        match = state.match
        if match is None or match.over or state.seat is None or stands_still(state):
            return True
        played_for = handed_over(state) or timed_out(state)
        return match.pending is None and not played_for and is_my_turn(state, FACES)

    # What is asked ------------------------------------------------------------------------------

    async def _look(self, rest: Sequence[str]) -> None:
        """Whose turn it is, and what is where; or one part."""
        match = self.match
        what = (self._state, match, self.face, self.names, self._client.keys.keymap)
        turn, parts = expected_in_words(*what), match_in_words(*what)
        parts.sort(key=lambda part: part != turn)
        first = "" if rest else " ".join(map(sentence, parts))
        self._client.say(first, *self._scene(match.view, rest))

    def _scene(self, view: Any, named: Sequence[str]) -> list[str]:
        return self._client.part_of(self.spoken.parts(view, self.names), named)

    async def _again(self, _rest: Sequence[str]) -> None:
        since = replace(self.match, log=fresh(self._turn_log, self.match.log))
        self._client.say(*logged(since, self._state), *self.now())

    def now(self) -> list[str]:
        """What the match waits for."""
        if self.match.over:
            return [_("The match is over.")]
        if self.needs_nobody_else() and self._state.seat is not None:
            return self.turn()
        return [sentence(self.face.expected(self.match.view, self.names))]

    async def _log(self, rest: Sequence[str]) -> None:
        newest = number(rest)
        count = newest if newest > 0 else _NEWEST
        self._client.say(*logged(self.match, self._state, newest=count))

    async def _undo(self, _rest: Sequence[str]) -> None:
        if self.match.pending is None:
            self._took(await take_back(self._client))

    async def _earlier(self, rest: Sequence[str]) -> None:
        back, seen = number(rest), self.match.seen
        if not 0 < back < len(seen):
            said = _("Say how many moves, from 1 to {n}.") if len(seen) > 1 else ""
            nothing = _("There is nothing to look back at yet.")
            self._client.cannot(said.format(n=len(seen) - 1) if said else nothing)
            return
        self._client.say(*self._scene(seen[-1 - back].view, rest[1:]))

    async def _wait(self, _rest: Sequence[str]) -> None:
        await self._client.until(self.needs_nobody_else)

    async def _leave(self, rest: Sequence[str]) -> None:
        client, keeps = self._client, self._client.journey.keeps
        for_good = [one.lower() for one in rest] == ["end"]
        if not for_good and keeps and self._state.seat is not None and not self.match.over:
            await client.journey.end(hold_seat=True)
        elif given_up := given_up_in_words(self._state, keeps=keeps):
            client.ask_first(partial(leave, client), given_up)
        else:
            await leave(client)

    # What goes on -------------------------------------------------------------------------------

    async def settle_pace(self) -> None:
        """Tell the server how fast bots act; the player has seen the game now."""
        self._client.keep(knowing(self._client.settings, self.match.game))
        self._paced = await keep_pace(self._client, self._paced)
