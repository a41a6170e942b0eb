"""Those whom the player is with in plain mode: the chat of a table, and sending somebody away."""

from collections.abc import Sequence

from clocktowers_tui.games.spoken import number
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.phrases.chat import PHRASES, line_of
from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.commands import Command
from clocktowers_tui.state.hearing import audible, in_company, muted, toggled, you
from clocktowers_tui.text.i18n import N_, _
from protocol.from_client import Kick, Say
from protocol.table import MAX_CHAT_CHARACTERS

_NEWEST = 20


def company(client: PlainClient, kicks: Action) -> Sequence[Command]:
    """The commands; alone they say that nobody is there. `kicks`: the action that sends somebody
    away here."""

    async def say(rest: Sequence[str]) -> None:
        text = " ".join(rest)[:MAX_CHAT_CHARACTERS]
        if not in_company(client.state):
            client.cannot(_("Nobody is here to talk to."))
        elif not text:
            lines = [line_of(line, you(client.state)) for line in audible(client.state)[-_NEWEST:]]
            client.say(*(lines or [_("Nobody has said anything yet.")]))
        else:
            await client.ask(Say(id=0, text=text))

    async def phrase(rest: Sequence[str]) -> None:
        known, at = list(PHRASES), number(rest) - 1
        if not 0 <= at < len(known):
            client.say(*(f"{n}: {_(words)}" for n, words in enumerate(PHRASES.values(), 1)))
        elif not in_company(client.state):
            client.cannot(_("Nobody is here to talk to."))
        else:
            await client.ask(Say(id=0, phrase=known[at]))

    async def mute(rest: Sequence[str]) -> None:
        name = " ".join(rest)
        if not name:
            client.cannot(_("Say whom: mute NAME."))
            return
        client.change(toggled(client.state, name))
        heard = name not in muted(client.state)
        said = _("You hear {name} again.") if heard else _("You no longer hear {name}.")
        client.say(said.format(name=name))

    async def kick(rest: Sequence[str]) -> None:
        name = " ".join(rest)[:200]
        if not name:
            client.cannot(_("Say whom: kick NAME."))
            return

        async def send_away() -> None:
            await client.ask(Kick(id=0, name=name))

        sure = _("Send {name} away from the table?").format(name=name)
        client.ask_first(send_away, sure, _("They cannot come back to this table."))

    here, table = in_company(client.state), client.state.table
    hide = N_("hide what that player says, or hear it again")
    away = N_("send a player away, as the host")
    hosts = table is not None and table.is_host
    return [
        Command(
            "say", N_("say that to everybody here"), say, "", "TEXT", (actions.CHAT,), now=here
        ),
        Command("phrase", N_("say a quick phrase"), phrase, "", "[N]", actions.PHRASES, now=here),
        Command("mute", hide, mute, "", "NAME", (actions.MUTE,), now=here),
        Command("kick", away, kick, "", "NAME", (kicks,), now=here and hosts),
    ]
