"""Every flavor of every family, as data: which programs there are, and where their output goes.

    python pipeline.py list                  the flavors
    python pipeline.py run csv-file.csv      start one here, until all is done

This is the only place that knows a program's place; the programs don't read it. A step's output may
go to several steps: name them all in `to`.
"""

from indexer.errors import ConfigurationError
from indexer.messages.topology import Pipeline, Step

FETCHER = Step("fetcher", to=["parser"], program="workers.stories.tqfetcher")

INDEXING = [
    Step("parser", to=["importer"], program="workers.stories.parser"),
    Step("importer", to=["archiver"], program="workers.stories.importer"),
    Step("archiver", program="workers.stories.archiver"),
]
"""What follows in every flavor that has pages: extract, index, archive."""

POLLING = [
    Step("feed-scheduler", to=["feed-fetcher"]),
    Step("feed-fetcher", to=["feed-parser"]),
    Step("feed-parser", to=["story-saver"]),
]
"""How feeds are polled, up to where their stories are told from those known."""

PIPELINES: list[Pipeline] = [
    Pipeline(
        "queue-fetcher",
        [
            Step("rss-queuer", to=["fetcher"]),
            Step("rss-puller", to=["fetcher"]),
            FETCHER,
            *INDEXING,
        ],
        about="feeds, sitemaps, an rss-fetcher → fetch → parse → index → archive: production",
        environment={"ARCHIVER_PREFIX": "mc"},
    ),
    Pipeline(
        "batch-fetcher",
        [Step("rss-queuer", to=["fetcher"]), FETCHER, *INDEXING],
        about="whole-day synthetic RSS files, few retries: ends when all are fetched",
        environment={"ARCHIVER_PREFIX": "mc", "MAX_RETRIES": "3", "RETRY_DELAY_MINUTES": "10"},
    ),
    Pipeline(
        "csv",
        [Step("csv-queuer", to=["fetcher"]), FETCHER, *INDEXING],
        about="CSV files and lists of URLs → fetch → parse → index → archive",
        environment={"ARCHIVER_PREFIX": "mccsv"},
    ),
    Pipeline(
        "historical",
        [
            Step("hist-queuer", to=["hist-fetcher"]),
            Step("hist-fetcher", to=["parser"]),
            *INDEXING,
        ],
        about="CSV of the old system + its pages in a bucket → parse → index → archive",
        environment={"ARCHIVER_PREFIX": "mchist{year}"},
    ),
    Pipeline(
        "archive",
        [Step("arch-queuer", to=["importer"]), Step("importer")],
        about="our WARC files → index, as they were parsed; writes no archive",
    ),
    Pipeline(
        "reparse",
        [
            # A name of its own: what was imported is not what was parsed again.
            Step("reparse-queuer", to=["parser"], program="workers.stories.arch_queuer"),
            Step("parser", to=["importer"]),
            Step("importer"),
        ],
        about="our WARC files → parse again → what changed is updated in the index",
        environment={"PARSER_KEEP_PARSED_DATE": "true", "IMPORTER_UPDATE": "true"},
    ),
    Pipeline(
        "feeds",
        [*POLLING, Step("story-saver")],
        family="feeds",
        about="feeds of a database → poll → parse → new stories, for the API: never ends",
        environment={"STORY_SAVER_OUTPUT": "false"},
    ),
    Pipeline(
        "follow",
        # The stories' fetcher reads what the saver sends: there is no HTTP between them.
        [*POLLING, Step("story-saver", to=["fetcher"]), FETCHER, *INDEXING],
        family="feeds",
        about="the same → fetch → parse → index → archive: `story-indexer follow`, never ends",
        environment={"ARCHIVER_PREFIX": "mc"},
    ),
    Pipeline(
        "pipeview",
        [Step("pipeview", listen=["#"])],
        family="pipeview",
        exchange="breadcrumb",
        about="breadcrumbs of every outcome → sums by day, source, program and status, in SQL",
    ),
]

DEFAULT = "queue-fetcher"


def flavor(name: str) -> Pipeline:
    """The pipeline of a name. Raises ConfigurationError, which lists those there are."""
    for pipeline in PIPELINES:
        if pipeline.name == name:
            return pipeline
    names = ", ".join(pipeline.name for pipeline in PIPELINES)
    raise ConfigurationError(f"no flavor {name!r}: there are {names}")


if __name__ == "__main__":
    from indexer.commands.pipeline import main

    main()
