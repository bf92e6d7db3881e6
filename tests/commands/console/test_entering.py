"""Errors of the system end a command with one line."""

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.commands.console.groups import new_app
from indexer.commands.console.parameters import with_options
from indexer.system.options import Options
from indexer.system.permissions import STARTED_WITH
from tests.commands.entering import Command
from tests.each_row import each_row


def failing(error: BaseException) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


class Nothing(Options):
    """No options."""


def making(folder: Path) -> Callable[[], None]:
    def make(options: Nothing) -> None:
        (folder / "new").mkdir()
        (folder / "new" / "file").touch()

    return with_options(make)


@pytest.mark.parametrize(("umask", "expected"), [("", 0o077), ("027", 0o027), ("0", 0)])
def test_files_that_a_command_makes_are_for_their_owner_unless_the_variable_shares_them(
    umask: str,
    expected: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DATA_UMASK", umask)
    app = new_app("A command.")
    app.command()(making(tmp_path))
    Command(app, "me", monkeypatch, capsys).run()
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("new", "new/file")]
    lacking = expected | STARTED_WITH
    assert modes == [0o777 & ~lacking, 0o666 & ~lacking]


def test_a_umask_that_is_none_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("DATA_UMASK", "99")
    app = new_app("A command.")
    app.command()(making(tmp_path))
    command = Command(app, "me", monkeypatch, capsys)
    assert "write DATA_UMASK in octal" in command.run(status=2).err


@each_row(
    ("error", "line", "status"),
    [
        (PermissionError(13, "Permission denied", "/srv/x"), "me: Permission denied: /srv/x\n", 1),
        (OSError("odd"), "me: odd\n", 1),
        (KeyboardInterrupt(), "", 130),
    ],
)
def test_an_error_of_the_system_is_one_line_with_its_status(
    error: BaseException,
    line: str,
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    app = new_app("A command.")
    app.command()(failing(error))
    assert Command(app, "me", monkeypatch, capsys).run(status=status).err == line
