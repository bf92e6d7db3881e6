"""The base image: a small Debian with Python, made by debootstrap.

debootstrap → tar in the cache → docker import
"""

import subprocess
import tempfile
from pathlib import Path

from scripts.services import places
from scripts.services.places import cache
from scripts.services.service import Unavailable

from .client import LONGEST, Client

IMAGE = "story-indexer-test/base"
RELEASE = "bookworm"
"""The release of Debian whose packages `scripts.services` installs."""

PACKAGES = ("ca-certificates", "python3", "python3-venv")
LEFT_OUT = (
    *("dev/*", "proc/*", "sys/*"),
    *("var/cache/apt/*.bin", "var/cache/apt/archives/*.deb", "var/lib/apt/lists/*"),
    *("usr/share/doc/*", "usr/share/locale/*", "usr/share/man/*"),
)
"""Files that no container needs."""


def load(client: Client) -> None:
    """Give the engine the base image, unless it has it. Raises Unavailable."""
    if not client.run("images", "--quiet", IMAGE):
        client.run("import", "--change=ENV LANG=C.UTF-8", str(_tar()), IMAGE)


def _tar() -> Path:
    """The file system of the base image, made once."""
    made = cache("docker") / f"{RELEASE}.tar"
    if not made.exists():
        with tempfile.TemporaryDirectory(dir=cache("docker")) as aside:
            root, archive = Path(aside) / "root", Path(aside) / made.name
            _make(root)
            left_out = [f"--exclude=./{each}" for each in LEFT_OUT]
            _run("tar", f"--directory={root}", *left_out, f"--file={archive}", "--create", ".")
            archive.rename(made)
    return made


def _make(root: Path) -> None:
    names = ",".join(PACKAGES)
    options = ("--variant=minbase", f"--include={names}")
    # What debootstrap mounts below its folder is gone with the namespace.
    _run("unshare", "--mount", "debootstrap", *options, RELEASE, str(root), *_mirror())


def _mirror() -> list[str]:
    """The mirror that this machine's apt uses for the release; without one: debootstrap's."""
    wanted = ("Created-By: Packages", f"Codename: {RELEASE}", "Component: main", "Label: Debian")
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", *wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.split()[:1]


def machine_apt() -> str:
    """The configuration by which this machine's apt reaches its mirrors: a proxy, limits."""
    command = ["apt-config", "dump", "Acquire"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout


def _run(*command: str) -> None:
    """Run a command of the installation; its output is added to the log. Raises Unavailable."""
    log = places.RUN / "docker-debian.log"
    with log.open("ab") as output:
        try:
            subprocess.run(
                command, stdout=output, stderr=subprocess.STDOUT, check=True, timeout=LONGEST
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise Unavailable(f"{command[0]} failed: {log} says why") from error
