"""The queues and keys of harvests.md section 2 on an existing exchange, as a pipeline."""

from pathlib import Path

from indexer.broker import open_broker
from indexer.messages.exchanges import Exchange, Unheard
from indexer.messages.message import Send
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.topology import instance_topology

SFM = Exchange(
    "sfm_exchange",
    {
        "harvest.start.#": Unheard.RETURNED,
        "export.start.#": Unheard.RETURNED,
        "#": Unheard.DROPPED,
    },
    shared=True,
)

REST = [
    "twitter.twitter_search",
    "twitter.twitter_user_timeline",
    "twitter2.twitter_search_2",
    "twitter2.twitter_user_timeline_2",
    "twitter2.twitter_academic_search",
]
STREAM = ["twitter.twitter_filter", "twitter2.twitter_filter_stream"]
WEIBO = ["weibo.weibo_search", "weibo.weibo_timeline"]

QUEUES = {
    "sfm_ui": [
        "harvest.status.*",
        "harvest.status.*.*",
        "harvest.status.*.*.*",
        "warc_created",
        "export.status.*",
        "export.status.*.*",
    ],
    "flickr_harvester": ["harvest.start.flickr.*"],
    "flickr_exporter": ["export.start.flickr.flickr_user"],
    "twitter_rest_harvester": [f"harvest.start.{key}" for key in REST],
    "twitter_rest_harvester_priority": [f"harvest.start.{key}.priority" for key in REST],
    "twitter_harvester": [f"harvest.start.{key}" for key in STREAM],
    "twitter_rest_exporter": [f"export.start.{key}" for key in REST[:2]],
    "twitter_rest_exporter2": [f"export.start.{key}" for key in REST[2:]],
    "twitter_stream_exporter": [
        "export.start.twitter.twitter_filter",
        "export.start.twitter.twitter_sample",
    ],
    "twitter_stream_exporter2": ["export.start.twitter2.twitter_filter_stream"],
    "weibo_harvester": [f"harvest.start.{key}" for key in WEIBO],
    "weibo_exporter": [f"export.start.{key}" for key in WEIBO],
    "tumblr_harvester": ["harvest.start.tumblr.tumblr_blog_posts"],
    "tumblr_exporter": ["export.start.tumblr.tumblr_blog_posts"],
    "web_harvester": ["harvest.start.web"],
}

SAID = {
    "sfm_ui": ["harvest.start.#", "harvest.stop.#", "export.start.#"],
    "web_harvester": ["harvest.status.#", "warc_created"],
}
"""What these queues' programs say; exporters say their status, harvesters also `WEB`."""

WEB = ["harvest.status.#", "warc_created", "harvest.start.web"]


def said(queue: str) -> list[str]:
    return SAID.get(queue) or (["export.status.#"] if "exporter" in queue else WEB)


PIPELINE = Pipeline(
    "harvests",
    [
        Step(
            queue.replace("_", "-"),
            queue=queue,
            listen=keys,
            speak=said(queue),
            instances=[f"harvest.stop.{key}" for key in STREAM]
            if queue == "twitter_harvester"
            else [],
        )
        for queue, keys in QUEUES.items()
    ],
    exchange=SFM,
)


def test_each_queue_gets_its_keys_and_no_others(tmp_path: Path) -> None:
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    broker.declare(PIPELINE.compile())
    hosts = [f"twitter_harvester_{host}" for host in ("one", "two")]
    for host in ("one", "two"):
        broker.declare(instance_topology("twitter-harvester", host, "twitter_harvester"))
    wanted = {
        **{key: [queue] for queue, keys in QUEUES.items() for key in keys},
        **{f"harvest.stop.{key}": hosts for key in STREAM},
    }
    for key, queues in wanted.items():
        example = key.replace("*", "example")
        broker.publish([Send(SFM.name, example, example.encode(), unheard=SFM.meaning(example))])
        got = {each for each in (*QUEUES, *hosts) if broker.purge(each)}
        assert got == {*queues}, key
    broker.close()


def test_a_harvest_that_no_queue_takes_is_handed_back_and_a_status_is_dropped() -> None:
    assert SFM.meaning("harvest.start.mastodon.mastodon_timeline") is Unheard.RETURNED
    assert SFM.meaning("harvest.status.mastodon.mastodon_timeline") is Unheard.DROPPED
    assert SFM.meaning("harvest.start.web") is Unheard.RETURNED
