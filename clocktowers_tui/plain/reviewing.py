"""Reviews of finished matches in plain mode."""

import asyncio
from contextlib import aclosing

from clocktowers_tui.cli.replay_command import Missing, Replayed, find
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.history.making import made
from clocktowers_tui.net.reviewing import NoReview
from clocktowers_tui.phrases.review import no_review_in_words, review_in_words
from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.saying import WIDE, in_lines
from clocktowers_tui.text.i18n import _


async def found(client: PlainClient, typed: str) -> Replayed | None:
    """The finished match that is meant; says why there is none."""
    try:
        return await asyncio.to_thread(find, typed)
    except Missing as error:
        client.cannot(sentence(str(error)))
        return None


async def review_of(client: PlainClient, typed: str) -> None:
    """Say the review of the player's own decisions, or of the first seat's."""
    if (replayed := await found(client, typed)) is None:
        return
    client.say(_("A bot looks at each decision; this takes a moment."))
    try:
        async with aclosing(made(replayed.line, replayed.match, replayed.me or 0)) as reviews:
            async for newest in reviews:
                done = newest
    except NoReview as error:
        client.cannot(no_review_in_words(str(error)))
        return
    client.say(*in_lines(review_in_words(FACES[done.begun.game], done, WIDE)))
