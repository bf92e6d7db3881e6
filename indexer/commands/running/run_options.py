"""Options of the commands that run a whole pipeline, and the request that is made of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from rich.console import Console

from indexer.commands.console.terminal import say, this_command
from indexer.commands.queues.brokers import QueueOptions
from indexer.commands.running.plan import RunRequest, pairs
from indexer.commands.running.summary import place
from indexer.system.options import Options, group, option


class PipelineOptions(Options):
    """Options of `run` and `follow`; blank URLs mean: in the data directory."""

    queues: QueueOptions = group(QueueOptions)
    index: SecretStr = option(
        SecretStr(""), "sqlite:///FILE or http://HOST:9200", "INDEX_URL", metavar="URL"
    )
    archive: list[str] = option([], "Directory or s3://BUCKET/PREFIX", "ARCHIVE_URL", metavar="URL")
    contact: str = option(
        "", "A page that tells the visited sites who you are, and why you visit.", metavar="URL"
    )
    set_: list[str] = option(
        [], "Set an environment variable of the programs; repeatable.", metavar="NAME=VALUE"
    )
    json_: bool = option(False, "Print the summary as JSON, on standard output.")

    def request(
        self, inputs: Sequence[str] | None, type: str, settings: Mapping[str, object], **more: Any
    ) -> RunRequest:
        """Make the request for a run; settings that are blank or None are left out.

        Raises ConfigurationError.
        """
        # They have precedence over --set, as options of their own.
        given = {name: str(value) for name, value in settings.items() if value not in (None, "")}
        return RunRequest(
            inputs=inputs or [],
            type=type,
            data=self.queues.data,
            broker=self.queues.broker.get_secret_value(),
            index=self.index.get_secret_value(),
            archives=self.archive,
            settings={**pairs("--set", self.set_), **given},
            **more,
        )

    @property
    def data_flag(self) -> str:
        """The option that names the data directory, with a space; blank for the default."""
        return "" if self.queues.data == Path("data") else f" --data {self.queues.data}"


def suggest(console: Console, search: str, archives: Sequence[str]) -> None:
    """Print the commands that search the stories, and that list the first archive."""
    if search:
        say(console, f"\nSearch them:   {this_command()} search{search}")
    for url in archives[:1]:
        say(console, f"Look inside:   {this_command()} warc list {place(url)}")
