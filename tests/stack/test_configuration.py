"""The configuration of a stack is a file of settings; secrets are files of their own."""

from pathlib import Path

import pytest

from indexer.errors import ConfigurationError
from indexer.stack.configuration import read_configuration, version_of


def test_settings_and_secrets_are_read(tmp_path: Path) -> None:
    path = tmp_path / "prod.env"
    path.write_text(
        "# a comment\nexport A=1\nB='two words'\nC=\nURL=http://x/?a=$HOME\r\nKEY_FILE=secrets/key\n"
    )
    found = read_configuration(path)
    assert found.settings == {"A": "1", "B": "two words", "URL": "http://x/?a=$HOME"}
    assert found.secrets == {"KEY": tmp_path / "secrets/key"}
    assert found.names == {"A", "B", "URL", "KEY"}


@pytest.mark.parametrize(("text", "why"), [("A\n", "A: write NAME=VALUE"), (None, "No such file")])
def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path, text: str | None, why: str) -> None:
    path = tmp_path / "prod.env"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ConfigurationError, match=why):
        read_configuration(path)


def test_the_version_of_a_secret_is_stable_and_blank_without_a_file(tmp_path: Path) -> None:
    path = tmp_path / "key"
    assert version_of("KEY", path) == ""
    path.write_text("secret")
    assert version_of("KEY", path) == version_of("KEY", path) != ""
