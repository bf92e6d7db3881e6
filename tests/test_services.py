"""Real servers: found by variables, skipped at home, required in CI."""

from pathlib import Path

import pytest

from tests import services


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "silent", lambda: ("s3",))


@pytest.mark.parametrize("ci", ["", "0", "false"])
def test_at_home_a_silent_service_skips_its_tests(
    ci: str, silent: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", ci)
    with pytest.raises(pytest.skip.Exception, match="s3 does not answer: make services"):
        services.require("s3")


@pytest.mark.parametrize("ci", ["1", "true"])
def test_in_ci_a_silent_service_fails_its_tests(
    ci: str, silent: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", ci)
    with pytest.raises(pytest.fail.Exception, match="s3 does not answer: make services"):
        services.require("s3")


def test_a_service_that_answers_is_used(silent: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    services.require("rabbitmq")


def test_a_variable_says_where_a_service_is_before_what_was_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = tmp_path / "environment"
    written.write_text("TEST_S3_ENDPOINT=http://127.0.0.1:1\nTEST_OTHER=a=b\n")
    monkeypatch.setattr(services, "ENVIRONMENT", written)
    monkeypatch.setenv("TEST_S3_ENDPOINT", "http://127.0.0.1:2")
    found = services.variables.__wrapped__()
    assert found["TEST_S3_ENDPOINT"] == "http://127.0.0.1:2"
    assert found["TEST_OTHER"] == "a=b"


def test_a_service_that_nothing_names_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "variables", dict)
    assert services.silent.__wrapped__() == ("rabbitmq", "elasticsearch", "postgresql", "s3")
