"""A match of Wild Wild Pattern read a second time from its rules page; no code of the server's.

Works on records alone: cards are their names, times whole milliseconds of match time.
"""

from typing import Final, NamedTuple

from tests.games.wild_wild_pattern.oracle.cards import (
    CHALLENGES,
    GAP,
    NOTHING,
    PAYS,
    Cards,
    Declared,
    bank,
    made,
)
from tests.oracle.judging import Json

DEFAULTS: Final = {
    "mode": "saloon",
    "played_in_pair": "required",
    "five_colours": "win",
    "race_limit_s": 60,
    "lag": "on",
    "practice": "off",
    "choice_limit": "on",
}


RACES: Final = ("race", "clicked", "declare")


class Shot(NamedTuple):
    """By when it counts; those of the same time in the order in which they came."""

    fired: int
    number: int
    seat: int
    place: int | None  # None is a Click!


class OracleRace(Cards):
    """One match as it would lie on a real table, with a clock beside it."""

    def __init__(self, options: dict[str, Json], seats: int, seed: bytes) -> None:
        super().__init__(seats, seed)
        self.options = {**DEFAULTS, **options}
        self.round = self.level = self.idle = 0
        self.money = [0] * seats
        self.now = 0
        self.measured = [0] * seats
        self.lags: list[int] | None = None
        self.ended_by = 0
        self.result: Json = None
        self.set_up()

    # Rounds and turns: rules, Setting up a round; A turn, 1 ---------------------------------------

    def set_up(self) -> None:
        self.lay_out()
        self.round += 1
        self.idle = 0
        self.begin_turn()

    def begin_turn(self) -> None:
        self.hand = {seat: self.deck.pop(0) for seat in self.playing}
        self.ready: set[int] = set()
        self.waiting: dict[int, int] = {}  # seat → when it is given another card
        self.shots: list[Shot] = []
        self.passed: set[int] = set()
        self.clicker: int | None = None
        self.clicked = self.covered = GAP
        self.winner: int | None = None
        self.enter("ready", 20_000)

    def enter(self, phase: str, limit_ms: int | None) -> None:
        self.phase = phase
        waits = self.options["choice_limit"] == "off" and phase not in RACES
        hurried = self.options["practice"] == "off" and limit_ms is not None and not waits
        self.until = self.now + (limit_ms or 0) if hurried else None

    def see(self) -> None:
        """All look at their cards; how late each line is has been settled for this turn."""
        measured = [min(lag, 150) for lag in self.measured]
        if self.options["lag"] == "off":
            measured = [0 for _ in self.all]
        if self.lags is not None:
            measured = [min(new, old + 10) for new, old in zip(measured, self.lags, strict=True)]
        self.lags = measured
        limit = self.options["race_limit_s"]
        self.enter("race", self.slowest() + limit * 1000 if limit else None)
        for seat in self.playing:
            self.look(seat, self.now + self.slowest())
        self.is_anybody_left()

    def slowest(self) -> int:
        """What is sent to all so that they see it at the same moment is seen so much later."""
        assert self.lags is not None
        return max(self.lags[seat] for seat in self.playing)

    def look(self, seat: int, seen: int) -> None:
        """At a new card: a Challenge card is laid down, and its owner sees another in a second."""
        assert self.lags is not None
        if self.hand[seat] in CHALLENGES:
            self.held[seat].append(self.hand.pop(seat))
            self.waiting[seat] = seen + 1000 - self.lags[seat]

    def replace(self) -> None:
        """For all who have waited long enough, the lowest seat first."""
        assert self.lags is not None
        for seat in [seat for seat in self.playing if self.waiting.get(seat) == self.now]:
            del self.waiting[seat]
            if self.deck:
                self.hand[seat] = self.deck.pop(0)
                self.look(seat, self.now + self.lags[seat])
        self.is_anybody_left()

    def replace_now(self) -> None:
        """rules: A turn, 1. Those who still wait when the laying begins, the lowest seat first."""
        for seat in sorted(self.waiting):
            while self.deck and seat not in self.hand:
                card = self.deck.pop(0)
                if card in CHALLENGES:
                    self.held[seat].append(card)
                else:
                    self.hand[seat] = card
        self.waiting = {}

    def is_anybody_left(self) -> None:
        if self.phase == "race" and not (self.able() or self.waiting or self.shots):
            self.nobody_shot()

    # The race: rules, A turn, 2 and 4; Over a network ---------------------------------------------

    def able(self) -> list[int]:
        """Who may still shoot, or try the clicked card."""
        tried = {shot.seat for shot in self.shots} | self.passed
        if self.phase == "clicked":
            return [seat for seat in self.playing if seat != self.clicker and seat not in tried]
        return [seat for seat in self.playing if seat in self.hand and seat not in tried]

    def in_time(self) -> list[Shot]:
        """The shots that were fired before the time was up."""
        return [shot for shot in self.shots if self.until is None or shot.fired < self.until]

    def decided_at(self) -> list[int]:
        """When nothing more can come that was before the first shot, or before the time was up;
        nothing if neither is to be waited for."""
        assert self.lags is not None
        slowest = max((self.lags[seat] for seat in self.able()), default=0)
        moments = [shot.fired for shot in self.in_time()]
        if self.until is not None:
            moments.append(self.until)
        return [max(self.now, min(moments) + slowest)] if moments else []

    def shoot(self, seat: int, place: int | None) -> None:
        assert self.lags is not None
        self.shots.append(Shot(self.now - self.lags[seat], len(self.shots), seat, place))

    def decide(self) -> None:
        _fired, _number, seat, place = min(self.in_time())
        self.shots, self.passed, self.idle = [], set(), 0
        if place is None:
            self.clicker, self.clicked = seat, self.hand.pop(seat)
            self.enter("clicked", self.slowest() + 10_000)
            self.has_anybody_tried()
            return
        played = self.clicked if self.phase == "clicked" else self.hand.pop(seat)
        self.acting, self.place, self.covered = seat, place, self.wheel[place]
        self.wheel[place] = played
        self.enter("declare", 15_000)

    def has_anybody_tried(self) -> None:
        if self.phase == "clicked" and not self.able() and not self.shots:
            self.nobody_tried()

    def nobody_shot(self) -> None:
        """In practice it was everybody's choice, and is not counted."""
        self.shots = []
        self.idle += self.options["practice"] == "off"
        if self.idle == 10 or not (self.hand or self.waiting):
            self.go_to_the_bank()
        else:
            self.begin_laying()

    def nobody_tried(self) -> None:
        assert self.clicker is not None
        self.shots = []
        self.out.append(self.clicked)
        self.winner = self.ended_by = self.clicker
        self.take_in_turn([self.clicker], None)

    # Declaring and taking: rules, A turn, 3 -------------------------------------------------------

    def declare(self, declared: Declared | None) -> None:
        seat, place = self.acting, self.place
        self.ended_by = seat
        there = NOTHING
        if declared is not None:
            option = self.options["played_in_pair"]
            there = made(self.wheel, place, self.covered, declared, option)
        if there == NOTHING:
            self.out.append(self.wheel[place])
            self.wheel[place] = self.covered
            self.take_in_turn(self.counter_clockwise(seat), None)
        elif there.is_wild:
            self.end([seat], "wild-pattern")
        else:
            assert declared is not None
            self.winner = seat
            has_suit = "coin" in declared or "bullets" in declared
            self.reward(seat, place, has_suit, there.anchors > 2)

    def reward(self, seat: int, place: int, has_suit: bool, more: bool) -> None:
        if not has_suit:
            self.out.append(self.covered)
            self.take_in_turn([seat, seat] if more else [seat], None if more else place)
            return
        self.won[seat].append(self.covered)
        if more:
            self.won[seat].append(self.lift(place))
        self.take_in_turn([], None)

    def take_in_turn(self, takers: list[int], barred: int | None) -> None:
        """One card each; nobody may take from the barred place."""
        self.takers, self.barred = takers, barred
        if not takers:
            self.after_the_reward()
            return
        self.acting = takers[0]
        self.enter("take", 15_000)

    def places_to_take(self) -> list[int]:
        return [place for place in range(8) if self.wheel[place] != GAP and place != self.barred]

    def prize(self) -> int:
        """rules: Shooting. What the program takes for a player who does not choose in time."""
        own = [card.split("-")[1] for card in self.won[self.acting]]
        shown = {at: self.wheel[at].split("-") for at in self.places_to_take()}
        wanted = [at for at, (thing, _) in shown.items() if thing == self.target[self.acting]]
        new = [at for at, (_, colour) in shown.items() if colour not in own]
        return min(wanted or new or shown)

    def take(self, place: int) -> None:
        self.won[self.acting].append(self.lift(place))
        self.take_in_turn(self.takers[1:], self.barred)

    # Challenge cards: rules, A turn, 5 ------------------------------------------------------------

    def after_the_reward(self) -> None:
        if self.winner is not None and self.uses(self.winner):
            self.acting = self.winner
            self.enter("challenge", 15_000)
        else:
            self.after_the_challenge()

    def use_challenge(self, action: Json) -> None:
        self.money[self.acting] += PAYS.get(action["challenge"], 0)
        self.use(self.acting, action)
        self.after_the_challenge()

    def after_the_challenge(self) -> None:
        if any(len(cards) >= 5 for cards in self.won.values()):
            self.go_to_the_bank()
        else:
            self.begin_laying()

    # The cards that are left: rules, A turn, 6 and 7 ----------------------------------------------

    def begin_laying(self) -> None:
        self.replace_now()
        self.layers = [*self.counter_clockwise(self.ended_by), self.ended_by]
        self.next_layer()

    def next_layer(self) -> None:
        self.layers = [seat for seat in self.layers if seat in self.hand]
        if self.layers:
            self.acting = self.layers[0]
            self.enter("lay", 15_000)
        else:
            self.end_turn()

    def lay(self, place: int) -> None:
        if self.wheel[place] != GAP:
            self.out.append(self.wheel[place])
        self.wheel[place] = self.hand.pop(self.acting)
        self.next_layer()

    def end_turn(self) -> None:
        self.fill()
        if len(self.deck) < len(self.playing):
            self.shuffle_again()
        self.begin_turn()

    # The end of a round: rules, Bank and Modes ----------------------------------------------------

    def go_to_the_bank(self) -> None:
        wild = []
        for seat in self.playing:
            paid = bank(self.won[seat], self.target[seat], self.options["five_colours"])
            self.money[seat] += paid.cents
            wild += [seat] * paid.wild
        if wild:
            self.end(wild, "wild")
        elif self.options["mode"] == "saloon":
            self.close_the_saloon()
        else:
            self.eliminate()

    def close_the_saloon(self) -> None:
        most = max(self.money)
        richest = [seat for seat in self.all if self.money[seat] == most]
        if most > 300 and len(richest) == 1:
            self.end(richest, "money")
        elif self.round == 20:
            self.end(richest, "rounds")
        else:
            self.set_up()

    def eliminate(self) -> None:
        least = min(self.money[seat] for seat in self.playing)
        stay = [seat for seat in self.playing if self.money[seat] > least]
        self.level = 0 if stay else self.level + 1
        if self.level == 3:
            self.end(self.playing, "level")
        elif len(stay) == 1:
            self.end(stay, "last")
        else:
            self.playing = stay or self.playing
            for seat in self.playing:
                self.money[seat] = 0
            self.set_up()

    def end(self, winners: list[int], decided_by: str) -> None:
        self.phase, self.until, self.waiting = "over", None, {}
        self.result = {
            "scores": list(self.money),
            "winners": sorted(winners),
            "decided_by": decided_by,
        }


# The clock ----------------------------------------------------------------------------------------
#
# What it does at a moment comes before what somebody does at it. Of several things it decides who
# was first before it gives new cards, and ends a phase last.


def due(match: OracleRace) -> int | None:
    """When the clock does the next thing."""
    times = list(match.waiting.values())
    if match.phase in ("race", "clicked"):
        times += match.decided_at()
    elif match.until is not None:
        times.append(match.until)
    return min(times, default=None)


def run_to(match: OracleRace, time: int) -> None:
    while (then := due(match)) is not None and then <= time:
        match.now = then
        strike(match)
    match.now = time


def run_out(match: OracleRace) -> None:
    """Everything that the clock does when nobody acts any more."""
    while (then := due(match)) is not None:
        match.now = then
        strike(match)


def strike(match: OracleRace) -> None:
    racing = match.phase in ("race", "clicked")
    if racing and match.in_time() and match.now in match.decided_at():
        match.decide()
    elif match.now in match.waiting.values():
        match.replace()
    else:
        time_is_up(match)


def time_is_up(match: OracleRace) -> None:
    match match.phase:
        case "ready":
            match.see()
        case "race":
            match.nobody_shot()
        case "clicked":
            match.nobody_tried()
        case "declare":
            match.declare(None)
        case "take":
            match.take(match.prize())
        case "challenge":
            match.after_the_challenge()
        case "lay":
            match.lay(min(match.places_to_lay(match.hand[match.acting])))
