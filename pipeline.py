"""Every flavor of every family, as data: which programs there are, and where their output goes.

    python pipeline.py list                  the flavors
    python pipeline.py run csv-file.csv      start one here, until all is done

This is the only place with names of steps, and the only one that knows a program's place: programs
don't read their own. A step's output may go to several steps: name them all in `to`.
"""

from dataclasses import replace

from indexer.errors import ConfigurationError
from indexer.feeds.routing_keys import NO_DOCUMENT
from indexer.messages.exchanges import Exchange
from indexer.messages.message import DEFAULT_KEY, DROPPED
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.service import Service

RSS_QUEUER = Step("rss-queuer", to=["fetcher"], reads=["feed", "sitemap"])
FETCHER = Step("fetcher", to=["parser"], program="workers.stories.tqfetcher", counts="fetched")
IMPORTER = Step(
    "importer",
    program="workers.stories.importer",
    uses=["INDEX_URL"],
    counts="indexed",
    goal=True,
)
ARCHIVER = Step(
    "archiver",
    program="workers.stories.archiver",
    uses=["ARCHIVE_URL"],
    counts="archived",
    makes="archives",
)

INDEXING = [
    Step(
        "parser",
        to={"importer": [DEFAULT_KEY], "drop-archiver": [DROPPED]},
        program="workers.stories.parser",
    ),
    replace(IMPORTER, to=["archiver"]),
    ARCHIVER,
    Step(
        "drop-archiver",
        program="workers.stories.archiver",
        uses=["ARCHIVE_URL"],
        counts="drops archived",
        makes="archives",
        only_with="PARSER_ARCHIVE_DROPS",
    ),
]
"""What follows in every flavor that has pages: extract, index, archive; also what was dropped."""

POLLING = [
    Step("feed-scheduler", to=["feed-fetcher"]),
    Step("feed-fetcher", to={"feed-parser": [DEFAULT_KEY], "story-saver": [NO_DOCUMENT]}),
    Step("feed-parser", to=["story-saver"]),
]
"""How feeds are polled, up to where their stories are told from those known."""

ALL_ADDRESSES = "0.0.0.0"  # noqa: S104 - those of a container

FEEDS_BESIDE = [
    Step("feeds-api", program="workers.feeds.api", settings={"FEEDS_API_HOST": ALL_ADDRESSES}),
    Step("feed-stats"),
]
PIPEVIEW_BESIDE = [
    Step(
        "pipeview-api",
        program="workers.pipeview.api",
        settings={"PIPEVIEW_API_HOST": ALL_ADDRESSES},
    ),
    Step("pipeview-pruner", program="workers.pipeview.pruner"),
]

SOFTWARE_BESIDE = [
    Step(
        "software-api",
        program="workers.software.api",
        settings={"SOFTWARE_API_HOST": ALL_ADDRESSES},
    ),
]

OF_DATASETS = "ingest-fileset-results"
"""The topic of results of datasets; that of single files is `ingest-file-results`."""

PIPELINES: list[Pipeline] = [
    Pipeline(
        "queue-fetcher",
        [
            RSS_QUEUER,
            Step("rss-puller", to=["fetcher"], server="RSS_FETCHER_URL"),
            FETCHER,
            *INDEXING,
        ],
        family="stories",
        about="feeds, sitemaps, an rss-fetcher → fetch → parse → index → archive: production",
        environment={"ARCHIVER_PREFIX": "mc"},
    ),
    Pipeline(
        "batch-fetcher",
        [RSS_QUEUER, FETCHER, *INDEXING],
        family="stories",
        about="whole-day synthetic RSS files, few retries: ends when all are fetched",
        environment={"ARCHIVER_PREFIX": "mc", "MAX_RETRIES": "3", "RETRY_DELAY_MINUTES": "10"},
    ),
    Pipeline(
        "csv",
        [Step("csv-queuer", to=["fetcher"], reads=["csv", "urls"]), FETCHER, *INDEXING],
        family="stories",
        about="CSV files and lists of URLs → fetch → parse → index → archive",
        environment={"ARCHIVER_PREFIX": "mccsv"},
        ports=600,
    ),
    Pipeline(
        "historical",
        [
            Step("hist-queuer", to=["hist-fetcher"]),
            Step("hist-fetcher", to=["parser"], counts="fetched"),
            *INDEXING,
        ],
        family="stories",
        about="CSV of the old system + its pages in a bucket → parse → index → archive",
        environment={"ARCHIVER_PREFIX": "mchist{year}"},
        prod={"hist-fetcher": 14, "parser": 25, "importer": 7, "archiver": 2},
        ports=200,
    ),
    Pipeline(
        "archive",
        [Step("arch-queuer", to=["importer"], reads=["warc"]), IMPORTER],
        family="stories",
        about="our WARC files → index, as they were parsed; writes no archive",
        prod={"importer": 8},
        ports=400,
    ),
    Pipeline(
        "reparse",
        [
            # A name of its own: what was imported is not what was parsed again.
            Step("reparse-queuer", to=["parser"], program="workers.stories.arch_queuer"),
            Step("parser", to=["importer"], settings={"PARSER_KEEP_PARSED_DATE": "true"}),
            replace(IMPORTER, settings={"IMPORTER_UPDATE": "true"}),
        ],
        family="stories",
        about="our WARC files → parse again → what changed is updated in the index",
        dry_run="IMPORTER_DRY_RUN",
        reports={"IMPORTER_DIFFERENCES": "differences"},
        ports=800,
    ),
    Pipeline(
        "feeds",
        [*POLLING, Step("story-saver")],
        family="feeds",
        about="feeds of a database → poll → parse → new stories, for the API: never ends",
        environment={"STORY_SAVER_OUTPUT": "false"},
        command="story-indexer follow",
        beside=FEEDS_BESIDE,
        ports=1000,
    ),
    Pipeline(
        "follow",
        # The stories' fetcher reads what the saver sends: there is no HTTP between them.
        [*POLLING, Step("story-saver", to=["fetcher"]), FETCHER, *INDEXING],
        family="feeds",
        about="the same → fetch → parse → index → archive: `story-indexer follow`, never ends",
        environment={"ARCHIVER_PREFIX": "mc"},
        command="story-indexer follow",
        beside=FEEDS_BESIDE,
        ports=1200,
    ),
    Pipeline(
        "filesets",
        [
            Step("fileset-queuer", to=["fileset-ingester"]),
            # The keys of its output are topics, to which other programs may bind their queues.
            Step(
                "fileset-ingester",
                to={
                    "fileset-results": ["#"],
                    "fileset-persister": ["#"],
                    "dataset-indexer": [OF_DATASETS],
                    # Also for single files: only the result of the dataset names the item.
                    "fileset-importer": [OF_DATASETS],
                    "file-importer": [OF_DATASETS],
                },
                uses=["FILESETS_URL"],
                counts="ingested",
                goal=True,
            ),
            Step("fileset-results", counts="kept"),
            Step("fileset-persister", counts="stored"),
            Step("dataset-indexer", uses=["INDEX_URL"], counts="indexed"),
            Step("fileset-importer", counts="entities"),
            Step("file-importer", counts="entities"),
        ],
        family="filesets",
        about="DOIs, URLs, requests as JSON → archived, verified datasets → results",
        prod={"fileset-ingester": 6},
        ports=1600,
    ),
    Pipeline(
        "software",
        [
            Step("origin-queuer", to=["origin-indexer"]),
            Step(
                "origin-indexer",
                to=["software-importer"],
                uses=["SOFTWARE_DATABASE_URL"],
                counts="described",
                goal=True,
            ),
            Step("software-importer", uses=["SOFTWARE_INDEX_URL"], counts="searchable"),
        ],
        family="software",
        about="repositories, directories, tarballs, journals → their metadata as CodeMeta → index",
        beside=SOFTWARE_BESIDE,
        ports=1800,
    ),
    Pipeline(
        "pipeview",
        [Step("pipeview", listen=["#"])],
        family="pipeview",
        exchange=Exchange("breadcrumb"),
        about="breadcrumbs of every outcome → sums by day, source, program and status, in SQL",
        beside=PIPEVIEW_BESIDE,
        ports=1400,
    ),
]

DEFAULT = "queue-fetcher"

OPERATIONS = [
    Step("rabbitmq-stats", program="workers.operations.rabbitmq_stats", uses=["BROKER_URL"]),
    Step(
        "elastic-stats",
        program="workers.operations.elastic_stats",
        uses=["INDEX_URL", "ELASTICSEARCH_HOSTS"],
    ),
    Step("docker-stats", program="workers.operations.docker_stats", uses=["DOCKER_STACK"]),
    Step(
        "syslog-sink",
        program="workers.operations.syslog_sink",
        uses=["SYSLOG_HOST"],
        # It would send itself what it logs.
        settings={"SYSLOG_HOST": ""},
    ),
]
"""Programs that a swarm runs beside every flavor: each if one of the settings has a value."""

MINUTES = 60
HOURS = 60 * MINUTES

SERVICES: dict[str, Service] = {
    **dict.fromkeys(
        ["rss-queuer", "csv-queuer", "hist-queuer"],
        Service(every=5 * MINUTES, keeps=True, stores=["RSS", "CSV", "QUEUER"]),
    ),
    **dict.fromkeys(
        ["arch-queuer", "reparse-queuer"],
        Service(every=5 * MINUTES, keeps=True, stores=["ARCHIVER", "QUEUER"]),
    ),
    "rss-puller": Service(every=1 * HOURS, keeps=True),
    "fetcher": Service(megabytes=2048, keeps=True),
    "hist-fetcher": Service(replicas=4, stores=["HIST", "QUEUER"]),
    "parser": Service(replicas=4, megabytes=4096),
    "archiver": Service(megabytes=2048, keeps=True, stores=["ARCHIVER"]),
    "drop-archiver": Service(keeps=True, stores=["ARCHIVER"]),
    "feed-parser": Service(replicas=2),
    "fileset-queuer": Service(every=5 * MINUTES, keeps=True, stores=["FILESETS", "QUEUER"]),
    "fileset-ingester": Service(replicas=4, megabytes=2048, keeps=True, stores=["FILESETS"]),
    "fileset-results": Service(keeps=True),
    "fileset-importer": Service(keeps=True),
    "file-importer": Service(keeps=True),
    "origin-queuer": Service(every=5 * MINUTES, keeps=True, stores=["SOFTWARE", "QUEUER"]),
    "origin-indexer": Service(replicas=4, megabytes=4096, keeps=True),
    "software-importer": Service(keeps=True),
    "software-api": Service(port=8000, keeps=True),
    "feeds-api": Service(port=8000, keeps=True),
    "pipeview-api": Service(port=8000),
    "syslog-sink": Service(keeps=True),
    "docker-stats": Service(socket="/var/run/docker.sock"),
    "pipeview-pruner": Service(every=24 * HOURS, arguments=["--delete"]),
}
"""How a swarm runs the programs, by name; those that are not here have one container."""


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
