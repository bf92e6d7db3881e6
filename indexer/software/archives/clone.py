"""A repository by its URL: git clones its head alone, into a directory that is removed again.

Only HTTPS, without user and password. The connections of git go through a `Tunnel`, to checked
addresses, with a limit of bytes; time, memory and the size of files are limited, too. git reads no
configuration but ours, asks nobody, runs no hook, reads no submodule and checks nothing out.
"""

import os
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from indexer.errors import BadURL, ConfigurationError, FetchError
from indexer.http.connections.dialer import Dialer
from indexer.http.fetching.options import FetchOptions
from indexer.http.urls.addresses import with_option
from indexer.http.urls.parts import without_credentials
from indexer.http.urls.target import Target
from indexer.software.archives.archive_options import CloneLimits
from indexer.software.archives.tunnel import Tunnel
from indexer.system.escaping import escaped_line
from indexer.system.options import environment
from indexer.text.cleaning import one_line

MEMORY = 2 << 30

_GIT = "git"


@contextmanager
def cloned(url: str, fetch: FetchOptions, limits: CloneLimits) -> Iterator[Path]:
    """Clone the head of a repository; the directory is removed at the end of the context.

    Raises FetchError, BadURL for a URL that is refused, ConfigurationError without git.
    """
    target = checked(url)
    dialer = Dialer(fetch.addresses, fetch.resolve, fetch.connect_timeout)
    # Refused before git starts: the error says why.
    dialer.places(target)
    with (
        tempfile.TemporaryDirectory(prefix="story-indexer-clone-") as name,
        Tunnel(dialer, limits.bytes, limits.seconds).running() as tunnel,
    ):
        directory = Path(name)
        _clone(url, directory, tunnel, limits, insecure=fetch.insecure)
        yield directory / "repository"


def checked(url: str) -> Target:
    """Return the target of a repository's URL. Raises BadURL; its text has no credentials."""
    try:
        target = Target.parse(url)
    except BadURL as error:
        raise BadURL(f"{without_credentials(url)}: {error}", error.status) from None
    if target.scheme != "https":
        raise BadURL(f"{without_credentials(url)}: repositories are cloned over HTTPS only")
    return target


def _clone(
    url: str, directory: Path, tunnel: Tunnel, limits: CloneLimits, *, insecure: bool
) -> None:
    command = [
        *(_program(), "clone", "--quiet", "--bare", "--depth=1", "--single-branch", "--no-tags"),
        *("--template=", "--", url, str(directory / "repository")),
    ]
    log = directory / "errors"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            command,
            cwd=directory,
            env=_environment(directory, tunnel, insecure=insecure),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
        )
        try:
            # Inherited by the programs that git starts from now on, which read the network.
            with suppress(ProcessLookupError):
                resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (2 * limits.bytes,) * 2)
            status = process.wait(limits.seconds)
        except subprocess.TimeoutExpired:
            raise FetchError(f"{url}: not cloned in {limits.seconds:g} s") from None
        finally:
            _end(process)
    if tunnel.error is not None and status:
        raise type(tunnel.error)(f"{url}: {with_option(str(tunnel.error))}") from None
    if status:
        raise FetchError(f"{url}: git: {_last(log)}")


def _end(process: "subprocess.Popen[bytes]") -> None:
    # The programs that git has started are in its session.
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _last(log: Path) -> str:
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 2000))
        lines = file.read().decode("utf-8", "replace").strip().splitlines()
    return escaped_line(one_line(lines[-1] if lines else "it failed", 200))


def _program() -> str:
    found = shutil.which(_GIT, path=environment().get("PATH"))
    if found is None:
        raise ConfigurationError("repositories on the web need the program git: install it")
    return found


def _environment(directory: Path, tunnel: Tunnel, *, insecure: bool) -> Mapping[str, str]:
    settings = {
        "http.proxy": tunnel.url,
        "http.proxyAuthMethod": "basic",
        "http.sslVerify": "false" if insecure else "true",
        "credential.helper": "",
        "core.hooksPath": os.devnull,
        "core.askPass": "",
        "protocol.allow": "never",
        "protocol.https.allow": "always",
        "submodule.recurse": "false",
        "gc.auto": "0",
    }
    # In the environment, and not on the command line, which every user of the machine may read.
    numbered: dict[str, str] = {}
    for number, (key, value) in enumerate(settings.items()):
        numbered |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return {
        "PATH": environment().get("PATH", os.defpath),
        "HOME": str(directory),
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "https",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_COUNT": str(len(settings)),
        **numbered,
    }
