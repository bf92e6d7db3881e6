"""A flavor of a family that only its tests know: data, and nothing else."""

from indexer.messages.pipelines import Pipeline, Step

BARE = Pipeline(
    "press",
    [
        Step("reporter", to=["printer"], program="tests.toy.source"),
        Step("printer", to=["kiosk"], program="tests.toy.work"),
        Step("kiosk", program="tests.toy.sink"),
    ],
)
"""What any flavor has."""

DESCRIBED = Pipeline(
    "press",
    [
        Step("reporter", to=["printer"], program="tests.toy.source", reads=["urls"]),
        Step(
            "printer",
            to=["kiosk"],
            program="tests.toy.work",
            settings={"TOY_INK": "black"},
            counts="printed",
            goal=True,
        ),
        Step("kiosk", program="tests.toy.sink", counts="sold", makes="papers"),
    ],
    dry_run="TOY_DRY_RUN",
    reports={"TOY_REPORT": "proofs"},
)
"""The same with what a run may know."""
