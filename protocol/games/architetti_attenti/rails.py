"""Railways: which tracks lie between two stations, and what they are worth (rules: Score)."""

from functools import lru_cache
from typing import NamedTuple

from protocol.games.architetti_attenti.masks import beside, cells_in


class Network(NamedTuple):
    """Cells joined by rails, as masks; of the tracks only the live ones."""

    stations: int
    live: int


@lru_cache(maxsize=1 << 14)
def networks(tracks: int, stations: int) -> tuple[Network, ...]:
    """The networks that have live tracks."""
    live = live_tracks(tracks, stations)
    found = []
    left = live
    while left:
        joined_tracks, joined_stations = joined(left & -left, tracks, stations)
        found.append(Network(joined_stations, joined_tracks & live))
        left &= ~joined_tracks
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def live_tracks(tracks: int, stations: int) -> int:
    """The tracks on a path between two different stations that enters no cell twice.

    A track is on one exactly when no other single cell cuts it off from every station: then two
    ways that share nothing lead from it to two stations (Menger).
    """
    live = _leading_to(stations, tracks)
    for cell in cells_in(stations):
        live &= _leading_to(stations & ~(1 << cell), tracks)
    for cell in cells_in(live):
        live &= _leading_to(stations, tracks & ~(1 << cell)) | 1 << cell
    return live


def _leading_to(stations: int, tracks: int) -> int:
    """The tracks from which tracks lead to one of the stations."""
    reached = beside(stations) & tracks
    while (grown := reached | beside(reached) & tracks) != reached:
        reached = grown
    return reached


def joined(track: int, tracks: int, stations: int) -> tuple[int, int]:
    """The tracks and stations joined to a track, with the track itself. Two stations that touch are
    not joined."""
    found, stops = track, 0
    while True:
        more_stops = stops | beside(found) & stations
        more = found | beside(found | more_stops) & tracks
        if (more, more_stops) == (found, stops):
            return found, stops
        found, stops = more, more_stops
