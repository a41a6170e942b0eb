"""What the others have done since the player's last turn, read off two views. Pure."""

from typing import Final, NamedTuple

from msgspec.structs import replace

from protocol.games.clocktowers import View


class News(NamedTuple):
    """`towers`: (seat, tower) built on. `piles`: drawn from. `thrown`: seats that discarded."""

    towers: frozenset[tuple[int, int]] = frozenset()
    piles: frozenset[int] = frozenset()
    thrown: frozenset[int] = frozenset()

    def of(self, seat: int) -> frozenset[int]:
        """The towers of one seat."""
        return frozenset(tower for owner, tower in self.towers if owner == seat)


NO_NEWS: Final = News()


def news(view: View, since: View) -> News:
    """What `view` shows that `since` did not; the player's own town is no news."""
    others = [seat for seat in range(len(view.towns)) if seat != view.seat]
    return News(
        frozenset(
            (seat, tower)
            for seat in others
            for tower, cards in enumerate(view.towns[seat].towers)
            if len(cards) > _height(since, seat, tower)
        ),
        frozenset(pile for pile, left in enumerate(view.left) if left < since.left[pile]),
        frozenset(seat for seat in others if view.thrown[seat] > since.thrown[seat]),
    )


def looked_at(view: View, before: View | None, since: View | None) -> View:
    """The view that news are counted from: for a player the view at the end of their last turn, for
    a watcher the view before this. `before`: the last view; `since`: what was returned for it."""
    if before is None or since is None or len(before.towns) != len(view.towns):
        return view
    if _placed(view) < _placed(before):
        return view  # another match
    if view.seat is None:
        return before
    if before.turn != view.seat:
        return since
    if view.turn != view.seat:
        return view
    drawn = (old - new for old, new in zip(before.left, view.left, strict=True))
    counts = (max(0, old - own) for old, own in zip(since.left, drawn, strict=True))
    return replace(since, left=bytes(counts))


def _height(view: View, seat: int, tower: int) -> int:
    towers = view.towns[seat].towers
    return len(towers[tower]) if tower < len(towers) else 0


def _placed(view: View) -> int:
    return sum(len(cards) for town in view.towns for cards in town.towers)
