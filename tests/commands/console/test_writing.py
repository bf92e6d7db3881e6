"""Where a command writes: whole, or not at all."""

import gzip
import stat
from pathlib import Path

import pytest

from indexer.commands.console.writing import written
from indexer.errors import StorageError
from indexer.system.permissions import STARTED_WITH, private_files


def test_a_file_is_there_when_all_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("before")
    with written(path) as file:
        file.write("é\n")
        assert path.read_text() == "before"
    assert path.read_text(encoding="utf-8") == "é\n"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_result_has_the_permissions_of_the_users_umask(tmp_path: Path) -> None:
    with private_files(), written(tmp_path / "file") as file:
        file.write("x")
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o666 & ~STARTED_WITH


def test_what_fails_on_the_way_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("before")
    with pytest.raises(ZeroDivisionError), written(path) as file:
        file.write(f"{1 // 0}")
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("file", "before")]


def test_a_name_that_ends_in_gz_is_compressed(tmp_path: Path) -> None:
    with written(tmp_path / "a.csv.gz") as file:
        file.write("é\n")
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()).decode() == "é\n"


def test_a_place_that_there_is_not_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="can't write"), written(tmp_path / "no" / "file"):
        pass


def test_a_device_is_written_to_and_not_replaced() -> None:
    with written(Path("/dev/null")) as file:
        file.write("x")
    assert not Path("/dev/null").is_file()


def test_without_a_file_it_is_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    with written(None) as file:
        file.write("x")
    assert capsys.readouterr().out == "x"
