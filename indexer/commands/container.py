"""What a container of the image runs: a program or a command, by its name.

    NAME ARGUMENTS → wait for the servers that its settings name → run it in this process

    parser --threads 2             a program, or a step of a flavor
    search "title:election"        a command of story-indexer; `story-indexer search …` is the same
    newsroom                       the sample newsroom

Without arguments, the variables RUN and ARGS have the name and the arguments.
"""

import runpy
import shlex
import sys
import time
from collections.abc import Sequence, Set

from pydantic import SecretStr

from indexer.commands.main import main as story_indexer
from indexer.commands.programs.catalog import classes, module
from indexer.commands.tree import COMMANDS
from indexer.errors import ConfigurationError, StoryIndexerError
from indexer.programs.settings import broker_option, index_option
from indexer.programs.waiting import NeededServer, servers, wait
from indexer.system.options import Options, environment, option
from indexer.system.origins import variables

UNKNOWN_SECONDS = 10
"""The pause before a container with an unknown name ends, as it is started again at once."""

SITE = "newsroom"
"""The module that serves the sample newsroom."""


class ContainerOptions(Options):
    """The variables of a container."""

    run: str = option("", "the program or command, if no argument names it", "RUN")
    args: str = option("", "its arguments, quoted as in a shell", "ARGS")
    wait_seconds: float = option(
        120.0, "seconds to wait for the servers that the settings name", "WAIT_SECONDS"
    )


class ServerOptions(Options):
    """The settings that name the servers of a stack."""

    broker_url: SecretStr = broker_option("the broker")
    index_url: SecretStr = index_option("the index")
    database_url: SecretStr = option(SecretStr(""), "the database of counts", "DATABASE_URL")
    feeds_database_url: SecretStr = option(
        SecretStr(""), "the database of feeds", "FEEDS_DATABASE_URL", "DATABASE_URL"
    )
    jobs_database_url: SecretStr = option(
        SecretStr(""), "the database of jobs", "JOBS_DATABASE_URL"
    )

    def servers(self, variables: Set[str] | None = None) -> list[list[NeededServer]]:
        """Return the servers that the settings with these variables name; None: all settings.

        One of each list is enough. Raises ConfigurationError.
        """
        named = [
            list(servers(definition.env[0], getattr(self, name).get_secret_value()))
            for name, definition in self.definitions().items()
            if variables is None or not variables.isdisjoint(definition.env)
        ]
        return [choice for choice in named if choice]


def main() -> None:
    """Run what the arguments name. Exits with its status; with 1 if a server that it needs is away,
    or if the name is unknown."""
    try:
        options = ContainerOptions.of(environment())
        words = sys.argv[1:] or [options.run, *shlex.split(options.args)]
        command = command_line(words)
        needed = ServerOptions.of(environment()).servers(_variables(command))
        wait(needed, options.wait_seconds, _report)
    except StoryIndexerError as error:
        _report(str(error))
        if isinstance(error, ConfigurationError):
            time.sleep(UNKNOWN_SECONDS)
        sys.exit(1)
    sys.argv = [*command]
    if command[0] == SITE:
        runpy.run_module(SITE, run_name="__main__", alter_sys=True)
    else:
        story_indexer()


def command_line(words: Sequence[str]) -> Sequence[str]:
    """Return the command that words stand for, with its arguments. Raises ConfigurationError."""
    name = words[0]
    if not name:
        raise ConfigurationError("no program or command: name one, in an argument or in RUN")
    if name in ("story-indexer", SITE):
        return words
    if name in COMMANDS or name.startswith("-"):
        return ["story-indexer", *words]
    module(name)
    return ["story-indexer", "program", *words]


def _variables(command: Sequence[str]) -> Set[str] | None:
    """Return the variables that a program reads; None for a command: it may read all of them."""
    match command:
        case ["story-indexer", "program", name, *_]:
            return variables(classes(module(name)))
    return None


def _report(line: str) -> None:
    print(f"story-indexer: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
