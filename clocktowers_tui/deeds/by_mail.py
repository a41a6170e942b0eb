"""A match that goes by mail: its players send each other one file, its record as far as it is
played.

Laws: the file is what the player sees: it is written after each move and each undo, whole or not at
all, and a move that cannot be written is not made. A file that somebody else has changed meanwhile
stays as it is.
"""

import asyncio
import shlex
import time
import zlib
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import json

from clocktowers_tui.config import files
from clocktowers_tui.deeds.replay import Trial
from clocktowers_tui.games.registry import FACES, title_of
from clocktowers_tui.history.matches import keep, save
from clocktowers_tui.history.record import MAX_LINE_BYTES
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from clocktowers_tui.net.records import BEGINS, MOVES, Projector
from clocktowers_tui.net.wishes import Mailed, Solo
from clocktowers_tui.new_table import preset_values
from clocktowers_tui.phrases import NotDone, failed
from clocktowers_tui.text.i18n import N_, _
from protocol.recording import NEXT, WATCHER, NewByMail
from protocol.text import clean


class ByMail(Trial):
    """`own`: the player's name; where nobody here has it, they play the turn that is due. `held`:
    what stands in the file, b"" = it is not there yet."""

    def __init__(self, source: Projector, file: Path, held: bytes, own: str) -> None:
        names, seats = source.opened.names, source.opened.seats
        self._is_named = own in names
        own = own if self._is_named else json.decode(source.opened.record)[NEXT]
        super().__init__(source, names.index(own) if own in names else WATCHER, len(seats))
        self.title = N_("By mail")
        self.since = max((n for n, seat in enumerate(seats, 1) if seat == self.seat), default=0)
        self._file, self._held, self._own = file, held, own
        self._written = source.opened.record if held else b""
        again = _("{game}: type clocktowers move {file} to open the match again.")
        self.answer = again.format(
            game=title_of(self.face.game), file=shlex.quote(clean(str(file)))
        )

    async def play(self, ply: int, action: Any, keymap: Keymap) -> str:
        """As in `Trial`, and write it down. Raises NoReplay."""
        why = await super().play(ply, action, keymap)
        if not why and (why := await asyncio.to_thread(self._write)):
            await super().play(ply, None, keymap)
        return why

    def _write(self) -> str:
        """Why it cannot be written; "" = it is."""
        record = self.source.opened.record
        try:
            if record == self._written:
                return ""
            if not self._held:
                save(self._file, record)
            elif self._file.read_bytes() != self._held:
                return _("Another program has changed the file meanwhile: open it once more.")
            else:
                files.write(self._file.resolve(), record, self._file.stat().st_mode & 0o777)
        except (OSError, ValueError) as error:
            return str(failed(_("{file} cannot be written: {why}"), self._file, error))
        self._written = self._held = record
        return ""

    def left(self) -> str:
        """As in `Trial`; a match that is over is among the player's own from now on. A file that a
        command line began has no id, which is 16 digits, but no two have the same deal."""
        record = json.decode(self.source.opened.record)
        if record[NEXT]:
            return self.answer
        match = sha256(json.encode(record["setup"])).hexdigest()[:16]
        own, whole = self.seat if self._is_named else None, {"id": match, **record}
        try:
            keep(whole["id"], zlib.compress(json.encode(whole)), own, int(time.time()))
        except NotDone as error:  # there is no room
            return str(error)
        said = _("{game}: the match is over, and in Your matches.")
        return said.format(game=title_of(self.face.game))

    def begins(self) -> str:
        """Which game it is, with whom, who the player is, and whose turn it is."""
        own = clean(self._own)
        others = ", ".join(name for name in self.names if name != own)
        said = _("{game} with {names}. You are {own}.")
        said = said.format(game=title_of(self.face.game), names=others, own=own)
        turn = _("It is your turn.")
        if not self._is_named:
            turn = _("You play for {name}: --name NAME says who you are.").format(name=own)
        return " ".join([said, self.sends() or turn])

    def sends(self) -> str:
        """Where the file has to go; "" while it is the player's turn."""
        due = clean(json.decode(self.source.opened.record)[NEXT])
        if not due:
            said = _("The match is over: all of you need {file} now.")
        elif due != clean(self._own):
            said = _("Send {file} to {name}, whose turn it is.")
        else:
            return ""
        return said.format(file=clean(self._file.name), name=due)


async def by_mail(wish: Mailed, own: str) -> ByMail:
    """The match in this file, for the player who is called so. Raises NotDone."""
    new, held = wish.begins and _begin_of(wish.begins), b""
    try:
        if wish.file.exists() and not wish.file.is_file():  # a pipe would let the player wait
            raise ValueError(_("it is not a file"))
        if new is None:
            with wish.file.open("rb") as file:
                held = file.read(MAX_LINE_BYTES + 2)
    except (OSError, ValueError) as error:
        raise failed(_("{file} cannot be read: {why}"), wish.file, error) from None
    first = json.encode(new) if new else held.replace(b"\n", b" ")
    source = await Projector.start(first, BEGINS if new else MOVES)
    try:
        _refuse_hidden(source.opened.game)
        if len({"", *source.opened.names}) <= len(source.opened.names):
            raise NotDone(_("Each player needs a name of their own."))
        names = source.opened.names  # who begins it is the first, unless they say otherwise
        match = ByMail(source, wish.file, held, own if held or own in names else names[0])
        if why := await match.play(match.begun, None, DEFAULT_KEYS):
            raise NotDone(why)
    except NotDone:
        await source.stop()
        raise
    return match


def _begin_of(solo: Solo) -> NewByMail:
    """How the match of this wish begins by mail, with bots on the last seats. Raises NotDone."""
    table = solo.table
    _refuse_hidden(table.game)
    if len(solo.people) < 2:
        raise NotDone(_("name all who play, each differently: --names Ann,Ben"))
    bots = [(f"Bot {n}", "bot", bot.level) for n, bot in enumerate(table.bots, 1)]
    seats = [*((name, "human", None) for name in solo.people), *bots]
    options = {**preset_values(FACES[table.game], table.preset), **table.options}
    began = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return NewByMail(table.game, options, seats, began)


def _refuse_hidden(game: str) -> None:
    """Raises NotDone for a game of which a file would tell too much, or too late."""
    face = FACES[game]
    if not face.open:
        hides = _("who holds the file could see the others' cards.")
        why = hides if face.in_turns else _("all act at once, and the quickest wins.")
        raise NotDone(_("{game} cannot go by mail: {why}").format(game=title_of(game), why=why))
