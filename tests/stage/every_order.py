"""All orders of a small model: everything that can happen is tried, breadth first."""

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import Generic, NamedTuple, TypeVar

W = TypeVar("W", bound=Hashable)


class Found(NamedTuple):
    """`worlds`: how many there are, of which `ends` are done. `law`: the first that was broken,
    and `way`, the shortest to there, in words."""

    worlds: int
    ends: int
    law: str = ""
    way: tuple[str, ...] = ()


class Model(NamedTuple, Generic[W]):
    """`steps`: what can happen next, in words, with the world after it; `broken`: the law that the
    step from one to the other has broken, or ""; `twin`: a world that need not be tried, too."""

    steps: Callable[[W], Iterable[tuple[str, W]]]
    broken: Callable[[W, W], str]
    done: Callable[[W], bool]
    twin: Callable[[W], W]


def search(model: Model[W], first: W) -> Found:
    came: dict[W, tuple[W, str] | None] = {first: None}
    waiting, ends = deque([first]), 0
    while waiting:
        world = waiting.popleft()
        ends += model.done(world)
        for words, after in model.steps(world):
            if law := model.broken(world, after):
                return Found(len(came), ends, law, (*_way(came, world), words))
            if after not in came and model.twin(after) not in came:
                came[after] = (world, words)
                waiting.append(after)
    return Found(len(came), ends)


def _way(came: dict[W, tuple[W, str] | None], world: W) -> tuple[str, ...]:
    way = list[str]()
    while (step := came[world]) is not None:
        world, words = step
        way.append(words)
    return tuple(reversed(way))
