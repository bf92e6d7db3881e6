"""The option of test mode, in which a program reads stories from one file and writes to another."""

from contextlib import AbstractContextManager
from typing import Any

from indexer.broker import Broker
from indexer.system.options import Options, option

_IMPLIED: dict[str, Any] = {
    "until_empty": True,
    "from_quarantine": False,
    "deployment_id": "",
    "breadcrumb_exchange": "",
    "watch_queues": [],
    "min_disk_free": 0.0,
}
"""The options that `--test-file-prefix` implies: no other program has the queues."""


class StoryFileOptions(Options):
    """Options of every program of stories, for runs without a broker."""

    test_file_prefix: str = option(
        "",
        "for tests, without queues: read PREFIX-in.warc.gz, write PREFIX-out.warc.gz, and end",
        "TEST_FILE_PREFIX",
    )

    def implied(self) -> dict[str, Any]:
        """See `Options`: no other program has the queues."""
        return _IMPLIED if self.test_file_prefix else {}

    def other_broker(self, name: str, *, reads: bool) -> AbstractContextManager[Broker] | None:
        """See `OpensBroker`: the queues of the two files, if a prefix is given."""
        prefix = self.test_file_prefix
        if not prefix:
            return None
        # It imports all that reads and writes archives, which no other run of most programs needs.
        from indexer.stories.tools.story_files import story_files  # noqa: PLC0415

        return story_files(prefix, name, reads=reads)
