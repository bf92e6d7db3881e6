"""Options: command line over environment over secret files over default."""

from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, SecretStr

from indexer.errors import ConfigurationError
from indexer.system.options import CommandLine, Options, group, option, variable
from tests.each_row import each_row


class Sample(Options):
    """Options as programs have them."""

    count: int = option(5, "how many, 50 % at most", "SAMPLE_COUNT", "OLD_COUNT", short="n")
    url: SecretStr = option(SecretStr("a-default"), "where", "SAMPLE_URL")
    hosts: list[str] = option([], "which", "SAMPLE_HOSTS")
    dry_run: bool = option(False, "change nothing", "SAMPLE_DRY")
    ratio: float | None = option(None, "how much", also="old-ratio")
    inputs: list[str] = option([], "what", positional=True)


def parse(*arguments: str) -> Sample:
    """The options of a command line."""
    return Sample.parse("sample", "A sample.", arguments)


def test_defaults_hold_when_nothing_is_said() -> None:
    given = parse()
    assert (given.count, given.hosts, given.dry_run, given.ratio) == (5, [], False, None)


def test_the_command_line_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMPLE_COUNT", "6")
    assert parse().count == 6
    assert parse("--count", "7").count == 7
    assert parse("-n", "8").count == 8


def test_an_option_may_have_another_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse("--old-ratio", "0.5") == parse("--ratio", "0.5")
    with pytest.raises(SystemExit):
        parse("--help")
    assert "--ratio NUMBER, --old-ratio NUMBER" in capsys.readouterr().out


def test_the_first_variable_that_is_set_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLD_COUNT", "9")
    assert parse().count == 9
    monkeypatch.setenv("SAMPLE_COUNT", "6")
    assert parse().count == 6


def test_a_blank_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMPLE_COUNT", "")
    assert parse().count == 5


def test_a_secret_may_be_in_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("from-file\n")
    monkeypatch.setenv("SAMPLE_URL_FILE", str(tmp_path / "secret"))
    assert parse().url.get_secret_value() == "from-file"
    monkeypatch.setenv("SAMPLE_URL", "from-environment")
    assert parse().url.get_secret_value() == "from-environment"


def test_a_missing_secret_file_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAMPLE_URL_FILE", "/nowhere/secret")
    with pytest.raises(SystemExit) as ended:
        parse()
    assert ended.value.code == 2
    assert "SAMPLE_URL_FILE: can't read /nowhere/secret" in capsys.readouterr().err


def test_lists_are_words_in_a_variable_and_repeated_on_the_command_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SAMPLE_HOSTS", "a  b")
    assert parse().hosts == ["a", "b"]
    assert parse("--hosts", "c", "--hosts", "d").hosts == ["c", "d"]
    assert parse("x", "y").inputs == ["x", "y"]


@each_row(
    ("text", "values"),
    [
        ("a  b\n", ["a", "b"]),
        ("'/srv/my news' s3://bucket/x", ["/srv/my news", "s3://bucket/x"]),
        (r"/srv/my\ news", ["/srv/my news"]),
        ('"one, two" three#4', ["one, two", "three#4"]),
        ("  ", []),
    ],
)
def test_blanks_separate_the_values_of_a_variable_unless_they_are_quoted(
    text: str, values: list[str]
) -> None:
    assert Sample.of({"SAMPLE_HOSTS": text}).hosts == values
    assert Sample.of({"SAMPLE_HOSTS": variable(values)}).hosts == values


@each_row("value", ["a b", "it's", "a,b", 'it\'s, or "not"', "*.example=127.0.0.1", "", "a\nb"])
def test_every_value_can_be_written_into_the_variable_of_a_list(value: str) -> None:
    assert Sample.of({"SAMPLE_HOSTS": variable([value, "x"])}).hosts == [value, "x"]


@each_row(
    ("text", "why"),
    [
        ("hunter2,x", "SAMPLE_HOSTS: separate the values by blanks, not commas"),
        ("hunter2, x", "SAMPLE_HOSTS: separate the values by blanks, not commas"),
        ("hunter2's", "SAMPLE_HOSTS: a quote that does not end"),
    ],
)
def test_a_list_that_is_separated_wrongly_is_refused_and_not_shown(text: str, why: str) -> None:
    with pytest.raises(ConfigurationError, match=why) as refused:
        Sample.of({"SAMPLE_HOSTS": text})
    assert "hunter2" not in str(refused.value)


def test_help_names_the_separator_of_lists(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse("--help")
    assert "[env SAMPLE_HOSTS, separated by blanks]" in " ".join(capsys.readouterr().out.split())


def test_a_switch_can_be_turned_off_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMPLE_DRY", "1")
    assert parse().dry_run is True
    assert parse("--no-dry-run").dry_run is False


def test_help_shows_variable_and_default_but_no_value_from_outside(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAMPLE_URL", "https://user:hunter2@host/")
    with pytest.raises(SystemExit) as ended:
        parse("--help")
    shown = capsys.readouterr().out
    assert ended.value.code == 0
    assert "SAMPLE_COUNT, OLD_COUNT" in shown
    assert "default 5" in shown
    assert "50 % at most" in shown
    assert "hunter2" not in shown
    assert "a-default" not in shown


@pytest.mark.parametrize("value", ["six", "1.5"])
def test_a_bad_value_is_named_but_not_shown(
    value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAMPLE_COUNT", value)
    with pytest.raises(SystemExit) as ended:
        parse()
    assert ended.value.code == 2
    assert "--count" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--colour", "hunter2"], "no such option: --colour"),
        (["--urll=amqp://me:hunter2@host/", "--x"], "no such option: --urll --x"),
        (["-Zhunter2"], "no such option: -Z"),
        (["--dry-run=hunter2"], "--dry-run"),
    ],
)
def test_a_wrong_option_is_named_but_its_value_not_shown(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(*arguments)
    shown = capsys.readouterr().err
    assert ended.value.code == 2
    assert said in shown
    assert "hunter2" not in shown


def test_an_ambiguous_option_is_named_but_its_value_not_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Two(Options):
        broker_url: SecretStr = option(SecretStr(""), "one")
        broker_uri: SecretStr = option(SecretStr(""), "two")

    with pytest.raises(SystemExit):
        Two.parse("two", "Two.", ["--broker=amqp://me:hunter2@host/?a=b"])
    shown = capsys.readouterr().err
    assert "ambiguous option: --broker could match --broker-ur" in shown
    assert "hunter2" not in shown


def test_arguments_that_no_option_takes_are_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    class Nothing(Options):
        """No options."""

    with pytest.raises(SystemExit):
        Nothing.parse("none", "None.", ["hunter2"])
    shown = capsys.readouterr().err
    assert "too many arguments" in shown
    assert "hunter2" not in shown


def test_a_reason_has_no_words_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    class Odd(Options):
        number: Annotated[int, AfterValidator(_odd)] = option(1, "an odd number", "NUMBER")

    with pytest.raises(SystemExit):
        Odd.parse("odd", "Odd.", ["--number", "2"])
    assert capsys.readouterr().err.endswith("error: --number: write an odd number\n")


def _odd(value: int) -> int:
    if value % 2 == 0:
        raise ValueError("write an odd number")
    return value


def test_secrets_do_not_show_in_a_repr() -> None:
    assert "hunter2" not in repr(parse("--url", "hunter2"))


class Place(Options):
    """A group of options."""

    host: str = option("here", "where", "PLACE_HOST")
    port: int = option(80, "its port", "PLACE_PORT")


class Visit(Options):
    """A program's options: a group in a field, one of whose options has another default."""

    place: Place = group(Place)
    port: int = option(8080, "its port")
    visitor: str = option("", "whom", "VISITOR")


class Journey(Visit, Sample):
    """Groups as base classes, side by side."""

    def implied(self) -> dict[str, Any]:
        return {"tries": 1} if self.visitor else {}


class Loop(Options):
    """Options of a program's loop."""

    tries: int = option(3, "how often", "TRIES")
    visitor: str = option("nobody", "whom", "VISITOR")


def test_options_of_groups_are_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLACE_HOST", "there")
    given = Journey.parse("journey", "A journey.", ["--count", "2"])
    assert (given.place.host, given.count) == ("there", 2)
    assert Journey.parse("journey", "A journey.", ["--host", "x"]).place.host == "x"
    assert Visit(place=Place(host="y")).place.host == "y"


def test_an_option_that_a_class_defines_anew_replaces_its_groups() -> None:
    assert Visit().place.port == 8080
    assert Visit.parse("visit", "A visit.", ["--port", "1"]).place.port == 1


def test_a_bad_value_of_a_group_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        Visit.parse("visit", "A visit.", ["--port", "hunter2"])
    shown = capsys.readouterr().err
    assert "--port" in shown
    assert "hunter2" not in shown


def test_a_loop_has_the_values_of_its_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIES", "5")
    line = CommandLine("loop", "A loop.", [Journey, Loop], [])
    assert (line.take(Journey).visitor, line.take(Loop)) == ("", Loop(tries=5, visitor=""))


def test_a_program_forces_values_on_its_loop() -> None:
    line = CommandLine("loop", "A loop.", [Journey, Loop], ["--visitor", "me", "--tries", "7"])
    line.take(Journey)
    assert line.take(Loop) == Loop(tries=1, visitor="me")
