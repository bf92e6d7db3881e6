"""Elasticsearch: the official server's distribution for integration tests, from Maven Central."""

import hashlib
import shutil
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from .commands import run
from .loopback import ask, free_port
from .places import cache
from .service import Launch, Package, Unavailable

VERSION = "8.19.7"
ARTIFACT = f"org.elasticsearch.distribution.integ-test-zip:elasticsearch:{VERSION}:zip"
SHA256 = "cb7f86fb6e68e85ef6f531ae5c68458ecfe42371150403b22b2ed21381581cbb"

# Written whole before the first start: else the server sets up TLS by itself.
CONFIGURATION = """\
cluster.name: story-indexer
node.name: story-indexer
discovery.type: single-node
network.host: 127.0.0.1
http.port: {port}
transport.port: {transport}
path.data: {folder}/data
path.logs: {folder}/logs
path.repo: ["{folder}/snapshots"]
xpack.security.enabled: false
# A test's few documents fit on a disk that is nearly full.
cluster.routing.allocation.disk.threshold_enabled: false
# Tests leave many small indices behind.
cluster.max_shards_per_node: 10000
"""

LOGGING = """\
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%c{1.}] %m%n
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
"""


JAVA = Package("java", "openjdk-17-jre-headless")


class Elasticsearch:
    """The search index of production."""

    name = "elasticsearch"
    packages: Sequence[Package] = (JAVA, Package("mvn", "maven"))
    seconds = 120.0
    as_root = False

    def install(self) -> None:
        """Download the distribution from Maven Central, once."""
        if home().exists():
            return
        with tempfile.TemporaryDirectory(dir=cache()) as aside:
            archive = _download(Path(aside))
            _unpack(archive, Path(aside))
            (Path(aside) / home().name).rename(home())

    def configure(self, folder: Path) -> Launch:
        """Configure a single node without security, with a folder for snapshots."""
        port, transport, config = free_port(), free_port(), folder / "config"
        shutil.copytree(home() / "config", config)
        text = CONFIGURATION.format(folder=folder, port=port, transport=transport)
        (config / "elasticsearch.yml").write_text(text, encoding="utf-8")
        (config / "log4j2.properties").write_text(LOGGING, encoding="ascii")
        for name in ("logs", "snapshots", "temporary"):
            (folder / name).mkdir()
        return Launch(
            command=(str(home() / "bin" / "elasticsearch"),),
            variables={"TEST_ELASTICSEARCH_URL": f"http://127.0.0.1:{port}"},
            environment={
                "ES_JAVA_HOME": str(_java()),
                "ES_JAVA_OPTS": "-Xms512m -Xmx512m",
                "ES_PATH_CONF": str(config),
                "ES_TMPDIR": str(folder / "temporary"),
            },
        )

    def answers(self, variables: Mapping[str, str]) -> bool:
        """Whether the node has recovered its state (this distribution has no `GET /`)."""
        url = f"{variables['TEST_ELASTICSEARCH_URL']}/_cluster/health?wait_for_status=yellow"
        try:
            return bool(ask(url))
        except OSError:
            return False


def home() -> Path:
    """The folder of the distribution, once it is installed."""
    return cache() / f"elasticsearch-{VERSION}"


def _java() -> Path:
    """The folder of Java: Debian's package, or else the one on the PATH."""
    debian = Path("/usr/lib/jvm/java-17-openjdk-amd64")
    return debian if debian.exists() else Path(shutil.which("java") or "").resolve().parents[1]


def _download(folder: Path) -> Path:
    goal = ["dependency:copy", f"-Dartifact={ARTIFACT}", f"-DoutputDirectory={folder}"]
    run(["mvn", "-q", "-B", *goal], f"Maven could not bring {ARTIFACT}", folder)
    archive = folder / f"elasticsearch-{VERSION}.zip"
    with archive.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != SHA256:
            raise Unavailable(f"{ARTIFACT} is not the file that is expected: its SHA-256 differs")
    return archive


def _unpack(archive: Path, folder: Path) -> None:
    """Unpack an archive so that every account can read and run its files."""
    with zipfile.ZipFile(archive) as file:
        file.extractall(folder)
    for path in (folder / home().name).rglob("*"):
        runs = path.is_dir() or "bin" in path.parts
        path.chmod(0o755 if runs else 0o644)
    (folder / home().name).chmod(0o755)
