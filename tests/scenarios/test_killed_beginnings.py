"""A server is killed just after `start`: all players were told of their match, or nobody was."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from tests.stage.killed_beginnings import EARLY, Findings, at_first_done, one_round, run
from tests.stage.processes import PROGRAM


async def killed_at_first_done(home: Path, program: Sequence[str]) -> Findings:
    found = Findings()
    await one_round(home, 8, Random(1), at_first_done, found, program)
    assert found.done > 0
    return found


async def test_done_means_that_all_have_their_tokens(tmp_path: Path) -> None:
    found = await killed_at_first_done(tmp_path, PROGRAM)
    assert found.told_nobody == 0, found
    assert '"level": "error"' not in found.errors, found.errors


async def test_a_server_that_answers_too_early_is_caught(tmp_path: Path) -> None:
    found = await killed_at_first_done(tmp_path, EARLY)
    assert found.told_nobody > 0, found


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
async def test_three_hundred_tables(tmp_path: Path, seed: int) -> None:
    found = await run(tmp_path, 300, seed)
    print(found)
    assert found.done > 30 and found.told_nobody == 0, found
