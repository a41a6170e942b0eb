"""What a host reads out to friends: whole on a wide screen, short on a narrow one."""

import pytest

from clocktowers_tui.net.address import pasted_invitation
from clocktowers_tui.phrases.friends import doors_in_words, hosting_in_words, printed_in_words
from clocktowers_tui.state.connection import Connection, Kind
from protocol.text import cells
from protocol.ways import Ways

NEAR = ("192.168.1.5:7777", "[fd00::5]:7777")
LINE = "ct:" + "0J3W" * 18
PAGE = "https://192.168.1.5:7777/#" + "0J3W" * 5
KEY = "SHA256:" + "x" * 43
ALL = Ways(LINE, PAGE, ("fd00::5", 7777), KEY, nearby=True)


def said(width: int, ways: Ways = ALL) -> str:
    here = Connection(kind=Kind.HOST, address="here:1", name="Ann", friends=NEAR, ways=ways)
    return hosting_in_words(here, width, "I")


@pytest.mark.parametrize("width", [56, 76, 98, 103, 160])
def test_nothing_that_a_friend_types_is_broken(width: int) -> None:
    lines = said(width).splitlines()
    assert all(cells(line) <= width for line in lines)
    typed = [line for line in lines if line.startswith("Friends type:")]
    invited = width >= cells(f"Friends type:  clocktowers join {LINE}")
    assert len(typed) == 1 and pasted_invitation(typed[0]) == (LINE if invited else "")
    assert typed[0].endswith(LINE if invited else NEAR[0])
    assert ("I shows an invitation" in said(width)) == (not invited)
    assert "ssh NAME@fd00::5 -p 7777" in said(width)
    assert (f"Answer yes if it is this one:  {KEY}" in said(width)) == (width >= 103)
    assert (PAGE if width > 61 else PAGE.partition("/#")[0]) in said(width)


def test_only_what_is_there_is_told() -> None:
    assert said(80, Ways()).splitlines() == [
        f"Friends type:  clocktowers join {address}" for address in NEAR
    ]
    away = Connection(kind=Kind.VISIT, address="there:1", name="Ann")
    assert hosting_in_words(away, 80, "I") == ""
    assert doors_in_words(Ways(ssh=("h", 1)), 0, "K7QM") == ["With SSH:  ssh -t NAME@h -p 1 K7QM"]


def test_the_terminal_keeps_the_whole_line() -> None:
    assert f"clocktowers join {LINE}" in printed_in_words(NEAR, ALL).splitlines()[0]
    assert printed_in_words(NEAR, ALL).splitlines()[2].endswith(KEY)
    assert len(printed_in_words(NEAR, ALL).splitlines()) == 5
