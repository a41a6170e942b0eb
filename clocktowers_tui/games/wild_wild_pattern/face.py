"""Wild Wild Pattern in the registry: what each key does, how plain mode says it, and
a table's options."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Final, NamedTuple

from clocktowers_tui.games.face import Face, Numbers, OptionField, choice_field
from clocktowers_tui.games.keys import Choose, Key
from clocktowers_tui.games.standings import listed
from clocktowers_tui.games.wild_wild_pattern import choosing, sentences
from clocktowers_tui.games.wild_wild_pattern.actions import (
    BANK,
    CLICK,
    COLOURS,
    DIRECTIONS,
    LETTERS,
    PASS,
    PLACES,
    SUITS,
)
from clocktowers_tui.games.wild_wild_pattern.choosing import (
    GIVEN,
    NONE,
    RACES,
    TOGETHER,
    WAYS,
    Offer,
    Selection,
    What,
    asked,
    back,
    keys_for,
    places,
)
from clocktowers_tui.games.wild_wild_pattern.hinting import best, nothing_words, there, tried
from clocktowers_tui.games.wild_wild_pattern.log import opens_turn, phrase
from clocktowers_tui.games.wild_wild_pattern.result import (
    reactions_ms,
    result_details,
    result_lines,
    rounds,
    same_deal,
    stories,
)
from clocktowers_tui.games.wild_wild_pattern.sight import Scene, Sheet
from clocktowers_tui.games.wild_wild_pattern.words import money
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Deed, KeyGroups, Named
from clocktowers_tui.keys.keymap import DEFAULT_KEYS
from clocktowers_tui.text.i18n import N_, _, ngettext, pgettext
from protocol.games import Switch
from protocol.games.wild_wild_pattern import (
    MAX_PRACTISING,
    MAX_RACE_LIMIT_S,
    MIN_RACE_LIMIT_S,
    SHOOTS_IN_S,
    Mode,
    Options,
    Phase,
    View,
)
from protocol.games.wild_wild_pattern.cards import Pattern, is_object

_MOVES: Final = (actions.LEFT, actions.DOWN, actions.UP, actions.RIGHT)
_READY: Final = Deed("ready", N_("say that you are ready for your card"), short="r", waits=True)
_SHOT: Final = N_("shoot at that card of the Wheel")
_SHOOT: Final = Deed("shoot", _SHOT, short="s", takes="CARD", waits=True)
_CLICK: Final = Deed("click", N_("give up your card: Click!"), short="x", waits=True)
_NONE: Final = N_("pass: declare nothing, or play no Challenge card")
_PASS: Final = Deed("pass", _NONE, short="n", waits=True)
_FIRST: Final = N_("declare that before every card of one feature comes one of the other")
_BEFORE: Final = Deed("before", _FIRST, short="<", takes="FEATURE FEATURE", waits=True)
_SECOND: Final = N_("declare that after every card of one feature comes one of the other")
_AFTER: Final = Deed("after", _SECOND, short=">", takes="FEATURE FEATURE", waits=True)
_TAKE: Final = Deed("take", N_("take that card of the Wheel"), short="t", takes="CARD", waits=True)
_LAY: Final = Deed("lay", N_("lay your card on that place of the Wheel"), takes="PLACE", waits=True)
_CHALLENGE: Final = N_("play a Challenge card, by the numbers that are said")
_USE: Final = Deed("use", _CHALLENGE, takes="N [WHICH] [FOR]", waits=True)
_PAYS: Final = Deed("bank", N_("say what the Bank pays"), short="d")

KEYS: Final = (
    # TRANSLATORS: a key: you are ready for your card.
    Key(actions.CHOOSE, N_("Ready"), choosing.confirm, _READY),
    Key(actions.CONFIRM, N_("Ready"), choosing.confirm),
    *(
        Key(
            place,
            N_("A card of the Wheel: shoot, take, lay or declare it"),
            partial(choosing.press, key=place),
            _SHOOT,
        )
        for place in PLACES
    ),
    Key(CLICK, N_("Click!"), choosing.click, _CLICK),
    # TRANSLATORS: a key, a verb: declines.
    Key(PASS, N_("Pass"), choosing.decline, _PASS),
    *(
        Key(way, N_("Declare: before, after"), partial(choosing.press, key=way), deed)
        for way, deed in zip(DIRECTIONS, (_BEFORE, _AFTER), strict=True)
    ),
    *(
        Key(
            letter,
            N_("Declare: the colours") if letter in COLOURS else N_("Declare: coin, bullets"),
            partial(choosing.press, key=letter),
            _BEFORE,
        )
        for letter in LETTERS
    ),
    Key(None, deed=_TAKE),
    Key(None, deed=_LAY),
    Key(None, deed=_USE),
    *(
        Key(key, N_("Move"), f"move({across}, {down})")
        for key, across, down in zip(_MOVES, (-1, 0, 0, 1), (0, 1, -1, 0), strict=True)
    ),
    Key(actions.BACK, N_("Back"), "back"),
    Key(BANK, N_("What the Bank pays"), "bank", _PAYS),
)


_BEFORE_KEY, _AFTER_KEY = DIRECTIONS
_PRICES: Final = (BANK,), N_("Bank prices")
_MOVE: Final = _MOVES, N_("Move")
_UNDO: Final = (actions.BACK,), N_("Back")
_NO: Final = (PASS,), N_("Pass")
_SHOT_KEYS: Final[KeyGroups] = [
    (PLACES, N_("Shoot")),
    ((CLICK,), N_("Give up: Click!")),
    _NO,
]
_ROWS: Final[Mapping[Phase | None, KeyGroups]] = {
    None: [_PRICES],
    Phase.READY: [((actions.CHOOSE,), N_("Ready")), _PRICES],
    **dict.fromkeys(RACES, _SHOT_KEYS),
    Phase.DECLARE: [
        ((_BEFORE_KEY,), N_("Before")),
        ((_AFTER_KEY,), N_("After")),
        # TRANSLATORS: feature of a card: star, barrel, ….
        (PLACES, N_("Object")),
        _NO,
    ],
    Phase.TAKE: [((actions.CONFIRM,), N_("Take")), (PLACES, N_("Take")), _MOVE],
    Phase.LAY: [
        # TRANSLATORS: a key: a place of the Wheel, where a card is laid.
        (PLACES, N_("Place")),
        _MOVE,
        # TRANSLATORS: a key, a verb: lays your card on the Wheel.
        ((actions.CONFIRM,), N_("Lay")),
    ],
    Phase.CHALLENGE: [((actions.CONFIRM, *PLACES), N_("Choose")), _MOVE, _NO],
}
"""What stands in the line of keys, as far as it leads somewhere."""
# TRANSLATORS: a key, a verb: covers a card of the Wheel first.
_AIMED: Final[KeyGroups] = [((actions.CONFIRM,), N_("Shoot")), _MOVE]
_ADVISED: Final[Mapping[Offer | None, KeyGroups]] = {
    NONE: [((actions.CONFIRM, PASS), N_("Pass"))],
    GIVEN: [((actions.CONFIRM, CLICK), N_("Give up: Click!"))],
}
_HALF: Final[KeyGroups] = [
    ((actions.CONFIRM,), N_("Choose")),
    (PLACES, N_("Object")),
    (COLOURS, N_("Colour")),
    (SUITS, N_("Suit")),
]
_WORKS_ON: Final[KeyGroups] = [((actions.CONFIRM, *PLACES), N_("Card it works on")), _MOVE]
_GIVEN: Final[KeyGroups] = [((actions.CONFIRM, *PLACES), N_("Card you give")), _MOVE]


def actions_now(view: View, selection: Selection, *, shoots: bool = False) -> KeyGroups:
    """The actions that lead somewhere from here. `shoots`: in a race only a shot does."""
    now = asked(view)
    rows = _ROWS[now]
    if now is not Phase.CHALLENGE and selection.cursor in _ADVISED:
        rows = [*_ADVISED[selection.cursor], _MOVE]
    elif now in RACES and selection.cursor is not None:
        rows = _AIMED
    elif now in RACES and shoots:
        rows = rows[:1]
    elif now is Phase.DECLARE and selection.direction is not None:
        rows = _HALF
        if selection.anchor is not None:  # another first half is not what is missing
            rows = [_HALF[0], *(_HALF[2:] if is_object(selection.anchor) else _HALF[1:2])]
    elif now is Phase.CHALLENGE and selection.challenge:
        rows = _GIVEN if selection.wanted else _WORKS_ON
    elif now is Phase.LAY and len(places(view)) == 1:
        rows = rows[-1:]
    if back(selection) != selection:
        rows = [*rows, _UNDO, *([_NO] if selection.direction is not None else [])]
    named = {one for keys, _words in rows for one in keys}
    found = [key for key in KEYS if key.action in named]
    return _with(rows, [key.action for key in found if not _does_nothing(key, view, selection)])


def _does_nothing(key: Key, view: View, selection: Selection) -> bool:
    if isinstance(key.does, str):
        return False
    step = key.does(view, selection)
    return step.remark is not None and step.selection == selection


def actions_beside(sheet: Sheet) -> KeyGroups:
    """While this lies over the board."""
    closes: KeyGroups = [((actions.CHOOSE,), _("Close"))]
    # TRANSLATORS: a key: the list of what the Bank pays.
    prices: KeyGroups = [((BANK,), _("Prices"))]
    return [*closes, *prices] if sheet is Sheet.PAID else closes


def declaring(view: View, selection: Selection, pattern: Pattern) -> KeyGroups:
    """Those that go on to this pattern."""
    if selection.direction is None:
        way = keys_for(view, selection, WAYS[pattern.direction])
        return _with(_ROWS[Phase.DECLARE], way)
    halves = (one for one in (pattern.anchor, pattern.partner) if one != selection.anchor)
    offers = (Offer(What.FEATURE, one) for one in halves)
    return _with(_HALF, [key for offer in offers for key in keys_for(view, selection, offer)])


def _with(rows: KeyGroups, led: Sequence[Action | None]) -> KeyGroups:
    """The rows with these actions alone, translated."""
    found = [([one for one in keys if one in led], _(words)) for keys, words in rows]
    return [(keys, words) for keys, words in found if keys]


# Two people at one keyboard, each with a half of it: which key does what while all act at once.
#
# Laws: the keys of a half lie around its middle one as the Wheel's cards lie around their hole, and
# one of them shoots; whatever only one player does has the usual keys. They are places of the hand,
# so no keymap moves them.


class Half(NamedTuple):
    """Its keys, those by place of the Wheel first."""

    places: Sequence[Action]
    ready: Action
    click: Action
    pass_: Action

    @property
    def named(self) -> Named:
        """The keys that a remark to this person names."""
        others = {"ready": [self.ready], "click": [self.click], "pass_": [self.pass_]}
        return {"places": self.around, **others}

    @property
    def around(self) -> Sequence[Action]:
        """Those of the Wheel, as they are read on the keyboard."""
        return [self.places[place] for place in (7, 0, 1, 6, 2, 5, 4, 3)]


def _half(keys: str) -> Half:
    *around, ready, click, pass_ = (Action("", (key,), "") for key in keys.split())
    return Half(around, ready, click, pass_)


HALVES: Final = _half("r t g b v c d e f s w"), _half("i o l full_stop comma m j u k h y")
"""By person; the second is the first, four keys on."""
_DOES: Final[Sequence[Choose]] = (
    *(partial(choosing.press, key=place) for place in PLACES),
    *(choosing.confirm, choosing.click, choosing.decline),
)
HALF_KEYS: Final[Mapping[str, tuple[int, Choose]]] = {
    action.keys[0]: (person, does)
    for person, (places, *others) in enumerate(HALVES)
    for action, does in zip((*places, *others), _DOES, strict=True)
}
"""Whose key it is, and what it does."""


def label_in_halves(place: int) -> str:
    """The keys of a place, on its card."""
    return " ".join(DEFAULT_KEYS.name(half.places[place]) for half in HALVES)


def name_of(scene: Scene, person: int) -> str:
    seat = scene.hands[person].seat
    return "" if seat is None else scene.names[seat]


def halves_now(scene: Scene) -> KeyGroups:
    """Those that lead somewhere."""
    both = [(n, half, asked(scene.hands[n])) for n, half in enumerate(HALVES)]
    shoots = [(n, half) for n, half, what in both if what in RACES]
    clicked = scene.view.phase is Phase.CLICKED
    passes = clicked or scene.view.options.practises
    groups = [
        ([half.ready for _n, half, what in both if what is Phase.READY], _("Ready")),
        *((half.around, name_of(scene, n)) for n, half in shoots),
        ([half.click for _n, half in shoots if not clicked], _("Click!")),
        ([half.pass_ for _n, half in shoots if passes], _("Pass")),
    ]
    return [(keys, words) for keys, words in groups if keys]


def told_in_halves(scene: Scene) -> Iterator[str]:
    """A few short sentences below the Wheel."""
    middles = (DEFAULT_KEYS.name(half.ready) for half in HALVES)
    around = [f"{key} ({name_of(scene, n)})" for n, key in enumerate(middles)]
    yield _("The keys around {keys} shoot at a card.").format(keys=listed(around))
    for keys, words in halves_now(scene):
        if len(keys) <= len(HALVES):
            yield f"{DEFAULT_KEYS.names(keys)}: {words}"


# A table's options and presets in words ----------------------------------------------------------


_LIMITS_S: Final = (60, 30, 45, 90, 120, 180, 300)


_choice: Final = partial(choice_field, Options)


def option_fields(seats: int | None = None) -> Sequence[OptionField]:
    """In the order of the form; the first value of each is the default. See `Face`."""
    return (
        OptionField(
            "mode",
            _("Who wins"),
            _modes(seats),
            sentence=_("Saloon! ends above 3 dollars. In Vivo the poorest go out."),
            alone=True,
        ),
        _choice(
            "played_in_pair",
            _("Your pattern"),
            _("must use the card you shot"),
            _("may lie elsewhere"),
            sentence=_("Must the card you shot be in one of the pairs?"),
        ),
        _choice(
            "five_colours",
            _("Five different colours"),
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
        _choice(
            "lag",
            _("A slow connection"),
            _("costs you no time"),
            _("makes you late"),
            sentence=_("Does a shot count from your key, or from when it arrives?"),
            among=True,
            hurry=True,
        ),
        OptionField(
            "practice",
            _("The clock"),
            _practice(seats),
            sentence=_("Without a clock you get hints and see what you missed."),
        ),
        _choice(
            "choice_limit",
            _("To take or lay a card"),
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
    return tuple((seconds, _limit_in_words(seconds)) for seconds in (*_LIMITS_S, 0))


def _limit_in_words(seconds: int) -> str:
    if not seconds:
        return _("until somebody shoots")
    return ngettext("{n} second at most", "{n} seconds at most", seconds).format(n=seconds)


def _practice(seats: int | None) -> tuple[tuple[str, str], ...]:
    """Alone there is nothing else to play; for more than two there is none."""
    if seats == 1:
        return ((Switch.ON.value, _("none, always when alone")),)
    if seats is not None and seats > MAX_PRACTISING:
        return ((Switch.OFF.value, _("runs (none only for 1 or 2)")),)
    return ((Switch.OFF.value, _("runs")), (Switch.ON.value, _("none")))


def shoots_in(level: str) -> str:
    """How quick bots of this level are; "" for a level that this client does not know."""
    if level not in SHOOTS_IN_S:
        return ""
    soonest, latest = SHOOTS_IN_S[level]
    text = pgettext("how quick a bot is, 19 cells", "shoots in {a}-{b} s")
    return text.format(a=soonest, b=latest)


PRESET_NAMES: Final = (
    N_("Saloon! The richest above $3 wins"),
    N_("Vivo o Morto! The last one wins"),
    N_("Without a clock"),
)


FACE: Final = Face(
    game="wild_wild_pattern",
    minutes=10,
    keys=KEYS,
    pitch=sentences.pitch,
    about=sentences.about,
    expected=sentences.expected,
    turn=attrgetter("turn"),  # of the round: no view tells how many came before
    phrase=phrase,
    refusal=sentences.refusal_words,
    result=result_lines,
    result_details=result_details,
    rounds=rounds,
    option_fields=option_fields,
    preset_names=PRESET_NAMES,
    is_my_turn=lambda view: asked(view) is not None,
    opens_turn=opens_turn,
    stories=stories,
    same_deal=same_deal,
    score=money,
    notation=sentences.notation,
    about_level=shoots_in,
    in_turns=False,
    round=attrgetter("round"),
    due_ms=attrgetter("due_ms"),
    at_once=lambda view: view.phase in TOGETHER,
    races=lambda view: not view.options.practises and view.phase in RACES,
    hurries=lambda view: not view.options.practises,
    was_there=there,
    best=best,
    was_nothing=nothing_words,
    tried=tried,
    reactions_ms=reactions_ms,
)
