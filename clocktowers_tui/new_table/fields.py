"""What can be chosen for a new table, for the rows of its form and for flags that are typed."""

import argparse
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from clocktowers_tui.config.settings import Draft
from clocktowers_tui.new_table.drafts import PERSON
from clocktowers_tui.new_table.offers import CLOCKS, levels_of
from clocktowers_tui.text.i18n import N_, _
from protocol.games.registry import GAMES


class TableField(NamedTuple):
    """A choice that does not depend on the game. `name`: in a `Draft`, of the form's row, of the
    flag. `values`: what can be chosen, the usual first, and its words; () for the clocks. `about`:
    the sentence of the row. `flag`: what the flag does; "" where there is none."""

    name: str
    label: str
    values: Sequence[tuple[Any, str]]
    about: str
    flag: str = ""


_SEEN = (False, N_("everybody")), (True, N_("people with its code"))
_FOUND = N_("Does everybody see the table, or only people with its code?")
_UNSEEN = N_("leave the table out of the list")
_ALLOWED = (True, N_("allowed")), (False, N_("not allowed"))
_WATCH = N_("May people watch who do not play?")
_PLAYED = (False, N_("only here")), (True, N_("at other tables, too"))
_RANKED = N_("Other tables play the same deal, and all are ranked.")
_LONG, _THINK = N_("How long may each player think?"), N_("how long a player may think")
_GIVEN = (False, N_("alone against bots")), (True, N_("for everybody"))
_ASK = N_("Who may ask for a hint? All players are told.")

HIDDEN: Final = TableField("hidden", N_("Who finds it"), _SEEN, _FOUND, _UNSEEN)
OTHERS: Final = (
    TableField("watchable", N_("Watchers"), _ALLOWED, _WATCH),
    TableField("shared", N_("Same deal"), _PLAYED, _RANKED),
    TableField("clock", N_("Clock"), (), _LONG, _THINK),
    TableField("hints", N_("Hints"), _GIVEN, _ASK, N_("let players ask for hints")),
)
FIELDS: Final = (HIDDEN, *OTHERS)
"""Between the first and the others the form asks for a password, which no draft keeps."""


def is_usual(draft: Draft) -> bool:
    """Whether each of these is as in a new draft."""
    usual = Draft()
    return all(getattr(draft, field.name) == getattr(usual, field.name) for field in FIELDS)


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
    add("--preset", choices=presets, help=_("a set of rules, by its name"))
    told = _("change one rule; you can repeat this")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help=told)


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
