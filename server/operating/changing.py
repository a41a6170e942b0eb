"""The operator's commands that change something beside the bans. Each is written down first."""

from protocol.errors import GoodbyeCode
from protocol.from_server import Notice, NoticeCode
from protocol.text import clean
from server.logs import setup as logs
from server.operating import audit, people, words
from server.operating.desk import Desk, tidy
from server.operating.people import send_away
from server.operating.words import MAX_TEXT, Answer, CouldNot, NotHere
from server.tasks import few

LEVELS = ("debug", "info", "warning", "error")


async def say(desk: Desk, asked: words.Say, user: int) -> Answer:
    if not (text := clean(asked.text)):
        raise CouldNot("nothing is left of that text: type visible characters")
    if len(text) > MAX_TEXT:
        raise CouldNot(f"the text has {len(text)} characters: write up to {MAX_TEXT}")
    await desk.keep(audit.now(user, "say", what=text))
    notice, told = Notice(NoticeCode.OPERATOR_SAYS, {"text": text}), desk.sessions()
    async for session in few(told):
        session.send(notice)
    return Answer(done=True, said=f"{len(told)} were told")


async def kick(desk: Desk, asked: words.Kick, user: int) -> Answer:
    person, reason = await people.find(asked.person, desk), tidy(asked.reason)
    await desk.keep(audit.now(user, "kick", whom=str(person), reason=reason))
    codes = {table.code for table, _seat in person.awaited}
    codes |= {session.table for session in person.sessions if session.table is not None}
    await send_away(person, lambda one: one.goodbye(GoodbyeCode.EXPELLED, reason=reason))
    tables = ", ".join(sorted(codes))
    return Answer(done=True, said=f"{person} is gone" + f", and kept from {tables}" * bool(tables))


async def close(desk: Desk, asked: words.Close, user: int) -> Answer:
    code, reason = clean(asked.table).upper(), tidy(asked.reason)
    if code not in desk.lobby.tables and code not in desk.lobby.resting.codes:
        raise NotHere(f"there is no table {code!a}; `tables` lists them all")
    await desk.keep(audit.now(user, "close", whom=code, reason=reason))
    desk.lobby.close(code)
    return Answer(done=True, said=f"the table {code} is closed")


async def drain(desk: Desk, asked: words.Drain, user: int) -> Answer:
    if asked.within_s < 0:
        raise CouldNot("a number of seconds cannot be less than 0")
    if asked.cancel and not desk.lobby.draining:
        raise CouldNot("the server does not drain")
    what = "cancel" if asked.cancel else f"within {asked.within_s} s" * bool(asked.within_s)
    await desk.keep(audit.now(user, "drain", what=what))
    if asked.cancel:
        desk.draining.cancel()
        return Answer(done=True, said="the server goes on")
    desk.draining.begin(asked.within_s)
    limit = f", and in {asked.within_s} s at the latest" * bool(asked.within_s)
    return Answer(done=True, said=f"the server stops when the matches are over{limit}")


async def log_level(desk: Desk, asked: words.LogLevel, user: int) -> Answer:
    if asked.level not in LEVELS:
        raise CouldNot(f"there is no level {clean(asked.level)!a}; there are {', '.join(LEVELS)}")
    await desk.keep(audit.now(user, "log-level", what=asked.level))
    logs.set_level(asked.level)
    return Answer(done=True, said=f"the log has lines from {asked.level} on")
