"""What is found out about matches that do notice."""

from bench.attacks.honest import Play, Player, Tally
from bench.attacks.trial import Fared


def answered(latencies_s: list[float], worked_s: list[float] | None = None) -> Tally:
    """The loop worked all the time, unless something else is said."""
    sent = len(latencies_s)
    return Tally(sent=sent, latencies_s=latencies_s, worked_s=worked_s or latencies_s)


def fared(
    quiet_s: float,
    attacked: Tally,
    lost: int = 0,
    failures: tuple[str, ...] = (),
    each_s: float = 0.0,
) -> Fared:
    quiet = Tally(sent=1, latencies_s=[quiet_s], worked_s=[quiet_s])
    return Fared(quiet=quiet, each_s=each_s, attacked=attacked, lost=lost, failures=list(failures))


def test_a_hundredth_that_is_slow_is_found_out() -> None:
    quick, slow = [0.001] * 98, [0.051] * 2
    assert not fared(0.001, answered(quick + slow)).in_time
    assert fared(0.001, answered(quick * 3 + slow)).in_time
    assert fared(0.018, answered(quick + slow)).in_time
    assert not fared(0.001, answered(quick), each_s=0.011).in_time


def test_other_work_on_the_machine_is_no_attack() -> None:
    late = [5.0] * 100
    assert fared(0.001, answered(late, worked_s=[0.001] * 100)).in_time
    assert fared(0.001, answered([0.001] * 100, worked_s=late)).in_time


def test_every_action_that_did_not_come_to_its_end_is_found_out() -> None:
    good = Tally(sent=2, latencies_s=[0.001] * 2)
    assert fared(0.001, good).whole
    assert not fared(0.001, Tally()).whole
    assert not fared(0.001, Tally(sent=2, latencies_s=[0.001])).whole
    assert not fared(0.001, Tally(sent=2, refused=1, latencies_s=[0.001])).whole
    assert not fared(0.001, good, lost=1).whole
    assert not fared(0.001, good, failures=("the server closed a line",)).whole


async def test_an_action_that_only_its_own_player_saw_is_lost() -> None:
    play = Play(0)
    play.players = [Player(play, "Ann"), Player(play, "Ben"), Player(play, "Cia")]
    ann, ben, _elsewhere = play.players
    for player in (ann, ben):
        player.matches.add("m")
    ann.seen.add(("m", 1))
    tally = Tally(kept={("m", 1)})
    assert play.lost(tally) == 1
    ben.seen.add(("m", 1))
    assert play.lost(tally) == 0
