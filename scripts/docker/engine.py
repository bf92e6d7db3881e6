"""A Docker engine in namespaces of its own: another engine of the machine is not touched.

    unshare --mount → slirp4netns (a way out for the namespace of the network)
                    → nsenter --net → unshare --mount --pid → dockerd

Bridges, rules of iptables, mounts and containers are in these namespaces, so all of them vanish
with the engine, also if it is killed. Its images stay in the cache. Published ports are in the
namespace of the network: `nsenter --net --target PID` reaches them.
"""

import contextlib
import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from scripts.services.places import cache
from scripts.services.service import Launch, Package, Unavailable

CLIENT = "/usr/bin/docker"
"""The client of the engine's package: one in /usr/local may be another version, or a stub."""

GROUP = "story-indexer"
"""The control group of all containers."""

RESOLVER = "10.0.2.3"
"""slirp4netns's own DNS server, which asks the machine's."""

START = f"""
touch network
unshare --net=network true
slirp4netns --netns-type=path --configure --mtu=65520 --disable-host-loopback network tap0 &
exec 9> "$DATA.lock"
flock --nonblock 9 || {{ echo "another engine uses $DATA"; exit 1; }}
# The swarm and the networks of an engine that was killed.
rm -rf "$DATA/swarm" "$DATA/network"
exec nsenter --net=network unshare --mount --pid --fork --kill-child --mount-proc sh -ec '
    mount -t tmpfs tmpfs /run
    ip link set lo up
    until ip -4 address show dev tap0 2>/dev/null | grep -q inet; do sleep 0.1; done
    exec tini -- nice /usr/sbin/dockerd --config-file daemon.json --data-root "$DATA" \\
        --exec-root /run/engine --pidfile /run/engine.pid --host "unix://$PWD/docker.sock" \\
        --dns {RESOLVER} --cgroup-parent /{GROUP}
'
"""


class Engine:
    """Docker's engine, from Debian's package."""

    name = "docker"
    packages: Sequence[Package] = (
        Package("/usr/sbin/dockerd", "docker.io"),
        Package("/usr/bin/docker-compose", "docker-compose"),
        Package("/usr/sbin/debootstrap", "debootstrap"),
        Package("slirp4netns", "slirp4netns"),
        Package("ip", "iproute2"),
    )
    seconds = 60.0
    as_root = True

    def install(self) -> None:
        """Do nothing: Debian's packages are complete."""

    def configure(self, folder: Path) -> Launch:
        """Write the configuration of an engine whose images are in the cache."""
        if os.geteuid() != 0:
            raise Unavailable("an engine makes namespaces: run this as root")
        # Without this the engine writes a key to /etc/docker.
        settings = {"deprecated-key-path": "/run/engine.key"}
        (folder / "daemon.json").write_text(json.dumps(settings), encoding="ascii")
        host = f"unix://{folder}/docker.sock"
        return Launch(
            command=("unshare", "--mount", "sh", "-ec", START),
            variables={"DOCKER_HOST": host},
            environment={"DATA": str(cache("docker") / "engine")},
        )

    def answers(self, variables: Mapping[str, str]) -> bool:
        """Whether the engine answers."""
        command = [CLIENT, "--host", variables["DOCKER_HOST"], "version"]
        try:
            return subprocess.run(command, capture_output=True, check=False).returncode == 0
        except OSError:
            return False


def remove_groups(root: Path = Path("/sys/fs/cgroup")) -> None:
    """Remove the control groups of the containers, which outlive the engine; not those in use."""
    for top in (*root.glob(GROUP), *root.glob(f"*/{GROUP}")):
        inner = (path for path in top.rglob("*") if path.is_dir())
        for group in (*sorted(inner, reverse=True), top):
            with contextlib.suppress(OSError):
                group.rmdir()
