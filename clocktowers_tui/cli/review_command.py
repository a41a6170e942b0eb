"""`clocktowers review FILE|ID`: what a finished match could have been, as text."""

import asyncio
import shutil
import sys
from contextlib import aclosing
from functools import partial

from clocktowers_tui.cli.ending import STOPPED
from clocktowers_tui.cli.history_command import guarded
from clocktowers_tui.cli.progress import show
from clocktowers_tui.cli.replay_command import Missing, Replayed, find
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.games.spans import hanging
from clocktowers_tui.history.making import made
from clocktowers_tui.history.record import NotARecord, seats_of
from clocktowers_tui.history.review import Reviewed
from clocktowers_tui.net.reviewing import NoReview
from clocktowers_tui.phrases.review import no_review_in_words, progress_in_words, review_in_words
from clocktowers_tui.text.i18n import _
from clocktowers_tui.text.spelling import spelt


def run(typed: str, number: int | None) -> int:
    """`number`: the seat, from 1 on; None: the player's own. The exit code: 0, 2 after a sentence
    on stderr, 130 when the player has stopped it."""
    try:
        record = find(typed)
        review = asyncio.run(_whole(record, _seat(record, number)))
    except (Missing, NoReview) as error:
        said = no_review_in_words(str(error)) if isinstance(error, NoReview) else str(error)
        print(f"clocktowers: {said}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return STOPPED
    finally:
        show("")
    return guarded(partial(_print, review))


async def _whole(record: Replayed, seat: int) -> Reviewed:
    async with aclosing(made(record.line, record.match, seat)) as review:
        async for newest in review:
            show(progress_in_words(newest))
    return newest


def _print(review: Reviewed) -> None:
    columns = shutil.get_terminal_size().columns
    lines = map(spelt, review_in_words(FACES[review.begun.game], review, columns))
    room = columns if sys.stdout.isatty() else sys.maxsize  # a program gets whole lines
    print("\n".join(row for line in lines for row in hanging(line, room)), flush=True)


def _seat(record: Replayed, number: int | None) -> int:
    """That asked for, else the player's own, else the first person's. Raises Missing."""
    try:
        seats = seats_of(record.line)
    except NotARecord:
        return 0  # the process says what is wrong
    if number is not None:
        if not 1 <= number <= len(seats):
            raise Missing(_("--seat is a number from 1 to {n}").format(n=len(seats)))
        return number - 1
    if record.me is not None:
        return record.me
    return next((at for at, seat in enumerate(seats) if seat.kind == "human"), 0)
