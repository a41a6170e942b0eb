"""A line gets in once and clean, and what has not been read is known."""

from typing import Any

import pytest

from clocktowers_tui.state import chat as chats
from clocktowers_tui.state.chat import MAX_LINES, Chat
from protocol.chat import MAX_CHAT_CHARACTERS
from protocol.from_server import ChatHistory, Said
from protocol.text import clean
from tests.stage.hostile_texts import HOSTILE, harmless


def line(n: int, name: str = "Ben", **what: Any) -> Said:
    return Said(n=n, name=name, seat=1, **(what or {"text": f"line {n}"}))


def with_lines(*numbers: int) -> Chat:
    chat = Chat()
    for n in numbers:
        chat = chats.said(chat, line(n))
    return chat


def test_what_comes_is_unread_until_it_is_read() -> None:
    chat = with_lines(1, 2)
    assert [said.n for said in chat.lines] == [1, 2] and chat.fresh == 2
    chat = chats.read(chat)
    assert chat.fresh == 0 and chats.read(chat) is chat
    assert chats.said(chat, line(3)).fresh == 1


def test_a_reconnect_doubles_nothing_and_loses_nothing() -> None:
    told = ChatHistory([line(n) for n in range(1, 6)])
    chat = chats.caught_up(chats.read(with_lines(1, 2, 3)), told, news=True)
    assert [said.n for said in chat.lines] == [1, 2, 3, 4, 5] and chat.fresh == 2
    assert chats.caught_up(chat, told, news=True) == chat


def test_a_server_that_began_anew_is_heard_although_it_counts_from_one() -> None:
    chat = chats.read(with_lines(*range(1, 41)))
    told = ChatHistory([line(1, text="is everybody back?"), line(2, text="yes")])
    chat = chats.caught_up(chat, told, news=True)
    assert [said.text for said in chat.lines[-2:]] == ["is everybody back?", "yes"]
    assert chat.fresh == 2
    assert chats.said(chat, line(3, text="good")).lines[-1].text == "good"


def test_what_was_said_before_one_came_is_no_news() -> None:
    chat = chats.caught_up(Chat(), ChatHistory([line(1)]), news=False)
    assert chat.lines and chat.fresh == 0


def test_only_so_much_is_kept() -> None:
    chat = with_lines(*range(1, MAX_LINES + 11))
    assert [chat.lines[0].n, len(chat.lines), chat.fresh] == [11, MAX_LINES, MAX_LINES]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_server_that_does_not_clean_harms_nobody(text: str) -> None:
    said = chats.said(Chat(), Said(n=1, name=text, text=text, phrase=text)).lines[0]
    assert harmless(said.name + said.text + said.phrase)
    assert (said.name, said.text) == (clean(text), clean(text))


def test_nor_does_one_that_sends_a_book() -> None:
    said = chats.said(Chat(), Said(n=1, name="Ben", text="x" * 60_000)).lines[0]
    assert len(said.text) == MAX_CHAT_CHARACTERS
