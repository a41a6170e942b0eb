"""The command line: what was typed, as a wish; every mistake is one sentence and exit code 2."""

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar

from clocktowers_tui import VERSION
from clocktowers_tui.cli.command import Command
from clocktowers_tui.config.look import Colours, GlyphSet
from clocktowers_tui.config.settings import Draft, as_name, called, load, settings_file
from clocktowers_tui.games.face import Face, plain
from clocktowers_tui.games.registry import FACES, LESSONS, game_of, title_of
from clocktowers_tui.history import ExportForm
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.house import is_guest
from clocktowers_tui.net.trust import FIRST_USE, PASSWORD_VARIABLE, Ticket, Trust
from clocktowers_tui.net.wishes import Host, Mailed, Solo, Visit, visit_to
from clocktowers_tui.new_table import (
    FIRST_GAME,
    deal_of,
    hosted,
    lesson_of,
    named_at,
    preset_values,
    today,
)
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.codes import fault_in_words
from clocktowers_tui.table_fields import (
    Ask,
    Wanted,
    add_flags,
    as_typed,
    fields_of,
    options_of,
    table_of,
)
from clocktowers_tui.text.i18n import _
from protocol import usage
from protocol.games.registry import GAMES, LEVELS
from protocol.usage import UNKNOWN, build

# The parser of `clocktowers`, in the player's language.


class Parser(usage.Parser):
    words = staticmethod(_)


_GAMES: Final = ", ".join(FACES)
_OF_GAMES: Final[Mapping[str, Any]] = {"type": game_of, "choices": list(FACES), "metavar": "GAME"}

_Value = TypeVar("_Value")


def read(arguments: Sequence[str]) -> Command:
    """Raises SystemExit: 0 after --help and --version, 2 after a sentence on stderr."""
    parser = full_parser()
    given, rest = parser.parse_known_args(arguments)
    if given.command == "host":
        given.flags += rest  # the server says which of them it knows
    elif rest and (given.command != "solo" or rest[0].startswith("-")):
        parser.error(_(UNKNOWN) % " ".join(rest))
    name = as_name(given.name or "")
    if given.name is not None and not name:
        parser.error(_("--name needs a visible character"))
    given.colours = Colours(given.colours) if given.colours else None
    given.glyphs = GlyphSet(given.glyphs) if given.glyphs else None
    try:
        if rest and given.command == "solo":
            given.game = _one_of("--game", game_of(" ".join(rest)), list(FACES), "")
        wish = given.wish(given) if "wish" in given else None
        tool = given.tool(given) if "tool" in given else None
        replays = given.mailed(given) if "mailed" in given else given.record
    except (NotDone, LinkError) as error:
        said = fault_in_words(error) if isinstance(error, LinkError) else str(error)
        parser.error(said)
    finds = given.command == "join" and wish is None
    if isinstance(wish, Visit) and wish.match:
        wish, replays = None, given.server
    looks = given.colours, given.glyphs, given.mouse
    does = given.does(given) if "does" in given else None
    return Command(wish, name, *looks, tool, finds, replays, does)


def full_parser() -> Parser:
    """Everything that can be typed."""
    common = _common()
    parser = Parser(
        prog="clocktowers",
        description=_("Games in your terminal: {games}. Without a command: the menu.").format(
            games=", ".join(map(title_of, FACES))
        ),
        epilog=_("Unofficial. The games' names belong to their owners."),
        parents=[_common()],
    )
    parser.set_defaults(name=None, colours=None, glyphs=None, mouse=True, record="")
    told = _("show the program's version and exit")
    version = f"clocktowers {build(VERSION)}"
    parser.add_argument("--version", action="version", version=version, help=told)
    commands = parser.add_subparsers(
        dest="command",
        metavar="solo | today | learn | join | host | waiting | history | replay | review | keys"
        " | move | move-out | move-in",
    )
    add = partial(commands.add_parser, parents=[common])
    add_solo(add("solo", help=_("play against bots; alone it opens the menu")))
    _add_today(add("today", help=_("play the deal of the day")))
    _add_learn(add("learn", help=_("learn a game in 5 minutes")))
    _add_join(add("join", help=_("go to a server")))
    _add_host(add("host", help=_("open a table to friends")))
    told = _("list your matches at servers, where it is your turn first")
    _add_waiting(add("waiting", help=told))
    _add_history(add("history", help=_("list your finished matches, write, import or delete them")))
    again = add("replay", help=_("see a finished match again"))
    told = _(
        "a record, a match of your history by its first letters, or the line to a finished match "
        "(ct:…); #41 opens it at move 41"
    )
    again.add_argument("record", metavar="FILE|ID|INVITATION[#PLY]", help=told)
    _add_review(add("review", help=_("see what was better")))
    _add_move(add("move", help=_("play a match by mail")))
    out = add("move-out", help=_("go on at another machine"))
    told = _("write a file, sealed with a pass phrase, and show no code")
    out.add_argument("--file", metavar="FILE", help=told)
    out.set_defaults(does=lambda given: ("move-out", [given.file] * bool(given.file)))
    into = add("move-in", help=_("take yourself over from your old machine"))
    told = _("what move-out shows on the old machine, or the file that it has written")
    into.add_argument("code", nargs="+", metavar="CODE|FILE", help=told)
    into.set_defaults(does=lambda given: ("move-in", given.code))
    listed = add("keys", help=_("list all keys and check your keymap"))
    listed.set_defaults(tool=lambda _given: _tools().keys)
    return parser


def _common() -> Parser:
    """What may stand before or after the command: what is not given leaves no trace, so that one
    of the two places does not undo the other."""
    common = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("--name", help=_("your name at the table"))
    glyphs, colours = ([str(one) for one in kind] for kind in (GlyphSet, Colours))
    common.add_argument("--glyphs", choices=glyphs, help=_("which characters to draw with"))
    plain_letters = _("draw with plain letters only")
    common.add_argument(
        "--ascii", dest="glyphs", action="store_const", const="ascii", help=plain_letters
    )
    common.add_argument("--colours", choices=colours, help=_("how many colours to use"))
    by_lines = _("play by sentences and commands, line by line, without a screen")
    common.add_argument("--plain", action="store_true", help=by_lines)
    drawn = _("draw on the terminal, also where the output goes elsewhere")
    common.add_argument("--full-screen", action="store_true", help=drawn)
    to_terminal = _("leave the mouse to the terminal")
    common.add_argument("--no-mouse", dest="mouse", action="store_false", help=to_terminal)
    return common


def add_solo(parser: argparse.ArgumentParser) -> None:
    add_flags(Wanted(Ask.SOLO, list(FACES), LEVELS), parser)
    parser.set_defaults(wish=solo_of)


def _add_game(parser: argparse.ArgumentParser, games: Sequence[str]) -> None:
    told = _("the game: {games} (default: {first})")
    parser.add_argument(
        "game",
        type=game_of,
        choices=games,
        default=FIRST_GAME,
        nargs="?",
        metavar="GAME",
        help=told.format(games=", ".join(games), first=FIRST_GAME),
    )


def _add_learn(parser: argparse.ArgumentParser) -> None:
    _add_game(parser, list(LESSONS))
    parser.set_defaults(wish=lambda given: lesson_of(given.game))


def _add_today(parser: argparse.ArgumentParser) -> None:
    _add_game(parser, list(FACES))
    told = _("print your newest result as three lines to paste, and do not play")
    parser.add_argument("--result", action="store_true", help=told)
    parser.epilog = _("Everybody has the same cards, from midnight to midnight in UTC.")
    parser.set_defaults(
        wish=lambda given: None if given.result else deal_of(given.game, today()),
        tool=lambda given: partial(_tools().today, given.game) if given.result else None,
    )


def _add_host(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=_port, help=_("the server's port (default: 7777)"))
    told = _("the first table's game: {games} (default: the last you played)").format(games=_GAMES)
    parser.add_argument("--game", **_OF_GAMES, default="", help=told)
    parser.epilog = _("You can also give every flag of “clocktowers-server serve”.")
    parser.set_defaults(wish=_host, flags=[])


def _host(given: argparse.Namespace) -> Host:
    """A game may stand alone, as in the menu of plain mode."""
    port = () if given.port is None else ("--port", str(given.port))
    game, flags = given.game, given.flags
    if flags[:1] and game_of(flags[0]) in FACES:
        game, flags = game_of(flags[0]), flags[1:]
    return Host(hosted(load(settings_file()), FACES, game), (*port, *flags))


def solo_of(given: argparse.Namespace) -> Solo | None:
    """None where nothing was chosen: it is chosen in the menu."""
    if not any(field.flag in given for field in fields_of(Ask.SOLO)):
        return None
    face, level = FACES[getattr(given, "game", FIRST_GAME)], getattr(given, "level", "normal")
    game, wanted = GAMES[face.game], Wanted(Ask.SOLO, list(FACES), LEVELS, face)
    presets = list(game.presets)
    preset = _one_of("--preset", getattr(given, "preset", None), presets, presets[0])
    names = getattr(given, "names", "")
    people = getattr(given, "people", names.count(",") + 1)
    most = 1 if is_guest() else face.most_people
    people = _one_of("--people", people, range(1, most + 1), 1)
    bots = [seats - people for seats in game.seats if seats >= people]
    asked = {**_of_its_own(face, preset), **options_of(given, face)}
    fitting = [one for one in bots if not _other_wanted(face, people - 1 + one, asked)]
    usual = (min if people > 1 else max)(fitting or bots)
    number = _one_of("--bots", getattr(given, "bots", None), bots, usual)
    other = _other_wanted(face, people - 1 + number, asked)
    if other:
        said = _("--bots {n} needs {option}").format(n=number, option=other)
        raise NotDone(said)
    _one_of("--level", level, list(game.levels), level)
    seats = people + number
    draft = Draft(seats=seats, levels=(level,) * (seats - 1), preset=preset, people=people)
    table = table_of(given, wanted, draft)
    own = as_name(getattr(given, "name", None) or "") or called(load(settings_file()))
    return Solo(table, people=named_at(table, names, own))


def _of_its_own(face: Face, preset: str) -> dict[str, Any]:
    """What this preset has and the first one has not."""
    usual = preset_values(face, face.presets()[0][0])
    return {
        name: value for name, value in preset_values(face, preset).items() if value != usual[name]
    }


def _other_wanted(face: Face, bots: int, asked: Mapping[str, Any]) -> str:
    """The first option asked for that so many bots want otherwise, as it is typed; "" for none."""
    for field in face.option_fields(bots + 1):
        usual = field.values[0][0]
        if field.words(asked.get(field.name, usual)) is None:
            return f"--option {field.name}={as_typed(plain(usual))}"
    return ""


def _one_of(flag: str, value: _Value | None, known: Sequence[_Value], usual: _Value) -> _Value:
    """`value`, or the usual one when none was given. Raises NotDone."""
    if value is None or value in known:
        return usual if value is None else value
    choices = ", ".join(map(str, known))
    said = _("{flag}: choose one of {values}").format(flag=flag, values=choices)
    raise NotDone(said)


def _add_join(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "server",
        nargs="?",
        metavar="INVITATION | HOST[:PORT][,…][/CODE]",
        help=_("the server to go to, IPv6 as [::1]:7777; without it you are asked on the screen"),
    )
    parser.add_argument("--table", metavar="CODE", default="", help=_("go straight to this table"))
    parser.add_argument(
        "--watch", action="store_true", help=_("watch the table instead of playing")
    )
    told = _("go to a server that does not encrypt: others can read your cards")
    parser.add_argument("--unencrypted", action="store_true", help=told)
    told = _("accept the server's new key in place of the one you know")
    parser.add_argument("--new-key", action="store_true", help=told)
    parser.set_defaults(wish=_visit)


def _visit(given: argparse.Namespace) -> Visit | None:
    """None where no server was named: it is chosen from a list."""
    if given.server is None:
        if given.table or given.watch:
            raise NotDone(_("--table and --watch need HOST"))
        return None
    ticket = Ticket(os.environ.get(PASSWORD_VARIABLE, ""))
    visit = visit_to(given.server, given.table, ticket)
    if given.watch and not visit.table:
        raise NotDone(_("--watch needs --table CODE"))
    if visit.trust == FIRST_USE:
        visit = visit._replace(trust=Trust(plain=given.unencrypted, afresh=given.new_key))
    return visit._replace(watch=given.watch)


def _add_waiting(parser: argparse.ArgumentParser) -> None:
    told = _("print only in how many it is your turn")
    parser.add_argument("--count", action="store_true", help=told)
    told = _("take so many days off at these servers first: your clocks of days stop")
    parser.add_argument("--vacation", type=int, default=0, metavar="DAYS", help=told)
    parser.epilog = _("The exit code is 0 where it is your turn in a match, else 1.")
    parser.set_defaults(
        tool=lambda given: partial(_tools().waiting, count=given.count, vacation=given.vacation)
    )


def _add_review(parser: argparse.ArgumentParser) -> None:
    told = _("a record, or a match of your history by its first letters")
    parser.add_argument("match", metavar="FILE|ID", help=told)
    told = _("whose decisions: 1 is the first seat (default: yours)")
    parser.add_argument("--seat", type=int, metavar="NUMBER", help=told)
    parser.epilog = _("A bot judges each decision by what the player knew then.")
    parser.set_defaults(tool=lambda given: partial(_tools().review, given.match, given.seat))


def _add_move(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=_("the file that players send each other"))
    parser.add_argument("--new", action="store_true", help=_("begin a match in a new file"))
    add_flags(Wanted(Ask.MAIL, list(FACES), LEVELS), parser)
    parser.set_defaults(mailed=_mailed)


def _mailed(given: argparse.Namespace) -> Mailed:
    if not given.new:
        if any(field.flag in given for field in fields_of(Ask.MAIL)):
            raise NotDone(_("names, bots and rules are chosen with --new"))
        return Mailed(Path(given.file))
    given.game = getattr(given, "game", next(game for game, face in FACES.items() if face.open))
    return Mailed(Path(given.file), solo_of(given))


def _tools() -> ModuleType:
    """Loaded only where one of them is asked for."""
    from clocktowers_tui.cli import tools

    return tools


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(_("a port is a number from 1 to 65535"))


# `clocktowers history`: what can be typed, and which function does it.

_COMMANDS: Final = ("list", "numbers", "export", "import", "delete")


def _add_history(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="?",
        choices=_COMMANDS,
        default="list",
        metavar=" | ".join(_COMMANDS),
        help=_("list them (the default), sum them up, write or import some, delete one"),
    )
    told = _("which match: the first letters are enough; import: the file")
    parser.add_argument("match", nargs="?", metavar="ID | FILE", default="", help=told)
    told = _("export: all matches")
    parser.add_argument("--all", action="store_true", help=told)
    told = _("export: how to write it: {forms} (default: json, a record)")
    parser.add_argument(
        "--as",
        dest="form",
        choices=[str(form) for form in ExportForm],
        metavar="FORM",
        help=told.format(forms=", ".join(ExportForm)),
    )
    told = _("export: where to; a folder gets a file for each match (default: stdout)")
    parser.add_argument("-o", "--output", metavar="FILE", help=told)
    told = _("numbers: only of this game: {games}").format(games=_GAMES)
    parser.add_argument("--game", **_OF_GAMES, help=told)
    parser.epilog = _("With --name NAME, imported matches that NAME played count as yours.")
    parser.set_defaults(tool=_history)


def _history(given: argparse.Namespace) -> Callable[[], int]:
    from clocktowers_tui.cli import tools

    _check_history(given)
    match given.what:
        case "list":
            return tools.history
        case "numbers":
            return partial(tools.numbers, given.game or "")
        case "export":
            form, to = ExportForm(given.form or ExportForm.JSON), given.output or tools.PIPE
            return partial(tools.export, given.match, form, to, given.colours, given.glyphs)
        case "import":
            return partial(tools.import_from, given.match, as_name(given.name or ""))
    return partial(tools.delete, given.match)


def _check_history(given: argparse.Namespace) -> None:
    """Raises NotDone for what does not go together."""
    one = bool(given.match) + given.all
    if one != (given.what not in ("list", "numbers")) or (given.all and given.what != "export"):
        said = _("write: history export ID or --all, history import FILE, or history delete ID")
        raise NotDone(said)
    if given.game and given.what != "numbers":
        raise NotDone(_("--game goes with: history numbers"))
    if (given.form or given.output) and given.what != "export":
        raise NotDone(_("--as and -o go with: history export"))
