"""Images of the servers, which stand in for the official ones where these can't be pulled.

what `scripts.services` installs → a folder → docker build
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from scripts.services import elasticsearch, s3
from scripts.services.places import cache
from scripts.services.postgresql import PostgreSQL
from scripts.services.rabbitmq import RabbitMQ
from scripts.services.service import Package

from .client import Client
from .debian import IMAGE, machine_apt

FILES = Path(__file__).parent / "images"


@dataclass(frozen=True, slots=True)
class Server:
    """The image of a server: its service in a stack, and its content."""

    name: str
    packages: Sequence[Package] = ()
    files: Mapping[str, Callable[[], Path]] = field(default_factory=dict)
    install: Callable[[], None] = lambda: None

    @property
    def image(self) -> str:
        """The name of the image."""
        return f"story-indexer-test/{self.name}"


SERVERS = (
    Server("rabbitmq", RabbitMQ.packages),
    Server("postgresql", PostgreSQL.packages),
    Server(
        "elasticsearch",
        [elasticsearch.JAVA],
        {"home": elasticsearch.home},
        elasticsearch.Elasticsearch().install,
    ),
    Server("s3", files={"versitygw": s3.program}, install=s3.S3().install),
    Server("prometheus", [Package("prometheus", "prometheus")]),
)


def build(client: Client) -> None:
    """Build all images; what was built before is reused. Raises Unavailable."""
    with ThreadPoolExecutor(len(SERVERS)) as pool:
        list(pool.map(lambda server: _build(client, server), SERVERS))


def _build(client: Client, server: Server) -> None:
    server.install()
    with tempfile.TemporaryDirectory(dir=cache("docker")) as made:
        folder = Path(made)
        shutil.copytree(FILES, folder, dirs_exist_ok=True)
        for name, place in server.files.items():
            _link(place(), folder / name)
        apt = folder / "apt.conf"
        apt.write_text(machine_apt(), encoding="utf-8")
        client.build(
            folder,
            server.image,
            f"--secret=id=apt,src={apt}",
            f"--build-arg=BASE={IMAGE}",
            f"--build-arg=PACKAGES={' '.join(each.package for each in server.packages)}",
            f"--target={server.name}",
        )


def _link(source: Path, target: Path) -> None:
    """Copy a file or a folder of the cache without its bytes."""
    if source.is_dir():
        shutil.copytree(source, target, copy_function=os.link)
    else:
        os.link(source, target)
