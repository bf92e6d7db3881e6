"""Debian packages: installed if missing, without starting the services that they bring."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from .service import Package, Unavailable

# deb-systemd-invoke and invoke-rc.d ask policy-rc.d; 101 means: don't start.
INSTALL = """
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
    trap 'rm -f $policy' EXIT
    printf '#!/bin/sh\\nexit 101\\n' > $policy
    chmod 755 $policy
fi
export DEBIAN_FRONTEND=noninteractive
apt-get -q -o DPkg::Lock::Timeout=300 update &&
apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
"""

PATIENCE = 1200.0


def missing(packages: Iterable[Package]) -> list[str]:
    """The packages whose program is not there."""
    return [package.package for package in packages if not _found(package.program)]


def install(packages: Sequence[str], log: Path) -> None:
    """Install them, as root or with sudo. Raises Unavailable."""
    wanted = " ".join(packages)
    if not shutil.which("apt-get"):
        raise Unavailable(f"this machine has no apt-get: install what Debian calls {wanted}")
    command = [*_as_root(wanted), "sh", "-c", INSTALL, "install", *packages]
    with log.open("wb") as output:
        try:
            done = subprocess.run(
                command, stdout=output, stderr=subprocess.STDOUT, timeout=PATIENCE, check=False
            )
        except subprocess.TimeoutExpired:
            raise Unavailable(f"installing {wanted} took over {PATIENCE:.0f} s: {log}") from None
    if done.returncode:
        raise Unavailable(f"could not install {wanted}: {log} says why")


def _as_root(wanted: str) -> list[str]:
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        return ["sudo"]
    raise Unavailable(f"as root, run: apt-get install --no-install-recommends {wanted}")


def _found(program: str) -> bool:
    return Path(program).exists() or shutil.which(program) is not None
