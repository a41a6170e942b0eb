"""The operator's invitations: made, listed, revoked."""

from protocol.errors import GoodbyeCode
from protocol.text import MAX_NAME_CELLS, clean, fits
from server.admission.invitations import LONGEST_S, USUAL_S, CannotInvite
from server.guests import host_key
from server.net.reachable import named
from server.net.session import Session
from server.operating import audit, words
from server.operating.desk import Desk
from server.operating.words import Answer, CouldNot, NotHere
from server.settings import ConfigError
from server.tasks import few

ALL = "all"
_NAME_BYTES = 48


async def invite(desk: Desk, asked: words.Invite, user: int) -> Answer:
    """The answer's values have the line; nothing else ever shows its secret again."""
    name, table = clean(asked.name), clean(asked.table).upper()
    if name == ALL or not fits(name, MAX_NAME_CELLS, _NAME_BYTES):
        raise CouldNot(f"no invitation can be called {name!a}: give a short name")
    if not 0 <= asked.for_s <= LONGEST_S:
        raise CouldNot(f"an invitation holds for {LONGEST_S // 86400} days at most")
    if table and table not in desk.lobby.tables and table not in desk.lobby.resting.codes:
        raise NotHere(f"there is no table {table!a}; `tables` lists them all")
    try:
        found = [place for text in asked.addresses for place in named(text)]
        for_s = asked.for_s or USUAL_S
        await desk.keep(audit.now(user, "invite", whom=name, what=f"{table} for {for_s} s".strip()))
        made, line = await desk.invitations.issue(name, for_s, table=table, places=found)
    except (ConfigError, CannotInvite) as error:
        raise CouldNot(str(error)) from None
    values = {
        "name": made.name,
        "until": made.until,
        "table": made.table,
        "invitation": line,
        "page": desk.invitations.page(line),
        "ssh": host_key.fingerprint(desk.folder),
    }
    return Answer(done=True, values=values)


async def invitations(desk: Desk, _asked: words.Invitations) -> Answer:
    came = [one.came_by.sha256 for one in desk.sessions() if one.came_by is not None]
    rows = [
        {
            "name": one.name,
            "table": one.table,
            "by": one.by,
            "since": one.since,
            "until": one.until,
            "here": came.count(one.sha256),
        }
        for one in desk.invitations.all()
    ]
    return Answer(done=True, said="nobody is invited" if not rows else "", rows=rows)


async def revoke(desk: Desk, asked: words.Revoke, user: int) -> Answer:
    name = clean(asked.name)
    meant = [one for one in desk.invitations.kept() if name in (ALL, one.name)]
    hashes = {one.sha256 for one in meant}
    came = [one for one in desk.sessions() if one.came_by and one.came_by.sha256 in hashes]
    used = {one.came_by.sha256 for one in came if one.came_by}
    meant = [one for one in meant if desk.invitations.holds(one) or one.sha256 in used]
    if not meant:
        raise NotHere(f"there is no invitation {name!a}; `invitations` lists them all")
    names = ", ".join(one.name for one in meant)
    await desk.keep(audit.now(user, "revoke", whom=names, what="kick" * asked.kick))
    try:
        await desk.invitations.revoke(lambda one: one.sha256 in hashes)
    except CannotInvite as error:
        raise CouldNot(str(error)) from None
    people = ", ".join(session.name for session in came)
    if not came:
        return Answer(done=True, said=f"revoked: {names}; nobody is here by it")
    if asked.kick:
        await _turn_out(came)
        return Answer(done=True, said=f"revoked: {names}; sent away: {people}")
    stay = "they stay until their connection ends; --kick sends them away"
    return Answer(done=True, said=f"revoked: {names}; still here: {people}; {stay}")


async def _turn_out(came: list[Session]) -> None:
    async for session in few(came):
        if (table := session.at_table()) is not None:
            table.kicked.expel(session)
        session.goodbye(GoodbyeCode.INVITATION_REVOKED)
