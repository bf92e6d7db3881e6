"""Where whole runs of flavors keep what they make: in directories, or on real servers."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from newsroom.server import Newsroom
from tests import services
from tests.commands.sample import HASTE, Backends, real_backends, story_indexer

KINDS = ("embedded", "real")


@contextmanager
def backends(kind: str, data: Path) -> Iterator[Backends]:
    """The backends of a kind; the test is skipped where a server does not answer."""
    if kind == "embedded":
        yield Backends.embedded(data)
        return
    for name in ("rabbitmq", "elasticsearch", "s3"):
        services.require(name)
    with real_backends() as found:
        yield found


def run_flavor(
    where: Backends,
    data: Path,
    *arguments: str,
    room: Newsroom | None = None,
    variables: Mapping[str, str] | None = None,
    status: int = 0,
) -> dict[str, Any]:
    """Run a flavor on backends; links lead to the newsroom, if there is one. The summary."""
    settings = {**HASTE, "FETCHER_RESOLVE": " ".join(room.addresses)} if room else {}
    given = [word for pair in settings.items() for word in ("--set", "=".join(pair))]
    if where.broker:
        given += ["--broker", where.broker, "--index", where.index, "--archive", where.archive]
    told = {**where.variables, **(variables or {})}
    ended = story_indexer("run", "--json", "--data", str(data), *given, *arguments, variables=told)
    assert b"Traceback" not in ended.stderr, ended.stderr.decode()
    assert ended.returncode == status, ended.stderr.decode()
    summary: dict[str, Any] = json.loads(ended.stdout)
    return summary
