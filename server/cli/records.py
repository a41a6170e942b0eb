"""`clocktowers-server records`: list the finished matches that a server keeps, and write them out.

It only reads, also while the server runs.
"""

import argparse
import os
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from typing import BinaryIO, Final

import msgspec

from server.cli.endings import quietly, refused
from server.cli.state import add_common, config_of, folder_of
from server.config import Config
from server.games.registry import GAMES
from server.operating.words import CouldNot
from server.recording.journalled import record_of
from server.recording.records import line
from server.speaking import N_, _
from server.store import opening, private, statements
from server.store.journal import Hurt, JournalError
from server.store.keeping import KeptRecord, kept_records
from server.store.migrating import SqlConnection, Unusable
from server.tables.record import beginning, read_record

STDOUT: Final = "-"
_MEGA: Final = 1 << 20


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "records",
        help=_("list finished matches, and write them as records"),
        description=_(
            "Finished matches are kept for keep_days (30 unless set). Records have names."
        ),
    )
    parser.add_argument("matches", nargs="*", metavar="MATCH", help=_("only these matches"))
    parser.add_argument("--write", metavar="FILE", help=_("write them as records; - is stdout"))
    add_common(parser, as_json=N_("the list as JSON, a match a line"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """0; 1 when a match that was asked for is not there or damaged; 2 after a sentence."""
    return quietly(lambda: _records(args))


def _records(args: argparse.Namespace) -> int:
    try:
        config = config_of(args)
        connection, used_bytes = opening.reading(config.journal, folder_of(args))
        with closing(connection) as journal:
            kept = kept_records(journal)
            missing = set(args.matches) - {one.match for one in kept}
            chosen = [one for one in kept if not args.matches or one.match in args.matches]
            for name in sorted(missing):
                print(f"there is no finished match {name!a}", file=sys.stderr)
            bad = _write(args.write, journal, chosen) if args.write else 0
            if not args.write:
                _list(chosen, config, used_bytes(journal), as_json=args.json)
    except (CouldNot, Unusable) as error:
        return refused("records", str(error))
    except FileExistsError:
        return refused("records", f"{args.write!a} is there already: name another file")
    except BrokenPipeError:
        raise
    except (OSError, sqlite3.Error) as error:
        return refused("records", f"it failed: {getattr(error, 'strerror', None) or error}")
    return 1 if missing or bad else 0


def _list(kept: Sequence[KeptRecord], config: Config, used_bytes: int, *, as_json: bool) -> None:
    for one in kept:
        names = [occupant.name for occupant in beginning(one.table).sat]
        ended = datetime.fromtimestamp(one.ended_at, UTC)
        if as_json:
            fields = {**msgspec.structs.asdict(one), "table": _code(one.table), "players": names}
            print(msgspec.json.encode(fields).decode())
        else:
            print(f"{one.match}  {ended:%Y-%m-%d %H:%M}  {one.game}  {', '.join(names)}")
    if not as_json:
        print(
            f"{len(kept)} finished matches, kept for {config.keep_days} days; the journal has "
            f"{used_bytes / _MEGA:.1f} MB, of {config.journal_mb} MB at most"
        )


def _write(name: str, journal: SqlConnection, kept: Sequence[KeptRecord]) -> int:
    """Write the records, and return how many could not be written. Raises OSError."""
    if name == STDOUT:
        return _write_to(sys.stdout.buffer, journal, kept)
    with os.fdopen(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, private.FILE), "wb") as file:
        bad = _write_to(file, journal, kept)
    print(f"matches written: {len(kept) - bad}")
    return bad


def _write_to(file: BinaryIO, journal: SqlConnection, kept: Sequence[KeptRecord]) -> int:
    bad = 0
    for one in kept:
        try:
            header, entries = statements.load(journal, one.match)
            game = GAMES.get(header.game)
            if game is None or game.rules.rules_version != header.rules_version:
                raise JournalError(f"match {one.match} has other rules than this program")
            record = record_of(game, header, beginning(header.table), entries)
            if record is None:
                raise Hurt(f"match {one.match} has no outcome")
            file.write(line(record))
        except JournalError as error:
            print(error, file=sys.stderr)
            bad += 1
    return bad


def _code(table: bytes) -> str:
    try:
        return read_record(table).code
    except msgspec.DecodeError:
        return ""
