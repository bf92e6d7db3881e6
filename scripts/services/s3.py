"""S3: versitygw over a folder, with versioned buckets, built from its Go module.

An object's `LastModified` is its file's mtime, so tests can set dates with `touch`.
"""

import secrets
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from urllib.error import HTTPError

from .commands import run
from .loopback import ask, free_port
from .places import cache
from .service import Launch, Package, Unavailable

VERSION = "v1.8.0"
MODULE = f"github.com/versity/versitygw/cmd/versitygw@{VERSION}"
GO = "1.25"
"""The oldest version of Go that builds the server."""


class S3:
    """The blobstore of production."""

    name = "s3"
    packages: Sequence[Package] = ()
    seconds = 30.0
    as_root = False

    def install(self) -> None:
        """Build the server, once."""
        if program().exists():
            return
        with tempfile.TemporaryDirectory(dir=cache()) as aside:
            _build(Path(aside))
            (Path(aside) / "versitygw").rename(program())
        program().chmod(0o755)

    def configure(self, folder: Path) -> Launch:
        """Configure a server with one account and new keys."""
        root, versions = folder / "objects", folder / "versions"
        root.mkdir()
        versions.mkdir()
        port, access, secret = free_port(), secrets.token_hex(10), secrets.token_hex(20)
        listen = ("--port", f"127.0.0.1:{port}", "--quiet")
        return Launch(
            command=(
                str(program()),
                *listen,
                "posix",
                "--versioning-dir",
                str(versions),
                str(root),
            ),
            variables={
                "TEST_S3_ENDPOINT": f"http://127.0.0.1:{port}",
                "TEST_S3_ACCESS_KEY": access,
                "TEST_S3_SECRET_KEY": secret,
                "TEST_S3_FOLDER": str(root),
            },
            environment={"ROOT_ACCESS_KEY": access, "ROOT_SECRET_KEY": secret},
        )

    def answers(self, variables: Mapping[str, str]) -> bool:
        """Whether the server refuses a request without signature, as S3 does."""
        try:
            return bool(ask(variables["TEST_S3_ENDPOINT"]))
        except OSError as error:
            return isinstance(error, HTTPError) and error.code == HTTPStatus.FORBIDDEN


def program() -> Path:
    """The server, once it is installed."""
    return cache() / f"versitygw-{VERSION}"


def _build(folder: Path) -> None:
    go = shutil.which("go") or shutil.which("go", path="/usr/local/go/bin")
    if not go:
        raise Unavailable(f"versitygw is built with Go: install Go {GO} or newer")
    settings = {"GOBIN": str(folder), "CGO_ENABLED": "0", "GOFLAGS": "-trimpath"}
    failure = f"Go {GO} or newer could not build {MODULE}"
    run([go, "install", MODULE], failure, folder, settings)
