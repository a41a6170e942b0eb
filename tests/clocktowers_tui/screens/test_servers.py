"""The list of servers: it grows while the player looks, and leads there by arrows and Enter."""

import sys
from collections.abc import Sequence

import pytest
from msgspec import json
from textual.widgets import Input

from clocktowers_tui.config.settings import been_at
from clocktowers_tui.net import nearby
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.nearby import Heard
from clocktowers_tui.screens.servers import Servers
from protocol.nearby import Nearby
from tests.stage.pilot import Playing, playing, press, seen, sees

SAYS = "import sys\nfor line in sys.argv[1:]: print(line, flush=True); sys.stdin.read(1)"


def heard(name: str, address: Address, **more: bool | tuple[int, ...]) -> Heard:
    return Heard(name, *address, Nearby(name=name, **more))  # type: ignore[arg-type]


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> "Say":
    monkeypatch.setenv(nearby.VARIABLE, "")
    return Say(monkeypatch)


class Say:
    """Puts a program in the listener's place, which prints this."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch

    def __call__(self, *lines: Sequence[Heard] | str) -> None:
        said = (line if isinstance(line, str) else json.encode(line).decode() for line in lines)
        self._patch.setattr(nearby, "PROGRAM", (sys.executable, "-S", "-c", SAYS, *said))


async def at_the_list(player: Playing) -> None:
    await sees(player, "Join a table")
    await press(player, "c")
    await sees(player, "Table (if known)")


def rows(player: Playing) -> list[str | None]:
    menu = player[0].screen.query_one(Servers).menu
    return [option.id for option in menu.options]


async def test_arrows_and_enter_lead_to_a_server_that_is_heard(address: Address, says: Say) -> None:
    says([heard("Bert", Address("10.77.0.9", 7777)), heard("Ann's", address)])
    async with playing() as player:
        await at_the_list(player)
        await sees(player, "Ann's", "10.77.0.9:7777", "on your network")
        await press(player, "down", "enter")
        await sees(player, "New table")
        assert player[0].settings.servers == (str(address),)


async def test_what_is_known_of_a_server_stands_beside_it(says: Say) -> None:
    at = [Address(f"10.77.0.{number}", 7777) for number in range(4)]
    says(
        [
            heard("Ann", at[1]),
            heard("Bo", at[2], password=True),
            heard("Cy", at[3], versions=(9,)),
            heard("Eve", at[1]),  # at the address of another
        ]
    )
    async with playing() as player:
        player[0].keep(been_at(player[0].settings, str(at[0])))
        await at_the_list(player)
        await sees(player, "joined before", "on your network", "asks a password", "another version")
        assert rows(player) == [str(one) for one in at]
        assert "Eve" not in seen(player[0])


async def test_a_server_of_several_addresses_keeps_all_of_them(address: Address, says: Say) -> None:
    """The list leads to whichever is there."""
    says([heard("Ann's", address)])
    typed = f"127.0.0.1:1,{address}"  # nobody is at the first
    async with playing() as player:
        player[0].keep(been_at(player[0].settings, str(address)))
        player[0].keep(been_at(player[0].settings, typed))
        assert player[0].settings.servers == (typed,)
        await at_the_list(player)
        assert rows(player)[0] == typed
        player[0].screen.query_one(Servers).menu.focus()
        await press(player, "enter")
        await sees(player, "New table")
        assert set(player[0].settings.servers[0].split(",")) == set(typed.split(","))


async def test_new_servers_come_last_and_the_cursor_stays(says: Say) -> None:
    one, two, three = (heard(name, Address(f"10.77.0.{name}", 7777)) for name in "123")
    says()
    async with playing() as player:
        await at_the_list(player)
        servers = player[0].screen.query_one(Servers)
        for now, listed in (
            ([two], [two]),
            ([one, two, three], [two, one, three]),
            ([three, two], [two, three]),
        ):
            servers.hear(now)
            assert rows(player) == [str(each.address) for each in listed]
            assert servers.menu.at == str(two.address)
        servers.hear([])
        await sees(player, "You see no server")


async def test_a_player_who_types_goes_on_typing(says: Say) -> None:
    says()
    async with playing() as player:
        await at_the_list(player)
        await press(player, *"10.")
        player[0].screen.query_one(Servers).hear([heard("Ann", Address("10.77.0.1", 7777))])
        await press(player, "7")
        assert player[0].screen.query_one("#server", Input).value == "10.7"


@pytest.mark.parametrize(
    ("line", "told"),
    [('"no network"', "network: no network"), ("{}", "You cannot see"), ("", "You cannot")],
)
async def test_who_cannot_listen_types_an_address(line: str, told: str, says: Say) -> None:
    says(line)
    async with playing() as player:
        await at_the_list(player)
        await sees(player, told)


async def test_without_the_library_it_says_what_to_do_instead(
    says: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    says()
    monkeypatch.setattr(nearby, "find_spec", lambda _name: None)
    async with playing(size=(60, 20)) as player:
        await at_the_list(player)
        await sees(player, "Ask your host for an invitation")
