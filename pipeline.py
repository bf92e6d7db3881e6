"""Every flavor of every family, as data: which programs there are, and where their output goes.

    python pipeline.py list                  the flavors
    python pipeline.py run csv-file.csv      start one here, until all is done

This is the only place that knows a program's place; the programs don't read it.
"""

from indexer.errors import ConfigurationError
from indexer.topology import Pipeline, Step

FETCHER = Step("fetcher", to=["parser"], program="workers.stories.tqfetcher")

INDEXING = [
    Step("parser", to=["importer"]),
    Step("importer", to=["archiver"]),
    Step("archiver"),
]
"""What follows in every flavor that has pages: extract, index, archive."""

PIPELINES = [
    Pipeline(
        "queue-fetcher",
        [Step("rss-queuer", to=["fetcher"]), FETCHER, *INDEXING],
        about="feeds and sitemaps → fetch → parse → index → archive: normal production",
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
