"""The bell rings for a line of chat only when that was asked for."""

from clocktowers_tui.app.chat_notice import ChatNotice
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.state.hearing import toggled
from clocktowers_tui.state.store import State, heard
from protocol.from_server import Said
from tests.clocktowers_tui.state.test_chat import there

ASKED = Settings(chat_bell=True)


def rings(*states: State, settings: Settings = ASKED) -> int:
    rung: list[str] = []
    notice = ChatNotice(lambda: rung.append("rung"))
    for state in states:
        notice.follow(state, settings)
    return len(rung)


def test_it_rings_once_for_each_new_line_of_another() -> None:
    first, second = there("Ben"), heard(there("Ben"), Said(n=2, name="Ben", text="?"))
    assert rings(there(), first, first, second) == 2
    assert rings(there(), there("Ann")) == 0


def test_unasked_it_never_rings() -> None:
    assert rings(there(), there("Ben"), settings=Settings()) == 0


def test_who_is_muted_rings_nothing() -> None:
    quiet = toggled(there(), "Ben")
    assert rings(quiet, heard(quiet, Said(n=1, name="Ben", text="hello"))) == 0
