"""The levels see a view and no more, do nothing that is refused, and never stop a match; what they
imagine, and when they let people go first."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from protocol.dealing import SEED_BYTES
from protocol.games import Switch
from protocol.games.wild_wild_pattern import (
    BOT_FIRST,
    Action,
    Click,
    Declare,
    Mode,
    Options,
    Pass,
    Phase,
    Shoot,
    Use,
)
from protocol.games.wild_wild_pattern.bank import plays
from protocol.games.wild_wild_pattern.cards import (
    CARDS,
    FEATURES_OF,
    STEP,
    Challenge,
    is_pattern,
    pairs,
)
from protocol.ids import Seat
from server.games.contract import BEGINNING, Moment
from server.games.registry import GAMES
from server.games.wild_wild_pattern import bots
from server.games.wild_wild_pattern.bots import (
    BOTS,
    KEY_MS,
    REACTIONS,
    ROUND_MS,
    WINS,
    finds,
    lets_people_try,
    paid,
)
from server.games.wild_wild_pattern.game import RULES
from server.games.wild_wild_pattern.race import to_act
from server.games.wild_wild_pattern.rules import apply, deadline, legal_actions, tick
from server.games.wild_wild_pattern.state import State, setup
from server.games.wild_wild_pattern.view import determinize
from server.recording.bot_matches import Series, play
from tests.games.wild_wild_pattern.positions import (
    card,
    cards,
    do,
    every_card,
    everybody_is_ready,
    hold,
    pattern,
    racing,
    stage,
    take,
)

GAME = GAMES["wild_wild_pattern"]
PRACTICE = Options(practice=Switch.ON)
LOOTS = "star-azure bottle-red pistol-azure loot-red barrel-azure loot-grey star-red star-grey"
"""A loot on place 1, and after every azure card there is one."""


def asked(level: str, state: Any, seat: int, number: int = 1) -> Action | None:
    chosen: Action | None = BOTS[level](RULES.view(state, seat), (), Random(number))
    return chosen


def test_hard_finds_the_best_shot_and_declares_it() -> None:
    state = racing("loot-yellow star-yellow", LOOTS)
    assert asked("hard", state, 0) == Shoot(1)
    do(state, 0, Shoot(1))
    assert asked("hard", state, 0) == Declare(pattern("after azure loot"))


def test_hard_takes_the_match_when_it_lies_there() -> None:
    wheel = LOOTS.replace("star-red star-grey", "horseshoe-azure loot-white")
    state = racing("loot-yellow star-yellow", wheel)
    view, loot = RULES.view(state, 0), card("loot-yellow")
    found = list(finds(view, loot, plays(view.wheel, loot, in_pair=True), b"", lambda own: 0))
    assert {find.place for find in found if find.gain == WINS} == {1}
    assert asked("hard", state, 0) == Shoot(1)


BARREN = "barrel-white bottle-red bottle-yellow dynamite-yellow pistol-white pistol-red "
BARREN += "bottle-white barrel-yellow"
"""One of the few Wheels on which a card, the azure bottle, makes nothing at all."""


def test_who_sees_nothing_clicks_or_waits() -> None:
    hands = "bottle-azure star-yellow"
    state = racing(hands, BARREN)
    assert asked("hard", state, 0) == Click()
    chosen = {type(asked("easy", state, 0, number)) for number in range(40)}
    assert chosen == {Click, type(None)}
    unlimited = racing(hands, BARREN, options=Options(race_limit_s=0))
    assert {type(asked("easy", unlimited, 0, number)) for number in range(40)} == {Click}


def test_hard_shoots_at_nothing_that_wins_more_cards_than_the_bank_takes() -> None:
    wheel = "barrel-yellow bottle-yellow wanted-grey bottle-red dynamite-azure loot-white "
    state = racing("star-yellow dynamite-yellow", wheel + "loot-grey bottle-azure")
    assert isinstance(asked("hard", state, 0), Shoot)
    hold(state, 0, "star-red pistol-azure pistol-grey pistol-white")
    assert asked("hard", state, 0) == Click()


def test_an_answer_to_a_click_is_a_shot_with_that_card_or_a_pass() -> None:
    state = racing("loot-yellow dynamite-yellow", LOOTS)
    do(state, 0, Click())
    assert asked("hard", state, 1) == Shoot(1, clicked=True)
    state = racing("bottle-azure star-yellow", BARREN)
    do(state, 0, Click())
    assert asked("hard", state, 1) == Pass()


def test_a_challenge_card_is_used_when_it_gains_something() -> None:
    state = racing()
    hold(state, 0, "1-dollar")
    do(state, 0, Click())
    do(state, 1, Pass())
    take(state, 0)
    assert asked("normal", state, 0) == Use(Challenge.ONE_DOLLAR)
    state.won[0] = cards("pistol-azure loot-yellow star-red bottle-grey wanted-white")
    assert asked("normal", state, 0) == Pass(), "WILD has won"


def test_what_cards_are_worth() -> None:
    assert paid(cards("star-red star-white"), 1, Options()) == 20
    straight = cards("star-red pistol-azure loot-yellow bottle-grey wanted-white")
    assert paid(straight, 1, Options()) == WINS


# On match time of its own ------------------------------------------------------------------------


def simulated(levels: Sequence[str], number: int, **options: Any) -> dict[str, Any]:
    return play(Series(GAME, Options(**options), levels, 7), number)


def shots_and_mistakes(level: str, number: int) -> tuple[list[float], int, int]:
    """Of a match of four bots: after how many seconds the first shot of each race fell, and how
    many declarations there were, and how many of them did not hold."""
    shots: list[float] = []
    wrong = 0
    unpatched = bots.mistaken

    def mistaken(*what: Any) -> Any:
        nonlocal wrong
        wrong += 1
        return unpatched(*what)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bots, "mistaken", mistaken)
        plies = simulated([level] * 4, number)["plies"]
    began_ms = None
    for ply in plies:
        done = ply["action"]["do"]
        if done == "ready":
            began_ms = ply["at_ms"]
        elif done in ("shoot", "click") and began_ms is not None:
            shots += [(ply["at_ms"] - began_ms) / 1000] if done == "shoot" else []
            began_ms = None
    return shots, sum(ply["action"]["do"] == "declare" for ply in plies), wrong


FIRST_OF_FOUR_S = {"random": 10, "learner": 17, "easy": 17, "normal": 14, "hard": 10}
"""As the rules say."""


@pytest.mark.parametrize("level", list(BOTS))
def test_they_shoot_as_soon_and_err_as_often_as_the_form_and_the_rules_say(level: str) -> None:
    shots, declared, wrong, number = list[float](), 0, 0, 0
    while len(shots) < 80:
        more, claims, mistakes = shots_and_mistakes(level, number)
        shots, declared, wrong = shots + more, declared + claims, wrong + mistakes
        number += 1
    assert sum(shots) / len(shots) == pytest.approx(FIRST_OF_FOUR_S[level], rel=0.15)
    errs = getattr(BOTS[level], "errs", 0)
    assert wrong / declared == pytest.approx(errs / 100, abs=0.08)
    assert (wrong > 0) is (errs > 0)


@pytest.mark.parametrize("level", [level for level in BOTS if level != "random"])
def test_a_bot_alone_ends_most_races_in_time(level: str) -> None:
    """Somebody races even where the other player only looks."""
    races = ended = 0
    bot, reaction = BOTS[level], REACTIONS[level]
    for number in range(200):
        rng = Random(number)
        state = setup(Options(), 2, rng.randbytes(SEED_BYTES))
        everybody_is_ready(state)
        seen = RULES.view(state, Seat(1))
        races += seen.in_hand[1]
        in_time = reaction(seen, rng) < seen.options.race_limit_s * 1000
        ended += in_time and isinstance(bot(seen, [], rng), Shoot | Click)
    assert ended > 0.85 * races


def test_what_is_claimed_by_mistake_does_not_hold() -> None:
    """But the card that is shot at and its neighbour suggest it."""
    state = racing("loot-yellow dynamite-yellow", LOOTS)
    wheel = bytes(state.wheel)
    for place in range(len(wheel)):
        claimed = bots.mistaken(wheel, place)
        assert not pairs(wheel, claimed).anchors
        beside = wheel[(place + STEP[claimed.direction]) % len(wheel)]
        assert claimed.anchor in FEATURES_OF[wheel[place]]
        assert claimed.partner in FEATURES_OF[beside]


def test_nobody_shoots_sooner_than_after_one_look_at_each_card() -> None:
    people = [reaction for level, reaction in REACTIONS.items() if level != "random"]
    assert min(one.race_ms[0] for one in people) >= ROUND_MS + KEY_MS
    assert min(one.answer_ms[0] for one in people) >= ROUND_MS + KEY_MS


def test_every_bot_is_ready_within_a_second() -> None:
    state = racing("loot-yellow dynamite-yellow", LOOTS)
    race = RULES.view(state, 0)
    ready = replace(race, phase=Phase.READY)
    for level, reaction in REACTIONS.items():
        for seed in range(20):
            assert reaction(ready, Random(seed)) <= 1_000, level
    assert min(REACTIONS["hard"](race, Random(seed)) for seed in range(20)) > 1_000


def waits(state: State, bot: int, *people: int) -> bool:
    return lets_people_try(RULES.view(state, Seat(bot)), [Seat(seat) for seat in people])


def test_in_practice_a_bot_waits_until_the_person_has_passed() -> None:
    for person, bot in ((0, 1), (1, 0)):
        state = racing(options=PRACTICE)
        assert waits(state, bot, person)
        assert not waits(state, bot), "not for another bot"
        state.turn = BOT_FIRST
        assert not waits(state, bot, person), "every third turn it need not"
        state.turn = 1
        do(state, person, Pass())
        assert not waits(state, bot, person)
    assert not waits(racing(), 1, 0), "where it is no practice"
    assert not waits(stage(options=PRACTICE), 1, 0), "before the race"


def test_who_has_no_card_and_gets_none_is_not_waited_for() -> None:
    state = racing(options=PRACTICE)
    state.hand[0] = 0
    assert not waits(state, 1, 0)
    state.waits[0] = 1_000
    assert waits(state, 1, 0)


def positions(number: int, seats: int) -> Iterator[State]:
    """All of a match played at random."""
    rng, state = Random(number), setup(Options(mode=Mode.VIVO), seats, number.to_bytes(32, "big"))
    while state.result is None:
        yield state
        if not (acting := to_act(state)):
            tick(state, deadline(state) or 0)
            continue
        seat = rng.choice(list(acting))
        actions = list(legal_actions(state, seat))
        kind = rng.choice(
            sorted({type(action).__name__ for action in actions})
        )  # or few would pass
        chosen = rng.choice([each for each in actions if type(each).__name__ == kind])
        apply(state, seat, chosen, BEGINNING)


def test_it_has_every_card_once_and_the_same_choices() -> None:
    phases: set[Phase] = set()
    for number in range(6):
        for state in positions(number, 2 + number % 3):
            phases.add(state.phase)
            for seat in range(state.seats):
                imagined = determinize(RULES.view(state, seat), (), Random(1))
                assert every_card(imagined) == CARDS
                own = Seat(seat)
                assert list(legal_actions(imagined, own)) == list(legal_actions(state, own))
                assert list(to_act(imagined)) == list(to_act(state))
    assert phases == set(Phase) - {Phase.OVER}


def test_hands_and_deck_are_imagined() -> None:
    state = racing(seats=3)
    seen = RULES.view(state, 0)
    hands = {determinize(seen, (), Random(number)).hand[1] for number in range(60)}
    assert len(hands) > 20
    assert all(map(is_pattern, hands))
    assert {determinize(seen, (), Random(number)).hand[0] for number in range(9)} == {
        card("star-red")
    }
    assert len({determinize(seen, (), Random(number)).seed for number in range(9)}) == 9
    unseen = RULES.view(stage(), 0)
    own = {determinize(unseen, (), Random(number)).hand[0] for number in range(60)}
    assert len(own) > 20, "before it is seen"


def test_shots_of_others_are_not_imagined_and_lines_are_quick() -> None:
    state = racing(lags=(0, 120))
    apply(state, Seat(0), Shoot(3), Moment(5_000, (0, 120)))
    theirs = determinize(RULES.view(state, 1), (), Random(1))
    assert (theirs.tries, theirs.lags) == ((), (0, 0))
    own = determinize(RULES.view(state, 0), (), Random(1))
    assert [each.place for each in own.tries] == [3]
