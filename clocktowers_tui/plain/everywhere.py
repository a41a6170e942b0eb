"""Deeds that are at every place of plain mode: answers, rules, settings, help, the way out."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from clocktowers_tui.config.settings import as_name, called
from clocktowers_tui.deeds.deed import Deed
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.keys import actions
from clocktowers_tui.new_table.offers import game_here
from clocktowers_tui.plain.place import PlainPlace, find, help_in_words
from clocktowers_tui.plain.typing import game_called
from clocktowers_tui.text.fitting import shown
from clocktowers_tui.text.i18n import N_, _, language, languages
from protocol.table import Pace

ANSWERS: Final = ("yes", "no")

_RULES = N_("read the rules; with a word, only where it stands")
_READS = (actions.RULES, actions.SEARCH, actions.CONTENTS)
_HELP = N_("list the commands here; help all: all of them; help COMMAND: what that one does")
_HELPS = (actions.HELP, actions.PALETTE)

EVERYWHERE: Final = (
    Deed("yes", N_("do what was asked about")),
    Deed("no", N_("leave everything as it is")),
    Deed("rules", _RULES, _READS, takes="[GAME] [WORD]"),
    Deed("name", N_("choose your name"), (actions.NAME,), takes="NAME"),
    Deed("language", N_("choose the language"), takes="CODE"),
    Deed("pace", N_("choose how fast bots play"), takes="slow|normal|fast|at_once"),
    Deed("settings", N_("say your settings"), (actions.SETTINGS,)),
    Deed("help", _HELP, _HELPS, short="?", takes="[COMMAND|all]"),
    Deed("quit", N_("leave the program; a match that goes on waits for you")),
)


class Everywhere(PlainPlace):
    """A place that has a deed of the same word has its own."""

    all_deeds = EVERYWHERE

    def with_those_of(self, here: PlainPlace) -> Sequence[Deed]:
        answers, own = EVERYWHERE[: len(ANSWERS)], here.deeds
        return [*answers, *own, *self._general(own)]

    @staticmethod
    def _general(here: Sequence[Deed]) -> Sequence[Deed]:
        taken = {*ANSWERS, *(deed.word for deed in here)}
        return [deed for deed in EVERYWHERE if deed.word not in taken]

    async def do_rules(self) -> None:
        client = self.client
        game = game_called([], game_here(client.state, client.settings, list(FACES)))
        words = [word.lower() for word in client.typed]
        if words and (named := game_called(words[:1], "")):
            game, words = named, words[1:]
        assert game is not None
        word = " ".join(words)
        lines = [line for line in FACES[game].rules().splitlines() if word in line.lower()]
        if lines:
            client.say(*lines)
        else:
            client.object(_("The rules do not say: {word}").format(word=shown(word)))

    async def do_name(self) -> None:
        client = self.client
        if not (name := as_name(" ".join(client.typed))):
            client.object(_("Say which name: name NAME."))
            return
        client.keep(replace(client.settings, name=name))
        client.say(_("You are called {name} from the next table on.").format(name=name))

    def _one_of(self, known: Sequence[str], named: Sequence[str]) -> str:
        """The first typed word, if it is one of these; "" after saying which there are."""
        word = self.client.typed[0].lower() if self.client.typed else ""
        if word not in known:
            self.client.object(_("Choose one of {values}.").format(values=", ".join(named)))
        return word if word in known else ""

    async def do_language(self) -> None:
        client, known = self.client, languages()
        if code := self._one_of(list(known), [f"{code} {own}" for code, own in known.items()]):
            client.speak(code)
            client.keep(replace(client.settings, language=code))
            client.say(_("The language is {name}.").format(name=known[code]))

    async def do_pace(self) -> None:
        client, paces = self.client, [str(pace) for pace in Pace]
        if pace := self._one_of(paces, paces):
            client.keep(replace(client.settings, pace=Pace(pace)))
            said = _("From the next match on bots play at this pace: {pace}.")
            client.say(said.format(pace=pace))

    async def do_settings(self) -> None:
        kept = self.client.settings
        self.client.say(
            _("name: {name}.").format(name=called(kept)),
            _("language: {name}.").format(name=languages()[language()]),
            _("pace: {pace}.").format(pace=kept.pace),
        )

    async def do_yes(self) -> None:
        self.client.object(_("Nothing was asked. help lists the commands."))

    do_no = do_yes

    async def do_help(self) -> None:
        client, typed, here = self.client, self.client.typed, self.client.place.deeds
        every = client.deeds
        found = find(every, typed[0]) if typed and typed[0].lower() != "all" else None
        if found is not None:
            client.say(help_in_words(found))
            return
        general = self._general(here)
        answers = [deed for deed in every if deed.word in ANSWERS and client.asks]
        listed = [*answers, *(one for one in here if one.now(client)), *(general if typed else ())]
        words = ", ".join(deed.word for deed in general)
        more = _("Everywhere: {words}. help all says what they do.").format(words=words)
        client.say(*map(help_in_words, listed), "" if typed else more)

    async def do_quit(self) -> None:
        self.client.leave_program()
