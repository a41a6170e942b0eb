"""Stand-ins: a bot plays for somebody who sits at the table and whose time was up.

Law: nobody waits longer for a person than the clock allows. The owner stays where they are, is sent
all that their seat is sent, and plays on at any turn but one whose time is up.
"""

from typing import TYPE_CHECKING

from protocol.from_server import NoticeCode
from protocol.ids import Seat
from protocol.refusal import RefusalCode
from server.tables.house import Starter
from server.tables.refusals import Impossible
from server.tables.seat import SeatState

if TYPE_CHECKING:
    from server.tables.table import Table


def time_out(table: "Table", seat: Seat, starter: Starter) -> bool:
    """The time of this seat is up; whether a bot plays it since."""
    chair = table.seating.chairs[seat]
    if chair.bot is not None:
        return False  # a bot is charged, too, but nobody is quicker
    table.news.say(NoticeCode.TIMED_OUT, name=chair.name, seat=seat)
    if chair.guest is None:
        table.absence.hurry(seat)  # who has lost the line is not waited for longer than others
    else:
        starter.stand_in(table, seat)
        table.news.touch()
    return True


def take_back_from_bot(table: "Table", seat: Seat) -> None:
    """The owner of this seat plays again; nothing, when nobody else does. Raises Impossible."""
    chair = table.seating.chairs[seat]
    if table.match is None or chair.state is not SeatState.TIMED_OUT:
        return
    if table.match.time_is_up(seat):
        raise Impossible(RefusalCode.TIME_UP)
    bot = chair.bot
    assert bot is not None
    # The bot stops first: it would act again when `stand_down` refuses what it asked for last.
    chair.take_back()
    table.match.stand_down(seat, bot.receive)
    table.news.say(NoticeCode.CAME_BACK, name=chair.name, seat=seat)
    table.news.touch()
