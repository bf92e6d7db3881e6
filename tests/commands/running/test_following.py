"""Logs of programs that run for long."""

from pathlib import Path

from indexer.commands.running.following import trim_logs


def test_a_log_that_is_too_large_begins_anew_while_it_is_written(tmp_path: Path) -> None:
    with (tmp_path / "parser.log").open("a") as log:
        log.write("old\n" * 10)
        log.flush()
        trim_logs(tmp_path, 20)
        log.write("new\n")
    assert (tmp_path / "parser.log").read_text() == "new\n"
    assert (tmp_path / "parser.log.1").read_text() == "old\n" * 10


def test_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "parser.log").write_text("a line\n")
    trim_logs(tmp_path, 20)
    assert [path.name for path in tmp_path.iterdir()] == ["parser.log"]
