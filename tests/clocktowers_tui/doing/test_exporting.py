"""The result writes its match to a file, as the list of matches does."""

from pathlib import Path

import pytest

from clocktowers_tui.history import matches
from clocktowers_tui.net.address import Address
from clocktowers_tui.new_table.deals import deal_of, today
from server.__main__ import main
from tests.clocktowers_tui.doing.test_keeping import kept, to_the_end
from tests.stage.pilot import playing, press, seen, sees, until


def written(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def _joined(screen: str) -> str:
    """A name that is broken into lines, whole."""
    return "".join(screen.split()).replace("│", "")


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_x_in_the_result_writes_a_record_and_says_where(
    address: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    monkeypatch.chdir(folder)
    async with playing(deal_of("clocktowers", today()), at=address, size=size) as player:
        await to_the_end(player)
        await kept()
        await press(player, "x")
        await sees(player, "Written: ")
        (file,) = written(folder)
        assert main(["verify", str(file)]) == 0
        assert file.read_bytes() == matches.line_of(matches.newest_first()[0].head.id) + b"\n"
        await until(player[1], lambda: file.name in _joined(seen(player[0])))
        await press(player, "x")
        await sees(player, "is there already")
        matches.delete(matches.newest_first()[0].head.id)
        await press(player, "x")
        await sees(player, "is not in your history")
        assert written(folder) == [file]
