"""A match in plain mode, played or watched: moves, what is where, hints, the end."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from clocktowers_tui.config.settings import knowing
from clocktowers_tui.doing.acting import act, is_my_turn, may_act, take_back
from clocktowers_tui.doing.exporting import exported
from clocktowers_tui.doing.helping import ask_for_hint, hurry, keep_pace, may_hand_over
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import FACES, SPOKEN, title_of
from clocktowers_tui.games.spoken import Order, Spoken, number, sentence
from clocktowers_tui.keys import actions
from clocktowers_tui.phrases.banner import match_in_words
from clocktowers_tui.phrases.duplicate import ranking_in_words
from clocktowers_tui.phrases.log import log_lines
from clocktowers_tui.phrases.looking_back import numbers_in_words
from clocktowers_tui.phrases.names import names_of
from clocktowers_tui.phrases.notices import broken_off_in_words
from clocktowers_tui.phrases.proof import proof_in_words
from clocktowers_tui.phrases.refusals import refused_in_words
from clocktowers_tui.plain.client import PlainClient, in_lines
from clocktowers_tui.plain.commands import Command
from clocktowers_tui.plain.talking import talking
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import State, handed_over, left, stands_still, timed_out
from clocktowers_tui.text.i18n import N_, _
from protocol.from_client import Back, HandOver, Kick, Leave, Rematch
from protocol.from_server import Refused
from protocol.pace import Pace
from protocol.refusal import Refusal

_WIDE = 1000
"""Cells: nothing is cut for a screen."""
_NEWEST = 20
"""Log lines, where no number is typed."""


class MatchPlace:
    """Watchers have the same, without moves."""

    def __init__(self, client: PlainClient) -> None:
        self._client = client
        self._paced = Pace.NORMAL
        self._turn_log = 0
        """Lines of the log when the player has last acted."""

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
        return [said, _("look tells what is where, help lists the commands.")]

    def turn(self) -> list[str]:
        """What the player has to know to choose."""
        view, names = self.match.view, self.names
        return [sentence(self.face.expected(view, names)), *self.spoken.turn(view, names)]

    def result(self) -> list[str]:
        """Who won, the points, what they are made of; then what else there is to say."""
        match, state, names = self.match, self._state, self.names
        if match.aborted:
            return [_("The match is over."), broken_off_in_words()]
        lines = self.face.result(match.view, match.outcome, names, _WIDE)
        made = self.spoken.ending(match.view, match.outcome, names)
        chosen = state.table is not None and state.table.info.seeded
        proof = "" if chosen else proof_in_words(match, self.face).words
        looked = state.looked_back
        looked = looked if looked is not None and looked.match == match.id else None
        more = [proof, *ranking_in_words(state, match), *numbers_in_words(looked, state)]
        ways = _("rematch plays again, leave leaves.") if state.seat is not None else ""
        return [*in_lines(line.plain for line in lines), *in_lines([*made, *more]), ways]

    # Commands -----------------------------------------------------------------------------------

    @property
    def commands(self) -> Sequence[Command]:
        """The game's own stand first."""
        return [*map(self._ordered, self.spoken.orders), *self.common]

    def _ordered(self, order: Order) -> Command:
        async def does(rest: Sequence[str]) -> None:
            await self.order(order.word, rest)

        waits = not order.asks
        return Command(
            order.word, order.words, does, order.short, order.takes, order.actions, waits
        )

    @property
    def common(self) -> Sequence[Command]:
        """Of every game."""
        return [
            Command("look", N_("say what is where"), self._look, "l"),
            Command("again", N_("say what happened since your last move"), self._again, "a"),
            Command(
                "log",
                N_("say the last lines of the log"),
                self._log,
                "g",
                "[N]",
                (actions.LOG,),
            ),
            Command(
                "hint", N_("ask a bot for a move"), self._hint, "h", "", (actions.HINT,), waits=True
            ),
            Command(
                "undo", N_("take your last move back"), self._undo, "u", "", (actions.TAKE_BACK,)
            ),
            Command("fast", N_("let the bots hurry"), self._fast, "", "", (actions.HURRY,)),
            Command(
                "autoplay",
                N_("let a bot play for you to the end"),
                self._autoplay,
                actions=(actions.HAND_OVER,),
            ),
            Command(
                "playon",
                N_("play on yourself, after a bot did"),
                self._play_on,
                actions=(actions.PLAY_ON,),
            ),
            Command(
                "earlier",
                N_("say what was where so many moves ago"),
                self._earlier,
                "e",
                "N",
                (actions.LOOK_BACK,),
            ),
            Command(
                "kick",
                N_("send a player away, as the host"),
                self._kick,
                "",
                "NAME",
                (actions.KICK_PLAYER,),
            ),
            Command("result", N_("say the result"), self._result, "", "", (actions.RESULT,)),
            Command("rematch", N_("play again"), self._rematch, "", "", (actions.REMATCH,)),
            Command(
                "table", N_("go back to the table"), self._to_table, "", "", (actions.TO_TABLE,)
            ),
            Command(
                "write",
                N_("write the finished match to a file"),
                self._write,
                actions=(actions.EXPORT_RESULT,),
            ),
            Command(
                "review",
                N_("say what you could have done better in the finished match"),
                self._review,
                actions=(actions.REVIEW_RESULT,),
            ),
            *talking(self._client),
            Command("wait", N_("wait until the match needs you"), self._wait, "w"),
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
        read = self.spoken.read(self.match.view, self.names, word, words)
        if isinstance(read, Struct):
            await self.play(read)
        elif (order := next((one for one in self.spoken.orders if one.word == word), None)) and (
            order.asks
        ):
            self._client.say(*read)
        else:
            self._client.cannot(*read)

    async def play(self, action: Any) -> bool:
        """Send an action, and say why it is refused; whether it stands."""
        if not may_act(self._state) or not self.match.view:
            self._client.cannot(self._why_not())
            return False
        self._turn_log = len(self.match.log)
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

    async def _look(self, _rest: Sequence[str]) -> None:
        match = self.match
        parts = match_in_words(self._state, match, self.face, self.names, self._client.keys.keymap)
        self._client.say(sentence(". ".join(parts)), *self.spoken.scene(match.view, self.names))

    async def _again(self, _rest: Sequence[str]) -> None:
        newest = self.match.log[min(self._turn_log, len(self.match.log)) :]
        since = replace(self.match, log=newest)
        self._client.say(*log_lines(since, self.face, self.names, self._state.seat), *self.now())

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
        self._client.say(
            *log_lines(self.match, self.face, self.names, self._state.seat, newest=count)
        )

    async def _hint(self, _rest: Sequence[str]) -> None:
        found = await ask_for_hint(self._client, self.face, self._client.keys.keymap)
        if isinstance(found, str):
            self._client.cannot(found)
            return
        view = self.match.view
        typed = _("Type: {command}").format(command=self.spoken.typed(view, found))
        self._client.say(self.spoken.advice(view, found, self.names), typed)

    async def _undo(self, _rest: Sequence[str]) -> None:
        if self.match.pending is None:
            self._took(await take_back(self._client))

    async def _fast(self, _rest: Sequence[str]) -> None:
        if trouble := await hurry(self._client):
            self._client.cannot(trouble)

    async def _autoplay(self, _rest: Sequence[str]) -> None:
        if not handed_over(self._state) and not may_hand_over(self._state, self.face):
            self._client.cannot(_("A bot plays for you only where you are alone with bots."))
        elif await self._client.ask(HandOver(id=0)):
            self._client.say(_("A bot plays for you; {key} plays on").format(key="playon") + ".")

    async def _play_on(self, _rest: Sequence[str]) -> None:
        await self._client.ask(Back(id=0))

    async def _earlier(self, rest: Sequence[str]) -> None:
        back, seen = number(rest), self.match.seen
        if not 0 < back < len(seen):
            said = _("Say how many moves, from 1 to {n}.") if len(seen) > 1 else ""
            nothing = _("There is nothing to look back at yet.")
            self._client.cannot(said.format(n=len(seen) - 1) if said else nothing)
            return
        self._client.say(*self.spoken.scene(seen[-1 - back].view, self.names))

    async def _kick(self, rest: Sequence[str]) -> None:
        await self._client.ask(Kick(id=0, name=" ".join(rest)[:200]))

    # The end ------------------------------------------------------------------------------------

    async def _result(self, _rest: Sequence[str]) -> None:
        if self.match.over:
            self._client.say(*self.result())
        else:
            self._client.cannot(_("The match is not over yet."))

    async def _rematch(self, _rest: Sequence[str]) -> None:
        if not self.match.over:
            self._client.cannot(_("The match is not over yet."))
        elif await self._client.ask(Rematch(id=0)):
            self._client.say(_("Waiting for the others…"))
            over = self.match.id
            await self._client.until(lambda: self._gone_on(over), None if self._alone else 0.0)

    @property
    def _alone(self) -> bool:
        return self._state.alone

    def _gone_on(self, over: str) -> bool:
        match = self._state.match
        return match is None or match.id != over or self._state.connection is None

    async def _to_table(self, _rest: Sequence[str]) -> None:
        if not self.match.over or self._alone:
            self._client.cannot(_("There is no table to go back to now."))
            return
        self._client.change(replace(self._state, result_seen=True))

    async def _write(self, _rest: Sequence[str]) -> None:
        if not self.match.over:
            self._client.cannot(_("The match is not over yet."))
            return
        await self._client.keeping.settle()
        self._client.say(await exported(self.match.id))

    async def _review(self, _rest: Sequence[str]) -> None:
        if not self.match.over:
            self._client.cannot(_("The match is not over yet."))
            return
        from clocktowers_tui.plain.looking_back import review_of  # reads the history

        await self._client.keeping.settle()
        await review_of(self._client, self.match.id)

    async def _wait(self, _rest: Sequence[str]) -> None:
        await self._client.until(self.needs_nobody_else)

    async def _leave(self, rest: Sequence[str]) -> None:
        for_good = [one.lower() for one in rest] == ["end"]
        keeps = self._client.journey.keeps and self._state.seat is not None
        if not for_good and keeps and not self.match.over:
            await self._client.journey.end(hold_seat=True)
        elif self._alone:
            await self._client.journey.end()
        elif await self._client.journey.request(Leave(id=0)) is not None:
            self._client.change(left(self._state))

    # What goes on -------------------------------------------------------------------------------

    async def settle_pace(self) -> None:
        """Tell the server how fast bots act; the player has seen the game now."""
        self._client.keep(knowing(self._client.settings, self.match.game))
        self._paced = await keep_pace(self._client, self._paced)
