"""How friends and guests come to a server, in words, and which servers there are to go to."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from clocktowers_tui.net.address import HOUSE, Address, parse_address
from clocktowers_tui.net.trust import dialled_by_friends, is_here
from clocktowers_tui.state.table import Connection
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.i18n import _, ngettext, pgettext
from protocol.guests import House
from protocol.ids import DEFAULT_PORT
from protocol.invitation import Ways
from protocol.text import cells, clean

if TYPE_CHECKING:  # loaded with the list of servers
    from clocktowers_tui.net.nearby import Deaf, Neighbour

_BETWEEN: Final = "   "
_UNBOUND: Final = 1000


def hosting_in_words(connection: Connection, width: int, key: str = "") -> str:
    """How friends come to the player's own server, in lines of `width` cells where they fit; "" at
    others' servers. What a friend types is the address; `key` shows the invitation."""
    friends, ways = connection.friends, connection.ways
    others, invited = doors_in_words(ways, width), bool(ways.invitation)
    others += [anywhere_in_words(key)] if invited and key else []
    typed = joining_in_words(commands(friends[:1] if invited else friends))
    return "\n".join([*typed, *_packed(others, width)])


def doors_in_words(ways: Ways, width: int, table: str = "") -> list[str]:
    """What friends do without the program, or on the same network. A web address that has no room
    goes without its secret: it leads to the same page. The key of SSH that has none is left out."""
    said = []
    if command := ssh_command(ways, table):
        said.append(_("With SSH:  {command}").format(command=command))
    if (key := ssh_key_in_words(ways)) and cells(key) <= width:
        said.append(key)
    if ways.page:
        browser, page = _("In a browser:  {address}"), clean(ways.page)
        whole = browser.format(address=page)
        short = browser.format(address=page.partition("/#")[0])
        said.append(whole if cells(whole) <= width else short)
    if ways.nearby:
        said.append(_("On your network, try:  {command}").format(command="clocktowers join"))
    return said


def ssh_command(ways: Ways, table: str = "") -> str:
    """What a friend with SSH and no program of ours types; "" = that door is shut."""
    if ways.ssh is None:
        return ""
    host, port = ways.ssh  # without the brackets of IPv6, as ssh takes it
    # With a command, ssh asks for a terminal only when it is told to.
    asks, to = ("-t ", f" {table}") if table else ("", "")
    name = _("NAME")  # TRANSLATORS: what a friend types for their own, in a command.
    return f"ssh {asks}{name}@{clean(host)} -p {port}{to}"


def ssh_key_in_words(ways: Ways) -> str:
    """What the friend is asked the first time; "" = nothing is known of the key."""
    if not ways.ssh_key:
        return ""
    said = _("ssh asks about a key. Answer yes if it is this one:  {key}")
    return said.format(key=clean(ways.ssh_key))


def anywhere_in_words(key: str) -> str:
    """The key shows an invitation, to be copied."""
    return _("{key} shows an invitation to copy").format(key=key)


def printed_in_words(friends: Sequence[str], ways: Ways) -> str:
    """All of it, each thing in a line of its own, for a terminal to keep; "" at others' servers."""
    typed = commands(friends)
    typed = [*typed[:1], inviting(ways.invitation)] if ways.invitation else typed
    return "\n".join([*joining_in_words(typed), *doors_in_words(ways, _UNBOUND)])


def inviting(invitation: str) -> str:
    return f"clocktowers join {invitation}"


def _packed(said: Sequence[str], width: int) -> list[str]:
    """As many beside each other as fit into a line."""
    lines: list[str] = []
    for one in said:
        longer = f"{lines[-1]}{_BETWEEN}{one}" if lines else one
        if lines and cells(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(one)
    return lines


def joining_in_words(typed: Sequence[str]) -> list[str]:
    """A line for each command."""
    return [f"{typing_in_words()}  {command}" for command in typed]


def typing_in_words() -> str:
    return _("Friends type:")


def plainly_in_words(typed: Sequence[str]) -> list[str]:
    """The first of these commands, for friends who listen."""
    plain = [one.replace("clocktowers", "clocktowers --plain", 1) for one in typed[:1]]
    return [_("Friends who listen type:"), *plain] if plain else []


def commands(addresses: Sequence[str], table: str = "") -> list[str]:
    """What leads to a server, or to a table of it. Nobody types the port that all servers have."""
    at = f" --table {table}" if table else ""
    typed = ([one.removesuffix(f":{DEFAULT_PORT}") for one in to.split(",")] for to in addresses)
    return [f"clocktowers join {','.join(places)}{at}" for places in typed]


def typed_by_friends(connection: Connection, table: str = "") -> Sequence[str]:
    """Each of it leads others to this server, or to a table of it; nothing where a guest does not
    know the address. Of several machines two: one may be away, and either names the others."""
    if connection.address == str(HOUSE):
        return []
    if connection.shut:
        return [inviting(clean(connection.ways.invitation))] if connection.ways.invitation else []
    own = dialled_by_friends(parse_address(connection.address))
    nodes = filter(None, connection.welcome.nodes)
    machines = [*dict.fromkeys((str(own), *nodes))][:2]
    return commands(connection.friends or [",".join(machines)], table)


def going_on_in_words(waits: bool) -> str:
    """What becomes of the player's own server, to which friends come, without the player. `waits`:
    a seat of theirs waits there for a first match."""
    if waits:
        return _("Your server stays open: your seat at its table waits.")
    return _("Your server stops a minute after the last player has left.")


# What a guest of a server has to know.


def staying_in_words(house: House | None) -> str:
    """Said in the lobby: how a guest comes back, and when their line ends; "" for other players."""
    if house is None:
        return ""
    lines = [code_in_words(house.code), idle_told_in_words(house.idle_s)]
    return "\n".join(line for line in lines if line)


def code_in_words(code: str) -> str:
    """How a guest without a key comes back to their seat."""
    if not code:
        return ""
    said = _("To come back to your seat, log in as {code}.")
    return said.format(code=code)


def idle_in_words(idle_s: float) -> str:
    """Why the line has ended."""
    minutes = _minutes(idle_s)
    return ngettext(
        "You pressed nothing for {n} minute: the connection has ended. Connect again.",
        "You pressed nothing for {n} minutes: the connection has ended. Connect again.",
        minutes,
    ).format(n=minutes)


def idle_told_in_words(idle_s: float) -> str:
    """Said when the guest comes."""
    minutes = _minutes(idle_s)
    return ngettext(
        "The connection ends when you press nothing for {n} minute.",
        "The connection ends when you press nothing for {n} minutes.",
        minutes,
    ).format(n=minutes)


def _minutes(seconds: float) -> int:
    return max(1, round(seconds / 60))


def coming_in_words(connection: Connection, table: str) -> str:
    """How friends come to this table, where nothing that they can type leads there."""
    if connection.shut:
        said = _(
            "Only this machine reaches {address}. With --host 0.0.0.0 a server lets others in."
        )
        return said.format(address=connection.address)
    said = _("Friends come to this server as you did, and join table {code}.")
    return said.format(code=table)


# Servers to go to, in words.


_ADDRESS: Final = 21
_ABOUT: Final = 16
_GAP: Final = 2


def known_server_in_words(
    address: Address, heard: "Neighbour | None", width: int, own_key: str, *, silent: bool
) -> str:
    """A line of the list: a name, the address, and what there is to know. `heard` None: the player
    has been there. `own_key`: as in `Settings`. `silent`: it has not answered."""
    name, about = "" if heard is None else heard.nearby.name, _about(address, heard, own_key)
    about = pgettext("of a server, 16 cells", "does not answer") if silent else about
    ends = " " * _GAP + about
    first = max(0, width - _GAP - _ABOUT)
    if not name:
        return pad(str(address), first) + ends
    return pad(name, first - _GAP - _ADDRESS) + " " * _GAP + pad(str(address), _ADDRESS) + ends


def is_own(heard: "Neighbour | None", own_key: str) -> bool:
    """Whether the player hosts it."""
    return heard is not None and heard.nearby.key == own_key != ""


def _about(address: Address, heard: "Neighbour | None", own_key: str) -> str:
    from protocol.networks import lan_addresses  # loaded with the list of servers

    if is_own(heard, own_key):
        return pgettext("of a server, 16 cells", "your server")
    if is_here(address) or address.host in lan_addresses():
        return pgettext("of a server, 16 cells", "on this machine")
    if heard is None:
        return pgettext("of a server, 16 cells", "joined before")
    if not heard.nearby.understood:
        return pgettext("of a server, 16 cells", "another version")
    if heard.nearby.password:
        return pgettext("of a server, 16 cells", "asks a password")
    return pgettext("of a server, 16 cells", "on your network")


def deaf_in_words(error: "Deaf") -> str:
    """Why no server on the network can be heard, and what to do."""
    if not (why := str(error)):
        return _("Ask your host for an invitation, or for the server's address.")
    said = _("You cannot see servers on your network: {why}. Type an address.")
    return said.format(why=why)
