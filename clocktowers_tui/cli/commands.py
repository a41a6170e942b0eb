"""The command line: what was typed, as a wish; every mistake is one sentence and exit code 2."""

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from clocktowers_tui import VERSION
from clocktowers_tui.cli.command import Command
from clocktowers_tui.config.look import Colours, GlyphSet
from clocktowers_tui.config.settings import Draft, as_name, load, settings_file
from clocktowers_tui.games.face import Face, OptionField, plain
from clocktowers_tui.games.registry import FACES, LESSONS, title_of
from clocktowers_tui.history import ExportForm
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.trust import FIRST_USE, PASSWORD_VARIABLE, Ticket, Trust
from clocktowers_tui.net.wishes import Host, Solo, Visit, visit_to
from clocktowers_tui.new_table import (
    CLOCKS,
    FIELDS,
    FIRST_GAME,
    PERSON,
    deal_of,
    drafted,
    hosted,
    lesson_of,
    levels_of,
    preset_values,
    today,
)
from clocktowers_tui.phrases.codes import fault_in_words
from clocktowers_tui.text.i18n import _
from protocol import usage
from protocol.games.registry import GAMES, LEVELS
from protocol.usage import UNKNOWN, build

# The parser of `clocktowers`, in the player's language.


class Parser(usage.Parser):
    words = staticmethod(_)


_GAMES: Final = ", ".join(FACES)

_CHOSEN: Final = ("game", "bots", "level", "preset", "option")
"""What says which match to start: without any of it there is the menu."""

_Value = TypeVar("_Value")


def read(arguments: Sequence[str]) -> Command:
    """Raises SystemExit: 0 after --help and --version, 2 after a sentence on stderr."""
    parser = full_parser()
    given, rest = parser.parse_known_args(arguments)
    if given.command == "host":
        given.flags += rest  # the server says which of them it knows
    elif rest:
        parser.error(_(UNKNOWN) % " ".join(rest))
    name = as_name(given.name or "")
    if given.name is not None and not name:
        parser.error(_("--name needs a visible character"))
    try:
        wish = given.wish(given) if "wish" in given else None
        tool = given.tool(given) if "tool" in given else None
    except (argparse.ArgumentTypeError, LinkError) as error:
        said = fault_in_words(error) if isinstance(error, LinkError) else str(error)
        parser.error(said)
    finds = given.command == "join" and wish is None
    if isinstance(wish, Visit) and wish.match:
        wish, given.record = None, given.server
    colours = Colours(given.colours) if given.colours else None
    glyphs = GlyphSet(given.glyphs) if given.glyphs else None
    return Command(wish, name, colours, glyphs, given.mouse, tool, finds, given.record)


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
        metavar="solo | today | learn | join | host | history | replay | review | keys",
    )
    told = _("play against bots; alone it opens the menu")
    add_solo(commands.add_parser("solo", help=told, parents=[common]))
    _add_today(commands.add_parser("today", help=_("play the deal of the day"), parents=[common]))
    _add_learn(commands.add_parser("learn", help=_("learn a game in 5 minutes"), parents=[common]))
    _add_join(commands.add_parser("join", help=_("go to a server"), parents=[common]))
    _add_host(commands.add_parser("host", help=_("open a table to friends"), parents=[common]))
    told = _("list your finished matches, write, import or delete them")
    _add_history(commands.add_parser("history", help=told, parents=[common]))
    again = commands.add_parser("replay", help=_("see a finished match again"), parents=[common])
    told = _(
        "a record, a match of your history by its first letters, or the line to a finished match "
        "(ct:…); #41 opens it at move 41"
    )
    again.add_argument("record", metavar="FILE|ID|INVITATION[#PLY]", help=told)
    _add_review(commands.add_parser("review", help=_("see what was better"), parents=[common]))
    told = _("list all keys and check your keymap")
    commands.add_parser("keys", help=told, parents=[common]).set_defaults(
        tool=lambda _given: _tools().keys
    )
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
    told = _("the game: {games} (default: {first})").format(games=_GAMES, first=FIRST_GAME)
    parser.add_argument("--game", choices=list(FACES), metavar="GAME", help=told)
    add_match_flags(parser, _("how many bots; 0 to play alone"), LEVELS)
    parser.set_defaults(wish=solo_of)


def _add_game(parser: argparse.ArgumentParser, games: Sequence[str]) -> None:
    told = _("the game: {games} (default: {first})")
    parser.add_argument(
        "game",
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
    parser.add_argument("--game", choices=list(FACES), default="", metavar="GAME", help=told)
    parser.epilog = _("You can also give every flag of “clocktowers-server serve”.")
    parser.set_defaults(wish=_host, flags=[])


def _host(given: argparse.Namespace) -> Host:
    port = () if given.port is None else ("--port", str(given.port))
    table = hosted(load(settings_file()), FACES, given.game)
    return Host(table, (*port, *given.flags))


def solo_of(given: argparse.Namespace) -> Solo | None:
    """None where nothing was chosen: it is chosen in the menu."""
    if all(getattr(given, name) in (None, []) for name in _CHOSEN):
        return None
    given.game, given.level = given.game or FIRST_GAME, given.level or "normal"
    game, face = GAMES[given.game], FACES[given.game]
    bots = [seats - 1 for seats in game.seats]
    presets = list(game.presets)
    preset = _one_of("--preset", given.preset, presets, presets[0])
    typed = options_of(given.option, face)
    asked = {**_of_its_own(face, preset), **typed}
    fitting = [number for number in bots if not _other_wanted(face, number, asked)]
    number = _one_of("--bots", given.bots, bots, max(fitting or bots))
    other = _other_wanted(face, number, asked)
    if other:
        said = _("--bots {n} needs {option}").format(n=number, option=other)
        raise argparse.ArgumentTypeError(said)
    _one_of("--level", given.level, list(game.levels), given.level)
    draft = Draft(seats=number + 1, levels=(given.level,) * number, preset=preset)
    table = drafted(draft, face, game.levels, solo=True)
    return Solo(replace(table, options={**table.options, **typed}))


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
            return f"--option {field.name}={_as_typed(plain(usual))}"
    return ""


def _one_of(flag: str, value: _Value | None, known: Sequence[_Value], usual: _Value) -> _Value:
    """`value`, or the usual one when none was given. Raises argparse.ArgumentTypeError."""
    if value is None or value in known:
        return usual if value is None else value
    choices = ", ".join(map(str, known))
    said = _("{flag}: choose one of {values}").format(flag=flag, values=choices)
    raise argparse.ArgumentTypeError(said)


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
            raise argparse.ArgumentTypeError(_("--table and --watch need HOST"))
        return None
    ticket = Ticket(os.environ.get(PASSWORD_VARIABLE, ""))
    visit = visit_to(given.server, given.table, ticket)
    if given.watch and not visit.table:
        raise argparse.ArgumentTypeError(_("--watch needs --table CODE"))
    if visit.trust == FIRST_USE:
        visit = visit._replace(trust=Trust(plain=given.unencrypted, afresh=given.new_key))
    return visit._replace(watch=given.watch)


def _add_review(parser: argparse.ArgumentParser) -> None:
    told = _("a record, or a match of your history by its first letters")
    parser.add_argument("match", metavar="FILE|ID", help=told)
    told = _("whose decisions: 1 is the first seat (default: yours)")
    parser.add_argument("--seat", type=int, metavar="NUMBER", help=told)
    parser.epilog = _("A bot judges each decision by what the player knew then.")
    parser.set_defaults(tool=lambda given: partial(_tools().review, given.match, given.seat))


def _tools() -> ModuleType:
    """Loaded only where one of them is asked for."""
    from clocktowers_tui.cli import tools

    return tools


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(_("a port is a number from 1 to 65535"))


# The flags of a table with others, as plain mode takes them.


YES: Final = "yes"
NO: Final = "no"


def add_match_flags(
    parser: argparse.ArgumentParser,
    bots: str,
    levels: Sequence[str],
    presets: Sequence[str] | None = None,
) -> None:
    """The flags of `clocktowers solo`, and of any table. `bots`: what that flag says."""
    add = parser.add_argument
    add("--bots", type=int, help=bots)
    add("--level", choices=levels, help=_("how well the bots play (default: normal)"))
    _add_rule_flags(parser, presets)


def _add_rule_flags(parser: argparse.ArgumentParser, presets: Sequence[str] | None) -> None:
    add, told = parser.add_argument, _("change one rule; you can repeat this")
    add("--preset", choices=presets, help=_("a set of rules, by its name"))
    add("--option", action="append", default=[], metavar="NAME=VALUE", help=told)


def add_change_flags(game: str, parser: argparse.ArgumentParser) -> None:
    """The flags of a table that is there; what is not given stays."""
    _add_rule_flags(parser, list(GAMES[game].presets))
    add, clocks = parser.add_argument, {name or NO: name for name in CLOCKS}
    add("--clock", choices=[*clocks], help=_("how long a player may think"))
    add("--watchers", choices=[YES, NO], help=_("whether people may watch who do not play"))


def add_table_flags(game: str, levels: Sequence[str], parser: argparse.ArgumentParser) -> None:
    """The flags of a table with others. `levels`: of the server's bots."""
    add, seats = parser.add_argument, GAMES[game].seats
    add("--seats", type=int, choices=seats, default=max(2, min(seats)), help=_("how many seats"))
    known, presets = levels_of(game, levels), list(GAMES[game].presets)
    add_match_flags(parser, _("how many of them bots take"), known, presets)
    add("--title", default="", help=_("what the table is called in the list"))
    for field in FIELDS[::-1]:
        if field.flag and field.values:
            add(f"--{field.name}", action="store_true", help=_(field.flag))
        elif field.flag:
            add(f"--{field.name}", choices=[*filter(None, CLOCKS)], default="", help=_(field.flag))
    add("--password", default="", help=_("let in only those who know this password"))


def draft_typed(given: argparse.Namespace, game: str) -> Draft:
    """The draft of these flags, without what `--option` says; bots sit on the last seats."""
    bots = max(0, min(given.bots or 0, given.seats - 1))
    people = (PERSON,) * (given.seats - 1 - bots)
    return Draft(
        title=given.title[:200],
        seats=given.seats,
        levels=(*people, *[given.level or "normal"] * bots),
        preset=given.preset or next(iter(GAMES[game].presets)),
        **{field.name: getattr(given, field.name) for field in FIELDS if field.flag},
    )


def options_of(typed: Sequence[str], face: Face) -> dict[str, Any]:
    """`NAME=VALUE` as options of the wire. Raises argparse.ArgumentTypeError."""
    fields = {field.name: field for field in face.option_fields()}
    return dict(_option(item, fields) for item in typed)


def _option(item: str, fields: Mapping[str, OptionField]) -> tuple[str, Any]:
    name, equals, value = item.partition("=")
    if not equals or name not in fields:
        names = ", ".join(fields)
        said = _("write --option NAME=VALUE; NAME is one of {names}").format(names=names)
        raise argparse.ArgumentTypeError(said)
    field = fields[name]
    listed = {_as_typed(plain(known)): plain(known) for known, _words in field.values}
    if value in listed:
        return name, listed[value]
    # A number of many digits is none of them, and would take long to read.
    if value.isascii() and value.isdigit() and len(value) < 9 and field.words(int(value)):
        return name, int(value)
    choices = ", ".join(listed)
    if field.numbers is not None:
        choices = _("{values}, or any number from {least} to {most}").format(
            values=choices, least=field.numbers.least, most=field.numbers.most
        )
    said = _("--option {name}: choose one of {values}").format(name=name, values=choices)
    raise argparse.ArgumentTypeError(said)


def _as_typed(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(str(item) for item in value)
    return "none" if value is None else str(value)


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
    parser.add_argument("--game", choices=list(FACES), metavar="GAME", help=told)
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
            colours = Colours(given.colours) if given.colours else None
            glyphs = GlyphSet(given.glyphs) if given.glyphs else None
            return partial(tools.export, given.match, form, to, colours, glyphs)
        case "import":
            return partial(tools.import_from, given.match, as_name(given.name or ""))
    return partial(tools.delete, given.match)


def _check_history(given: argparse.Namespace) -> None:
    """Raises argparse.ArgumentTypeError for what does not go together."""
    one = bool(given.match) + given.all
    if one != (given.what not in ("list", "numbers")) or (given.all and given.what != "export"):
        said = _("write: history export ID or --all, history import FILE, or history delete ID")
        raise argparse.ArgumentTypeError(said)
    if given.game and given.what != "numbers":
        raise argparse.ArgumentTypeError(_("--game goes with: history numbers"))
    if (given.form or given.output) and given.what != "export":
        raise argparse.ArgumentTypeError(_("--as and -o go with: history export"))
