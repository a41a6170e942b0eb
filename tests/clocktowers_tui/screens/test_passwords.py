"""A server that wants a password: the player types it on the screen, which never shows it."""

import re

import pytest

from clocktowers_tui.net import ticket
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.ticket import PasswordAsked, Ticket
from clocktowers_tui.net.wishes import Visit
from protocol.errors import GoodbyeCode
from protocol.from_server import Goodbye
from server.config import Limits
from tests.stage.house import house
from tests.stage.pilot import Playing, playing, press, seen, sees, until
from tests.stage.scripted_server import Peer, scripted

WORD = "tower7"


async def types(player: Playing, text: str) -> None:
    await press(player, *text)
    assert not text or text not in seen(player[0])
    await press(player, "enter")


async def test_the_menu_asks_until_it_is_right() -> None:
    async with house(password=WORD) as at, playing() as player:
        await press(player, "c")
        await sees(player, "Server")
        await press(player, *str(Address(*at.address)), "enter")
        await sees(player, "The server asks for a password.")
        await types(player, "bell")
        await sees(player, "The password is wrong")
        await types(player, WORD)
        await until(player[1], lambda: player[0].state.connection is not None)
        assert WORD not in seen(player[0])


async def test_join_on_the_command_line_asks_too_and_esc_goes_to_the_menu() -> None:
    async with house(password=WORD) as at:
        wish = Visit(Address(*at.address))
        async with playing(asked=wish) as player:
            await sees(player, "The server asks for a password.")
            await press(player, "escape")
            await sees(player, "Join a table", "The server asks for a password.")
        async with playing(asked=wish) as player:
            await sees(player, "The server asks for a password.")
            await types(player, WORD)
            await until(player[1], lambda: player[0].state.connection is not None)


async def test_too_many_tries_are_a_sentence_with_the_wait() -> None:
    limits = Limits(tries_burst=1, tries_s=0.001)
    async with (
        house(password=WORD, limits=limits) as at,
        playing(asked=Visit(Address(*at.address), Ticket("bell"))) as player,
    ):
        await sees(player, "The password is wrong")
        await types(player, WORD)
        await sees(player, "There were too many wrong tries; wait ")
        said = re.search(r"wait (\d+) s and try again", seen(player[0]))
        assert said is not None and 0 < int(said[1]) <= 1000  # since the first try


@pytest.mark.parametrize("takes", [0, 1])
async def test_over_a_line_that_others_read_nothing_goes_without_a_yes(
    takes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []

    async def script(peer: Peer) -> None:
        hello = await peer.hears()
        heard.append(hello.password)  # type: ignore[attr-defined]
        params = {} if heard[-1] else {"in_clear": takes}
        peer.says(Goodbye(GoodbyeCode.PASSWORD, {**params}))

    monkeypatch.setattr("clocktowers_tui.net.link.is_private", lambda line: False)
    async with scripted(script) as address:
        async with playing(asked=Visit(address, Ticket(WORD))) as player:
            if not takes:
                await sees(player, "encrypted connections only", "invitation", "Join a table")
                assert heard == [""]
                return
            await sees(player, "Send a password unencrypted?", "could read it")
            await press(player, "enter")  # the safe answer
            await sees(player, "Join a table")
            assert heard == [""]
        async with playing(asked=Visit(address, Ticket(WORD))) as player:
            await sees(player, "Send a password unencrypted?")
            await press(player, "down", "enter")
            await sees(player, "The password is wrong")
            assert heard == ["", "", WORD]


class Line:
    """A transport with this far end."""

    def __init__(self, **info: object) -> None:
        self._info = info

    def get_extra_info(self, name: str) -> object:
        return self._info.get(name)


@pytest.mark.parametrize(
    ("line", "private"),
    [
        (Line(peername=("127.0.0.1", 1), sockname=("127.0.0.1", 2)), True),
        (Line(peername=("192.0.2.1", 1), sockname=("192.0.2.1", 2)), True),
        (Line(peername=""), True),
        (Line(peername=("192.0.2.1", 1), sockname=("192.0.2.2", 2)), False),
        (Line(peername=("fe80::1", 1, 0, 2), sockname=("fe80::2", 1, 0, 2)), False),
        (Line(peername=("192.0.2.1", 1)), False),
        (Line(peername=("192.0.2.1", 1), ssl_object=object()), True),
    ],
)
def test_a_private_line_is_within_the_machine_or_encrypted(line: Line, private: bool) -> None:
    assert ticket.is_private(line) is private


def test_only_a_password_that_may_help_is_asked_for() -> None:
    assert [ticket.asks_password(PasswordAsked(how, {})) for how in (None, True, False)] == [
        True,
        True,
        False,
    ]
