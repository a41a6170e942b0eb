"""What was said at the table, how much of it is unread, and what is about to be said.

Law: a line is clean when it gets in here, and gets in once, however often the server tells it.
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from protocol.chat import MAX_CHAT_CHARACTERS
from protocol.from_server import ChatHistory, Said
from protocol.text import clean

MAX_LINES: Final = 200
"""Kept; the server tells a newcomer of fewer."""


class Chat(Struct, frozen=True, kw_only=True):
    """`fresh`: so many of the newest `lines` have come since they were last read. `draft`: what has
    been typed and not said."""

    lines: tuple[Said, ...] = ()
    fresh: int = 0
    draft: str = ""


def said(chat: Chat, message: Said) -> Chat:
    """One line more."""
    return _with(chat, [_cleaned(message)], news=True)


def caught_up(chat: Chat, message: ChatHistory, *, news: bool) -> Chat:
    """What was missed. `news`: one has been here before, so what one has not is unread."""
    have = set(chat.lines)
    lines = [_cleaned(line) for line in message.lines]
    return _with(chat, [line for line in lines if line not in have], news=news)


def read(chat: Chat) -> Chat:
    """All of it has been seen."""
    return replace(chat, fresh=0) if chat.fresh else chat


def drafted(chat: Chat, text: str) -> Chat:
    """This is what the player has typed so far."""
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
