"""A table's options and presets in words."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clocktowers_tui.games.face import Numbers, OptionField
from clocktowers_tui.games.option_fields import choice, differences, named
from clocktowers_tui.text.i18n import _, ngettext, pgettext
from protocol.games.wild_wild_pattern import (
    MAX_PRACTISING,
    MAX_RACE_LIMIT_S,
    MIN_RACE_LIMIT_S,
    PRESETS,
    SHOOTS_IN_S,
    ChoiceLimit,
    FiveColours,
    Lag,
    Mode,
    PlayedInPair,
    Practice,
)

_LIMITS_S: Final = (60, 30, 45, 90, 120, 180, 300)


def option_fields(seats: int | None = None) -> Sequence[OptionField]:
    """In the order of the form; the first value of each is the default. See `Face`."""
    return (
        OptionField(
            "mode",
            _("Who wins"),
            _modes(seats),
            sentence=_("Saloon! ends above 3 dollars. In Vivo the poorest go out."),
        ),
        choice(
            "played_in_pair",
            _("Your pattern"),
            PlayedInPair,
            _("must use the card you shot"),
            _("may lie elsewhere"),
            sentence=_("Must the card you shot be in one of the pairs?"),
        ),
        choice(
            "five_colours",
            _("Five different colours"),
            FiveColours,
            _("win the match"),
            _("pay 1 dollar"),
            sentence=_("WILD: what five different colours do at the Bank."),
        ),
        OptionField(
            "race_limit_s",
            _("A race lasts"),
            _limits(seats),
            Numbers(MIN_RACE_LIMIT_S, MAX_RACE_LIMIT_S, _limit_in_words),
            _("When nobody shoots in time, nobody wins the turn."),
        ),
        choice(
            "lag",
            _("A slow connection"),
            Lag,
            _("costs you no time"),
            _("makes you late"),
            sentence=_("Does a shot count from your key, or from when it arrives?"),
            among=True,
            hurry=True,
        ),
        OptionField(
            "practice",
            _("Practice without hurry"),
            _practice(seats),
            sentence=_("Only practice gives hints and shows what you missed."),
        ),
        choice(
            "choice_limit",
            _("To take or lay a card"),
            ChoiceLimit,
            _("within 15 seconds"),
            _("no time limit"),
            sentence=_("How long may you think when you take or lay a card?"),
            hurry=True,
        ),
    )


def _modes(seats: int | None) -> tuple[tuple[str, str], ...]:
    """Alone nobody could be the poorest."""
    saloon = (Mode.SALOON.value, _("Saloon! The richest above $3 wins"))
    vivo = (Mode.VIVO.value, _("Vivo o Morto! The poorest go out"))
    return (saloon,) if seats == 1 else (saloon, vivo)


def _limits(seats: int | None) -> tuple[tuple[int, str], ...]:
    """Alone there is practice only, which has no limit."""
    if seats == 1:
        return ((_LIMITS_S[0], _("no limit in practice")),)
    return (*map(_limit, _LIMITS_S), _limit(0))


def _limit(seconds: int) -> tuple[int, str]:
    return seconds, _limit_in_words(seconds)


def _limit_in_words(seconds: int) -> str:
    if not seconds:
        return _("until somebody shoots")
    return ngettext("{n} second at most", "{n} seconds at most", seconds).format(n=seconds)


def _practice(seats: int | None) -> tuple[tuple[str, str], ...]:
    """Alone there is nothing else to play; for more than two there is none."""
    if seats == 1:
        return ((Practice.ON.value, _("on, always when alone")),)
    if seats is not None and seats > MAX_PRACTISING:
        return ((Practice.OFF.value, _("off (1 or 2 players)")),)
    return ((Practice.OFF.value, _("off")), (Practice.ON.value, _("on")))


def shoots_in(level: str) -> str:
    """How quick bots of this level are; "" for a level that this client does not know."""
    if level not in SHOOTS_IN_S:
        return ""
    soonest, latest = SHOOTS_IN_S[level]
    text = pgettext("how quick a bot is, 19 cells", "shoots in {a}-{b} s")
    return text.format(a=soonest, b=latest)


def presets() -> Sequence[tuple[str, str]]:
    """(name on the wire, words); the first is the default."""
    return named(
        PRESETS,
        _("Saloon! The richest above $3 wins"),
        _("Vivo o Morto! The last one wins"),
        _("Practice without hurry, with hints"),
    )


def options_in_words(options: Mapping[str, Any]) -> str:
    """The mode, which has a name of its own, and what else is not the default, in one line."""
    mode, *others = option_fields()
    wished = options.get(mode.name)
    shown = next((words for value, words in mode.values if value == wished), mode.values[0][1])
    return "; ".join([shown, *differences(others, options)])
