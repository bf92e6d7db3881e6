"""The services of servers: official images, with what they need to be reached and to last."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from indexer.stack.realms import Realm

SECRETS = "/run/secrets"


@dataclass(frozen=True, slots=True)
class StackServer:
    """A server: `used` by programs that read one of these settings; by all stacks if there is none.

    Its `secrets` are those of the configuration, with the paths in the container; `settings` are
    variables of its own whose values are those of settings of the configuration. `data` is the
    directory in its volume. `ports` maps published ports to its own. `healthy` is a command that
    succeeds when it serves. `files` maps files of the project to their places in the container.
    """

    name: str
    image: str
    healthy: str = ""
    used: Sequence[str] = ()
    entrypoint: Sequence[str] = ()
    command: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)
    ports: Mapping[int, int] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    data: str = ""
    megabytes: int = 1024


S3_START = """\
export ROOT_ACCESS_KEY=$$(cat /run/secrets/archiver_s3_access_key_id)
export ROOT_SECRET_KEY=$$(cat /run/secrets/archiver_s3_secret_access_key)
mkdir -p /data/$$BUCKET && exec versitygw --port :9000 posix /data"""

RABBITMQ = StackServer(
    "rabbitmq",
    "rabbitmq:3.13-management",
    healthy="rabbitmq-diagnostics -q check_port_connectivity",
    secrets={"RABBITMQ_CONF": "/etc/rabbitmq/conf.d/90-stack.conf"},
    ports={15672: 15672},
    data="/var/lib/rabbitmq",
    megabytes=4096,
)
POSTGRESQL = StackServer(
    "postgresql",
    "postgres:17",
    healthy="pg_isready -q -U story -d story",
    used=["DATABASE_URL", "FEEDS_DATABASE_URL", "JOBS_DATABASE_URL"],
    environment={
        "POSTGRES_USER": "story",
        "POSTGRES_DB": "story",
        "POSTGRES_PASSWORD_FILE": f"{SECRETS}/postgres_password",
    },
    secrets={"POSTGRES_PASSWORD": f"{SECRETS}/postgres_password"},
    data="/var/lib/postgresql/data",
    megabytes=2048,
)
S3 = StackServer(
    "s3",
    "versity/versitygw:v1.8.0",
    used=["ARCHIVER_S3_ENDPOINT"],
    # The image's own entry point takes all arguments for the server's.
    entrypoint=["sh", "-c", S3_START],
    settings={"BUCKET": "ARCHIVER_S3_BUCKET"},
    secrets={
        name: f"{SECRETS}/{name.lower()}"
        for name in ("ARCHIVER_S3_ACCESS_KEY_ID", "ARCHIVER_S3_SECRET_ACCESS_KEY")
    },
    data="/data",
)
PROMETHEUS = StackServer(
    "prometheus",
    "prom/prometheus:v2.55.1",
    command=[
        "--config.file=/etc/prometheus/stack/prometheus.yml",
        "--storage.tsdb.path=/prometheus",
    ],
    files={
        "docker/prometheus.yml": "/etc/prometheus/stack/prometheus.yml",
        "operations/alerts.yml": "/etc/prometheus/stack/alerts.yml",
    },
    ports={9090: 9090},
    data="/prometheus",
    megabytes=2048,
)
DASHBOARDS = ("archive", "feeds", "fetcher", "index", "pipeline", "sources")
PROVISIONING = "/etc/grafana/provisioning"

GRAFANA = StackServer(
    "grafana",
    "grafana/grafana:11.6.0",
    environment={"GF_SECURITY_ADMIN_PASSWORD__FILE": f"{SECRETS}/grafana_password"},
    secrets={"GRAFANA_PASSWORD": f"{SECRETS}/grafana_password"},
    files={
        "docker/grafana/datasource.yml": f"{PROVISIONING}/datasources/stack.yml",
        "docker/grafana/dashboards.yml": f"{PROVISIONING}/dashboards/stack.yml",
        **{
            f"operations/dashboards/{name}.json": f"/etc/grafana/story-indexer/{name}.json"
            for name in DASHBOARDS
        },
    },
    ports={3000: 3000},
    data="/var/lib/grafana",
)


def servers(realm: Realm) -> list[StackServer]:
    """The servers of a realm."""
    there = {
        "rabbitmq": [RABBITMQ],
        "postgresql": [POSTGRESQL],
        "elasticsearch": _elasticsearch(realm),
        "s3": [S3],
        "prometheus": [PROMETHEUS],
        "grafana": [GRAFANA],
    }
    return [server for name in realm.servers for server in there[name]]


def _elasticsearch(realm: Realm) -> list[StackServer]:
    """The nodes: `elasticsearch`, or `elasticsearch1` and so on."""
    if realm.nodes == 1:
        return [_node("elasticsearch", {"discovery.type": "single-node"}, realm, {9200: 9200})]
    names = [f"elasticsearch{number}" for number in range(1, realm.nodes + 1)]
    cluster = {
        "cluster.name": "story-indexer",
        "discovery.seed_hosts": ",".join(names),
        "cluster.initial_master_nodes": ",".join(names),
    }
    ports = {names[0]: {9200: 9200}}
    return [
        _node(name, {**cluster, "node.name": name}, realm, ports.get(name, {})) for name in names
    ]


def _node(
    name: str, discovery: Mapping[str, str], realm: Realm, ports: Mapping[int, int]
) -> StackServer:
    return StackServer(
        name,
        "elasticsearch:8.19.7",
        healthy="curl -fsS -o /dev/null localhost:9200/_cluster/health",
        used=["INDEX_URL"],
        environment={
            **discovery,
            "xpack.security.enabled": "false",
            "ES_JAVA_OPTS": f"-Xms{realm.heap_gb}g -Xmx{realm.heap_gb}g",
        },
        ports=ports,
        data="/usr/share/elasticsearch/data",
        megabytes=realm.heap_gb * 2048,
    )
