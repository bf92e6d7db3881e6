"""Clones: the head alone, over HTTPS, through checked addresses, within limits."""

import random
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pygit2
import pytest

from indexer.errors import AddressRefused, BadURL, FetchError, TooLarge
from indexer.http.connections.dialer import Dialer
from indexer.http.fetching.options import FetchOptions
from indexer.http.urls.addresses import ANYWHERE
from indexer.software.archives import clone
from indexer.software.archives.archive_options import CloneLimits
from indexer.software.archives.git import GitArchive
from indexer.software.archives.heads import head_of
from indexer.software.archives.tunnel import Tunnel
from tests.patience import PATIENCE
from tests.software.archives.git_server import HOST, serving
from tests.software.archives.project import SIGNATURE, root_id, write_repository

LIMITS = CloneLimits(seconds=PATIENCE)


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """A server with a repository of two commits."""
    served = tmp_path / "served"
    served.mkdir()
    path = write_repository(served / "p.git")
    repository = pygit2.Repository(str(path))
    tree, parent = repository.head.peel(pygit2.Commit).tree_id, repository.head.target
    repository.create_commit("refs/heads/main", SIGNATURE, SIGNATURE, "two", tree, [parent])
    with serving(served) as port:
        yield port


def fetch(port: int, *, private: bool = True, insecure: bool = True) -> FetchOptions:
    """Options that lead the name of the server to it."""
    resolve = [f"{HOST}=127.0.0.1:{port}"]
    return FetchOptions(allow_private=private, insecure=insecure, resolve=resolve)


def test_the_head_of_a_repository_is_cloned_and_removed_again(port: int, tmp_path: Path) -> None:
    with clone.cloned(f"https://{HOST}/p.git", fetch(port), LIMITS) as path:
        with closing(GitArchive(path)) as archive:
            assert head_of(archive, "").directory == root_id(tmp_path / "other")
        commit = pygit2.Repository(str(path)).head.peel(pygit2.Commit)
        assert commit.message == "two"
        assert (path / "shallow").exists()
        assert not (path / "hooks").exists()
    assert not path.exists()


def test_a_private_address_is_refused_by_default(port: int) -> None:
    with (
        pytest.raises(AddressRefused, match="loopback"),
        clone.cloned(f"https://{HOST}/p.git", fetch(port, private=False), LIMITS),
    ):
        pass


def test_a_certificate_that_nobody_trusts_is_refused(port: int) -> None:
    with (
        pytest.raises(FetchError, match="certificate"),
        clone.cloned(f"https://{HOST}/p.git", fetch(port, insecure=False), LIMITS),
    ):
        pass


@pytest.mark.parametrize("path", ["lost.git", "redirected/p.git"])
def test_a_clone_that_fails_is_an_error_and_a_redirect_to_http_is_one(port: int, path: str) -> None:
    with (
        pytest.raises(FetchError, match=path) as error,
        clone.cloned(f"https://{HOST}/{path}", fetch(port), LIMITS),
    ):
        pass
    assert "http://git:" not in str(error.value)


def test_more_bytes_than_the_limit_end_a_clone(port: int, tmp_path: Path) -> None:
    repository = pygit2.Repository(str(tmp_path / "served" / "p.git"))
    blob = repository.create_blob(random.Random(1).randbytes(300_000))
    builder = repository.TreeBuilder()
    builder.insert("large", blob, pygit2.enums.FileMode.BLOB)
    parents = [repository.head.target]
    repository.create_commit(
        "refs/heads/main", SIGNATURE, SIGNATURE, "three", builder.write(), parents
    )
    with (
        pytest.raises(TooLarge, match="more than 100,000 bytes"),
        clone.cloned(f"https://{HOST}/p.git", fetch(port), CloneLimits(100_000, PATIENCE)),
    ):
        pass


def test_a_clone_that_takes_too_long_is_ended(port: int) -> None:
    with (
        pytest.raises(FetchError, match=r"not cloned in 0\.001 s"),
        clone.cloned(f"https://{HOST}/p.git", fetch(port), CloneLimits(seconds=0.001)),
    ):
        pass


@pytest.mark.parametrize("url", ["http://git.test/p.git", "file:///p.git", "ext::sh -c id", "p"])
def test_other_protocols_are_refused(url: str) -> None:
    with pytest.raises(BadURL):
        clone.checked(url)


def test_the_configuration_of_git_is_ours_alone() -> None:
    with Tunnel(Dialer(ANYWHERE), 1, 1.0).running() as tunnel:
        given = clone._environment(Path("/home"), tunnel, insecure=False)
    assert given["GIT_TERMINAL_PROMPT"] == "0"
    assert given["GIT_ALLOW_PROTOCOL"] == "https"
    assert given["GIT_CONFIG_NOSYSTEM"] == "1"
    assert given["GIT_CONFIG_GLOBAL"] == "/dev/null"
    assert not any(name.lower().endswith("_proxy") for name in given)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"CONNECT git.test:443 HTTP/1.1\r\n\r\n", b"407"),
        (b"CONNECT git.test:443 HTTP/1.1\r\nProxy-Authorization: Basic eDp5\r\n\r\n", b"407"),
        (b"GET http://git.test/ HTTP/1.1\r\nProxy-Authorization: Basic KEY\r\n\r\n", b"405"),
        (b"CONNECT 169.254.169.254:80 HTTP/1.1\r\nProxy-Authorization: Basic KEY\r\n\r\n", b"502"),
        (b"CONNECT user@x:443 HTTP/1.1\r\nProxy-Authorization: Basic KEY\r\n\r\n", b"405"),
    ],
)
def test_the_tunnel_leads_nobody_else_and_nowhere_else(head: bytes, status: bytes) -> None:
    import base64  # noqa: PLC0415 - here only

    with Tunnel(Dialer(FetchOptions().addresses), 1000, PATIENCE).running() as tunnel:
        word = tunnel.url.removeprefix("http://").partition("@")[0].encode()
        with socket.create_connection(("127.0.0.1", tunnel.port), PATIENCE) as client:
            client.sendall(head.replace(b"KEY", base64.b64encode(word)))
            assert client.recv(100).split()[1] == status
