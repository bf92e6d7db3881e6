"""`qutil dump_archives` and `load_archives`: write a queue to archives, and queue archives."""

from pathlib import Path
from typing import Annotated

import typer
from pydantic import Field

from indexer.commands.archives.files import Files
from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.queues.brokers import QueueOptions
from indexer.errors import ConfigurationError
from indexer.messages.topology import waiting_queues
from indexer.system.options import option


class DumpOptions(QueueOptions, JSONOptions):
    """Options of `qutil dump_archives`."""

    output_dir: Path = option(Path(), "Directory for the archives.", metavar="DIR")
    keep: bool = option(False, "Leave the messages in the queue.")
    max_: Annotated[int | None, Field(ge=1)] = option(
        None, "Take at most N messages; default: all.", metavar="N"
    )
    idle_seconds: Annotated[float, Field(ge=0.1)] = option(
        1.0, "End when no message has come for so many seconds.", metavar="S"
    )


class LoadOptions(QueueOptions, JSONOptions):
    """Options of `qutil load_archives`."""

    dry_run: Annotated[int, Field(ge=0, le=1)] = option(
        1, "1: only show what would be queued; 0: queue it."
    )
    include_domain: list[str] = option(
        [], "Queue only stories of this domain; repeatable.", metavar="DOMAIN"
    )
    exclude_domain: list[str] = option(
        [], "Queue no story of this domain; repeatable.", metavar="DOMAIN"
    )
    max_: Annotated[int | None, Field(ge=1)] = option(
        None, "Queue at most N stories; default: all.", metavar="N"
    )
    skip: Annotated[int, Field(ge=0)] = option(0, "Leave out the first N: they were queued before.")
    reset_retries: bool = option(False, "Forget that the stories were tried before.")


def check_target(name: str) -> None:
    """Raise ConfigurationError if messages must not be put into a queue of that name."""
    if end := next((end for end in waiting_queues("") if name.endswith(end)), ""):
        step = name.removesuffix(end)
        # A message leaves such a queue only when the time is up that its sender gave it.
        raise ConfigurationError(f"messages put into {name} would never leave it: name {step}-in")
    if name.endswith("-end"):
        raise ConfigurationError(f"{name} keeps nothing: messages put there are lost")


@with_options
def dump(
    queue: Annotated[str, typer.Argument(metavar="QUEUE", help="The name of a queue.")],
    options: DumpOptions,
) -> None:
    """Write the stories of a queue to archives, 5000 in each, and take them out of the queue.

    Archives are named QUEUE-TIME-NUMBER-HOST.warc.gz; `rabbitmq_headers` in their metadata has the
    messages' headers. A message leaves the queue when its archive is on disk and was read again; if
    anything fails before, the message comes back. The command ends when the queue is empty. Ctrl-C
    finishes the messages that were taken (status 130). Messages that are no stories stay in the
    queue (status 1). --json prints a line for each archive, and the summary last.

    Examples:

        qutil dump_archives parser-quar

        qutil dump_archives importer-in --keep --max 100 --output-dir /srv/dumps
    """
    from indexer.commands.queues.archive_moves import dump_queue  # noqa: PLC0415 - not for the help

    dump_queue(queue, options)


@with_options
def load(
    queue: Annotated[
        str, typer.Argument(metavar="QUEUE", help="A queue, or an exchange: parser-in, parser-out.")
    ],
    files: Files,
    options: LoadOptions,
) -> None:
    """Queue the stories of archives, of a dump or any other; without `--dry-run 0` only show them.

    A dumped queue is restored with its stories and x-mc-* headers. A domain includes the hosts
    below it, and is compared with the link, the final URL and the URL of a story. An interrupted
    command prints how to continue: with --skip and the number of stories that were queued, which is
    printed meanwhile, too. Without --skip they would be queued a second time. Damaged records are
    reported (status 1), and the others queued.

    Examples:

        qutil load_archives parser-in parser-quar-*.warc.gz

        qutil load_archives importer-in s3://my-bucket/2024/05/* --include-domain site.example

        qutil load_archives parser-in dumps/ --reset-retries --dry-run 0
    """
    # Before anything is opened: a wrong name must not cost a scan of archives.
    check_target(queue)
    from indexer.commands.queues.archive_moves import load_archives  # noqa: PLC0415 - as above

    load_archives(queue, files, options)
