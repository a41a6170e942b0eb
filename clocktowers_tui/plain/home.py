"""The menu in plain mode: matches that wait, games, lessons, friends, settings."""

from msgspec.structs import replace

from clocktowers_tui.cli.commands import add_solo, solo_of
from clocktowers_tui.config.settings import called, last_game
from clocktowers_tui.deeds.client import due_elsewhere
from clocktowers_tui.deeds.finished import find
from clocktowers_tui.deeds.home import HOME, Waiting, finished, offered, practice, waiting
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.games.spoken import Asks, number, sentence
from clocktowers_tui.net import house
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.seats import Seat
from clocktowers_tui.net.wishes import Host, Return, Solo, visit_to
from clocktowers_tui.new_table import (
    PRACTICE,
    by_ear,
    deal_of,
    drafted,
    hosted,
    lesson_of,
    solo_at,
    today,
)
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.codes import fault_in_words
from clocktowers_tui.phrases.home import lesson_in_words, waiting_in_words
from clocktowers_tui.plain.finished import MatchesPlace, see_again
from clocktowers_tui.plain.place import LEADS, PlainPlace, flags, game_called, sample
from clocktowers_tui.plain.words import words_of
from clocktowers_tui.text.i18n import _
from protocol.games.registry import GAMES, LEVELS

_NEW = "new"


def _ways(n: int) -> str:
    """To the game of this number."""
    game = title_of([*FACES][n - 1])
    return _("play {n} begins {game}, learn {n} its lesson.").format(n=n, game=game)


class HomePlace(PlainPlace):
    """Where the player begins, and comes back to."""

    all_deeds = HOME

    def begins(self) -> list[str]:
        """What waits, which games there are, where to begin."""
        settings = self.client.settings
        numbered = {game: f"{n} {title_of(game)}" for n, game in enumerate(FACES, 1)}
        games = ", ".join(numbered.values())
        new = ", ".join(said for game, said in numbered.items() if game not in settings.known)
        kept = [
            _("{n} waits: {match}.").format(n=n, match=waiting_in_words(seat))
            for n, seat in enumerate(waiting(FACES).all, 1)
        ]
        first = lesson_in_words(title_of(self.game), self.client.keymap, first=True)
        learns = first if not settings.known else _("New to you: {games}.").format(games=new)
        return [
            _("You are at the menu, as {name}.").format(name=called(settings)),
            "" if settings.name or settings.known else _("Type name and your name to change it."),
            *kept,
            _("continue goes on with a match that waits.") if len(kept) == 1 else "",
            _("continue N goes on with match N, waiting says whose turn it is.")
            if kept[1:]
            else "",
            _("Games: {games}.").format(games=games),
            learns if new else "",
            _ways(next((n for n, one in enumerate(FACES, 1) if one not in settings.known), 1)),
            _("help lists the commands."),
        ]

    def unknown(self, word: str) -> str:
        """The number of a game alone does not say what to do with it; a word of another place says
        what leads there."""
        if 0 < (n := number([word])) <= len(FACES):
            return _ways(n)
        if word.lower() in ("leave", "menu"):
            return _("You are at the menu. quit leaves the program.")
        here = {one for deed in self.client.deeds for one in words_of(deed)}
        for first, deeds in LEADS.items():
            told = (one for one in deeds if one.told and word.lower() in words_of(one))
            if (deed := next(told, None)) and first.split()[0] in here:
                said = _("Not here: type {leave}, then {word}.")
                typed = word if deed.takes[:1] == "[" else sample(deed)
                return said.format(leave=first, word=typed)
        return super().unknown(word)

    async def nothing(self) -> None:
        self.client.say(*self.begins()[2:])

    @property
    def game(self) -> str:
        """The one that was played last."""
        return last_game(self.client.settings, list(FACES))

    # To a match ---------------------------------------------------------------------------------

    def _game(self, word: str, otherwise: str | None = None) -> str:
        """The one that is typed behind this word, or else this one, or that was played last. Raises
        NotDone."""
        typed, otherwise = self.client.typed, self.game if otherwise is None else otherwise
        if not (game := game_called(typed[:-1] if typed[-1:] == [_NEW] else typed, otherwise)):
            self.client.question = Asks([], f"{word} {{}}")
            games = ", ".join(f"{n} {title_of(one)}" for n, one in enumerate(FACES, 1))
            raise NotDone(_("Choose a game: {games}.").format(games=games))
        return game

    async def do_continue(self) -> None:
        waits, n = waiting(FACES).all, number(self.client.typed) if self.client.typed else 1
        if not waits:
            raise NotDone(_("No match waits for you."))
        if not self.client.typed:
            waits = [due.seat for due in await due_elsewhere() if due.yours] or waits
        if not 0 < n <= len(waits):
            self.client.question = Asks([], "continue {}")
            raise NotDone(_("Choose a match from 1 to {n}.").format(n=len(waits)))
        await self.client.go(Return(waits[n - 1]))

    async def do_play(self) -> None:
        face = FACES[self._game("play")]
        draft = offered(self.client.settings, face, finished())
        table = by_ear(drafted(draft, face, LEVELS, solo=True))
        await self._solo(solo_at(self.client.settings, table))

    async def do_practise(self) -> None:
        game = self._game("practise")
        if PRACTICE not in GAMES[game].presets:
            said = _("{game} has no practice: nothing hurries you in a match.")
            raise NotDone(said.format(game=title_of(game)))
        await self._solo(practice(self.client, game), "practise")

    async def do_learn(self) -> None:
        await self._solo(lesson_of(self._game("learn")))

    async def do_today(self) -> None:
        if not self.client.typed:
            self.client.say(_("today GAME begins the deal of the day, against a hard bot."))
        wish = deal_of(self._game("today", ""), today())
        self.client.say(_("Your first try counts; each later one is practice."))
        await self._solo(wish, "today")

    async def do_setup(self) -> None:
        typed = self.client.typed
        words = [word for word in typed if word != _NEW] or [self.game]
        if not words[0].startswith("-") and (game := game_called(words[:1], "")):
            words[:1] = ["--game", game]
        given = flags(self.client, "setup", add_solo, words)
        if given is not None and (wish := solo_of(given)) is not None:
            await self._solo(wish._replace(table=by_ear(wish.table)), "setup")

    async def _solo(self, wish: Solo, word: str = "play") -> None:
        """Each game keeps one match, which a new one ends where the player says so, behind this
        `word`."""
        waits = waiting(FACES)
        seat = None if wish.lesson else waits.on_cards.get(wish.table.game)
        said = _("{match} waits. continue {n} goes on with it, {new} ends it for a new match.")
        self._unless_new(waits, seat, word, said)
        self.client.keep(replace(self.client.settings, game=wish.table.game))
        await self.client.go(wish._replace(instead=seat))

    def _unless_new(self, waits: Waiting, seat: Seat | None, word: str, said: str) -> None:
        """Raises NotDone where this match waits and the player has not typed `new` behind the
        `word`."""
        if seat is not None and _NEW not in self.client.typed:
            n, new = waits.all.index(seat) + 1, " ".join([word, *self.client.typed, _NEW])
            raise NotDone(said.format(match=waiting_in_words(seat), n=n, new=new))

    # To others ----------------------------------------------------------------------------------

    async def do_join(self) -> None:
        if not (typed := " ".join(self.client.typed)):
            raise NotDone(_("Type join and what your friend has sent you."))
        try:
            wish = visit_to(typed)
        except LinkError as error:
            raise NotDone(fault_in_words(error)) from None
        if wish.match:
            await see_again(self.client, await find(typed))
            return
        try:
            await self.client.go(wish)
        except NotDone as error:
            if not typed.isalnum() or wish.table:
                raise
            said = _("{why} Type a server and the code of a table: join HOST:PORT/CODE.")
            raise NotDone(said.format(why=sentence(str(error)))) from None

    async def do_host(self) -> None:
        game, waits = self._game("host", ""), waiting(FACES)
        said = _("{match} waits. continue {n} goes on with it, {new} opens another table.")
        self._unless_new(waits, waits.hosted_besides(game), "host", said)
        await self.client.go(Host(hosted(self.client.settings, FACES, game)))

    async def do_lobby(self) -> None:
        await self.client.go(house.lobby())

    async def do_review(self) -> None:
        await (await MatchesPlace(self.client).listed()).do_review()

    async def do_replay(self) -> None:
        await (await MatchesPlace(self.client).listed()).do_replay()

    async def do_matches(self) -> None:
        await self.client.open(MatchesPlace(self.client, " ".join(self.client.typed)))
