"""What the player wants a line for, also as they type it. A wish is only data: `arrival` opens the
line."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clocktowers_tui.net.address import Address, as_code, parse_place, pasted_invitation
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.trust import FIRST_USE, NO_TICKET, Ticket, Trust, typed_trust
from protocol.from_client import CreateTable
from protocol.invitation import NO_SECRET, BadInvitation, decode

if TYPE_CHECKING:  # a command line is read without asyncio
    from clocktowers_tui.net.seats import Seat


class Solo(NamedTuple):
    """Play against bots, on a server that has only this match. `lesson`: it is a guided match,
    which is played again up to where the player was. `instead`: the match that waits, on the
    player's own server; it ends when the new server has started. `people`: the names of those
    who play at this keyboard, the player's first; () = there is nobody else."""

    table: CreateTable
    lesson: bool = False
    instead: "Seat | None" = None
    people: tuple[str, ...] = ()


class Mailed(NamedTuple):
    """Open the file of a match that goes by mail. `begins`: which match, in a new file; None: the
    file is there."""

    file: Path
    begins: Solo | None = None


class Return(NamedTuple):
    """Go back to a seat of `seats.unfinished()`. `table`: where to join when that seat is gone.
    `trust`: in place of what is kept with the seat. `addresses`: what the player has typed, which
    is dialled before what is kept with the seat."""

    seat: "Seat"
    ticket: Ticket = NO_TICKET
    table: str = ""
    trust: Trust = FIRST_USE
    addresses: tuple[Address, ...] = ()


class Host(NamedTuple):
    """Open a server that others on the network can join, or come back to the player's own that
    still runs; where there is no table, make this `table`. `flags`: settings, as
    `clocktowers-server serve` takes them."""

    table: CreateTable
    flags: tuple[str, ...] = ()


class Visit(NamedTuple):
    """Go to somebody's server, and with a `table` (its code) straight to that. A seat that waits
    there under the same name comes first, unless they want it `fresh`. `trust`: by what the server
    is known. `others`: addresses that it may have, too. `match`: a finished one of which they want
    to see the record and nothing else, by its id, and the `proof` that opens it."""

    address: Address
    ticket: Ticket = NO_TICKET
    table: str = ""
    watch: bool = False
    trust: Trust = FIRST_USE
    others: tuple[Address, ...] = ()
    match: str = ""
    proof: bytes = b""
    fresh: bool = False

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The likeliest first."""
        return (self.address, *self.others)


Wish: TypeAlias = Solo | Host | Visit | Return


def again(wish: Wish, seat: "Seat | None") -> Wish:
    """What to wish for after the line was lost for good: a seat at somebody's server is lost with
    it, a seat at the player's own server is not."""
    if isinstance(wish, Solo) and wish.lesson:
        return wish
    if seat is not None and seat.folder:
        return Return(seat)
    match wish:
        case Solo():
            return wish._replace(instead=None)
        case Visit():
            return wish._replace(table="", watch=False)
        case Return(seat=had, ticket=ticket, trust=trust) if not had.folder:
            return Visit(had.address, ticket, trust=trust, others=had.others)
        case _:
            return wish


def visit_to(text: str, table: str = "", ticket: Ticket = NO_TICKET) -> Visit:
    """The visit that somebody typed. `table`: its code, in place of one in the text; `ticket`: what
    to show besides. Raises LinkError."""
    typed, trust = typed_trust(text)
    if line := pasted_invitation(typed):
        return _invited(line, as_code(table), ticket)
    (first, *others), code = parse_place(typed)
    return Visit(first, ticket, as_code(table) or code, trust=trust, others=tuple(others))


def _invited(line: str, table: str, ticket: Ticket) -> Visit:
    try:
        invitation = decode(line)
    except BadInvitation as error:
        raise LinkError(Fault[f"INVITATION_{error.wrong.name}"]) from None
    if invitation.moves:
        raise LinkError(Fault.MOVES)
    first, *others = (Address(*place) for place in invitation.places)
    trust = Trust(invitation.key) if invitation.key else FIRST_USE
    if invitation.secret != NO_SECRET:
        ticket = ticket._replace(invitation=invitation.secret)
    code = table or as_code(invitation.table)
    to_match = invitation.match, invitation.proof
    return Visit(first, ticket, code, False, trust, tuple(others), *to_match)
