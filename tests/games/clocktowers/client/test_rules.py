"""The rules promise what the engine does, as far as that can be counted."""

from protocol.games.clocktowers import (
    ANIMALS,
    COPIES,
    FIRST_ROOF,
    PILES,
    SEATS,
    STOREYS,
    Pile,
    tower_points,
)
from protocol.games.clocktowers.cards import REMOVED_FLOORS, REMOVED_ROOFS, dealt
from server.matches.replay import MAX_TAKE_BACKS
from tests.games.clocktowers.boards import cards
from tests.stage.rules_pages import RulesPage, texts_of

PAGE = RulesPage(texts_of("clocktowers")["en"])
section, table = PAGE.section, PAGE.table


def copies(pile: Pile, storeys: int = 0) -> list[int]:
    """How many cards have no animal, a cat, a mouse, and all together."""
    kinds = [
        card for card in range(1, len(COPIES)) if PILES[card] == pile and STOREYS[card] == storeys
    ]
    counts = [
        sum(COPIES[card] for card in kinds if ANIMALS[card] == animal) for animal in ("", "c", "m")
    ]
    return [*counts, sum(counts)]


def test_the_cards() -> None:
    expected = [copies(Pile.FLOOR, 1), copies(Pile.FLOOR, 2), copies(Pile.CLOCK), copies(Pile.ROOF)]
    assert [[int(n) for n in row[1:]] for row in table("The cards")] == expected
    said = section("The cards")
    floors = sum(n for card, n in enumerate(COPIES) if STOREYS[card])
    assert f"There are {sum(COPIES)} cards" in said and f"There are {floors} floors" in said
    roofs = COPIES[FIRST_ROOF:]
    assert f"{len(roofs)} colours, {roofs[0]} of each" in said and len(set(roofs)) == 1


def test_setting_up() -> None:
    rows = []
    for seats in SEATS:
        piles = [len(pile) for pile in dealt(seats, bytes(32)).piles]
        rows.append([seats, *piles, sum(piles)])
    assert [[int(n) for n in row] for row in table("Setting up")] == rows
    said = section("Setting up")
    assert f"Then {REMOVED_FLOORS} floors and {REMOVED_ROOFS} roofs go out" in said
    assert f"the {REMOVED_FLOORS + REMOVED_ROOFS} cards that went out" in section("What is hidden")


def test_a_player_may_take_back_so_often() -> None:
    assert f"you can do it {MAX_TAKE_BACKS} times" in section("Taking back")


def test_points() -> None:
    towers = ("1-.K-.Rb", "1c.K-.Rb", "1c.Km.Rb", "1-.Km.Rb")
    points = [tower_points(cards(tower), True) for tower in towers]
    assert [int(row[1]) for row in table("Points")] == points
    assert "a clock's mouse changes nothing" in section("Points")
    assert tower_points(cards(towers[3]), False) == tower_points(cards(towers[0]), True)
