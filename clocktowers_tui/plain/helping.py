"""Help in a match in plain mode: a hint, bots that hurry, a bot that plays the rest."""

from collections.abc import Sequence

from clocktowers_tui.deeds.helping import ask_for_hint, hurry, may_hand_over
from clocktowers_tui.games.registry import FACES, SPOKEN
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.phrases.names import names_of
from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.commands import Command, Does
from clocktowers_tui.state.store import handed_over
from clocktowers_tui.text.i18n import N_, _
from protocol.from_client import Back, HandOver


def helping(client: PlainClient) -> Sequence[Command]:
    """The commands. Who plays with others gets hints where the table gives them."""
    state, match = client.state, client.state.match
    plays = match is not None and not match.over and state.seat is not None
    alone = match is not None and may_hand_over(state, FACES[match.game])
    hints = plays and state.table is not None and state.table.info.hints
    played_for = handed_over(state)

    async def hint(_rest: Sequence[str]) -> None:
        assert match is not None
        found = await ask_for_hint(client, FACES[match.game], client.keys.keymap)
        now = client.state.match
        if isinstance(found, str) or now is None:
            client.cannot(str(found))
            return
        spoken, view = SPOKEN[now.game], now.view
        typed = _("Type: {command}").format(command=spoken.typed(view, found))
        client.say(spoken.advice(view, found, names_of(now)), typed)

    async def fast(_rest: Sequence[str]) -> None:
        if trouble := await hurry(client):
            client.cannot(trouble)
        else:
            client.say(_("The bots hurry until your next turn."))

    async def autoplay(_rest: Sequence[str]) -> None:
        if not (played_for or alone):
            client.cannot(_("A bot plays for you only where you are alone with bots."))
        elif await client.ask(HandOver(id=0)):
            client.say(_("A bot plays for you; {key} plays on").format(key="playon") + ".")

    async def play_on(_rest: Sequence[str]) -> None:
        if not played_for:
            client.cannot(_("No bot plays for you."))
        elif await client.ask(Back(id=0)):
            client.say(_("You play on yourself."))

    def command(word: str, words: str, does: Does, action: Action, *, now: bool) -> Command:
        return Command(word, words, does, actions=(action,), now=now)

    to_end = N_("let a bot play for you to the end")
    after = N_("play on yourself, after a bot did")
    return [
        Command(
            "hint",
            N_("ask a bot for a move"),
            hint,
            "h",
            "",
            (actions.HINT,),
            waits=True,
            now=hints,
        ),
        command("fast", N_("let the bots hurry"), fast, actions.HURRY, now=alone),
        command("autoplay", to_end, autoplay, actions.HAND_OVER, now=alone and not played_for),
        command("playon", after, play_on, actions.PLAY_ON, now=played_for),
    ]
