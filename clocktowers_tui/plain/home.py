"""The menu in plain mode: matches that wait, games, lessons, friends, settings."""

import argparse
from collections.abc import Awaitable, Callable, Sequence

from msgspec.structs import replace

from clocktowers_tui.cli.commands import add_solo, solo_of
from clocktowers_tui.config.settings import called
from clocktowers_tui.deeds.waiting import waiting
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.games.spoken import number
from clocktowers_tui.keys import actions
from clocktowers_tui.net import house
from clocktowers_tui.net.asked import visit_to
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.seats import Seat
from clocktowers_tui.net.wishes import Host, Return, Solo, Wish
from clocktowers_tui.new_table.deals import deal_of, today
from clocktowers_tui.new_table.drafts import begun, drafted
from clocktowers_tui.new_table.lessons import lesson_of, practised
from clocktowers_tui.new_table.offers import PRACTICE, last_game
from clocktowers_tui.phrases.faults import fault_in_words
from clocktowers_tui.phrases.home import lesson_in_words
from clocktowers_tui.phrases.unfinished import seat_in_words
from clocktowers_tui.plain.client import PlainClient
from clocktowers_tui.plain.commands import Command
from clocktowers_tui.plain.finished import MatchesPlace
from clocktowers_tui.plain.typing import (
    Mistyped,
    asks_flags,
    flags,
    flags_in_words,
    game_called,
    meant,
)
from clocktowers_tui.text.i18n import N_, _
from protocol.games.registry import GAMES, LEVELS

_GAME = "[GAME]"
_NEW = "new"


class HomePlace:
    """Where the player begins, and comes back to."""

    def __init__(self, client: PlainClient) -> None:
        self._client = client

    def begins(self) -> list[str]:
        """What waits, which games there are, where to begin."""
        settings = self._client.settings
        games = ", ".join(f"{n} {title_of(game)}" for n, game in enumerate(FACES, 1))
        kept = [
            _("{n}: {match} waits.").format(n=n, match=seat_in_words(seat))
            for n, seat in enumerate(self._waiting, 1)
        ]
        keymap = self._client.keys.keymap
        new = lesson_in_words(title_of(self.game), keymap, first=not settings.known)
        return [
            _("You are at the menu, as {name}.").format(name=called(settings)),
            *kept,
            _("continue goes on with a match that waits.") if kept else "",
            _("Games: {games}.").format(games=games),
            new if self.game not in settings.known else "",
            _("play begins a match, help lists the commands."),
        ]

    @property
    def game(self) -> str:
        """The one that was played last."""
        return last_game(self._client.settings, list(FACES))

    @property
    def _waiting(self) -> Sequence[Seat]:
        return waiting(FACES).all

    @property
    def commands(self) -> Sequence[Command]:
        return [
            Command(
                "continue",
                N_("go on with a match that waits"),
                self._continue,
                "c",
                "[N]",
                (actions.CONTINUE,),
            ),
            Command(
                "play",
                N_("play against bots; play new ends the match that waits"),
                self._play,
                "p",
                "[GAME] [new]",
                (actions.PLAY,),
            ),
            Command("learn", N_("learn a game"), self._learn, "l", _GAME, (actions.LEARN,)),
            Command(
                "practise",
                N_("play alone, without hurry; the match is not kept"),
                self._practise,
                "",
                _GAME,
                (actions.PRACTISE,),
            ),
            Command(
                "setup",
                N_("play against bots of your choice; the flags are those of clocktowers solo"),
                self._setup,
                "",
                "[FLAGS]",
                (actions.BOTS, actions.OTHER_BOTS, actions.ALONE),
            ),
            *(self._as_guest() if self._client.guest else self._on_own_machine()),
            Command("quit", N_("leave the program"), self._quit, "q", "", (actions.LEAVE,)),
        ]

    def _as_guest(self) -> Sequence[Command]:
        """Their matches with others are at tables of the house."""
        return [Command("lobby", N_("go to the server's tables"), self._lobby, "b")]

    def _on_own_machine(self) -> Sequence[Command]:
        return [
            Command(
                "today", N_("play the deal of the day"), self._today, "t", _GAME, (actions.TODAY,)
            ),
            Command(
                "join",
                N_("go to a server"),
                self._join,
                "j",
                "INVITATION|HOST[:PORT][,…][/CODE]",
                (actions.JOIN,),
            ),
            Command("host", N_("open a table to friends"), self._host, "", _GAME, (actions.HOST,)),
            Command(
                "matches",
                N_("list your finished matches"),
                self._matches,
                "m",
                "",
                (actions.HISTORY,),
            ),
        ]

    # To a match ---------------------------------------------------------------------------------

    async def _with_game(self, rest: Sequence[str], does: Callable[[str], Awaitable[None]]) -> None:
        game = game_called(rest[:-1] if rest[-1:] == [_NEW] else rest, self.game)
        if game is None:
            games = ", ".join(f"{n} {title_of(one)}" for n, one in enumerate(FACES, 1))
            self._client.cannot(_("Choose a game: {games}.").format(games=games))
        else:
            await does(game)

    async def _continue(self, rest: Sequence[str]) -> None:
        waits, n = self._waiting, number(rest) if rest else 1
        if not waits:
            self._client.cannot(_("No match waits for you."))
        elif not 0 < n <= len(waits):
            self._client.cannot(_("Choose a match from 1 to {n}.").format(n=len(waits)))
        else:
            await self._go(Return(waits[n - 1]))

    async def _play(self, rest: Sequence[str]) -> None:
        async def play(game: str) -> None:
            face = FACES[game]
            draft = begun(self._client.settings, face, solo=True)
            if not face.in_turns:  # to listen takes longer than to see
                draft = replace(draft, seats=min(2, draft.seats), preset=PRACTICE, options={})
            await self._solo(Solo(drafted(draft, face, LEVELS, solo=True)), new=_NEW in rest)

        await self._with_game(rest, play)

    async def _practise(self, rest: Sequence[str]) -> None:
        async def practise(game: str) -> None:
            if PRACTICE not in GAMES[game].presets:
                said = _("{game} has no practice: nothing hurries you in a match.")
                self._client.cannot(said.format(game=title_of(game)))
                return
            draft = replace(begun(self._client.settings, FACES[game], solo=True), seats=1)
            alone = replace(draft, preset=PRACTICE, options={})
            table = drafted(alone, FACES[game], LEVELS, solo=True)
            dealt, settings = practised(self._client.settings, table)
            self._client.keep(settings)
            await self._solo(Solo(dealt, practice=True))

        await self._with_game(rest, practise)

    async def _learn(self, rest: Sequence[str]) -> None:
        async def learn(game: str) -> None:
            await self._solo(lesson_of(game))

        await self._with_game(rest, learn)

    async def _today(self, rest: Sequence[str]) -> None:
        async def play(game: str) -> None:
            await self._solo(deal_of(game, today()))

        await self._with_game(rest, play)

    async def _setup(self, rest: Sequence[str]) -> None:
        if asks_flags(rest):
            self._client.say(*flags_in_words(add_solo))
            return
        try:
            typed = [word for word in rest if word != _NEW] or ["--game", self.game]
            wish = solo_of(flags("setup", add_solo, typed))
        except (Mistyped, argparse.ArgumentTypeError, LinkError) as error:
            self._client.cannot(str(error) if isinstance(error, Mistyped) else meant(error))
            return
        if wish is not None:
            await self._solo(wish, new=_NEW in rest)

    async def _solo(self, wish: Solo, *, new: bool = False) -> None:
        """Each game keeps one match, which a new one ends where the player says so."""
        seat = waiting(FACES).on_cards.get(wish.table.game) if wish.is_kept else None
        if seat is not None and not new:
            said = _("{match} waits. continue {n} goes on with it, {new} ends it for a new match.")
            n = self._waiting.index(seat) + 1
            command = f"play {title_of(seat.game)} new"
            self._client.cannot(said.format(match=seat_in_words(seat), n=n, new=command))
            return
        await self._go(wish._replace(instead=seat))

    async def _go(self, wish: Wish) -> None:
        if error := await self._client.go(wish):
            self._client.cannot(error)

    # To others ----------------------------------------------------------------------------------

    async def _join(self, rest: Sequence[str]) -> None:
        try:
            wish = visit_to(" ".join(rest))
        except LinkError as error:
            self._client.cannot(fault_in_words(error))
        else:
            await self._go(wish)

    async def _host(self, rest: Sequence[str]) -> None:
        async def host(game: str) -> None:
            await self._go(Host(game))

        await self._with_game(rest, host)

    async def _lobby(self, _rest: Sequence[str]) -> None:
        await self._go(house.lobby())

    async def _matches(self, _rest: Sequence[str]) -> None:
        await self._client.open(MatchesPlace(self._client))

    async def _quit(self, _rest: Sequence[str]) -> None:
        self._client.leave_program()
