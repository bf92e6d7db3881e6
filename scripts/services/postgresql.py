"""PostgreSQL from Debian: a separate cluster, on TCP only, without protection against crashes."""

import secrets
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from . import processes
from .loopback import PATIENCE, free_port
from .places import give
from .service import Launch, Package, Unavailable, reason

PROGRAMS = Path("/usr/lib/postgresql/15/bin")

CONFIGURATION = """
listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = ''
fsync = off
synchronous_commit = off
full_page_writes = off
"""


class PostgreSQL:
    """The database of production."""

    name = "postgresql"
    packages: Sequence[Package] = (Package(str(PROGRAMS / "postgres"), "postgresql-15"),)
    seconds = 60.0
    as_root = False

    def install(self) -> None:
        """Do nothing: Debian's package is complete."""

    def configure(self, folder: Path) -> Launch:
        """Make a cluster with one superuser and a new password."""
        port, password, data = free_port(), secrets.token_hex(16), folder / "data"
        secret = folder / "password"
        secret.write_text(password + "\n", encoding="ascii")
        give(folder)
        options = ["--auth=scram-sha-256", f"--pwfile={secret}", "--locale=C.UTF-8", "--no-sync"]
        try:
            processes.run(
                [str(PROGRAMS / "initdb"), f"--pgdata={data}", "--username=story", *options],
                folder,
            )
        except subprocess.SubprocessError as error:
            raise Unavailable(f"initdb failed: {reason(error)}") from error
        with (data / "postgresql.conf").open("a", encoding="ascii") as file:
            file.write(CONFIGURATION.format(port=port))
        url = f"postgresql://story:{password}@127.0.0.1:{port}/postgres"
        return Launch((str(PROGRAMS / "postgres"), "-D", str(data)), {"TEST_POSTGRESQL_URL": url})

    def answers(self, variables: Mapping[str, str]) -> bool:
        """Whether the server accepts connections."""
        port = urlsplit(variables["TEST_POSTGRESQL_URL"]).port
        address = ["-h", "127.0.0.1", "-p", str(port), "-t", f"{PATIENCE:.0f}"]
        command = [str(PROGRAMS / "pg_isready"), "-q", *address]
        try:
            return subprocess.run(command, check=False).returncode == 0
        except OSError:
            return False
