"""A place of plain mode: the words that can be typed there."""

import argparse
import re
import shlex
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from clocktowers_tui.cli.commands import Parser
from clocktowers_tui.config.settings import Verbosity, called
from clocktowers_tui.deeds.finished import MATCHES, REVIEWED
from clocktowers_tui.deeds.home import HOME, ask_name, waiting
from clocktowers_tui.deeds.match import LESSON, MATCH, is_played
from clocktowers_tui.deeds.table import LOBBY, TABLE
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.games.spoken import Asks, Spoken, number, read_out, sentence
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Deed
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.new_table import game_here
from clocktowers_tui.phrases import NotDone, one_of
from clocktowers_tui.plain.lines import in_lines
from clocktowers_tui.plain.words import (
    ELSEWHERE,
    begun,
    english,
    find,
    joined,
    own_word,
    words_of,
)
from clocktowers_tui.text.fitting import shown
from clocktowers_tui.text.i18n import N_, _, language, languages
from clocktowers_tui.text.markdown import Section, sections
from protocol.table import Pace

if TYPE_CHECKING:
    from clocktowers_tui.plain.client import PlainClient


class PlainPlace:
    """What is said of it, and its deeds: one that has no `does` is a method `do_WORD` here."""

    all_deeds: Sequence[Deed] = ()

    def __init__(self, client: "PlainClient") -> None:
        self.client = client

    def begins(self) -> Sequence[str] | Awaitable[Sequence[str]]:
        """What a player hears on coming here."""
        raise NotImplementedError

    @property
    def deeds(self) -> Sequence[Deed]:
        return [deed for deed in self.all_deeds if deed.told and deed.is_for(self.client)]

    async def do(self, deed: Deed) -> None:
        if deed.does is not None:
            await deed.does(self.client, self.client)
        else:
            await getattr(self, deed.method)()

    async def nothing(self) -> None:
        """An empty line."""

    def meant(self, words: Sequence[str]) -> Sequence[str]:
        """What was typed, by the words that are known here."""
        return words

    def unknown(self, word: str) -> str:
        """What to say of a word that is none here: one of the menu's is known there, or before."""
        leave = self.client.keymap.name(actions.LEAVE)
        if word.lower() == "menu" and leave != "quit":
            return _("{leave} leads to the menu.").format(leave=leave)
        if any(word.lower() in words_of(one) for one in HOME if one.told) and leave != "quit":
            said = _("Not here: type {leave}, then {word}.")
            if self.client.state.table is not None and not is_played(self.client):  # more than one
                said = _("Not here: type {leave} until you are at the menu, then {word}.")
            return said.format(word=word, leave=leave)
        deeds, typed = self.client.deeds, shown(word)
        if several := begun(deeds, word):
            said = _("{word} may mean {values}: type more of it.")
            return said.format(word=word, values=", ".join(several))
        known = [one for deed in deeds for one in words_of(deed)]
        part = ELSEWHERE.get(word.lower(), word.lower())
        looked = [f"look {part}" for one in self.parts() if one.lower() == part]
        for close in looked[:1] or get_close_matches(typed.lower(), known, 1, _CLOSE):
            self.client.meant = close
            said = _("There is no command {word} here. Did you mean {close}? Type yes or no.")
            return said.format(word=typed, close=close)
        return _("There is no command {word} here. help lists the commands.").format(word=typed)

    def parts(self) -> Sequence[str]:
        """The words behind `look`, where the place has any."""
        return ()

    def shows(self, line: bytes) -> bool:
        """Whether this is the replay of the match of this record, or a part of that."""
        return False

    def hear(self) -> None:
        """The state has changed, and what is new in it is said."""

    async def ends(self) -> None:
        """The player is taken to another place."""

    async def do_quit(self) -> None:
        self.client.leave_program()


class GamePlace(PlainPlace):
    """Where a game is played: its own deeds stand first, and what is typed for them is read by the
    game."""

    spoken: Spoken

    def __init__(self, client: "PlainClient") -> None:
        super().__init__(client)
        self._heard: set[str] = set()
        """What stands as it was said."""
        self._told: dict[Any, Any] = {}
        """By phase, and whether in brief, the last view of which the player has heard what they
        are asked."""

    def sight(self) -> tuple[Any, Sequence[str]]:
        """The newest view, and the names."""
        raise NotImplementedError

    async def play(self, action: Any) -> object:
        """The player wants this action."""
        raise NotImplementedError

    @property
    def deeds(self) -> Sequence[Deed]:
        return [*self.spoken.deeds, *super().deeds]

    async def do(self, deed: Deed) -> None:
        if any(one.word == deed.word for one in self.spoken.deeds):
            await self.read(deed.word, self.client.typed, moves=deed.waits)
        else:
            await super().do(deed)

    async def read(self, word: str, rest: Sequence[str], *, moves: bool) -> None:
        """Play what this says, or tell what it asks for."""
        read = self.spoken.read(*self.sight(), word, [one.lower() for one in rest])
        if isinstance(read, Asks):
            self.client.question, read = read, read.said
        if isinstance(read, Struct):
            await self.play(read)
        elif moves:
            self.client.object(*read)
        else:
            self.client.say(*read)

    async def numbers(self, words: Sequence[str]) -> None:
        """Only numbers: the move that takes them."""
        await self.read("", [*map(english, words)], moves=True)

    def unheard(self, asked: Sequence[str]) -> list[str]:
        """What the player must know now, as much of it as the settings say: all but what was said
        in an earlier turn and still holds; of later turns what has changed; or what is chosen
        from."""
        view, names = self.sight()
        phase = getattr(view, "phase", None)  # a game without phases asks one thing
        if asked and not self.client.journey.teaches:
            verbosity = self.client.settings.verbosity
            told = phase, verbosity is Verbosity.BRIEF
            match verbosity:
                case Verbosity.BRIEF:
                    asked = self.spoken.brief(view, self._told.get(told), names)
                case Verbosity.NORMAL:
                    asked = self.spoken.since(view, self._told.get(told), names)
                case Verbosity.FULL:
                    self._heard = set()
            self._told[told] = view
        new = [one for one in asked if one not in self._heard]
        self._heard = {*self.spoken.standing(view)} & {*self._heard, *new}
        return new

    async def do_look(self) -> None:
        """What is where; or one part."""
        self.client.say(*self.client.looked_at(self.spoken, *self.sight(), self.client.typed))

    def meant(self, words: Sequence[str]) -> Sequence[str]:
        """Where the first word may mean several deeds, the one that the next word says."""
        match self._meant(words[0]):
            case [deed]:
                return [deed.word, *words[1:]]
            case several:
                named = words[1:] and find(several, words[1])
                return words[1:] if named else words

    def unknown(self, word: str) -> str:
        if several := self._meant(word):
            said = _("Type it so: {example}")
            return said.format(example=_(" or ").join(words_of(deed)[-1] for deed in several))
        return super().unknown(word)

    def _meant(self, word: str) -> Sequence[Deed]:
        """What a word that is no deed means in this game."""
        view, _names = self.sight()
        words = () if view is None else self.spoken.meant(view).get(word.lower(), ())
        return [deed for deed in self.spoken.deeds if deed.word in words]

    def parts(self) -> Sequence[str]:
        view, names = self.sight()
        return () if view is None else lookable(self.spoken, view, names)


OWN: Final = "own"
BESIDE: Final = "beside"
"""What is done while the player goes where they like."""
_CLOSE: Final = 0.7
"""How much of a word has to be right: `foo` is not meant for `floors`."""


def lookable(game: Spoken, view: Any, names: Sequence[str]) -> list[str]:
    """The words behind `look`: parts of the board, and whose part of it."""
    own = [OWN] if view.seat is not None else []
    return [*map(own_word, [*game.parts(view, names), *own]), *names]


def split(line: str) -> list[str]:
    """The words of a line; what stands in quotes is one."""
    try:
        return shlex.split(line)
    except ValueError:  # a quote that does not end, as in: say don't
        return line.split()


def help_in_words(deed: Deed) -> str:
    """`play CARD TOWER or new (p): what it does`, `look or look PART (l)`; no sign that is read
    out, or is not."""
    either = _(" or ")
    takes = f" {read_out(deed.takes)}" if deed.takes else ""
    if deed.takes[:1] == "[" and deed.takes[-1:] == "]":
        takes = either + deed.word + takes
    short = f" ({deed.short})" if deed.short else ""
    return f"{either.join(words_of(deed))}{takes}{short}: {_(deed.told)}."


LEADS: Final[Mapping[str, Sequence[Deed]]] = {
    "matches": MATCHES,
    "play": MATCH,
    "learn": LESSON,
    "replay 1": REVIEWED,
    "host": (*TABLE, *LOBBY),
    "join": TABLE,
}
"""What is typed in the menu, and leads to a place; what can be typed there."""
_SAMPLES: Final = {
    **dict.fromkeys(("N", "CARD"), "1"),
    **dict.fromkeys(("TILE", "SEAT", "GAME"), "2"),
    **dict.fromkeys(("PLACE", "DAYS"), "3"),
    "CARD TOWER": "1 2",
    "CELL CELL": "e3 f3",
    "FEATURE FEATURE": "star coin",
    "LANGUAGE": "it",
    "NAME": "Ann",
    "TEXT": "hello",
    "WORDS": "wren",
    "CODE": "K7QM",
    "HOST:PORT/CODE": "192.0.2.2:7777/K7QM",
    "FLAGS": "--help",
}
"""What may stand where `Deed.takes` has these."""


def sample(deed: Deed) -> str:
    """`buy 2`: with what has to stand behind the word, or the first that may."""
    takes = deed.takes.split(" [")[0].strip("[]")
    samples = (_SAMPLES.get(one, one if one.islower() else "") for one in takes.split("|"))
    return f"{deed.word} {next(filter(None, samples), '')}".strip()


class Typed(Keymap):
    """For sentences that name keys: by the id of an action, the word that is typed instead."""

    def name(self, action: Action) -> str:
        usual = _("Enter") if action is actions.CONFIRM else ""
        return self.changed.get(action.id, (usual,))[0]

    def names(self, together: Sequence[Action]) -> str:
        return ", ".join(dict.fromkeys(map(self.name, together)))


def typed(deeds: Iterable[Deed]) -> Typed:
    """Where several deeds stand for one action, the first."""
    words: dict[str, tuple[str, ...]] = {}
    for deed in deeds:
        for action in deed.keys:
            words.setdefault(action.id, (deed.word,))
    return Typed(words)


# What the parsers of the command line read in plain mode: the same flags, and a sentence in place
# of an exit.


class _Reads(Parser):
    def refuse(self, sentence: str) -> NoReturn:
        raise NotDone(sentence)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise NotDone((message or self.format_usage()).strip())


def flags(
    client: "PlainClient",
    word: str,
    add: Callable[[argparse.ArgumentParser], None],
    typed: Sequence[str],
    *first: str,
) -> argparse.Namespace | None:
    """What these words say; None after telling which flags there are, behind what is said `first`.
    Raises NotDone."""
    parser = _Reads(prog=word, add_help=False)
    add(parser)
    if not {"--help", "-h"} & {*typed}:
        return parser.parse_args(typed)
    client.say(*first, *map(_flag, parser._actions))
    return None


def _flag(action: argparse.Action) -> str:
    """`--seats 2, 3, 4: how many seats.`"""
    values = "" if action.nargs == 0 else action.metavar or ("N" if action.type else "TEXT")
    if action.choices is not None and not action.metavar:
        values = ", ".join(map(str, action.choices))
    return sentence(f"{' '.join([*action.option_strings, str(values)]).strip()}: {action.help}")


def match_in_words(game: str, names: Sequence[str], me: int | None) -> str:
    """Which match: its game, and who else played."""
    others = [name for seat, name in enumerate(names) if seat != me]
    said = _("{game} with {names}") if others else _("{game}, alone")
    return said.format(game=title_of(game), names=", ".join(others))


def game_called(typed: Sequence[str], otherwise: str) -> str | None:
    """The game of that number, or whose name begins so; `otherwise` where nothing is typed; None
    where no game is called so."""
    if not typed:
        return otherwise
    called = " ".join(typed).lower()
    games = list(FACES)
    if (n := number([called])) >= 0:
        return games[n - 1] if 1 <= n <= len(games) else None
    named = [
        game
        for game in games
        if game.replace("_", " ").startswith(called.replace("_", " "))
        or title_of(game).lower().startswith(called)
    ]
    return named[0] if len(named) == 1 else None


# The rules, section by section.


_CHAPTER: Final = 2
"""The level of a heading that is listed."""


def _contents(game: str, whole: Sequence[Section]) -> Iterator[str]:
    yield _("Rules of {game}:").format(game=title_of(game))
    yield from (f"{n}: {one.heading}." for n, one in enumerate(_chapters(whole), 1))
    yield _("rules N reads one, rules and a word the section where it stands.")
    others = [f"rules {title_of(one).split()[0]}" for one in FACES if one != game]
    yield _("Those of other games: {commands}.").format(commands=_(" or ").join(others))


def _chapters(whole: Sequence[Section]) -> list[Section]:
    return [one for one in whole if one.level == _CHAPTER]


def _read(whole: Sequence[Section], word: str) -> list[str]:
    """The chapter of this number; or the section whose heading has this word, with those below it;
    or else the section that has it most often, and where it stands besides; nothing where it is
    nowhere."""
    chapters, n = _chapters(whole), number([word])
    if 0 < n <= len(chapters):
        return _with_those_below(whole, chapters[n - 1])
    headed = [one for one in whole if word in one.heading.lower()]
    if headed:
        most, also = headed[0], headed[1:]
        read = _with_those_below(whole, most)
        also = [one for one in also if f"{one.heading}." not in read]
    else:
        found = [one for one in whole if _times(one, word)]
        if not found:
            return []
        most = max(found, key=lambda one: _times(one, word))
        read, also = [f"{most.heading}.", *most.told], [one for one in found if one is not most]
    named = "; ".join(one.heading for one in also)
    more = _("It stands also here: {headings}. rules and a heading reads it.")
    return [*read, more.format(headings=named) if named else ""]


def _times(one: Section, word: str) -> int:
    return sum(said.lower().count(word) for said in one.told)


def _with_those_below(whole: Sequence[Section], top: Section) -> list[str]:
    at = whole.index(top)
    below = takewhile(lambda one: one.level > top.level, whole[at + 1 :])
    return [said for one in (top, *below) for said in (f"{one.heading}.", *one.told)]


# Deeds that are at every place of plain mode: answers, rules, settings, help, the way out.


ANSWERS: Final = ("yes", "no")

_MARK: Final = re.compile(r"\[\w+\] ")
"""Of a rule that is the project's own."""
_RULES = N_("list the sections of the rules; with a number or a word, read that section")
_READS = (actions.RULES, actions.SEARCH, actions.CONTENTS)
_HELP = N_("list the commands here; help all: all of them; help COMMAND: what that one does")

EVERYWHERE: Final = (
    Deed("yes", N_("do what was asked about")),
    Deed("no", N_("leave everything as it is")),
    Deed("rules", _RULES, _READS, takes="[GAME] [N|WORD]"),
    Deed("name", N_("choose your name"), (actions.NAME,), takes="NAME"),
    Deed("language", N_("choose the language"), takes="LANGUAGE"),
    Deed("pace", N_("choose how fast bots play"), takes="slow|normal|fast|at once"),
    Deed("verbosity", N_("choose how much you hear of each turn"), takes="|".join(Verbosity)),
    Deed("settings", N_("say your settings"), (actions.SETTINGS,)),
    Deed("next", N_("tell the biggest mistake of your newest review, then another each time")),
    Deed("mistake", N_("see the mistake that was told last, in its match")),
    Deed("try", N_("do the mistake that was told last in another way")),
    Deed("cancel", N_("stop the review that is being made; what it has found is kept")),
    Deed("help", _HELP, (actions.HELP, actions.PALETTE), short="?", takes="[COMMAND|all]"),
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
        assert game is not None
        whole = sections(FACES[game].rules())
        # One word reads a section before its beginning or its number calls a game.
        alone = len(words) == 1 and words[0] not in FACES and _read(whole, words[0])
        if words and not alone and (named := game_called(words[:1], "")):
            whole, game, words = sections(FACES[named].rules()), named, words[1:]
        elsewhere = client.state.table is None
        word = " ".join(words)
        if elsewhere and word and not _read(whole, word):
            read_of = ((one, sections(FACES[one].rules())) for one in FACES)
            game, whole = next((one for one in read_of if _read(one[1], word)), (game, whole))
        if not word:
            client.say(*_contents(game, whole))
        elif read := _read(whole, word):
            # TRANSLATORS: heard before a rule that is not on the printed sheet.
            ours = _("In this program:")
            client.say(
                _("Rules of {game}:").format(game=title_of(game)) if elsewhere else "",
                *(_MARK.sub(f"{ours} ", one) for one in in_lines(read)),
            )
        else:
            said = _("The rules of {game} do not say: {word}")
            said = _("The rules of no game say: {word}") if elsewhere else said
            raise NotDone(said.format(game=title_of(game), word=shown(word)))

    async def do_name(self) -> None:
        await ask_name(self.client, self.client, "")

    @property
    def _word(self) -> str:
        return "_".join(self.client.typed)  # at once

    async def do_language(self) -> None:
        client, known = self.client, languages()
        typed = {own.lower(): code for code, own in known.items()}.get(self._word.lower())
        named = (f"{code} {own}" for code, own in known.items())
        code = one_of(known, typed or self._word, named)
        client.speak(code)
        client.keep(replace(client.settings, language=code))
        client.say(_("The language is {name}.").format(name=known[code]))

    def _set(self, name: str, kind: type[StrEnum], now: str, said: str) -> None:
        """The setting has the typed value from now on; how it is `now` is said where none is."""
        client, named = self.client, {one: one.replace("_", " ") for one in kind}
        if not self._word:
            client.say(now.format(**{name: named[getattr(client.settings, name)]}))
        value = kind(one_of([*kind], self._word, named.values()))
        client.keep(replace(client.settings, **{name: value}))
        client.say(said.format(**{name: named[value]}))

    async def do_pace(self) -> None:
        said = _("From the next match on bots play at this pace: {pace}.")
        self._set("pace", Pace, _("pace: {pace}."), said)

    async def do_verbosity(self) -> None:
        said = _("How much you hear of each turn: {verbosity}.")
        self._set("verbosity", Verbosity, _("verbosity: {verbosity}."), said)

    async def do_settings(self) -> None:
        kept = self.client.settings
        self.client.say(
            _("name: {name}. Others see this name.").format(name=called(kept)),
            _("language: {name}.").format(name=languages()[language()]),
            _("pace: {pace}. It says how fast bots play.").format(pace=kept.pace.replace("_", " ")),
            _("verbosity: {verbosity}. It says how much you hear of each turn.").format(
                verbosity=kept.verbosity
            ),
            _("Each word changes its setting, for example: pace fast."),
        )

    async def do_try(self) -> None:
        await self.client.see_reviewed("try")

    async def do_mistake(self) -> None:
        await self.client.see_reviewed("mistake")

    async def do_next(self) -> None:
        await self.client.see_reviewed("next")

    async def do_cancel(self) -> None:
        self.client.reviews.stop()

    async def do_yes(self) -> None:
        raise NotDone(_("Nothing was asked. help lists the commands."))

    do_no = do_yes

    async def do_help(self) -> None:
        client, typed, here = self.client, self.client.typed, self.client.place.deeds
        every = client.deeds
        if typed and typed[0].lower() != "all":
            word = joined(typed)[0]
            if (found := find(every, word)) is None:
                there = (deed for one in LEADS.values() for deed in one if deed.told)
                told = [help_in_words(deed) for deed in there if word.lower() in words_of(deed)]
                client.object(*told[:1], client.place.unknown(word))
                return
            client.say(help_in_words(found), *self._more_help(found))
            return
        general = self._general(here)
        answers = [deed for deed in every if deed.word in ANSWERS and client.asks]
        listed = [*answers, *filter(self._listed, here), *(general if typed else ())]
        words = ", ".join(deed.word for deed in general)
        more = _("Everywhere: {words}. help all says what they do.").format(words=words)
        client.say(*map(help_in_words, listed), "" if typed else more)

    def _more_help(self, deed: Deed) -> Iterator[str]:
        """An example, and what can be typed where it leads to; the parts to look at."""
        if deed.word == "look" and (parts := ", ".join(self.client.place.parts())):
            yield _("The parts: {parts}.").format(parts=parts)
        elif (example := sample(deed)) != deed.word:
            yield _("For example: {example}").format(example=example)
        leads = [there for first, there in LEADS.items() if first.split()[0] == deed.word]
        for there in leads if deed in HOME else ():
            words = ", ".join(one.word for one in there if one.told and one.shown)
            yield _("There you can type, among others: {words}.").format(words=words)

    def _listed(self, deed: Deed) -> bool:
        """Taking back is listed in every match played in turns, also while there is nothing to take
        back; going on with a match where one waits on the disk."""
        client, match = self.client, self.client.state.match
        if deed.keys == (actions.CONTINUE,):
            return bool(waiting(client.faces).all)
        takes_back = deed.keys == (actions.TAKE_BACK,) and is_played(client)
        return deed.now(client) or (
            takes_back and match is not None and client.faces[match.game].in_turns
        )
