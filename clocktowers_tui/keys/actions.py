"""What a player can do: every action's id, its keys and its words, of which every binding is made;
and a deed, which is done by the keys of a screen and by a word of plain mode.

Laws: an id never changes, for it stands in players' keymap files; letters are the same in every
language, but for those that a board has `spoken`; two actions that live together share no key. A
game's own actions stand with its face, and those of different games never live together: one board
is seen at a time. A word means one thing in a place, and works in every language; an action that no
deed stands for mostly only moves a cursor.
"""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from clocktowers_tui.text.i18n import N_

if TYPE_CHECKING:  # plain mode runs without Textual
    from textual.binding import Binding

    from clocktowers_tui.deeds.asking import Asker
    from clocktowers_tui.deeds.client import Client


class Context(Enum):
    """Where an action lives."""

    EVERYWHERE = N_("everywhere")
    AWAY = N_("everywhere but in the menu")
    HOME = N_("menu")
    LOBBY = N_("lobby")
    TABLE = N_("table")
    MATCH = N_("match")
    BOARD = N_("board")
    RESULT = N_("result")
    RULES = N_("rules")
    HISTORY = N_("your matches")
    REPLAY = N_("replay")
    AT_TABLE = N_("at a table")
    AFTER = N_("after a match")
    CHAT = N_("chat")
    LISTS = N_("in lists and texts")


_TOGETHER: Final = (
    {Context.MATCH, Context.BOARD, Context.AT_TABLE, Context.AFTER},
    {Context.TABLE, Context.AT_TABLE, Context.AFTER},
    {Context.RESULT, Context.AT_TABLE, Context.AFTER},
    {Context.REPLAY, Context.MATCH, Context.AT_TABLE, Context.AFTER},
    {Context.CHAT, Context.AT_TABLE},
)


class Action(NamedTuple):
    """`keys` by Textual's names, the shown key first; `words` are translated when they are shown.

    `firm`: nobody can do without it, so it never loses its last key. `game`: the game whose board
    has it; "" when it belongs to no game. `moves`: it only moves the cursor or the focus. `spoken`:
    the letter of the player's language that is shown for its key, and that its board reads as it.
    """

    id: str
    keys: tuple[str, ...]
    words: str
    context: Context = Context.EVERYWHERE
    firm: bool = False
    game: str = ""
    moves: bool = False
    spoken: Callable[[], str] | None = None


Does: TypeAlias = "Callable[[Client, Asker], Coroutine[Any, Any, None]]"


def always(_client: "Client") -> bool:
    return True


class Deed(NamedTuple):
    """`word` is typed, or `short`, and `takes` what follows it, in every language.
    `told`: what it does, for the help of plain mode; "" for a deed of the screen alone. `keys`: the
    actions that do it. `does`: how, in both faces; None: each face does it in its own way, in the
    method `do_WORD` of its screen and of its place, and a game by its table of keys. `now`: it
    leads somewhere now, so key line, palette and help list it. `guest`: only for guests of a
    server, or never for them. `words`: its name on a screen, where the action's is too general.
    `each`: the same for each of its keys, of which the n-th types n. `shown`: its first key stands
    in the key line. `waits`: it has a meaning only while the match waits for the player."""

    word: str
    told: str
    keys: Sequence[Action] = ()
    does: "Does | None" = None
    now: "Callable[[Client], bool]" = always
    short: str = ""
    takes: str = ""
    words: str = ""
    shown: bool = False
    waits: bool = False
    guest: bool | None = None
    each: Sequence[str] = ()

    @property
    def method(self) -> str:
        """That does it, of a screen or a place, where it has no `does`."""
        return f"do_{self.word.replace(' ', '')}"

    def is_for(self, client: "Client") -> bool:
        """Whether this client has it at all."""
        return self.guest in (None, client.guest)


KeyGroups: TypeAlias = Sequence[tuple[Sequence[Action], str]]
"""Groups of actions that stand together, each with the words for it."""
Named: TypeAlias = Mapping[str, Sequence[Action]]
"""What stands in braces in a sentence → the actions whose keys stand there."""


def live_together(one: Action, other: Action) -> bool:
    """Whether a key could mean both actions at the same moment."""
    if one.game and other.game and one.game != other.game:
        return False
    both = {one.context, other.context}
    if both == {Context.LISTS, Context.BOARD}:
        return False  # nothing on a board has an end to go to
    if Context.AWAY in both:
        return Context.HOME not in both
    alike = len(both) == 1 or not both.isdisjoint((Context.EVERYWHERE, Context.LISTS))
    return alike or any(both <= together for together in _TOGETHER)


def bound(
    action: Action, does: str, words: str = "", *, shown: bool = False, at_once: bool = False
) -> "Binding":
    """The binding of a screen or widget on which `action` means `does`.

    `words`: its name there, if it differs from the usual. `shown`: it stands in the key line.
    `at_once`: it comes before the next key is sent anywhere.
    """
    from textual.binding import Binding

    keys = ",".join(action.keys)
    return Binding(keys, does, words or action.words, shown, id=action.id, priority=at_once)


def on_board(game: str, id: str, key: str, words: str, *, prefix: str = "") -> Action:
    """An action on a game's own board. The whole id begins with the game's name, or with another
    `prefix`."""
    return Action(f"{prefix or game}.{id}", (key,), words, Context.BOARD, game=game)


UP: Final = Action("go.up", ("up", "k"), N_("Up"), moves=True)
DOWN: Final = Action("go.down", ("down", "j"), N_("Down"), moves=True)
LEFT: Final = Action("go.left", ("left", "h"), N_("Left"), moves=True)
RIGHT: Final = Action("go.right", ("right", "l"), N_("Right"), Context.AWAY, moves=True)
FIRST: Final = Action("go.first", ("home", "g"), N_("To the beginning"), Context.LISTS, moves=True)
LAST: Final = Action("go.last", ("end", "G"), N_("To the end"), Context.LISTS, moves=True)
PAGE_UP: Final = Action("go.page_up", ("pageup",), N_("Page up"), moves=True)
PAGE_DOWN: Final = Action("go.page_down", ("pagedown",), N_("Page down"), moves=True)
NEXT: Final = Action("go.next", ("tab",), N_("Next field"), moves=True)
PREVIOUS: Final = Action("go.previous", ("shift+tab",), N_("Previous field"), moves=True)
CONFIRM: Final = Action("confirm", ("enter",), N_("Confirm"), firm=True)
CHOOSE: Final = Action("choose", ("space",), N_("Choose"))
BACK: Final = Action("back", ("escape", "backspace"), N_("Back"), firm=True)
LEAVE: Final = Action("leave", ("q",), N_("Leave"), firm=True)
HELP: Final = Action("help", ("question_mark", "f1"), N_("Help"), firm=True)
PALETTE: Final = Action("palette", ("ctrl+p", "colon"), N_("All commands"))
THEME: Final = Action("theme", ("t",), N_("Next theme"))
THEME_BEFORE: Final = Action("theme.before", ("T",), N_("Previous theme"))
SETTINGS: Final = Action("settings", ("S",), N_("Settings"))

RULES: Final = Action("rules", ("B",), N_("Rules"))

# TRANSLATORS: a key, a verb: goes on with a match that waits.
CONTINUE: Final = Action("home.continue", ("u",), N_("Continue"), Context.HOME)
PLAY: Final = Action("home.play", ("p",), N_("Play"), Context.HOME)
PRACTISE: Final = Action("home.practise", ("r",), N_("Practice"), Context.HOME)
TODAY: Final = Action("home.today", ("d",), N_("Deal of the day"), Context.HOME)
BOTS: Final = Action("home.bots", ("m",), N_("Set up a match"), Context.HOME)
JOIN: Final = Action("home.join", ("c",), N_("Join a table"), Context.HOME)
HOST: Final = Action("home.host", ("o",), N_("Host a table"), Context.HOME)
LEARN: Final = Action("home.learn", ("l",), N_("Learn"), Context.HOME)
HISTORY: Final = Action("home.history", ("y",), N_("Your matches"), Context.HOME)
MOVE_OUT: Final = Action("home.move_out", ("O",), N_("Go on at another machine"), Context.HOME)
MOVE_IN: Final = Action("home.move_in", ("I",), N_("Come from another machine"), Context.HOME)
VACATION: Final = Action("home.vacation", ("V",), N_("Take days off"), Context.HOME)
HOME_RIGHT: Final = Action("home.right", ("right",), N_("Right"), Context.HOME, moves=True)
NAME: Final = Action("home.name", ("n",), N_("Name"), Context.HOME)

NEW_TABLE: Final = Action("lobby.new", ("n",), N_("New table"), Context.LOBBY)
FILTER: Final = Action("lobby.filter", ("slash",), N_("Filter"), Context.LOBBY)
NARROW: Final = Action("lobby.narrow", ("p",), N_("List other tables"), Context.LOBBY)
# TRANSLATORS: a key: join a table by its code.
CODE: Final = Action("lobby.code", ("c",), N_("Code"), Context.LOBBY)
# TRANSLATORS: a key, a verb: shows how friends come.
LOBBY_INVITE: Final = Action("lobby.invite", ("I",), N_("Invite"), Context.LOBBY)
# TRANSLATORS: a key, a verb: looks on without playing.
WATCH: Final = Action("lobby.watch", ("w",), N_("Watch"), Context.LOBBY)
# TRANSLATORS: a key: a message to the player's phone or mail when they are away.
LOBBY_NOTIFY: Final = Action("lobby.notify", ("D",), N_("Be told elsewhere"), Context.LOBBY)
SAME_DEAL: Final = Action("lobby.same_deal", ("d",), N_("Same deal"), Context.LOBBY)
ALONE: Final = Action("lobby.alone", ("b",), N_("Against bots, lessons"), Context.LOBBY)

# TRANSLATORS: a key, a verb: starts the match.
START: Final = Action("table.start", ("s",), N_("Start"), Context.TABLE)
READY: Final = Action("table.ready", ("r",), N_("Ready"), Context.TABLE)
SETTLE: Final = Action("table.settle", ("e",), N_("Change the rules"), Context.TABLE)
INVITE: Final = Action("table.invite", ("I",), N_("Invite"), Context.TABLE)
NOTIFY: Final = Action("table.notify", ("D",), N_("Be told elsewhere"), Context.TABLE)
KICK: Final = Action("table.kick", ("K",), N_("Send a player away"), Context.TABLE)

LOG: Final = Action("match.log", ("L",), N_("Log"), Context.MATCH)
# TRANSLATORS: a key: shows the result.
RESULT: Final = Action("match.result", ("R",), N_("Result"), Context.MATCH)
TAKE_BACK: Final = Action("match.take_back", ("u",), N_("Take back"), Context.MATCH)
PLAY_ON: Final = Action("match.play_on", ("p",), N_("Play on"), Context.MATCH)
# TRANSLATORS: a key: writes a line that nobody else sees.
NOTE: Final = Action("match.note", ("W",), N_("Note to yourself"), Context.MATCH)
LOOK_BACK: Final = Action("match.look_back", ("V",), N_("Look back"), Context.MATCH)
HINT: Final = Action("match.hint", ("H",), N_("Hint"), Context.MATCH)
HURRY: Final = Action("match.hurry", ("F",), N_("Fast to your turn"), Context.MATCH)
HAND_OVER: Final = Action("match.hand_over", ("E",), N_("Autoplay"), Context.MATCH)
MATCH_NOTIFY: Final = Action("match.notify", ("D",), N_("Be told elsewhere"), Context.MATCH)
KICK_PLAYER: Final = Action("match.kick", ("K",), N_("Send a player away"), Context.MATCH)

COPY: Final = Action("result.copy", ("c",), N_("Copy the result"), Context.RESULT)
# TRANSLATORS: a key, a noun: a bot judges the match.
REVIEW_RESULT: Final = Action("result.review", ("v",), N_("Review"), Context.RESULT)
# TRANSLATORS: a key, a verb: gives the match to others.
EXPORT_RESULT: Final = Action("result.export", ("x",), N_("Share"), Context.RESULT)
REMATCH: Final = Action("result.rematch", ("r",), N_("Rematch"), Context.RESULT)
OTHER_BOTS: Final = Action("result.bots", ("n",), N_("Set up a match"), Context.RESULT)
NEXT_LEVEL: Final = Action("result.level", ("p",), N_("Next level"), Context.RESULT)
TO_TABLE: Final = Action("result.table", ("b",), N_("Back to the table"), Context.RESULT)

SEARCH: Final = Action("rules.search", ("slash",), N_("Search"), Context.RULES)
NEXT_MATCH: Final = Action("rules.next", ("n",), N_("Next hit"), Context.RULES)
PREVIOUS_MATCH: Final = Action("rules.previous", ("N",), N_("Previous hit"), Context.RULES)
CONTENTS: Final = Action("rules.contents", ("c",), N_("Contents"), Context.RULES)

DELETE_MATCH: Final = Action("history.delete", ("d",), N_("Delete"), Context.HISTORY)
EXPORT_MATCH: Final = Action("history.export", ("x",), N_("Share"), Context.HISTORY)
SEARCH_MATCHES: Final = Action("history.search", ("slash",), N_("Search"), Context.HISTORY)
REVIEW_MATCH: Final = Action("history.review", ("v",), N_("Review"), Context.HISTORY)
# TRANSLATORS: a key: shows the replay as another player saw it.
EYES: Final = Action("replay.eyes", ("e",), N_("Other eyes"), Context.REPLAY)
# TRANSLATORS: a key: goes to your next own turn.
OWN_TURN: Final = Action("replay.own", ("n",), N_("Own turn"), Context.REPLAY)
OWN_TURN_BEFORE: Final = Action("replay.own_before", ("N",), N_("Own turn before"), Context.REPLAY)
STORY: Final = Action("replay.story", ("f",), N_("Follow a card, tile or tower"), Context.REPLAY)
REVIEW: Final = Action("replay.review", ("v",), N_("Review"), Context.REPLAY)
MISTAKE: Final = Action("replay.mistake", ("m",), N_("Next mistake"), Context.REPLAY)
MISTAKE_BEFORE: Final = Action(
    "replay.mistake_before", ("M",), N_("Mistake before"), Context.REPLAY
)
# TRANSLATORS: a key: plays on from here in another way.
WHAT_IF: Final = Action("replay.what_if", ("w",), N_("What if"), Context.REPLAY)
TRY: Final = Action("replay.try", ("a",), N_("Try again"), Context.REPLAY)
COMMENT: Final = Action("replay.comment", ("c",), N_("Comment"), Context.REPLAY)
# TRANSLATORS: a key: how fast the replay runs.
SPEED: Final = Action("replay.speed", ("s",), N_("Speed"), Context.REPLAY)
TOGETHER: Final = Action("together", ("A",), N_("Look together"), Context.AFTER)

# TRANSLATORS: a key: leads from a match of days to the next one where it is your turn.
NEXT_DUE: Final = Action("match.next", ("C",), N_("Your next match"), Context.AT_TABLE)
CHAT: Final = Action("chat", ("slash",), N_("Chat"), Context.AT_TABLE)
PHRASES: Final = tuple(
    Action(f"chat.phrase_{n}", (str(n % 10),), N_("A quick phrase"), Context.CHAT)
    for n in range(1, 11)
)
# TRANSLATORS: a key, a verb: hides what a player says.
MUTE: Final = Action("chat.mute", ("m",), N_("Mute"), Context.CHAT)
HUSH: Final = Action("chat.hush", ("w",), N_("Silence all who watch"), Context.CHAT)
UNSAY: Final = Action("chat.unsay", ("x",), N_("Take a line away"), Context.CHAT)

ACTIONS: Final = (*(one for one in [*globals().values()] if isinstance(one, Action)), *PHRASES)
"""Those that have a name here; `deeds.places.ALL_ACTIONS` has those of games and of deeds, too."""
