"""RabbitMQ from Debian, with its own node, epmd and ports; management on AMQP's port + 10000."""

import base64
import json
import secrets
import socket
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from .loopback import PATIENCE, ask, free_port
from .service import Launch, Package

# The distance of the management port from AMQP's, as in 5672 and 15672: programs rely on it.
MANAGEMENT = 10_000

CONFIGURATION = """\
listeners.tcp.1 = 127.0.0.1:{port}
management.tcp.ip = 127.0.0.1
management.tcp.port = {management}
default_user = {user}
default_pass = {password}
log.console = true
log.console.level = warning
log.file = false
disk_free_limit.absolute = 200MB
raft.wal_max_size_bytes = 33554432
"""

# epmd runs in the foreground and in the session of the node, so that both are stopped together.
START = "epmd -address 127.0.0.1 & exec /usr/lib/rabbitmq/bin/rabbitmq-server"


class RabbitMQ:
    """The broker of production."""

    name = "rabbitmq"
    packages: Sequence[Package] = (
        Package("/usr/lib/rabbitmq/bin/rabbitmq-server", "rabbitmq-server"),
    )
    seconds = 90.0
    as_root = False

    def install(self) -> None:
        """Do nothing: Debian's package is complete."""

    def configure(self, folder: Path) -> Launch:
        """Configure a node with one user and a new password."""
        port, password = free_port(also=MANAGEMENT), secrets.token_hex(16)
        text = CONFIGURATION.format(
            port=port, management=port + MANAGEMENT, user="story", password=password
        )
        (folder / "rabbitmq.conf").write_text(text, encoding="ascii")
        (folder / "enabled_plugins").write_text("[rabbitmq_management].\n", encoding="ascii")
        (folder / "rabbitmq-env.conf").touch()
        return Launch(
            command=("sh", "-c", START),
            variables={
                "TEST_RABBITMQ_URL": f"amqp://story:{password}@127.0.0.1:{port}/",
            },
            environment=_environment(folder, port),
        )

    def answers(self, variables: Mapping[str, str]) -> bool:
        """Whether the node speaks AMQP, and its management lists virtual hosts."""
        url = variables["TEST_RABBITMQ_URL"]
        try:
            return _speaks_amqp(urlsplit(url).port or 5672) and bool(manage(url, "GET", "vhosts"))
        except OSError:
            return False


def _environment(folder: Path, port: int) -> dict[str, str]:
    """Variables for all files that nodes share by default (rabbitmq-env.conf(5))."""
    return {
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "ERL_EPMD_PORT": str(free_port()),
        "RABBITMQ_CONF_ENV_FILE": str(folder / "rabbitmq-env.conf"),
        "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
        "RABBITMQ_DIST_PORT": str(free_port()),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "enabled_plugins"),
        "RABBITMQ_LOG_BASE": str(folder / "log"),
        "RABBITMQ_LOGS": "-",
        "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
        "RABBITMQ_NODENAME": f"story{port}@localhost",
        "RABBITMQ_PID_FILE": str(folder / "pid"),
    }


def _speaks_amqp(port: int) -> bool:
    """Whether a server answers the protocol header with a method frame (AMQP 0-9-1, 2.2.4)."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        connection.sendall(b"AMQP\x00\x00\x09\x01")
        return connection.recv(1) == b"\x01"


def manage(url: str, method: str, path: str, body: Mapping[str, str] | None = None) -> bytes:
    """Send a request to the management API of a broker. Returns the answer. Raises OSError."""
    parts = urlsplit(url)
    address = f"http://{parts.hostname}:{(parts.port or 5672) + MANAGEMENT}/api/{path}"
    token = base64.b64encode(f"{parts.username}:{parts.password}".encode()).decode()
    headers = {"Authorization": f"Basic {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    return ask(urllib.request.Request(address, data, headers, method=method))
