"""Where to go, as players type or paste it: an address, or an invitation."""

from typing import Final

from clocktowers_tui.net.address import Address, as_code, parse_place, pasted_invitation
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.ticket import Ticket
from clocktowers_tui.net.trust import FIRST_USE, Trust, typed_trust
from clocktowers_tui.net.wishes import Visit
from protocol.invitation import BadInvitation, Wrong, decode

_FAULTS: Final = {
    Wrong.MISTYPED: Fault.INVITATION_MISTYPED,
    Wrong.CUT: Fault.INVITATION_CUT,
    Wrong.NEWER: Fault.INVITATION_NEWER,
}


def visit_to(text: str, table: str = "", ticket: Ticket = Ticket()) -> Visit:  # noqa: B008  (frozen)
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
        raise LinkError(_FAULTS[error.wrong]) from None
    first, *others = (Address(*place) for place in invitation.places)
    trust = Trust(invitation.key) if invitation.key else FIRST_USE
    shown = ticket._replace(invitation=invitation.secret)
    code = table or as_code(invitation.table)
    return Visit(first, shown, code, trust=trust, others=tuple(others))
