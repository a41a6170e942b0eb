"""A folder belongs to one server; a second server is told what to do."""

from pathlib import Path

import pytest

from server.config import Config
from server.store import running, state_folder
from server.store.state_folder import FolderTaken, StateFolder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(state_folder, "root", lambda: tmp_path)
    return tmp_path


def test_a_folder_is_made_and_can_be_had_again_after_release(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b"
    folder = StateFolder(path)
    assert path.is_dir()
    assert folder.log.parent == path
    with pytest.raises(FolderTaken, match="--state") as error:
        StateFolder(path)
    assert str(path) in str(error.value)
    folder.release()
    StateFolder(path).release()


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "n\0l"):
        with pytest.raises(FolderTaken, match="--state"):
            StateFolder(path)


def test_a_home_that_nobody_has_is_a_sentence() -> None:
    with pytest.raises(FolderTaken, match="--state"):
        state_folder.for_service("~nobody-of-that-name/x")


def test_the_service_has_a_folder_of_its_own(home: Path) -> None:
    folder = state_folder.for_service("")
    named = state_folder.for_service(str(home / "named"))
    assert folder.path == home / "serve"
    assert named.path == home / "named"
    folder.release()
    named.release()


def nothing_waits(path: Path) -> bool:
    return False


def test_local_servers_have_the_lowest_number_that_is_free(home: Path) -> None:
    for get in (state_folder.for_host, lambda: state_folder.for_solo(nothing_waits)):
        folders = [get() for _ in range(3)]
        assert [folder.path.name for folder in folders] == ["1", "2", "3"]
        folders[1].release()
        again = get()
        assert again.path.name == "2"
        for folder in (folders[0], again, folders[2]):
            folder.release()


def test_where_a_match_waits_no_other_begins(home: Path) -> None:
    """Unless that is so nearly everywhere."""
    for waiting, number in ((("1", "3"), "2"), (("1", "2", "3"), "4"), (map(str, range(99)), "1")):
        names = set(waiting)
        folder = state_folder.for_solo(lambda path, names=names: path.name in names)  # type: ignore[misc]
        assert folder.path.name == number
        with pytest.raises(FolderTaken, match="played already"):
            state_folder.where_a_match_waits(int(number))
        folder.release()
    state_folder.where_a_match_waits(3).release()


def test_no_folder_at_all_is_a_sentence(home: Path) -> None:
    (home / "local").write_text("in the way")
    with pytest.raises(FolderTaken):
        state_folder.for_solo(nothing_waits)


def test_a_server_that_was_killed_does_not_run_though_its_file_is_left(tmp_path: Path) -> None:
    """And another program has its number by now: here it is ours."""
    folder = StateFolder(tmp_path)
    with running.told(folder, [("127.0.0.1", 7777)], Config()):
        left = (tmp_path / running.FILE_NAME).read_bytes()
        found = running.running_in(tmp_path)
        assert found is not None and found.port == 7777
    assert running.running_in(tmp_path) is None
    folder.release()
    (tmp_path / running.FILE_NAME).write_bytes(left)
    assert running.running_in(tmp_path) is None
