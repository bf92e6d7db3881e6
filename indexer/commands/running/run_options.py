"""Options of the commands that run a whole pipeline, and the request that is made of them."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from indexer.commands.queues.brokers import QueueOptions
from indexer.commands.running.request import RunRequest, pairs
from indexer.programs.settings import PermissionOptions, index_option
from indexer.system.options import Options, environment, group, option
from indexer.system.permissions import restrict


class PipelineOptions(Options):
    """Options of `run` and `follow`; blank URLs mean: in the data directory."""

    queues: QueueOptions = group(QueueOptions)
    index: SecretStr = index_option("sqlite:///FILE or http://HOST:9200")
    archive: list[str] = option([], "Directory or s3://BUCKET/PREFIX", "ARCHIVE_URL", metavar="URL")
    contact: str = option(
        "", "A page that tells the visited sites who you are, and why you visit.", metavar="URL"
    )
    allow_private: bool = option(False, "Also visit addresses of this machine or network.")
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
        # The help needs no programs.
        from indexer.commands.programs.catalog import check_names  # noqa: PLC0415

        named = pairs("--set", self.set_)
        check_names(named)
        # The run itself makes the data directory, the queues and the logs.
        restrict(PermissionOptions.of({**environment(), **named}).data_umask)
        # They have precedence over --set, as options of their own.
        own = {
            "FETCHER_CONTACT_URL": self.contact,
            "FETCHER_ALLOW_PRIVATE": "true" if self.allow_private else "",
            **settings,
        }
        given = {name: str(value) for name, value in own.items() if value not in (None, "")}
        return RunRequest(
            inputs=inputs or [],
            type=type,
            data=self.data,
            broker=self.queues.broker.get_secret_value(),
            index=self.index.get_secret_value(),
            archives=self.archive,
            settings={**named, **given},
            **more,
        )

    @property
    def data(self) -> Path:
        """The data directory, which --set may name, too."""
        return Path(pairs("--set", self.set_).get("DATAROOT") or self.queues.data)

    @property
    def data_flag(self) -> str:
        """The option that names the data directory, with a space; blank for the default."""
        is_default = self.data == Path("data")
        return "" if is_default else f" --data {shlex.quote(str(self.data))}"
