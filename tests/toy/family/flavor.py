"""The places of the family's programs."""

from indexer.messages.pipelines import Pipeline, Step
from tests.toy.family.note import EXCHANGE

PIPELINE = Pipeline(
    "toy",
    [
        Step("requester", listen=["job.status.#"], speak=["job.start.#", "job.stop.#"]),
        Step(
            "red-painter",
            queue="red_painter",
            listen=["job.start.red.*"],
            speak=["job.status.#", "log.#"],
            instances=["job.stop.red.*"],
        ),
        Step("blue-painter", listen=["job.start.blue.*"], speak=["job.status.#", "log.#"]),
    ],
    exchange=EXCHANGE,
)
