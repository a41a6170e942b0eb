"""The table's chat: its lines, how many are unread, and what the player is about to say.

Law: a line is cleaned when it enters, and enters once, however often the server tells it.
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from protocol.from_server import ChatHistory, Said
from protocol.table import MAX_CHAT_CHARACTERS
from protocol.text import clean

MAX_LINES: Final = 200
"""How many lines the client keeps; the server tells a newcomer fewer."""


class Chat(Struct, frozen=True, kw_only=True):
    """`fresh`: how many of the newest `lines` came since the player last read them. `draft`: what
    the player has typed but not sent."""

    lines: tuple[Said, ...] = ()
    fresh: int = 0
    draft: str = ""


def said(chat: Chat, message: Said) -> Chat:
    """Add a line."""
    return _with(chat, [_cleaned(message)], news=True)


def caught_up(chat: Chat, message: ChatHistory, *, news: bool) -> Chat:
    """Add what was missed. `news`: the player has been here before, so new lines are unread."""
    have = set(chat.lines)
    lines = [_cleaned(line) for line in message.lines]
    return _with(chat, [line for line in lines if line not in have], news=news)


def read(chat: Chat) -> Chat:
    """The player has read everything."""
    return replace(chat, fresh=0) if chat.fresh else chat


def drafted(chat: Chat, text: str) -> Chat:
    """Keep what the player has typed so far."""
    return replace(chat, draft=text)


def _with(chat: Chat, lines: list[Said], *, news: bool) -> Chat:
    kept = (*chat.lines, *lines)[-MAX_LINES:]
    fresh = min(len(kept), chat.fresh + len(lines)) if news else chat.fresh
    return replace(chat, lines=kept, fresh=fresh)


def _cleaned(line: Said) -> Said:
    return replace(
        line,
        name=clean(line.name),
        text=clean(line.text[: 2 * MAX_CHAT_CHARACTERS])[:MAX_CHAT_CHARACTERS],
        phrase=clean(line.phrase),
    )
