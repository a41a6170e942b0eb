"""The review of a finished match in plain mode: made while the player types on, then said."""

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from clocktowers_tui.deeds.finished import find
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.history.review import Reviewed, found_before, made, mistakes
from clocktowers_tui.net.records import NoReplay
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.review import no_review_in_words, percent_in_words, review_in_words
from clocktowers_tui.plain.lines import in_lines
from clocktowers_tui.text.i18n import _

if TYPE_CHECKING:
    from clocktowers_tui.plain.client import PlainClient


async def review_of(client: "PlainClient", typed: str, way: str) -> None:
    """Say the review of the player's own decisions, or of the first seat's. `way`: the commands
    that lead to the replay of the match. Raises NotDone."""
    replayed = await find(typed)

    async def told() -> None:
        line, match = replayed.line, replayed.match
        done = await reviewed(client, line, match, replayed.me or 0, await found_by_now(match))
        say_review(client, done, f"{way}, ")

    await client.while_here(told())


async def found_by_now(match: str) -> Reviewed | None:
    """What was found of this match before, as far as it is; of a file nothing."""
    return await asyncio.to_thread(found_before, match) if match else None


async def reviewed(
    client: "PlainClient",
    line: bytes,
    match: str,
    seat: int,
    known: Reviewed | None,
    *,
    quietly: bool = False,
) -> Reviewed:
    """Once all is found; how far it is, is said meanwhile. `known`: what was found before. Raises
    NotDone."""
    quietly, quarters = quietly or (known is not None and known.whole), 0
    if not quietly:
        client.say(_("A bot looks at each decision; this takes a moment."))
    try:
        async with aclosing(made(line, match, seat, known)) as reviews:
            async for newest in reviews:
                done = newest
                now = 4 * len(done.findings) // max(1, len(done.begun.plies))
                if quarters < now < 4 and not quietly:
                    quarters = now
                    part = percent_in_words(now * 250)
                    client.say(_("{part} is looked at.").format(part=part))
    except NoReplay as error:
        raise NotDone(no_review_in_words(str(error))) from None
    return done


def say_review(client: "PlainClient", done: Reviewed, way: str = "") -> None:
    """The page, and how to try the biggest mistake again."""
    told = in_lines(review_in_words(FACES[done.begun.game], done, 0))
    client.say(*(sentence(one) for one in told if one))
    if lost := mistakes(done):
        said = _("The biggest mistake once more: {commands}.")
        client.say(said.format(commands=f"{way}move {lost[0].ply}, try"))
