"""Wild Wild Pattern in sentences and typed commands, for plain mode.

The Wheel is always told from card 1 to card 8, so that a listener learns where what is. Features
may be typed in English or in the language that is spoken.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from clocktowers_tui.games.face import advice_in_words
from clocktowers_tui.games.keys import ALL_BOARDS
from clocktowers_tui.games.spoken import (
    Asks,
    Read,
    Unsaid,
    heard,
    move,
    number,
    sentence,
    spoken,
)
from clocktowers_tui.games.wild_wild_pattern import choosing, hinting
from clocktowers_tui.games.wild_wild_pattern.actions import NAMED, PLACES
from clocktowers_tui.games.wild_wild_pattern.choosing import (
    NONE,
    NOTHING,
    RACES,
    Offer,
    Selection,
    What,
    asked,
    on_offer,
    own_hit,
    places,
    usable,
    why_nothing,
)
from clocktowers_tui.games.wild_wild_pattern.face import FACE
from clocktowers_tui.games.wild_wild_pattern.hinting import (
    how_you_stand,
    missed,
    missed_title,
    missed_words,
)
from clocktowers_tui.games.wild_wild_pattern.result import met_words, result_details
from clocktowers_tui.games.wild_wild_pattern.sentences import limit_s, why_laid, within
from clocktowers_tui.games.wild_wild_pattern.sheet import wild
from clocktowers_tui.games.wild_wild_pattern.words import (
    card_words,
    challenge_names,
    feature_names,
    line_words,
    money,
    pattern_words,
)
from clocktowers_tui.text.i18n import _
from protocol.games.moves import Moves
from protocol.games.wild_wild_pattern import (
    MOVES,
    Action,
    Declare,
    Outcome,
    Phase,
    Ready,
    Shoot,
    Take,
    Use,
    View,
)
from protocol.games.wild_wild_pattern.bank import Line, in_play
from protocol.games.wild_wild_pattern.cards import (
    CARD_NAMES,
    FEATURE_NAMES,
    FEATURES,
    FIRST_SUIT,
    Direction,
    Pattern,
    is_pattern,
    object_of,
    suit_of,
)

_WIDE: Final = 1000
"""Cells: nothing is cut for a screen."""


def turn(view: View, names: Sequence[str]) -> Sequence[str]:
    """What a listener needs for what the match waits for. The whole Wheel takes some 20 seconds to
    hear: it is told before a race."""
    match asked(view):
        case Phase.READY:
            return _before_a_race(view, _wheel(view))
        case Phase.RACE | Phase.CLICKED:
            card = view.clicked if view.phase is Phase.CLICKED else view.card
            own = _("Your card: {card}.").format(card=card_words(card))
            return [own, *_wheel(view), _joins(view), _shooting(view, view.phase)]
        case Phase.DECLARE:
            return [*_covered(view), _declaring(view)]
        case Phase.TAKE:
            return [*_why_taken(view), _to_take(view)]
        case Phase.LAY:
            own = _("Your card: {card}.").format(card=card_words(view.card))
            return [own, why_laid(view), _to_lay(view)]
        case Phase.CHALLENGE if choosing.wild(view):
            return [_("Type pass: it wins the match.")]
        case Phase.CHALLENGE:
            return [*_challenges(view), _("Type use and its number, or pass.")]
        case _:
            return []


def since(view: View, before: View | None, names: Sequence[str]) -> Sequence[str]:
    """Before a race where the Wheel has other cards than before the last one; later the player's
    card. Cards of the Wheel that were told in an earlier turn are not told again."""
    match asked(view):
        case Phase.READY:
            return [_question(view, names), *_before_a_race(view, _news(view, before))]
        case Phase.RACE | Phase.CLICKED:
            (own, *more), asks = turn(view, names), _question(view, names)
            if view.phase is Phase.CLICKED:
                return [asks, own, more[-1]]
            # A listener who comes back has not heard the Wheel.
            return [own, asks, *(more[-1:] if before else more)]
        case Phase.DECLARE:
            limit = 0 if view.due_ms is None else limit_s(view.options, view.phase)
            first = sentence(within(_("Declare a new pattern"), limit))
            return [*[*_covered(view)][1:], first, *([] if before else [_declaring(view)])]
        case Phase.LAY:
            return [_question(view, names), *_missed(view), *turn(view, names)[1:]]
        case _:
            return [_question(view, names), *turn(view, names)]


def brief(view: View, before: View | None, names: Sequence[str]) -> Sequence[str]:
    """Before a race what is new on the Wheel, in it the card."""
    match asked(view):
        case Phase.READY:
            return [_question(view, names), *_news(view, before)]
        case Phase.RACE | Phase.CLICKED:
            return [_question(view, names), turn(view, names)[0]]
        case _:
            return since(view, before, names)


def _question(view: View, names: Sequence[str]) -> str:
    return sentence(FACE.expected(view, names))


def standing(view: View) -> Sequence[str]:
    """What is sought, what lies on the Wheel, and what can be typed."""
    typed = _("Type ready."), _("Type use and its number, or pass.")
    shots = (_shooting(view, phase) for phase in RACES)
    return [*how_you_stand(view), *_wheel(view), *typed, *shots]


def ground(view: View) -> Sequence[str]:
    """The cards of which a lesson speaks."""
    return _wheel(view)


def parts(view: View, names: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The player's card, the Wheel, what each player has, what is sought."""
    seats = sorted(range(len(view.won)), key=lambda seat: seat != view.seat)
    own = [_("Your card: {card}.").format(card=card_words(view.card))] if view.card else []
    held = [line for seat in seats for line in _held(view, seat, names)]
    return {"card": own, "wheel": _wheel(view), "won": held, "aims": [*how_you_stand(view)]}


def ending(view: View, outcome: Outcome, names: Sequence[str]) -> Sequence[str]:
    """The last visit to the Bank."""
    return [line.plain for line in result_details(view, outcome, names, _WIDE)]


def read(view: View, names: Sequence[str], word: str, rest: Sequence[str]) -> Read:
    """Only a number shoots, takes or lays, whatever the match waits for."""
    match word:
        case "ready" if asked(view) is not Phase.READY:
            return [_question(view, names)]
        case "before" | "after" if asked(view) in (Phase.TAKE, Phase.LAY, Phase.CHALLENGE):
            return [_question(view, names)]
        case "ready":
            return move(MOVES, [word])
        case "click" | "pass":
            warned = NOTHING._replace(warned=True)
            step = (choosing.click if word == "click" else choosing.decline)(view, warned)
            return _why(step.remark) if step.remark else step.action
        case "before" | "after":
            return _declared(view, word, rest)
        case "bank":
            return [*_bank(view, names)]
        case "use":
            return _used(view, names, rest)
        case _:
            return _placed(view, names, word, rest)


def typed(view: View, action: Action) -> str:
    """As in notation, but for what the view tells."""
    if isinstance(action, Use):
        return " ".join(["use", *map(str, _numbers(view, action))])
    return _moves(view).to_line(action).removeprefix("declare ").removesuffix(" clicked")


def does(view: View, action: Action) -> str:
    """What is declared or taken; "" where the command says it."""
    match action:
        case Declare(pattern=pattern):
            return _("declare: {pattern}").format(pattern=pattern_words(pattern))
        case Shoot(place=place):
            return _("shoot at card {n}").format(n=place + 1)
        case Take(place=place):
            return _("take card {n}").format(n=place + 1)
        case Ready():
            return _("go on to your next card")
        case _:
            return ""


def wrong(action: Action, sought: Sequence[Action]) -> str:
    """Of a declaration, by what is typed."""
    return hinting.corrected(action, sought, lambda said: "")[1]


def advice(view: View, action: Action, names: Sequence[str], then: object) -> str:
    """Only the reason where the command says what to do."""
    if isinstance(action, Ready):
        return _("Hints come with your card.")
    found = hinting.advice(view, action, then=then)  # the key of a card is its number
    if isinstance(action, Shoot | Declare | Take | Use):
        return sentence(advice_in_words(found))
    return sentence(found.why)


def _shooting(view: View, phase: Phase) -> str:
    """What can be typed in a race, or when somebody has said Click!, and how long it lasts."""
    practises = view.options.practises
    unhurried = view.phase is phase and view.due_ms is None
    ways = "pass" if phase is Phase.CLICKED else _("click, which gives your card up")
    said = _("Type shoot and the number of a card, or {ways}")
    if not practises:
        said = _("Be the first: type shoot and the number of a card, or {ways}")
    said = said.format(ways=ways)
    return sentence(within(said, 0 if practises or unhurried else limit_s(view.options, phase)))


def _joins(view: View) -> str:
    """What a pattern is, by cards that lie there."""
    joins = _("A pattern joins an object with a colour or a suit; coin and bullets are suits.")
    said = _("After the shot you declare it: {example} means: {pattern}, at least twice.")
    pattern = _example(view)
    said = said.format(example=typed(view, Declare(pattern)), pattern=pattern_words(pattern))
    return f"{joins} {said}"


def _declaring(view: View) -> str:
    example = typed(view, Declare(_example(view)))
    return _("Type your pattern, for example: {example}").format(example=example)


def _missed(view: View) -> Iterator[str]:
    """What the last card could have made, most of it."""
    if (found := missed(view)) is None:
        return
    if found:
        yield f"{missed_title(view)}:"
    yield from map(sentence, missed_words(view, found, _SAID_OF_MISSED))


_SAID_OF_MISSED: Final = 3


def _paid_for(before: View, view: View, names: Sequence[str]) -> Iterator[str]:
    """What the Bank has paid each player for."""
    for visit in () if view.bank == before.bank else view.bank:
        if said := "; ".join(met_words(view, visit)):
            yield _("At the Bank {name} has {lines}.").format(name=names[visit.seat], lines=said)
    if view.bank != before.bank:
        so_far = (f"{name} {money(sum_)}" for name, sum_ in zip(names, view.money, strict=False))
        yield _("So far: {sums}.").format(sums=", ".join(so_far))


def _wheel(view: View) -> list[str]:
    """From card 1 to card 8, always all of them."""
    return [_("The Wheel:"), *_on(view, range(len(view.wheel)))]


def _news(view: View, before: View | None) -> list[str]:
    """The places that have another card than before; at first all."""
    if before is None:
        return _wheel(view)
    other = [at for at, card in enumerate(view.wheel) if card != before.wheel[at]]
    return [_("New on the Wheel:"), *_on(view, other)] if other else []


def _before_a_race(view: View, wheel: Sequence[str]) -> list[str]:
    return [*_missed(view), *how_you_stand(view), *wheel, _("Type ready.")]


def _on(view: View, places: Iterable[int]) -> list[str]:
    """A line for each of these places, short enough to be kept in mind; each may stand alone."""
    return [_("On {card}.").format(card=_on_place(view, at, ":")) for at in places]


def _on_place(view: View, place: int, stop: str = ",") -> str:
    """The number of a place, and its card."""
    card, free = view.wheel[place], _("no card")
    return f"{place + 1}{stop} {card_words(card) if card else free}"


def _to_lay(view: View) -> str:
    """The places that can be typed."""
    if len(places(view)) == len(PLACES):
        return _("Type {word} and any number.").format(word="lay")
    cards = "; ".join(_on_place(view, at) for at in places(view))
    return _("Type lay and one of these: {cards}.").format(cards=cards)


def _why_taken(view: View) -> Iterator[str]:
    """Of a hit with a colour: why the player takes a card (rules: A turn, 3)."""
    said = own_hit(view)
    if said is not None and view.winner == view.seat:
        yield _("You declared a colour: the covered card goes, and you choose.")


def _to_take(view: View) -> str:
    """The cards that can be taken, in a sentence: a listener has heard most of them."""
    cards = "; ".join(_on_place(view, at) for at in places(view))
    return _("Type take and one of these: {cards}.").format(cards=cards)


def _covered(view: View) -> Iterator[str]:
    """Where the player's card lies now, and between which others."""
    if view.place is None:
        return
    own = view.wheel[view.place]
    said = _("Your card lies on {n}: {card}.")
    yield said.format(n=view.place + 1, card=card_words(own) if own else "?")
    wheel = len(view.wheel)
    before, after = (_on_place(view, (view.place + by) % wheel) for by in (-1, 1))
    yield _("Before it: {before}. After it: {after}.").format(before=before, after=after)


def _example(view: View) -> Pattern:
    """The object of a card that lies there, and the suit of the next."""
    first, then, *_others = filter(is_pattern, view.wheel)
    return Pattern(Direction.AFTER, object_of(first), FIRST_SUIT + suit_of(then))


def _held(view: View, seat: int, names: Sequence[str]) -> Iterator[str]:
    """Won cards, money, Challenge cards."""
    cards = ", ".join(map(card_words, view.won[seat])) or _("no cards")
    said = _("{name} has {cards}, and {money}.")
    yield said.format(name=names[seat], cards=cards, money=money(view.money[seat]))
    if view.challenges[seat]:
        challenges = ", ".join(map(card_words, view.challenges[seat]))
        yield _("Challenge cards of {name}: {cards}.").format(name=names[seat], cards=challenges)
    if not view.standing[seat]:
        yield _("{name} is out.").format(name=names[seat])


def _bank(view: View, names: Sequence[str]) -> Iterator[str]:
    """A line of the Bank's sheet each; then what it paid last."""
    for line in in_play(five_colours_win=view.options.five_colours_win):
        if line is Line.WILD:
            yield wild(view.options)
        else:
            yield f"{line_words(line)}: {money(line.cents)}."
    if view.bank:
        paid = ", ".join(f"{names[visit.seat]} {money(visit.paid)}" for visit in view.bank)
        yield _("The last visit to the Bank:") + f" {paid}."


# What is typed ----------------------------------------------------------------------------------


def _moves(view: View) -> Moves:
    """As they are typed now."""
    where = _("Name a card of the Wheel by its number, from 1 to {n}.").format(n=len(PLACES))

    def hear(word: str) -> str:
        feature = _feature(_shown(view, word))
        if feature is None:
            said = _("There is no feature {word}. The features: {names}.")
            raise Unsaid(said.format(word=word, names=_features()))
        return FEATURE_NAMES[feature]

    features = {
        name: MOVES.field(name)._replace(
            hear=hear, say=lambda feature: _typed(FEATURE_NAMES.index(feature))
        )
        for name in ("anchor", "partner")
    }
    return MOVES.said(place=heard(MOVES.field("place"), where), **features)


def _why(remark: str) -> Sequence[str]:
    """Why a deed does nothing, with what is typed in place of keys."""
    return [_(remark).format(**{name: name.rstrip("_") for name in (*ALL_BOARDS, *NAMED)})]


def _placed(view: View, names: Sequence[str], word: str, rest: Sequence[str]) -> Read:
    """A card of the Wheel by its number."""
    now = asked(view)
    if not word and now is Phase.CHALLENGE:
        return _used(view, names, rest)
    words: dict[Phase | None, str] = {Phase.TAKE: "take", Phase.LAY: "lay"}
    if word not in ("", "shoot", words.get(now)):
        return [_question(view, names)]
    found = move(_moves(view), [word or words.get(now, "shoot"), *(rest[:1] or ["?"])])
    if not isinstance(found, Shoot):
        return found
    if not word and now not in RACES:
        return _why(why_nothing(view))
    return Shoot(found.place, clicked=view.phase is Phase.CLICKED)


def _declared(view: View, direction: str, rest: Sequence[str]) -> Read:
    """Two features, one of them an object; the number of a card says its object, as on the
    screen."""
    found: Any = [_("Name two features of these: {names}.").format(names=_features())]
    if len(rest) == 2:
        found = move(_moves(view), ["declare", direction, *rest])
    if isinstance(found, Declare):
        return found if found.pattern.is_well_formed else [_joins(view)]
    return Asks(found, f"{direction} {{}}")


def _features() -> str:
    return ", ".join(map(_typed, range(FEATURES)))


def _shown(view: View, word: str) -> str:
    """The name of the object on the card with this number; any other word as it is."""
    cards = {str(n): card for n, card in enumerate(view.wheel, 1) if card}
    return FEATURE_NAMES[object_of(cards[word])] if word in cards else word


def _feature(word: str) -> int | None:
    """By its English name, or in the language that is spoken; or by what no other begins with."""
    named = {one: (FEATURE_NAMES[one], _own_word(one)) for one in range(FEATURES)}
    exact = [one for one, words in named.items() if word in words]
    begun = [one for one, words in named.items() if any(name.startswith(word) for name in words)]
    found = exact or (begun if len(begun) == 1 and len(word) > 1 else [])
    return found[0] if found else None


def _own_word(feature: int) -> str:
    return feature_names(feature).words.lower().replace(" ", "-")


def _typed(feature: int) -> str:
    """In the language that is spoken, where no other feature is called so."""
    own = _own_word(feature)
    return own if _feature(own) == feature else FEATURE_NAMES[feature]


# Challenge cards --------------------------------------------------------------------------------


def _challenges(view: View) -> Iterator[str]:
    """Those that can be played, by number; then what each can take."""
    for n, card in enumerate(usable(view), 1):
        yield f"{n}: {card_words(card)}: {challenge_names(card).does}."


def _used(view: View, names: Sequence[str], rest: Sequence[str]) -> Read:
    """`use N`, then the number of the card that is wanted, then of the card that is given: each
    picks from the list, as a key does; the name of a card will do, too."""
    if asked(view) is not Phase.CHALLENGE:
        return [_("You can play a Challenge card when you have won a turn.")]
    selection = NOTHING
    for n, word in enumerate([*rest, ""], 1):
        found = _lines(view, selection)
        called = [CARD_NAMES[_card_of(view, one)] for one in found]
        at = called.index(word) if word in called else number([word]) - 1
        if not 0 <= at < len(found):
            break
        step = choosing.pick(view, selection, found[at])
        if step.action is not None:
            so = " ".join(["use", *rest[:n]])
            more = [_("Type it so: {example}").format(example=so)]
            return more if len(rest) > n else step.action
        selection = step.selection
    so = " ".join(["use", *rest[: n - 1], "{}"])
    if not selection.challenge:
        return Asks([*_challenges(view)], so)
    asks = _("Type which card, for example use {n} 1.")
    if selection.wanted:
        asks = _("Type which card you give, for example use {n} {which} 1.")
    listed = (_listed(view, names, n, one) for n, one in enumerate(found, 1))
    return Asks([asks.format(n=rest[0], which="".join(rest[1:2])), *listed], so)


def _numbers(view: View, action: Use) -> Iterator[int]:
    """By which `use` takes its cards."""
    selection = NOTHING
    for card in filter(None, (action.challenge, action.wanted, action.given)):
        found = _lines(view, selection)
        at = [_card_of(view, one) for one in found].index(card)
        yield at + 1
        selection = choosing.pick(view, selection, found[at]).selection


def _lines(view: View, selection: Selection) -> Sequence[Offer]:
    return [one for one in on_offer(view, selection) if one is not NONE]


def _listed(view: View, names: Sequence[str], n: int, offer: Offer) -> str:
    """With its number, and whose it is."""
    said = f"{n}: {card_words(_card_of(view, offer))}"
    if offer.owner is not None and offer.owner != view.seat:
        said += " " + _("of {name}").format(name=names[offer.owner])
    return said + "."


def _card_of(view: View, offer: Offer) -> int:
    return view.wheel[offer.number] if offer.what is What.PLACE else offer.number


def _meant(view: View) -> Mapping[str, Sequence[str]]:
    """`say` is for the chat until a pattern is asked for."""
    words = ("declare", "say") if asked(view) is Phase.DECLARE else ("declare",)
    return {"cover": ("shoot",), **dict.fromkeys(words, ("before", "after"))}


SPOKEN: Final = spoken(
    FACE,
    parts,
    turn=turn,
    since=since,
    brief=brief,
    standing=standing,
    ground=ground,
    ending=ending,
    read=read,
    typed=typed,
    does=does,
    wrong=wrong,
    advice=advice,
    owned=_held,
    scored=_paid_for,
    meant=_meant,
)
