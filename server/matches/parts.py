"""The parts of a match that all who work on it share; each part has its own file."""

from dataclasses import dataclass

from protocol.clock import Clock
from server.matches.course import Course
from server.matches.deadlines import Deadlines
from server.matches.fanout import Fanout
from server.matches.inbox import Inbox
from server.matches.lines import Lines
from server.matches.match_time import MatchTime
from server.matches.patience import Patience
from server.matches.ports import Attendant
from server.matches.replay import AnyRules
from server.matches.tokens import Tokens
from server.store.journal import Header, Journal


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Made by `parts_of`. `table`: the code that players know the match's table by. `secret`: its
    end reveals no seed, because others may still play the same deal."""

    table: str
    course: Course
    time: MatchTime
    deadlines: Deadlines
    inbox: Inbox
    fanout: Fanout
    lines: Lines
    tokens: Tokens
    journal: Journal
    patience: Patience
    attendant: Attendant
    secret: bool = False

    @property
    def header(self) -> Header:
        """What the match is rebuilt from, beside its entries."""
        return self.course.header


def parts_of(
    header: Header,
    rules: AnyRules,
    *,
    journal: Journal,
    attendant: Attendant,
    table: str,
    time: MatchTime,
    clock: Clock | None = None,
    secret: bool = False,
) -> Parts:
    """The parts of a match that has not been dealt or restored yet."""
    course = Course(rules, header, clock)
    return Parts(
        table=table,
        course=course,
        time=time,
        deadlines=Deadlines(course, time, attendant.timed_out),
        inbox=Inbox(header.seats),
        fanout=Fanout(header.seats),
        lines=Lines(header.seats),
        tokens=Tokens(header.match, journal),
        journal=journal,
        patience=Patience(header.match, journal, attendant.disk_fails),
        attendant=attendant,
        secret=secret,
    )
