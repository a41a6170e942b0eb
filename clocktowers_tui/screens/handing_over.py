"""A bot plays the rest of a match, after a question."""

from typing import Any

from textual.app import App

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.helping import may_hand_over
from clocktowers_tui.games.face import Face
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap, keymap_of
from clocktowers_tui.phrases.refusals import refused_in_words
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.state.store import handed_over
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.menu import Row
from protocol.from_client import Back, HandOver
from protocol.from_server import Refused


async def hand_over(app: App[Any], client: Client, face: Face) -> str:
    """Let a bot play the player's seat to the end, after a question, or take the seat back. Returns
    why not, or ""."""
    back = handed_over(client.state)
    asks = not back and may_hand_over(client.state, face)
    if asks and await app.push_screen_wait(_whether_to_hand_over(keymap_of(app))) != "hand over":
        return ""
    answer = await client.journey.request(Back(id=0) if back else HandOver(id=0))
    return refused_in_words(answer) if isinstance(answer, Refused) else ""


def _whether_to_hand_over(keymap: Keymap) -> Question:
    sentence = _("A bot plays for you to the end. Press {key} again to play on.")
    sentence = sentence.format(key=keymap.name(actions.HAND_OVER))
    stay = Row("stay", _("Keep playing myself"))
    rows = [stay, Row("hand over", _("Autoplay"))]
    return Question(_("Autoplay to the end?"), [sentence], rows)
