"""A small flavor, and the plan of its stack."""

from dataclasses import replace
from pathlib import Path

from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.service import Service
from indexer.stack.configuration import StackConfiguration
from indexer.stack.plan import StackPlan
from indexer.stack.realms import realm

READS = {
    "workers.toys.queuer": {"BROKER_URL", "BROKER_URL_FILE", "PROCESS_NAME", "LIMIT"},
    "workers.toys.puller": {"BROKER_URL", "TOY_SERVER", "PROCESS_NAME"},
    "workers.toys.mender": {
        "BROKER_URL_FILE",
        "DATABASE_URL_FILE",
        "DATABASE_URL",
        "METRICS_ADDRESS",
    }
    | {"DATAROOT", "PROCESS_NAME", "MENDER_GLUE", "DEPLOYMENT_ID"},
    "workers.toys.pruner": {"DATABASE_URL"},
    "workers.toys.watcher": {"BROKER_URL_FILE"},
}
SERVICES = {
    "queuer": Service(every=300, keeps=True, stores=["TOY"]),
    "puller": Service(every=3600),
    "mender": Service(replicas=4, megabytes=512),
    "pruner": Service(every=86400, arguments=["--delete"]),
}
TOYS = Pipeline(
    "toys",
    [
        Step("queuer", to=["mender"], reads=["list"]),
        Step("puller", to=["mender"], server="TOY_SERVER"),
        Step("mender", settings={"MENDER_GLUE": "hot"}),
    ],
    family="toys",
    environment={"LIMIT": "7"},
    beside=[Step("pruner")],
    prod={"mender": 9},
    ports=200,
)
SECRET = StackConfiguration(secrets={"BROKER_URL": Path("/etc/toys/broker_url")})


def plan_of(where: str = "prod", **changes: object) -> StackPlan:
    """The plan of the toys' stack in a realm."""
    plan = StackPlan(
        TOYS,
        realm(where),
        SECRET,
        services=SERVICES,
        reads=lambda module: READS[module],
        credentials=lambda store: {f"{store}_KEY_FILE"},
        inputs=["list.txt"],
        folder=Path("/etc/toys"),
        root=Path("/srv/toys"),
    )
    return replace(plan, **changes)  # type: ignore[arg-type]  # its fields, by name
