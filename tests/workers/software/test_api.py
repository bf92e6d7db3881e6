"""The server's options, and bad ones with which it does not start."""

import sys
from pathlib import Path

import pytest

from workers.software.api import main


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--api-port=70000"], "--api-port"),
        (["--api-host=203.0.113.7"], "can't listen at 203.0.113.7"),
        (["--database-url=mysql://h/d"], "no database for 'mysql'"),
        (["--software-index=ftp://h/d"], "no search index for 'ftp'"),
    ],
)
def test_a_server_that_can_not_be_does_not_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        sys.exit(main(["--data", str(tmp_path), "--api-port=0", *arguments]))
    assert ended.value.code == 2
    err = capsys.readouterr().err
    assert says in err
    assert "Traceback" not in err
