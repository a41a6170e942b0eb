"""Clocktowers in sentences and typed commands, for plain mode."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from clocktowers_tui.games.clocktowers.choosing import NEW, plays
from clocktowers_tui.games.clocktowers.face import FACE
from clocktowers_tui.games.clocktowers.ladder import (
    floors_in_words,
    heights,
    is_spent,
    ladder_titles,
    needed,
    needed_floors,
    own_towers,
    roofless_towers,
    row_of,
    shown_ladder,
    spent_in_words,
)
from clocktowers_tui.games.clocktowers.result import complete_in_words
from clocktowers_tui.games.clocktowers.words import (
    card_phrase,
    card_words,
    colour_words,
    pile_words,
)
from clocktowers_tui.games.spoken import (
    Asks,
    Read,
    heard,
    move,
    numbered,
    sentence,
    spoken,
)
from clocktowers_tui.games.standings import points_in_words, ranked
from clocktowers_tui.text.i18n import _, ngettext
from protocol.games.clocktowers import (
    BOX,
    CARD,
    CODES,
    FIRST_ROOF,
    MOVES,
    TOWER,
    Action,
    Discard,
    Outcome,
    Phase,
    Play,
    Town,
    View,
    height_of,
)
from protocol.games.moves import Moves


def turn(view: View, names: Sequence[str]) -> Sequence[str]:
    """Each card of the hand and where it goes; what stands there; then the piles."""
    if view.seat is None or view.turn != view.seat:
        return []
    match view.phase:
        case Phase.PLAY:
            asked = _("Your turn: play or discard a card")
            told = [*_hand(view), *_open_towers(view), _piles(view)]
        case Phase.DRAW:
            asked, told = _("Your turn: draw a card"), [_piles(view, counted=False)]
        case Phase.OVER:
            return []
    return [sentence(asked), *told] if is_spent(view) else told


def since(view: View, before: View | None, names: Sequence[str]) -> Sequence[str]:
    """To play, the cards of the hand, and those that have come onto the piles since the player has
    drawn; to draw, those on the piles: each says which pile."""
    if before is None:
        return [sentence(FACE.expected(view, names)), *turn(view, names)]
    if view.phase is Phase.DRAW:
        there = (card for card, left in zip(view.piles, view.left, strict=True) if left)
        return [_("Draw: {cards}.").format(cards="; ".join(map(card_phrase, there)))]
    cards = "; ".join(f"{n}, {card_phrase(card)}" for n, card in enumerate(view.hand, 1))
    asked = _("Your turn: {cards}.").format(cards=cards)
    return [asked, *_open_towers(view), _new_on_piles(view, before)]


def brief(view: View, before: View | None, names: Sequence[str]) -> Sequence[str]:
    """The cards of the hand, or those on the piles."""
    return since(view, before or view, names)[:1]


def parts(view: View, names: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Points, hand, piles with the next roofs, towers with the player's own first."""
    seats = _seats(view)
    towers = [line for seat in seats for line in _towers(view, seat, names)]
    hand = _hand(view) if view.seat is not None else []
    points = ", ".join(f"{names[seat]} {points_in_words(view.points[seat])}" for seat in seats)
    piles = [_piles(view), _next_roofs(view, names)] if view.phase is not Phase.OVER else []
    told = _("Points: {points}.").format(points=points)
    return {"points": [told], "hand": hand, "piles": piles, "towers": towers}


def glance(view: View, names: Sequence[str]) -> Sequence[str]:
    """Of complete towers only how many they are, and their points."""
    told = dict(parts(view, names))
    told["towers"] = [line for seat in _seats(view) for line in _open(view, seat, names)]
    return [line for lines in told.values() for line in lines]


def _seats(view: View) -> Sequence[int]:
    """The player's own first."""
    return sorted(range(len(view.towns)), key=lambda seat: seat != view.seat)


def ending(view: View, outcome: Outcome, names: Sequence[str]) -> Sequence[str]:
    """How many towers brought how much, the winner's first."""
    made = (f"{names[seat]}: {_made_of(view.towns[seat])}." for seat in ranked(outcome))
    return [*made, _("look towers tells each tower.")]


def _made_of(town: Town) -> str:
    """`2 towers of 5 points, 1 tower of 4 points`."""
    brought = sorted(Counter(filter(None, town.points)).items(), reverse=True)
    return ", ".join(
        ngettext("{n} tower of {points}", "{n} towers of {points}", n).format(
            n=n, points=points_in_words(points)
        )
        for points, n in brought
    ) or _("nothing")


def read(view: View, names: Sequence[str], word: str, rest: Sequence[str]) -> Read:
    """Only numbers are a card and a tower; without a tower, the only one that takes it."""
    if word in _DRAWS:
        return move(_moves(view), ["draw", word])
    if not view.hand:
        return [_("You are watching: you cannot play.")]
    if view.turn == view.seat and view.phase is Phase.DRAW:
        there = (pile for pile, left in zip(_DRAWS, view.left, strict=True) if left)
        return [_("Draw first: {piles}.").format(piles=", ".join(there))]
    words = ["new" if one == "n" else one for one in rest if one != "on"]
    if named := [one for one in words if one != "new" and not one.isdigit()]:
        if len(at := _called(view, named)) != 1:
            cards = (f"{n}, {card_phrase(card)}" for n, card in enumerate(view.hand, 1))
            said = _("Which card? Type its number: {cards}.").format(cards="; ".join(cards))
            others = [one for one in words if one not in named]
            return Asks([said], " ".join([word or "play", "{}", *others]))
        words = [*map(str, at), *(one for one in words if one not in named)]
    moves, word = _moves(view), word or "play"
    card = move(moves, ["discard", *(words[:1] or ["?"])])
    if not isinstance(card, Discard):
        return Asks(card, " ".join([word, "{}", *words[1:]]))
    if word == "play" and len(words) == 1:
        return _somewhere(view, card.card)
    found = move(moves, [word, *words])
    asks = word == "play" and not isinstance(found, Play)
    return Asks(found, f"play {words[0]} {{}}") if asks else found


def _called(view: View, named: Sequence[str]) -> Sequence[int]:
    """Which cards of the hand have these words, by number; of two alike the first; rather one that
    has no others."""
    told = {card: card_phrase(card).lower().split() for card in view.hand}
    found = [card for card, words in told.items() if {*named} <= {*words}]
    bare = [card for card in found if told[card][1:] == [*named]]  # but for its article
    return [view.hand.index(card) + 1 for card in bare or found]


def typed(view: View, action: Action) -> str:
    """Cards by their number in the hand; a draw by its pile alone."""
    return _moves(view).to_line(action).removeprefix("draw ")


def _moves(view: View) -> Moves:
    """As they are typed now."""
    said = _("Name a card by its number, from 1 to {n}.").format(n=len(view.hand))
    tower = heard(TOWER, _("Name a tower by its number, or type: new."))
    return MOVES.said(
        card=numbered(CARD, [CODES[card] for card in view.hand], said),
        tower=tower._replace(
            hear=lambda word: _on_the_wire(tower.hear(word)), shown=("TOWER|new",)
        ),
        pile=MOVES.field("pile")._replace(
            hear=lambda word: word.removesuffix("s"), say=lambda name: f"{name}s"
        ),
    )


def _on_the_wire(tower: int | None) -> int | None:
    """A number that is too high for any town is the highest of all, which the server refuses."""
    return None if tower is None else min(tower, BOX - 1)


def _somewhere(view: View, card: int) -> Read:
    """On the only tower that takes the card."""
    places = [*plays(view, card)]
    if len(places) == 1:
        return Play(card, None if places[0] == NEW else places[0])
    if not places:
        return [needed(view, card)]
    said = _("Which tower? Type {towers}.").format(towers=_(" or ").join(map(_place, places)))
    return Asks([said], f"play {view.hand.index(card) + 1} {{}}")


def _place(tower: int) -> str:
    return "new" if tower == NEW else str(tower + 1)


def _hand(view: View) -> list[str]:
    """A line for each card, with its number and the towers that take it now."""
    lines = []
    for at, card in enumerate(view.hand):
        said = _("Card {n}: {card}").format(n=at + 1, card=card_phrase(card))
        places = [*plays(view, card)]
        if view.turn == view.seat and view.phase is Phase.PLAY:
            if not places and card >= FIRST_ROOF:
                lines.append(f"{said}. {needed(view, card)}")
                continue
            said += "; " + (_towers_for(places) if places else _("no tower takes it now"))
        lines.append(said + ".")
    return lines


def _open_towers(view: View) -> Iterator[str]:
    """The player's towers that take a card of the hand, and which, while that can score."""
    taking = defaultdict[int, list[str]](list)
    for n, card in enumerate(view.hand if not is_spent(view) else b"", 1):
        for place in plays(view, card):
            taking[place].append(str(n))
    for place in sorted(taking.keys() - {NEW}):
        assert view.seat is not None
        tower = ", ".join(map(card_phrase, view.towns[view.seat].towers[place]))
        said = _("Tower {n} takes card {cards}; it has {tower}.")
        yield said.format(n=place + 1, cards=_(" or ").join(taking[place]), tower=tower)


def _towers_for(places: Sequence[int]) -> str:
    named = [_("a new tower") if one == NEW else str(one + 1) for one in places]
    if places == [NEW]:
        return _("it starts a new tower")
    return _("it goes on tower {towers}").format(towers=_(" or ").join(named))


def _piles(view: View, *, counted: bool = True) -> str:
    """The card on each pile; and how many the pile has, which is told once a turn."""
    told = []
    for pile, (card, left) in enumerate(zip(view.piles, view.left, strict=True)):
        said = _("{card}, {n} left") if counted else "{card}"
        said = said.format(card=card_phrase(card), n=left)
        said = said if left else _("none left")
        told.append(f"{pile_words(pile)}: {said}")
    return _("On the piles: {piles}.").format(piles="; ".join(told))


def _new_on_piles(view: View, before: View) -> str:
    """The card of each pile from which one was drawn; whose last card is drawn is told with the
    draw."""
    told = [
        (_("again {card}") if card == had else "{card}").format(card=_with_height(view, card))
        for card, left, had, n in zip(view.piles, view.left, before.piles, before.left, strict=True)
        if left and (card != had or left != n)
    ]
    return _("New on the piles: {cards}.").format(cards="; ".join(told)) if told else ""


def _with_height(view: View, card: int) -> str:
    """Of a roof, the floors that it needs now."""
    said = _("{roof} for {floors}") if (fits := heights(row_of(view, card))) else "{roof}"
    return said.format(roof=card_phrase(card), floors=needed_floors(fits))


def tower_words(tower: bytes, points: int) -> str:
    """A tower from the ground up, how high it is, and what it has scored."""
    cards = ", ".join(map(card_phrase, tower))
    high = floors_in_words([height_of(tower)])
    return f"{cards}; {high}" + (f"; {points_in_words(points)}" if points else "")


def _towers(view: View, seat: int, names: Sequence[str]) -> Iterator[str]:
    town, mine = view.towns[seat], seat == view.seat
    if not town.towers:
        said = _("You have no tower.") if mine else _("{name} has no tower.")
        yield said.format(name=names[seat])
    for n, (tower, points) in enumerate(zip(town.towers, town.points, strict=True), 1):
        said = _("Your tower {n}: {cards}.") if mine else _("Tower {n} of {name}: {cards}.")
        yield said.format(n=n, name=names[seat], cards=tower_words(tower, points))


def _open(view: View, seat: int, names: Sequence[str]) -> Iterator[str]:
    """Towers that are not complete one by one, the others together."""
    town = view.towns[seat]
    told = [*_towers(view, seat, names)]
    yield from (line for line, points in zip(told, town.points or [0], strict=True) if not points)
    if any(town.points):
        said = _("You have {towers}: {points}.")
        said = said if seat == view.seat else _("{name} has {towers}: {points}.")
        points = points_in_words(sum(town.points))
        yield said.format(name=names[seat], towers=complete_in_words(town), points=points)


def _next_roofs(view: View, names: Sequence[str]) -> str:
    """At which height the next roof of each colour fits, said once for colours that are alike."""
    alike = defaultdict[int, list[str]](list)
    for colour, mask in enumerate(shown_ladder(view)):
        alike[mask].append(colour_words(FIRST_ROOF + colour))
    if len(alike) == 1 and any(alike):
        floors = needed_floors(heights(*alike))
        return _("A roof needs a tower of {floors} now, whatever its colour.").format(floors=floors)
    said, either = _("{colours} on {floors}"), _(" or ")
    fits = (
        said.format(colours=either.join(some).lower(), floors=needed_floors(heights(mask)))
        for mask, some in alike.items()
        if mask
    )
    return f"{ladder_titles(view, names)[1]}: {'; '.join(fits)}."


def _scored(before: View, view: View, names: Sequence[str]) -> Iterator[str]:
    """Who has how many points: what a tower brings was said with it; and the colours whose next
    roof has become higher; before them which of the player's towers gets none any more, or not the
    one in hand."""
    if view.seat is None:
        return
    for seat, name in enumerate(names):
        if before.points[seat] != (points := view.points[seat]):
            said = _("You have {points}.") if seat == view.seat else _("{name} has {points}.")
            yield said.format(name=name, points=points_in_words(points))
    if is_spent(view) and not is_spent(before):
        yield sentence(spent_in_words(view))
    elif not is_spent(view):
        yield from _too_tall(before, view)
        for n in sorted(roofless_towers(view) - roofless_towers(before)):
            yield _("No roof fits your tower {n} any more.").format(n=n)
    for colour, (was, now) in enumerate(zip(shown_ladder(before), shown_ladder(view), strict=True)):
        if was != now and (fits := heights(now)):
            said = _("The next {roof} needs {floors}.")
            card = card_words(FIRST_ROOF + colour)
            yield said.format(roof=card, floors=floors_in_words(fits))


def _too_tall(before: View, view: View) -> Iterator[str]:
    """Which roof in hand a tower that has grown is too tall for now."""
    was = {n: height_of(tower) for n, tower in own_towers(before)}
    for n, tower in own_towers(view):
        low, tall = was.get(n, height_of(tower)), height_of(tower)
        for roof in dict.fromkeys(view.hand) if tall > low else ():
            if row_of(view, roof) >> low and not row_of(view, roof) >> tall:
                said = _("Tower {n} is too tall now for your {roof}, which needs {floors}.")
                floors = needed_floors(heights(row_of(view, roof)))
                yield said.format(n=n, roof=card_words(roof), floors=floors)


_DRAWS: Final = ("floors", "clocks", "roofs")
_MEANT: Final = {"draw": _DRAWS, "take": _DRAWS, "build": ("play",), "put": ("play",)}

SPOKEN: Final = spoken(
    FACE,
    parts,
    turn=turn,
    since=since,
    brief=brief,
    glance=glance,
    ending=ending,
    read=read,
    typed=typed,
    owned=_towers,
    scored=_scored,
    meant=lambda view: _MEANT,
)
