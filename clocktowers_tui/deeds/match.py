"""What a player can do in a match, and when its end has come."""

from typing import Final

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.deed import Asker, Deed, asked
from clocktowers_tui.deeds.helping import may_ask_for_hint, may_hand_over, may_hurry
from clocktowers_tui.deeds.table import company
from clocktowers_tui.keys import actions
from clocktowers_tui.state.match import may_take_back
from clocktowers_tui.state.store import State, handed_over, played_for
from clocktowers_tui.text.i18n import N_, _
from protocol.from_client import Back, HandOver, Hurry

# When something is possible -----------------------------------------------------------------------


def is_over(client: Client) -> bool:
    return client.state.match is not None and client.state.match.over


def is_played(client: Client) -> bool:
    """Whether the player has a seat in a match that goes on."""
    return client.state.match is not None and not is_over(client) and client.state.seat is not None


def is_played_for(client: Client) -> bool:
    return played_for(client.state)


def takes_back(client: Client) -> bool:
    match = client.state.match
    return match is not None and may_take_back(match, client.state.seat)


def looks_back(client: Client) -> bool:
    """Whether there is an earlier moment to look at; a lesson hides parts of the board."""
    match = client.state.match
    return match is not None and len(match.seen) > 1 and not client.journey.teaches


def gets_hints(client: Client) -> bool:
    match = client.state.match
    return match is not None and may_ask_for_hint(client.state, client.faces[match.game])


def hurries(client: Client) -> bool:
    match = client.state.match
    return match is not None and may_hurry(client.state, client.faces[match.game])


def hands_over(client: Client) -> bool:
    match, state = client.state.match, client.state
    if match is None or handed_over(state):
        return False
    return may_hand_over(state, client.faces[match.game])


def may_play_again(client: Client) -> bool:
    return is_over(client) and client.state.seat is not None


def has_table(client: Client) -> bool:
    return is_over(client) and not client.state.alone


def is_kept(client: Client) -> bool:
    return is_over(client) and not client.guest


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
    key = client.keys.keymap.name(actions.HAND_OVER)
    said = _("A bot plays for you to the end. Press {key} again to play on.").format(key=key)
    title, yes, no = _("Autoplay to the end?"), _("Autoplay"), _("Keep playing myself")
    if hands_over(client) and not await ask.sure(title, [said], yes, no, of_key=True):
        return
    if await asked(client, ask, HandOver(id=0)):
        ask.aloud(_("A bot plays for you; {key} plays on").format(key="playon") + ".")


async def play_on(client: Client, ask: Asker) -> None:
    if not is_played_for(client):
        ask.object(_("No bot plays for you."))
    elif await asked(client, ask, Back(id=0)):
        ask.aloud(_("You play on yourself."))


# Leaving ------------------------------------------------------------------------------------------


def given_up_in_words(state: State, *, keeps: bool) -> str:
    """What the player gives up who leaves a match that goes on; "" for nothing. `keeps`: as in
    `Journey`."""
    if not keeps:
        return _("Practice is not kept: the next one is a new deal.")
    if state.alone:
        return _("If you end the match, nobody wins.")
    return _("If you leave the match, a bot plays on for you.") if state.seat is not None else ""


_LEAVES = N_("go to the menu; the match waits for you. leave end: end it for good")
_UNDO = N_("take your last move back")
_HINT = N_("ask a bot for a move")
_EARLIER = N_("say what was where so many moves ago")
_BETTER = N_("say what you could have done better in the finished match")
_FAST = N_("let the bots hurry")
_AUTOPLAY = N_("let a bot play for you to the end")
_PLAY_ON = N_("play on yourself, after a bot did")
_WRITE = N_("write the finished match to a file")
_TABLE = N_("go back to the table")
_LOG = N_("say the last lines of the log")
_WAIT = N_("wait until the match needs you")

MATCH: Final = (
    Deed("look", N_("say what is where, or only that part"), short="l", takes="[PART]"),
    Deed("again", N_("say what happened since your last move"), short="a"),
    Deed("undo", _UNDO, (actions.TAKE_BACK,), None, takes_back, "u", shown=True),
    Deed("result", N_("say the result"), (actions.RESULT,), now=is_over, shown=True),
    Deed("log", _LOG, (actions.LOG,), short="g", takes="[N]", shown=True),
    Deed("earlier", _EARLIER, (actions.LOOK_BACK,), None, looks_back, "e", "N [PART]"),
    Deed("playon", _PLAY_ON, (actions.PLAY_ON,), play_on, is_played_for, shown=True),
    Deed("hint", _HINT, (actions.HINT,), None, gets_hints, "h", shown=True, waits=True),
    Deed("fast", _FAST, (actions.HURRY,), hurry, hurries, shown=True),
    Deed("autoplay", _AUTOPLAY, (actions.HAND_OVER,), autoplay, hands_over),
    Deed("rematch", N_("play again"), (actions.REMATCH,), now=may_play_again),
    Deed("table", _TABLE, (actions.TO_TABLE,), now=has_table),
    Deed("write", _WRITE, (actions.EXPORT_RESULT,), now=is_kept),
    Deed("review", _BETTER, (actions.REVIEW_RESULT,), now=is_kept),
    *company(actions.KICK_PLAYER),
    Deed("wait", _WAIT, now=is_played, short="w"),
    Deed("leave", _LEAVES, (actions.LEAVE,), short="q", takes="[end]", shown=True),
)
