"""The commands of `story-indexer`: their places, and what is imported for help."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from indexer.commands.feeds import feeds
from indexer.commands.tree import COMMANDS, app
from indexer.feeds.store import open_feeds
from indexer.jobs.store import open_jobs
from indexer.system.options import environment
from tests.commands.entering import _get_command
from tests.commands.test_help import ALL
from tests.each_row import each_row

LIBRARIES = {
    *("alembic", "asyncio", "boto3", "botocore", "docker", "elasticsearch", "fastapi", "htmldate"),
    *("lxml", "mcmetadata", "pika", "psycopg", "requests", "sqlalchemy"),
    *("tldextract", "trafilatura", "urllib3", "uvicorn"),
}
"""Libraries of which no help needs any, and most commands none."""

SCRIPT = """
import json, sys
from indexer.commands.main import main
sys.argv = ["story-indexer", *sys.argv[1:]]
try:
    main()
finally:
    print(json.dumps([*sys.modules]), file=sys.stderr)
"""


def imported(*arguments: str) -> set[str]:
    """The modules that a command imports, also one that ends with an error."""
    ended = subprocess.run(
        [sys.executable, "-P", "-c", SCRIPT, *arguments],
        env={**environment()},
        capture_output=True,
        text=True,
        check=False,
    )
    return set(json.loads(ended.stderr.splitlines()[-1]))


def test_the_help_of_the_group_says_of_each_command_what_its_own_help_says() -> None:
    for each, table in ((app, COMMANDS), (feeds.app, feeds.COMMANDS)):
        group: Any = _get_command(each)
        assert len(group.commands) == len(table)
        for name, command in group.commands.items():
            first = (command.help or "").partition("\n\n")[0].replace("\n", " ")
            assert table[name].about == first, name


def test_all_commands_are_shown_without_importing_one() -> None:
    modules = imported("--help")
    commands = {each for each in modules if each.startswith("indexer.commands.")}
    assert {each for each in commands if not each.startswith("indexer.commands.console")} <= {
        "indexer.commands.main",
        "indexer.commands.tree",
    }
    assert not {each.partition(".")[0] for each in modules} & (LIBRARIES | {"pydantic"})


HELPS = [[*words, "--help"] for words in ALL]


MODULES = 520
"""The most modules for a help: those of typer, rich and pydantic are 400."""


def libraries(*arguments: str) -> set[str]:
    """The libraries that a command imports."""
    return {each.partition(".")[0] for each in imported(*arguments)}


@each_row("arguments", HELPS)
def test_help_of_a_command_imports_no_large_library(arguments: list[str]) -> None:
    modules = imported(*arguments)
    assert not {each.partition(".")[0] for each in modules} & LIBRARIES
    assert len(modules) < MODULES


@each_row(
    ("arguments", "needless"),
    [(["qutil", "list", "--data"], {"fastwarc", "warcio"}), (["warc", "list"], {"warcio"})],
)
def test_a_list_imports_nothing_of_the_commands_beside_it(
    arguments: list[str], needless: set[str], tmp_path: Path
) -> None:
    assert not libraries(*arguments, str(tmp_path)) & needless


@each_row(
    "arguments",
    [
        ["--version"],
        ["program"],
        ["settings", "--help"],
        ["qutil", "list", "--data", "DATA"],
        ["warc", "list", "DATA"],
        ["archives", "list", "--names", "--data", "DATA"],
        ["search", "word", "--data", "DATA"],
    ],
)
def test_a_command_on_files_imports_no_large_library(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "archive").mkdir(exist_ok=True)
    assert not libraries(*(str(tmp_path) if each == "DATA" else each for each in arguments)) & (
        LIBRARIES
    )


@each_row(
    "arguments", [["jobs", "list"], ["feeds", "list"], ["feeds", "export"], ["feeds", "prune"]]
)
def test_a_command_on_a_database_imports_what_talks_to_it_and_no_other_large_library(
    arguments: list[str], tmp_path: Path
) -> None:
    open_feeds(f"sqlite:///{tmp_path}/feeds.sqlite3").close()
    open_jobs(f"sqlite:///{tmp_path}/jobs.sqlite3").close()
    # SQLAlchemy imports asyncio.
    allowed = {"asyncio", "sqlalchemy"}
    assert libraries(*arguments, "--data", str(tmp_path)) & LIBRARIES == allowed
