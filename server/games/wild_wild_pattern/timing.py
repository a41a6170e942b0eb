"""When bots act: after how long, and whether they let people go first (rules: Practice).

A level acts some milliseconds after the newest news, uniform between two bounds. The unit is what a
person needs for one look round the Wheel, from published figures: who searches a picture moves the
eyes every 200 to 350 ms (Rayner & Castelhano 2007, doi 10.4249/scholarpedia.3649), so eight cards
take about 2.2 s; and a key pressed at once takes 213 ms (mean of 1469 people; Woods et al. 2015,
doi 10.3389/fnhum.2015.00131). Nobody shoots sooner than after one round. How many rounds a level
needs is the project's own: 3 to 9 for `hard`, 5 to 16 for `easy`. `learner` is no slower, for
somebody has to shoot: it loses by its mistakes (`bots`). Compare the game of Set, with twelve cards
and the same kind of search: its players become quicker by training (Jacob & Hochstein 2008, doi
10.3758/PP.70.7.1165).
"""

from collections.abc import Collection, Mapping
from random import Random
from typing import Final, NamedTuple

from protocol.games.wild_wild_pattern import Options, Phase, Practice, View
from protocol.ids import Seat


class Reaction(NamedTuple):
    """Bounds in ms: to find a shot, to answer a Click!, and for choices without hurry."""

    race_ms: tuple[int, int]
    answer_ms: tuple[int, int]
    choice_ms: tuple[int, int]

    def __call__(self, view: View, rng: Random) -> int:
        """Draw the delay for this view."""
        match view.phase:
            case Phase.READY:
                bounds_ms = SOON_MS
            case Phase.RACE:
                bounds_ms = self.race_ms
            case Phase.CLICKED:
                bounds_ms = self.answer_ms
            case _:
                bounds_ms = self.choice_ms
        return rng.randint(*bounds_ms)


ROUND_MS: Final = 8 * (200 + 350) // 2
KEY_MS: Final = 213
SOON_MS: Final = (400, 1_000)
"""When a bot of any level is ready: there is nothing to look for, and people wait for it."""

REACTIONS: Final[Mapping[str, Reaction]] = {
    "random": Reaction((2_000, 40_000), (2_000, 15_000), (500, 3_000)),
    "learner": Reaction((12_000, 32_000), (3_500, 9_000), (2_000, 5_000)),
    "easy": Reaction((12_000, 36_000), (6_000, 14_000), (1_500, 4_000)),
    "normal": Reaction((10_000, 28_000), (4_000, 10_000), (1_200, 3_000)),
    "hard": Reaction((7_000, 20_000), (2_500, 6_000), (1_000, 2_500)),
}


def is_practice(options: Options) -> bool:
    """Whether nobody is raced, so that a hint takes nothing from anybody."""
    return options.practice is Practice.ON


def lets_people_try(view: View, people: Collection[Seat]) -> bool:
    """In practice no bot shoots while a person may still do so."""
    if view.options.practice is Practice.OFF or view.phase is not Phase.RACE:
        return False
    return any(
        not view.done[seat] and (view.in_hand[seat] or view.waiting[seat]) for seat in people
    )
