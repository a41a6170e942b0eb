"""Cards and features as the rules pages write them: `yellow star`, in Italian `stella gialla`."""

from itertools import chain
from typing import Final

from protocol.games.wild_wild_pattern.cards import (
    FIRST_COLOUR,
    FIRST_SUIT,
    Colour,
    Object,
    Suit,
    card,
)

OBJECTS: Final = {
    "en": ["pistol", "loot", "star", "bottle", "horseshoe", "dynamite", "barrel", "wanted"],
    "it": [
        "pistola",
        "preda",
        "stella",
        "fiasca",
        "ferro di cavallo",
        "dinamite",
        "botte",
        "wanted",
    ],
    "nl": ["pistool", "buit", "ster", "fles", "hoefijzer", "dynamiet", "ton", "wanted"],
    "ru": ["кольт", "мешок", "звезда", "бутылка", "подкова", "динамит", "бочка", "плакат"],
}
_COLOURS: Final = {
    "en": "red azure yellow grey white",
    "it": "ross azzurr giall grigi bianc",
    "nl": "ro azu ge grij wi",
    "ru": "красн голуб жёлт сер бел",
}
_ENDING: Final = {
    "en": ("",),
    "it": ("o", "a"),
    "nl": ("od", "de", "ur", "ren", "el", "le", "s", "ze", "t", "tte"),
    "ru": ("ый", "ой", "ая"),
}
_SUITS: Final = {
    "en": "coin bullets",
    "it": "moneta pallottole",
    "nl": "munt kogels",
    "ru": "монета пули",
}


def _colours(code: str) -> dict[str, Colour]:
    """An Italian, Dutch or Russian colour goes with its object."""
    stems = zip(_COLOURS[code].split(), Colour, strict=True)
    return {stem + ending: colour for stem, colour in stems for ending in _ENDING[code]}


def suit_called(word: str, code: str) -> Suit:
    return Suit(_SUITS[code].split().index(word))


def card_called(words: str, code: str) -> int:
    """A card's byte; Italian has the colour last, the others first."""
    rest, _, last = words.rpartition(" ")
    first, _, others = words.partition(" ")
    colour, thing = (last, rest) if code == "it" else (first, others)
    return card(Object(OBJECTS[code].index(thing)), _colours(code)[colour])


def feature_called(word: str, code: str) -> int:
    """A feature's byte."""
    things = zip(OBJECTS[code], Object, strict=True)
    colours = ((name, FIRST_COLOUR + colour) for name, colour in _colours(code).items())
    suits = ((name, FIRST_SUIT + n) for n, name in enumerate(_SUITS[code].split()))
    return dict(chain(things, colours, suits))[word]
