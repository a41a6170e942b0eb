"""Commands that are at every place of plain mode: answers, rules, settings, help, the way out."""

from collections.abc import Sequence

from msgspec.structs import replace

from clocktowers_tui.config.settings import as_name, called
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.keys import actions
from clocktowers_tui.new_table.offers import game_here
from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.commands import Command, find, help_in_words
from clocktowers_tui.plain.typing import game_called
from clocktowers_tui.text.fitting import shown
from clocktowers_tui.text.i18n import N_, _, language, languages
from protocol.table import Pace

ANSWERS = ("yes", "no")


def everywhere(client: PlainClient, here: Sequence[Command]) -> Sequence[Command]:
    """The commands of a place and these; a place that has a command of the same word has its
    own."""

    async def rules(rest: Sequence[str]) -> None:
        game = game_called([], game_here(client.state, client.settings, list(FACES)))
        words = [word.lower() for word in rest]
        if words and (named := game_called(words[:1], "")):
            game, words = named, words[1:]
        assert game is not None
        _say_rules(client, FACES[game].rules(), " ".join(words))

    async def name(rest: Sequence[str]) -> None:
        if not (name := as_name(" ".join(rest))):
            client.cannot(_("Say which name: name NAME."))
            return
        client.keep(replace(client.settings, name=name))
        client.say(_("You are called {name} from the next table on.").format(name=name))

    async def speak(rest: Sequence[str]) -> None:
        known = languages()
        code = rest[0].lower() if rest else ""
        if code not in known:
            named = ", ".join(f"{code} {own}" for code, own in known.items())
            client.cannot(_("Choose one of {values}.").format(values=named))
            return
        client.speak(code)
        client.keep(replace(client.settings, language=code))
        client.say(_("The language is {name}.").format(name=known[code]))

    async def pace(rest: Sequence[str]) -> None:
        paces = {str(one): one for one in Pace}
        found = paces.get(rest[0].lower() if rest else "")
        if found is None:
            client.cannot(_("Choose one of {values}.").format(values=", ".join(paces)))
            return
        client.keep(replace(client.settings, pace=found))
        client.say(_("From the next match on bots play at this pace: {pace}.").format(pace=found))

    async def settings(_rest: Sequence[str]) -> None:
        kept = client.settings
        client.say(
            _("name: {name}.").format(name=called(kept)),
            _("language: {name}.").format(name=languages()[language()]),
            _("pace: {pace}.").format(pace=kept.pace),
        )

    async def yes(_rest: Sequence[str]) -> None:
        asked, client.question = client.question, None
        if asked is None:
            client.cannot(_("Nothing was asked. help lists the commands."))
        else:
            await asked.does()

    async def no(_rest: Sequence[str]) -> None:
        asked, client.question = client.question, None
        if asked is None:
            client.cannot(_("Nothing was asked. help lists the commands."))
        else:
            client.say(_("Nothing is changed."))

    async def leave(_rest: Sequence[str]) -> None:
        client.leave_program()

    async def tell(rest: Sequence[str]) -> None:
        found = find(every, rest[0]) if rest and rest[0].lower() != "all" else None
        if found is not None:
            client.say(help_in_words(found))
            return
        shown = [command for command in every if command.now and (rest or command not in general)]
        words = ", ".join(command.word for command in general)
        more = _("Everywhere: {words}. help all says what they do.").format(words=words)
        client.say(*map(help_in_words, shown), "" if rest else more)

    asked = client.question is not None
    others = [
        Command("yes", N_("do what was asked about"), yes, now=asked),
        Command("no", N_("leave everything as it is"), no, now=asked),
        Command(
            "rules",
            N_("read the rules; with a word, only where it stands"),
            rules,
            "",
            "[GAME] [WORD]",
            (actions.RULES, actions.SEARCH, actions.CONTENTS),
        ),
        Command("name", N_("choose your name"), name, "", "NAME", (actions.NAME,)),
        Command("language", N_("choose the language"), speak, "", "CODE"),
        Command("pace", N_("choose how fast bots play"), pace, "", "slow|normal|fast|at_once"),
        Command("settings", N_("say your settings"), settings, "", "", (actions.SETTINGS,)),
        Command(
            "help",
            N_("list the commands here; help all: all of them; help COMMAND: what that one does"),
            tell,
            "?",
            "[COMMAND|all]",
            (actions.HELP, actions.PALETTE),
        ),
        Command("quit", N_("leave the program; a match that goes on waits for you"), leave),
    ]
    taken = {command.word for command in here}
    general = [one for one in others if one.word not in (*taken, *ANSWERS)]
    every = [*(one for one in others if one.word in ANSWERS), *here, *general]
    return every


def _say_rules(client: PlainClient, text: str, word: str) -> None:
    """All of it, or each paragraph in which the word stands."""
    lines = [line for line in text.splitlines() if word in line.lower()]
    if lines:
        client.say(*lines)
    else:
        client.cannot(_("The rules do not say: {word}").format(word=shown(word)))
