"""What a player can do in a match, when the end has come, and in a lesson."""

import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from clocktowers_tui.config.settings import Draft, Settings, filled_in, knowing
from clocktowers_tui.deeds.asking import Asker, asked, go
from clocktowers_tui.deeds.client import Client, due_elsewhere, is_my_turn, lasts_days, may_act
from clocktowers_tui.deeds.company import LINE, company, told_elsewhere
from clocktowers_tui.deeds.together import TOGETHER
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.lesson import course
from clocktowers_tui.games.registry import LESSONS, title_of
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Deed
from clocktowers_tui.net.wishes import Return, Wish
from clocktowers_tui.new_table import PRACTICE, above, begun, draft_from, drafted, solo_at, taught
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.codes import (
    fault_in_words,
    overtaken_in_words,
    refused_in_words,
    unsent_in_words,
)
from clocktowers_tui.phrases.friends import going_on_in_words
from clocktowers_tui.phrases.home import due_elsewhere_in_words
from clocktowers_tui.phrases.match import names_of
from clocktowers_tui.phrases.tables import offer_in_words
from clocktowers_tui.state import match as matches
from clocktowers_tui.state.match import Match, may_take_back
from clocktowers_tui.state.store import State, handed_over, noted, played_for
from clocktowers_tui.state.table import Kind
from clocktowers_tui.text.i18n import N_, _
from protocol.codec import read_as
from protocol.errors import Refusal, RefusalCode, RemoteProtocolError
from protocol.from_client import Act, Back, HandOver, Hint, Hurry, SetPace, TakeBack
from protocol.from_server import Done, Refused
from protocol.games.registry import GAMES, LEVELS
from protocol.signing import MOST_COMMENT
from protocol.table import Days, Pace, SeatKind
from protocol.text import clean

# When something is possible -----------------------------------------------------------------------


def is_over(client: Client) -> bool:
    return client.state.match is not None and client.state.match.over


def is_played(client: Client) -> bool:
    """Whether the player has a seat in a match that goes on."""
    return client.state.match is not None and not is_over(client) and client.state.seat is not None


def is_played_for(client: Client) -> bool:
    return played_for(client.state)


def takes_back(client: Client) -> bool:
    match, table, seat = client.state.match, client.state.table, client.state.seat
    keyboard = client.journey.keyboard
    if keyboard is not None and keyboard.revoker:
        return True
    if match is None or seat is None or match.pending is not None:
        return False
    asked = table.asked_back if table is not None else None
    if asked is not None and asked.version == match.version:
        return seat not in asked.seats
    return may_take_back(match, seat)


def looks_back(client: Client) -> bool:
    """Whether there is an earlier moment to look at; a lesson hides parts of the board."""
    match = client.state.match
    return match is not None and len(match.seen) > 1 and not client.journey.teaches


def gets_hints(client: Client) -> bool:
    """Whether this table gives hints, and the match waits for the player."""
    state, table = client.state, client.state.table
    hints = table is not None and table.info.hints
    return hints and is_my_turn(state, client.faces) and not handed_over(state)


def plays_bots(client: Client) -> bool:
    """Whether the player alone plays against bots, in turns."""
    match = client.state.match
    if match is None or match.over or match.view is None:
        return False
    return client.faces[match.game].in_turns and _plays_alone(client.state)


def hurries(client: Client) -> bool:
    """Whether bots are to act: before the player's next turn, or to the end."""
    waits = is_my_turn(client.state, client.faces) and not handed_over(client.state)
    return plays_bots(client) and not waits


def hands_over(client: Client) -> bool:
    return plays_bots(client) and not handed_over(client.state)


def is_spent(client: Client) -> bool:
    """Whether the player is alone with bots and can score no more."""
    match = client.state.match
    return (
        match is not None and hands_over(client) and client.faces[match.game].is_spent(match.view)
    )


def may_play_again(client: Client) -> bool:
    return is_over(client) and (client.state.seat is not None or client.state.covered)


def has_table(client: Client) -> bool:
    return is_over(client) and not client.state.alone


def is_kept(client: Client) -> bool:
    """Whether the match is in the history, or on its way there: not where other tables still play
    its deal."""
    match, table = client.state.match, client.state.table
    if match is None or not match.over or match.aborted or client.guest or client.journey.teaches:
        return False
    return bool(match.seed) or table is None or not table.info.deal


def has_lines(client: Client) -> bool:
    """Whether it was a deal of the day, whose lines can be pasted."""
    looked = client.state.looked_back
    return looked is not None and bool(looked.deal)


def next_level(client: Client) -> Draft | None:
    """What the player may play next who has won a match alone against bots; None after any
    other."""
    state, match = client.state, client.state.match
    if match is None or not match.over or match.aborted or match.played_for or state.covered:
        return None
    chosen = state.table is None or state.table.info.seeded or client.guest  # without a history
    beaten = state.alone and len(match.names) > 1 and state.seat in match.outcome.winners
    if chosen or not beaten:
        return None
    return above(begun(client.settings, client.faces[match.game], solo=True), match.game, LEVELS)


def next_in_words(client: Client) -> str:
    match, draft = client.state.match, next_level(client)
    if match is None or draft is None:
        return ""
    return offer_in_words(draft, client.settings, client.faces[match.game])


async def to_next_level(client: Client, ask: Asker) -> None:
    match, draft = client.state.match, next_level(client)
    assert match is not None and draft is not None
    table = drafted(draft, client.faces[match.game], LEVELS, solo=True)
    await _go(client, ask, solo_at(client.settings, table))


# Bots ---------------------------------------------------------------------------------------------


async def hurry(client: Client, ask: Asker) -> None:
    """Until it is the player's turn, or to the end where a bot plays for them."""
    if await asked(client, ask, Hurry(id=0)):
        ask.aloud(_("The bots hurry until your next turn."))


async def autoplay(client: Client, ask: Asker) -> None:
    """Let a bot play the player's seat to the end; the same key takes the seat back."""
    if handed_over(client.state):
        await play_on(client, ask)
        return
    said = _("A bot plays for you to the end; {key} lets you play yourself.")
    said = said.format(key=client.keymap.name(actions.HAND_OVER))
    counts = _("The match then does not count in your numbers.")
    title, yes, no = _("Autoplay to the end?"), _("Autoplay"), _("Keep playing myself")
    spent = is_spent(client)
    if not spent and hands_over(client) and not await ask.sure(title, [counts, said], yes, no):
        return
    if (match := client.state.match) is not None:  # before its bot can end the match
        _put(client, replace(match, spent=(match.spent or match.ply) if spent else 0))
    if await asked(client, ask, HandOver(id=0)):
        ask.aloud(_("play on lets you play."))


async def play_on(client: Client, ask: Asker) -> None:
    if not is_played_for(client):
        raise NotDone(_("No bot plays for you."))
    if await asked(client, ask, Back(id=0)):
        ask.aloud(_("You play on yourself."))


def remembered(client: Client, game: str) -> Settings:
    """What the menu offers from now on: what is played here, as it was asked for."""
    seen, wish = client.settings, client.journey.solo
    if not client.journey.teaches:
        seen = knowing(seen, game)
    if client.state.seat is None:
        return seen
    table = None if wish is None or wish.people else wish.table
    if table is None or table.game != game or table.preset == PRACTICE or table.seed is not None:
        return replace(seen, game=game)
    return filled_in(seen, game, draft_from(table, client.faces[game]), solo=True)


# Acting -------------------------------------------------------------------------------------------


async def act(client: Client, ask: Asker, action: Any) -> bool:
    """Take this action; False after saying why the server refuses."""
    match = client.state.match
    assert match is not None
    wish = Act(id=0, version=match.version, key=os.urandom(8), action=action)
    return await _send(client, ask, match, wish)


async def undo(client: Client, ask: Asker) -> None:
    """The player's newest action, or at a table of days another's, which they agree to."""
    match = client.state.match
    if match is not None and match.pending is None:
        wish = TakeBack(id=0, version=match.version, key=os.urandom(8))
        await _send(client, ask, match, wish)


async def _send(client: Client, ask: Asker, match: Match, wish: Act | TakeBack) -> bool:
    unsent = unsent_in_words(client.state.connection)
    ask.say(unsent)
    _put(client, matches.sent(match, wish.key))
    answer = await client.journey.request(wish)
    match_now = client.state.match
    if match_now is None:
        return True
    if isinstance(answer, Done):
        _put(client, matches.answered(match_now, wish.key, answer.version or 0))
        ask.withdraw(unsent)  # it has gone out
    elif isinstance(answer, Refused):
        _put(client, matches.answered(match_now, wish.key, None))
        ask.object(why_refused(client, answer))
    return not isinstance(answer, Refused)


def _put(client: Client, match: Match) -> None:
    client.change(replace(client.state, match=match))


# Notes --------------------------------------------------------------------------------------------


MOST_NOTES: Final = 100
"""In a match: all of them stand in one line of the seat's file (`LAST_BYTES` in `net.seats`)."""
_SHOWN: Final = 5
"""As many notes have room above the field."""


def may_note(client: Client) -> bool:
    """A race leaves no time for it, and at one keyboard it would not be for the player alone."""
    match = client.state.match
    if match is None or not is_played(client) or client.journey.keyboard is not None:
        return False
    return client.faces[match.game].in_turns


async def note(client: Client, ask: Asker) -> None:
    """A line for the player alone, of this moment; it becomes a comment on that ply. An empty one
    says all."""
    if (match := client.state.match) is None or not may_note(client):
        raise NotDone(_("You can note something in a match in turns, alone at your keyboard."))
    ply, notes = match.seen[-1].ply if match.seen else 0, client.state.notes.get(match.id, {})
    lines = [f"{at}: {notes[at]}" for at in sorted(notes)]
    about = _("Only you see it. In the replay it is a comment. A lone - takes it away.")
    told = "\n".join([about, *lines[-_SHOWN:]])
    title, had = _("Note to yourself, after move {n}").format(n=ply), notes.get(ply, "")
    typed = await ask.line(title, _("Note"), told, had=had, most=MOST_COMMENT)
    text = clean(typed or "")[:MOST_COMMENT]
    if not text:
        ask.aloud(*(lines or [_("You have noted nothing in this match.")]))
        return
    text = text if text != "-" else ""
    if text and len({*notes, ply}) > MOST_NOTES:
        raise NotDone(_("A match has room for {n} notes.").format(n=MOST_NOTES))
    client.change(noted(client.state, match.id, ply, text))
    ask.say(_("Noted for you alone.") if text else _("Your note is gone."))


# Elsewhere ----------------------------------------------------------------------------------------


async def to_next(client: Client, ask: Asker) -> None:
    """To the match where the player has the least time left for their turn."""
    dues = await due_elsewhere()
    if not (dues and dues[0].yours):
        raise NotDone(due_elsewhere_in_words(dues, ""))
    await _go(client, ask, Return(dues[0].seat))
    await ask.until(lambda: not client.journey.under_way)


async def _go(client: Client, ask: Asker, wish: Wish) -> None:
    """Once this match is kept. Raises NotDone."""
    await client.keeping.settle()
    if (error := await go(client, ask, wish)) is not None:
        raise NotDone(fault_in_words(error))


# Leaving ------------------------------------------------------------------------------------------


async def to_table(client: Client, _ask: Asker) -> None:
    needs_end(client)
    if client.state.alone:
        raise NotDone(_("There is no table to go back to now."))
    client.change(replace(client.state, result_seen=True))


def needs_end(client: Client) -> None:
    """Raises NotDone while the match goes on."""
    if not is_over(client):
        raise NotDone(_("The match is not over yet."))


def given_up_in_words(state: State) -> str:
    """What the player gives up by leaving a match that goes on; "" for nothing."""
    table = state.table
    nobody_else = table is not None and not (table.opponents[0] or table.info.watchers)
    if state.alone or (nobody_else and state.seat is not None):
        return _("If you end the match, nobody wins. It is not kept in Your matches.")
    if table is None or table.seat is None:
        return ""
    if table.is_lost_by_leaving:
        return _("If you give your seat up, you lose the match.")
    said = _("If you give your seat up, a bot plays on for you.")
    if state.connection is not None and state.connection.kind is Kind.HOST:
        said += "\n" + going_on_in_words(False)
    return said


def held_in_words(state: State) -> str:
    """What becomes of a seat beside other people's while its player is at the menu; "" = there is
    nobody else."""
    if state.alone or state.seat is None:
        return ""
    if state.table is not None and isinstance(state.table.info.clock, Days):
        return _("You can come back from the menu: your seat waits for you.")
    if state.table is not None and not state.table.others:
        return _("You can come back from the menu; the match waits a while.")
    return _("You can come back from the menu; after a while a bot plays for you.")


_LEAVES = N_("go to the menu, from where you can come back. leave end: end it for good")
_UNDO = N_("take your last move back")
_HINT = N_("ask a bot for a move")
_EARLIER = N_("say what was where so many moves ago")
_BETTER = N_("say what you could have done better in the finished match")
_AUTOPLAY = N_("let a bot play for you to the end")
_PLAY_ON = N_("play on yourself, after a bot did")
_WRITE = N_("write the match to a file: its record, or its final board as text or as a picture")
_TABLE = N_("go back to the table")
_LOG = N_("say the last lines of the log")
_NOTE = N_("note a line for yourself; note alone says all, note - takes this one away")
_NEXT = N_("go to the next match where it is your turn")

_AGAIN = Deed("rematch", N_("play again"), (actions.REMATCH,), now=may_play_again, shown=True)
_TO_TABLE = Deed("table", _TABLE, (actions.TO_TABLE,), to_table, has_table, shown=True)
_TO_NEXT = Deed("continue", _NEXT, (actions.NEXT_DUE,), to_next, lasts_days)
_TO_FILE = Deed(
    "write", _WRITE, (actions.EXPORT_RESULT,), now=is_kept, takes="[text|png|svg]", shown=True
)
_JUDGED = Deed("review", _BETTER, (actions.REVIEW_RESULT,), now=is_kept, shown=True)

MATCH: Final = (
    Deed("look", N_("say what is where, or only that part"), short="l", takes="[PART]"),
    Deed("again", N_("say what happened since your last move"), short="a"),
    Deed("undo", _UNDO, (actions.TAKE_BACK,), undo, takes_back, "u", shown=True),
    Deed("result", N_("say the result"), (actions.RESULT,), now=is_over, shown=True),
    Deed("log", _LOG, (actions.LOG,), short="g", takes="[N]", shown=True),
    Deed("earlier", _EARLIER, (actions.LOOK_BACK,), None, looks_back, "e", "N [PART]"),
    Deed("play on", _PLAY_ON, (actions.PLAY_ON,), play_on, is_played_for, shown=True),
    Deed("hint", _HINT, (actions.HINT,), None, gets_hints, "h", shown=True, waits=True),
    Deed("fast", N_("let the bots hurry"), (actions.HURRY,), hurry, hurries, shown=True),
    Deed("autoplay", _AUTOPLAY, (actions.HAND_OVER,), autoplay, hands_over),
    Deed("note", _NOTE, (actions.NOTE,), note, may_note, takes="[TEXT]"),
    _AGAIN,
    _TO_TABLE,
    _TO_NEXT,
    _TO_FILE,
    Deed("share", LINE, now=is_kept),
    _JUDGED,
    TOGETHER,
    *company(actions.KICK_PLAYER),
    told_elsewhere(actions.MATCH_NOTIFY),
    Deed("wait", N_("wait until the match needs you"), now=is_played, short="w"),
    Deed("leave", _LEAVES, (actions.LEAVE,), short="q", takes="[end]", shown=True),
)
_LEVEL: Final = (actions.NEXT_LEVEL,)

RESULT: Final = (
    Deed("copy", "", (actions.COPY,), now=has_lines, shown=True),
    _AGAIN,
    Deed("level", "", _LEVEL, to_next_level, lambda one: next_level(one) is not None, shown=True),
    _JUDGED,
    _TO_FILE,
    Deed("bots", "", (actions.OTHER_BOTS,), now=lambda one: one.state.alone, shown=True),
    Deed("board", "", (actions.BACK,), words=N_("Look at the board"), shown=True),
    Deed("leave", "", (actions.LEAVE,), shown=True),
    _TO_TABLE,
    _TO_NEXT,
    TOGETHER,
)
"""The result that lies over the board."""


# Help for a player in a match: a hint from the server, and how fast bots act.


def _plays_alone(state: State) -> bool:
    """Whether everybody else who plays is a bot."""
    table = state.table
    if table is None or state.seat is None:
        return False
    others = (seat for number, seat in enumerate(table.info.seats) if number != state.seat)
    return all(seat.kind is SeatKind.BOT for seat in others)


def why_refused(client: Client, refused: Refused) -> str:
    """The game has better words for what its own rules forbid."""
    state, refusal = client.state, Refusal(refused.code, refused.params)
    said: str | None = ""
    if (match := state.match) is not None:
        said = client.faces[match.game].refusal(refusal, client.keymap)
        said = said or overtaken_in_words(refused, names_of(match), state.seat)
        if refused.code == RefusalCode.NOT_YOUR_TURN and match.view is not None:
            expected = client.faces[match.game].expected(match.view, names_of(match))
            return f"{said or refused_in_words(refused)} {sentence(expected)}"
    return said or refused_in_words(refused)


async def ask_for_hint(client: Client, face: Face) -> tuple[Struct, Struct | None] | str:
    """The action that a strong bot would take and, where it says so, what it would do then; or why
    there is none to name."""
    asked = _question(client.state, face)
    answer = await client.journey.request(Hint(id=0))
    match = client.state.match
    if isinstance(answer, Refused):
        return why_refused(client, answer)
    if not isinstance(answer, Done) or match is None:
        return ""
    if answer.version != match.version and (
        face.in_turns or _question(client.state, face) != asked
    ):
        if face.in_turns and not is_my_turn(client.state, client.faces):
            return ""  # the player has played meanwhile
        return _("The match has moved on: ask again.")
    if answer.action is None:
        return _("Hint: wait for the others.")
    kind = GAMES[match.game].action
    try:
        action = read_as(answer.action, kind)
    except RemoteProtocolError:
        return _("You cannot see this hint: update this program.")
    with suppress(RemoteProtocolError):  # it says no plan, or one that this program cannot read
        return action, read_as(answer.plan, kind)
    return action, None


def _question(state: State, face: Face) -> str:
    """What the match waits for. Where all act at once it may wait for the same, whatever happens
    meanwhile."""
    match = state.match
    return "" if match is None or match.view is None else face.expected(match.view, match.names)


async def keep_pace(client: Client, asked: Pace, wanted: Pace) -> Pace:
    """Where the player alone plays, tell the server how fast bots act, if it was last `asked` for
    another pace. Returns the pace that holds now."""
    if wanted is asked or client.journey.teaches or not _plays_alone(client.state):
        return asked
    answer = await client.journey.request(SetPace(id=0, pace=wanted))
    return wanted if isinstance(answer, Done) else asked


# A lesson: what can be done, which step it is at, and how far it has been kept.


_KEPT = {"look", "again", "result", "log", "wait", "leave"}


async def _no_undo(_client: Client, _ask: Asker) -> None:
    raise NotDone(_("You need no take-back in a lesson: a wrong key costs nothing."))


LESSON: Final = (
    Deed("next", N_("go on reading"), (actions.CONFIRM,), waits=True),
    Deed("hint", N_("say why, and what to type"), (actions.HINT,), short="h"),
    Deed("undo", "", (actions.TAKE_BACK,), _no_undo, takes_back),
    Deed("play on", "", (actions.PLAY_ON,)),
    *(deed for deed in MATCH if deed.word in _KEPT),
)
"""A bot that plays on would teach nothing. The keys are those of a match."""


class Teaching:
    """Both faces show the step of `course` as soon as the match waits for the player."""

    def __init__(self, client: Client, game: str) -> None:
        self._client = client
        self.course = course(LESSONS[game], client.settings.lessons.get(game, 0))
        self._keep()

    @property
    def title(self) -> str:
        return title_of(self.course.lesson.game)

    @property
    def view(self) -> Any:
        match = self._client.state.match
        return None if match is None else match.view

    def go_on(self) -> bool:
        """To the next step; whether there is one."""
        self.course = self.course.onward()
        if self.course.step is None:
            self._client.keep(taught(self._client.settings, self.course.lesson))
        elif not self.course.catching_up:
            self._keep()
        return self.course.step is not None

    def _keep(self) -> None:
        """How far the player is."""
        settings, game = self._client.settings, self.course.lesson.game
        done = max(self.course.at, self.course.reached)
        self._client.keep(replace(settings, lessons={**settings.lessons, game: done}))

    async def catch_up(self, play: Callable[[Any], Awaitable[bool]]) -> bool:
        """Do a step of an earlier match again. True: that leads elsewhere, and from there the
        player goes on."""
        step = self.course.step
        if step is None or not self.course.catching_up or not may_act(self._client.state):
            return False
        wanted = step.wanted(self.view)
        if wanted and await play(wanted[0]):
            return False
        self.course = self.course._replace(reached=self.course.at)
        return True

    def waits_in_words(self, learn: str) -> str:
        """Said to a player who leaves. `learn`: the key or word for a lesson."""
        said = _("Your lesson in {game} waits: {learn} goes on.")
        return said.format(game=self.title, learn=learn)

    def done_in_words(self, plays: str) -> str:
        """`plays`: the key or word for a match."""
        said = _("You know {game} now: {confirm} plays it.")
        return said.format(game=self.title, confirm=plays)
