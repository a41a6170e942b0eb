"""`clocktowers-server records` lists the finished matches that a server keeps, and writes them out;
`verify` replays such records, and says what is proved of each or what is wrong with it.

`records` only reads, also while the server runs. The exit code of `verify` is 2 when a line is no
record or a file cannot be read, else 1 when a record is wrong, else 0. Each record gets a line,
a match in notation one for each line that is wrong; the last line says how many are right.
"""

import argparse
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from protocol.signing import BESIDE, SIGNED
from protocol.text import clean
from server.cli.common import CANNOT, add_command, add_common, config_of, failing
from server.config import Config
from server.games.registry import GAMES
from server.recording.files import Verdict, checked
from server.recording.notation import MatchFault, Noted
from server.recording.records import Record, line, record_of
from server.speaking import N_, _
from server.store import opening, private, statements
from server.store.backup import RECORDS
from server.store.journal import Hurt, JournalError
from server.store.state_folder import service_path
from server.store.statements import KeptRecord, SqlConnection, kept_records
from server.tables.record import beginning, code_in

STANDARD: Final = "-"
"""In place of a file's name: standard output, or input."""
WRONG: Final = 1
_MOST_SAID: Final = 300
_MEGA: Final = 1 << 20


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Of `records`."""
    about = _("Finished matches are kept for keep_days (30 unless set). Records have names.")
    told = _("list finished matches, and write them as records")
    parser = add_command(commands, "records", _records, CANNOT, help=told, description=about)
    parser.add_argument("matches", nargs="*", metavar="MATCH", help=_("only these matches"))
    parser.add_argument("--write", metavar="FILE", help=_("write them as records; - is stdout"))
    parser.add_argument("--journal", metavar="URL", help=_("their database, as for serve"))
    add_common(parser, as_json=N_("the list as JSON, a match a line"))


def add_verify(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    about = _("Checks match records: one JSON object a line, or notation, one line a move.")
    told = _("replay match records and check every ply")
    parser = add_command(commands, "verify", _verify, help=told, description=about)
    parser.add_argument("files", nargs="+", metavar="FILE", help=_("- is standard input"))


def _records(args: argparse.Namespace) -> int:
    """1 when a match that was asked for is not there or damaged."""
    config = config_of(args)
    with failing("it failed"):
        folder = service_path(config.state)
        connection, used_bytes = opening.reading(config.journal, folder)
        with closing(connection) as journal:
            kept = kept_records(journal)
            missing = set(args.matches) - {one.match for one in kept}
            chosen = [one for one in kept if not args.matches or one.match in args.matches]
            for name in sorted(missing):
                print(f"there is no finished match {name!a}", file=sys.stderr)
            bad = _write(args.write, journal, chosen, folder) if args.write else 0
            if not args.write:
                _list(chosen, config, used_bytes(journal), as_json=args.json)
    return 1 if missing or bad else 0


def _list(kept: Sequence[KeptRecord], config: Config, used_bytes: int, *, as_json: bool) -> None:
    for one in kept:
        names = [occupant.name for occupant in beginning(one.table).sat]
        ended = datetime.fromtimestamp(one.ended_at, UTC)
        if as_json:
            fields = {**msgspec.structs.asdict(one), "table": code_in(one.table), "players": names}
            print(msgspec.json.encode(fields).decode())
        else:
            print(f"{one.match}  {ended:%Y-%m-%d %H:%M}  {one.game}  {', '.join(names)}")
    if not as_json:
        print(
            f"{len(kept)} finished matches, kept for {config.keep_days} days; the journal has "
            f"{used_bytes / _MEGA:.1f} MB, of {config.journal_mb} MB at most"
        )


def _write(name: str, journal: SqlConnection, kept: Sequence[KeptRecord], folder: Path) -> int:
    """Write the records, and return how many could not be written. `folder`: the server's own, with
    the key that signs them. Raises OSError."""
    key = private.known_secret(folder / RECORDS)
    if name == STANDARD:
        return _write_to(sys.stdout.buffer, journal, kept, key)
    with os.fdopen(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, private.FILE), "wb") as file:
        bad = _write_to(file, journal, kept, key)
    print(f"matches written: {len(kept) - bad}")
    return bad


def _write_to(
    file: BinaryIO, journal: SqlConnection, kept: Sequence[KeptRecord], key: bytes
) -> int:
    bad = 0
    for one in kept:
        try:
            header, entries = statements.load(journal, one.match)
            game = GAMES.get(header.game)
            if game is None or game.rules.rules_version != header.rules_version:
                raise JournalError(f"match {one.match} has other rules than this program")
            record = record_of(game, header, beginning(header.table), entries, key)
            if record is None:
                raise Hurt(f"match {one.match} has no outcome")
            file.write(line(record))
        except JournalError as error:
            print(error, file=sys.stderr)
            bad += 1
    return bad


# Verifying ---------------------------------------------------------------------------------------


def _verify(args: argparse.Namespace) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Go on when the terminal cannot show a character of a file's name.
        sys.stdout.reconfigure(errors="backslashreplace")
    right, dealt, signatures, code = 0, 0, 0, 0
    for name in args.files:
        shown = printable(name)
        for verdict in _verdicts(name):
            match verdict:
                case Noted(line=number, record=record):
                    right += 1
                    dealt += "proof" in record.fields
                    signatures += SIGNED in record.fields
                    print(f"{shown}:{number}: {_proved(record)}")
                case MatchFault():
                    code = max(code, _report(shown, verdict))
                case why:
                    print(f"{shown}: cannot be read: {why}")
                    code = CANNOT
    print(f"{right} right: with a deal that follows from its seed: {dealt}, signed: {signatures}")
    return code


def _proved(record: Record) -> str:
    """What is known of a record that is right, and what nobody can know."""
    rules = "every ply and the outcome are right, nothing proves the deal"
    if "proof" in record.fields:
        rules = "every ply, the outcome and the deal are right"
    signed = "not signed: nobody can know names, times and who was a bot"
    if SIGNED in record.fields:  # the signature is right, too, or the record would not be
        key = bytes.fromhex(record.fields[SIGNED]["key"]).hex()
        signed = f"signed by {key}, which vouches for names, times and who was a bot"
    beside = "; anybody may have written its comments and its review"
    return f"{rules}; {signed}{beside if record.fields.keys() & {*BESIDE} else ''}"


def _verdicts(name: str) -> Iterator[Verdict | str]:
    """On each match of a file; then why no more of it can be read, if so. What goes wrong with the
    output is raised where it is written, and never blamed on the file."""
    try:
        with nullcontext(sys.stdin.buffer) if name == STANDARD else Path(name).open("rb") as file:
            yield from checked(file)
    except (OSError, ValueError) as error:
        # ValueError: the name has a zero byte in it.
        yield str(getattr(error, "strerror", error))


def _report(file: str, fault: MatchFault) -> int:
    said = clean(fault.why)
    said = said if len(said) <= _MOST_SAID else said[:_MOST_SAID] + "…"
    print(f"{file}:{fault.line}: {fault.place}: {said}")
    return CANNOT if fault.unread else WRONG


def printable(name: str) -> str:
    """A file's name on one line, without characters that act on a terminal."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in name)
