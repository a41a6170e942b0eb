"""The operator's commands as they are typed, beside a server that is a process of its own."""

import asyncio
import json
import os
import pwd
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from protocol.from_client import Resume
from protocol.from_server import SeatToken, Update
from server.__main__ import main
from server.cli import operating
from server.store.sqlite import FILE_NAME, connect_to
from server.store.state_folder import StateFolder
from server.store.statements import migrate
from tests.stage.house import begin
from tests.stage.processes import Process, outcome, started

SERVE = ("serve", "--host", "127.0.0.1", "--port", "0", "--bot-pace-s", "0", "--state")


OF_THE_MAIN_THREAD = ("backup", "restore")
"""They hear signals."""


class Typed:
    """Commands of the operator of the server in `folder`."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._folder = str(folder)
        self._capsys = capsys

    def __call__(self, *command: str, code: int = 0) -> str:
        """What it prints on stdout, or on stderr where it is to fail."""
        self._capsys.readouterr()
        typed = [*command, "--state", self._folder]
        if command[0] in OF_THE_MAIN_THREAD:
            assert main(typed) == code
        else:  # the loop of a test is not theirs
            with ThreadPoolExecutor() as pool:
                assert pool.submit(main, typed).result() == code
        out, err = self._capsys.readouterr()
        assert bool(err) == bool(code), err
        return err if code else out

    def rows(self, *command: str) -> list[dict[str, object]]:
        return [json.loads(line) for line in self(*command, "--json").splitlines()]


@pytest.fixture
def typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Typed:
    return Typed(tmp_path / "s", capsys)


async def test_without_a_server_each_says_so(typed: Typed) -> None:
    for command in (
        *(["who"], ["tables"], ["status"], ["bans"], ["say", "x"], ["kick", "x"], ["ban", "x"]),
        *(["unban", "x"], ["close", "x"], ["drain"], ["log-level", "info"]),
    ):
        said = typed(*command, code=1)
        assert said.startswith("clocktowers-server: no server runs in ") and said.count("\n") == 1
    assert typed("audit") == "no operator has changed anything\n"
    assert "name the server's folder" in typed("backup", "x.tar", code=1)
    assert "there is no file" in typed("restore", "x.tar", code=1)


def test_a_failure_as_json_is_an_object_on_stdout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (["who"], ["backup", "x.tar"], ["restore", "x.tar"]):
        assert main([*command, "--state", str(tmp_path / "none"), "--json"]) == 1
        out, err = capsys.readouterr()
        said = err.removeprefix("clocktowers-server: ").strip()
        assert json.loads(out) == {"done": False, "said": said}


def test_an_unknown_flag_is_answered_by_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for command, said in (
        (["serve", "--prot", "7"], "not understood: --prot 7; did you mean --port?"),
        (["kick", "x", "--for", "2h"], "not understood: --for 2h; --help says what can be typed"),
    ):
        with pytest.raises(SystemExit) as end:
            main(command)
        err = capsys.readouterr().err
        assert end.value.code == 2 and err == f"clocktowers-server: {said}\n"


@pytest.mark.parametrize(
    "command",
    [
        *(["ban"], ["ban", "x", "--for", "2"], ["ban", "x", "--until", "1999-01-01"]),
        *(["ban", "x", "--for", "2h", "--until", "2999-01-01"], ["log-level", "loud"]),
        *(["drain", "--within", "0"], ["drain", "--within", "9", "--cancel"], ["say"]),
    ],
)
def test_misuse_is_a_sentence_and_2(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(command)
    assert end.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


async def test_tables_for_people_and_json_for_programs(tmp_path: Path, typed: Typed) -> None:
    async with started(tmp_path, *SERVE, str(tmp_path / "s")) as server:
        await server.listens()
        ann = await server.peer("Ann", identity=bytes(32))
        code = await ann.create(seats=2)
        heading, row = typed("who").splitlines()
        assert heading.split()[:4] == ["name", "mark", "address", "table"]
        assert row.split()[0] == "Ann" and code in row.split()
        assert [row["name"] for row in typed.rows("who")] == ["Ann"]
        assert typed.rows("status")[0]["tables"] == 1
        assert json.loads(typed("say", "hello", "--json")) == {"done": True, "said": "1 were told"}
        typed("ban", "192.0.2.0/24", "--for", "2h", "--reason", "spam")
        typed("ban", "192.0.3.0/24", "--until", "2999-12-31")
        assert "spam" in typed("bans") and "2999-12-31" in typed("bans")
        assert "nobody here" in typed("kick", "Ben", code=1)
        typed("invite", "Ben", "--for", "2d", "--address", "192.0.2.1")
        assert [row["command"] for row in typed.rows("audit")] == ["say", "ban", "ban", "invite"]
        account = pwd.getpwuid(os.getuid()).pw_name
        assert re.search(f"{account} .*invite .*Ben .*for 2 days", typed("audit"))

        code_of_second, errors = await outcome(tmp_path, *SERVE, str(tmp_path / "s"))
        assert code_of_second == 2 and "another server" in errors
        assert "another server" in typed("restore", str(Path(__file__)), code=1)
        assert typed.rows("status")[0]["people"] == 1, "the second one left the door alone"
        await ann.close()
        typed("drain")
        assert await server.ends() == 0
        assert "Traceback" not in await server.errors()


async def begun(server: Process) -> tuple[SeatToken, SeatToken]:
    """A match of two people, a few actions old."""
    ann, ben = await server.peer("Ann"), await server.peer("Ben")
    await begin(ann, ben)
    tokens = await ann.until(SeatToken), await ben.until(SeatToken)
    await asyncio.gather(ann.play(Random(1), 6), ben.play(Random(2), 6))
    return tokens


async def test_a_match_goes_on_in_a_restored_folder(tmp_path: Path, typed: Typed) -> None:
    """The backup is made while it is played."""
    target, folder = tmp_path / "out.tar", str(tmp_path / "s")
    async with started(tmp_path, *SERVE, folder) as server:
        await server.listens()
        tokens = await begun(server)
        typed("ban", "192.0.2.0/24")
        assert typed("backup", str(target)) == f"{target} is written; matches: 1, bans: 1\n"
        assert "there already" in typed("backup", str(target), code=1)
        typed("unban", "192.0.2.0/24")
        typed("close", str(typed.rows("tables")[0]["table"]))
        server.process.terminate()  # the door has not waited for the next call yet
        assert await server.ends() == 0
    assert "what stood there is in " in typed("restore", str(target))
    assert [row["command"] for row in typed.rows("audit")] == ["ban", "unban", "close", "restore"]
    async with started(tmp_path, *SERVE, folder) as server:
        await server.listens()
        ann, ben = await server.peer("Ann"), await server.peer("Ben")
        for peer, token in zip((ann, ben), tokens, strict=True):
            await peer.done(Resume(id=0, match=token.match, token=token.token))
        update = await ann.until(Update)
        assert update.ply == 6
        ann.pending.appendleft(update)
        await asyncio.gather(ann.play(Random(3)), ben.play(Random(4)))
        assert [row["whom"] for row in typed.rows("bans")] == ["192.0.2.0/24"]


def test_a_restored_folder_is_free_again(tmp_path: Path, typed: Typed) -> None:
    """Also after a file that is no backup."""
    (wrong := tmp_path / "wrong.tar").write_text("x")
    assert "no whole backup" in typed("restore", str(wrong), code=1)
    StateFolder(tmp_path / "s").release()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, who works for another account")
def test_root_follows_no_link_that_the_account_left(capsys: pytest.CaptureFixture[str]) -> None:
    # Not in pytest's own folder, where no other account comes in.
    with TemporaryDirectory(dir="/tmp") as name:
        base = Path(name)
        base.chmod(0o711)
        roots, folder, copy = base / "roots", base / "s", base / "copy.tar"
        roots.write_bytes(b"{}\n")
        roots.chmod(0o600)
        folder.mkdir(mode=0o700)
        typed = Typed(folder, capsys)
        with closing(connect_to(folder / FILE_NAME)) as journal:
            migrate(journal)
        (folder / FILE_NAME).chmod(0o600)
        for path in (folder, folder / FILE_NAME):
            os.chown(path, 12345, 12345)
        fresh = [sys.executable, "-P", "-m", "server", "backup", str(copy), "--state", str(folder)]
        subprocess.run(fresh, check=True, capture_output=True)  # has read nothing before
        restore, again = ("restore", str(copy)), ("backup", str(base / "new.tar"))
        for linked, commands in {
            "audit.jsonl": (restore, again, ("audit",)),
            "bans.json": (again,),
            "lock": (restore,),
        }.items():
            (folder / linked).unlink(missing_ok=True)
            (folder / linked).symlink_to(roots)
            for command in commands:
                assert "ermission denied" in typed(*command, code=1)
            (folder / linked).unlink()
        assert roots.read_bytes() == b"{}\n" and roots.stat().st_mode & 0o777 == 0o600
        typed("restore", str(copy))
        assert {path.lstat().st_uid for path in folder.rglob("*")} == {12345}
        os.mkfifo(folder / "bans.json")
        assert "no regular file" in typed("backup", str(base / "new.tar"), code=1)


def test_an_invitation_of_an_older_server_has_no_line_of_its_records_key(
    capsys: pytest.CaptureFixture[str],
) -> None:
    values = {"name": "Ben", "until": 0, "table": "", "invitation": "SECRET", "page": "", "ssh": ""}
    operating._show_invitation(values)
    assert capsys.readouterr().out.endswith("\nclocktowers join SECRET\n")
