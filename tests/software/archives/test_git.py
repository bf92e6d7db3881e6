"""Repositories on disk: references, tags, damage; and what is never done."""

import builtins
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pygit2
import pytest

from indexer.errors import ConfigurationError, InputError
from indexer.software.archives import git
from indexer.software.archives.git import GitArchive, is_repository
from indexer.software.archives.heads import head_of
from indexer.software.archives.source_archive import MAX_CONTENT, ObjectKind
from tests.software.archives.project import SIGNATURE, write_repository


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A bare repository with a branch and a tag."""
    return write_repository(tmp_path / "repository.git")


def test_an_annotated_tag_is_a_release_that_leads_to_a_revision(path: Path) -> None:
    with closing(GitArchive(path)) as archive:
        visit = archive.visit("")
        assert visit is not None
        release, head = visit.branches["refs/tags/v1.2"], visit.branches["refs/heads/main"]
        assert release is not None
        assert head is not None
        assert (release.kind, head.kind) == (ObjectKind.RELEASE, ObjectKind.REVISION)
        assert archive.peel(release) == head


def test_a_head_that_leads_nowhere_falls_back_to_the_only_branch(tmp_path: Path) -> None:
    path = write_repository(tmp_path / "r", branch="devel")
    (path / "HEAD").write_text("ref: refs/heads/master\n")
    with closing(GitArchive(path)) as archive:
        assert head_of(archive, "").reason == "only branch"


def test_a_detached_head_is_a_head(path: Path) -> None:
    repository = pygit2.Repository(str(path))
    (path / "HEAD").write_text(f"{repository.head.target}\n")
    with closing(GitArchive(path)) as archive:
        assert head_of(archive, "").reason == "branch HEAD"


def test_an_empty_repository_has_no_head(tmp_path: Path) -> None:
    pygit2.init_repository(str(tmp_path), bare=True)
    with closing(GitArchive(tmp_path)) as archive:
        assert head_of(archive, "").directory == ""


def test_a_submodule_is_no_file(path: Path) -> None:
    repository = pygit2.Repository(str(path))
    builder = repository.TreeBuilder()
    builder.insert("sub", repository.head.target, pygit2.enums.FileMode.COMMIT)
    builder.insert("package.json", repository.create_blob(b"{}"), pygit2.enums.FileMode.BLOB)
    tree = builder.write()
    repository.create_commit(
        "refs/heads/main", SIGNATURE, SIGNATURE, "two", tree, [repository.head.target]
    )
    with closing(GitArchive(path)) as archive:
        pages = archive.pages(head_of(archive, "").directory)
        assert pages is not None
        assert [(each.name, each.type) for page in pages for each in page] == [
            ("package.json", "file"),
            ("sub", "rev"),
        ]


def test_a_huge_content_is_not_read(path: Path) -> None:
    repository = pygit2.Repository(str(path))
    id = repository.create_blob(b"x" * (MAX_CONTENT + 1))
    with closing(GitArchive(path)) as archive:
        assert archive.content(str(id)) == (b"", MAX_CONTENT + 1, "")


def test_hooks_filters_and_foreign_configuration_do_not_run(path: Path, tmp_path: Path) -> None:
    mark = tmp_path / "executed"
    command = f"touch {mark}"
    with (path / "config").open("a") as config:
        config.write(f'[filter "x"]\n\tclean = {command}\n\tsmudge = {command}\n')
        config.write(f"[core]\n\tfsmonitor = {command}\n\tsshCommand = {command}\n")
    (path / "info").mkdir(exist_ok=True)
    (path / "info" / "attributes").write_text("* filter=x\n")
    hooks = path / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-checkout", "reference-transaction"):
        (hooks / name).write_text(f"#!/bin/sh\n{command}\n")
        (hooks / name).chmod(0o755)
    with closing(GitArchive(path)) as archive:
        head = head_of(archive, "")
        for page in archive.pages(head.directory) or ():
            for entry in page:
                archive.content(entry.id)
    assert not mark.exists()


def test_a_repository_within_a_repository_is_not_found_from_below(path: Path) -> None:
    below = path / "below"
    below.mkdir()
    assert not is_repository(below)
    with pytest.raises(InputError, match="below"):
        GitArchive(below)


@pytest.mark.parametrize("damaged", ["objects", "HEAD"])
def test_a_damaged_repository_is_an_error_or_has_no_head(path: Path, damaged: str) -> None:
    place = path / damaged
    if place.is_dir():
        shutil.rmtree(place)
        place.mkdir()
    else:
        place.write_bytes(b"\0\xff")
    try:
        with closing(GitArchive(path)) as archive:
            assert head_of(archive, "").directory == ""
    except InputError as error:
        assert str(path) in str(error)  # noqa: PT017 - both endings are right


def test_a_damaged_object_is_an_error(path: Path) -> None:
    repository = pygit2.Repository(str(path))
    id = str(repository.head.target)
    place = path / "objects" / id[:2] / id[2:]
    place.chmod(0o644)
    place.write_bytes(b"no zlib")
    with pytest.raises(InputError, match="repository"), closing(GitArchive(path)) as archive:
        head_of(archive, "")


def test_without_pygit2_the_error_says_what_to_install(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any, **more: Any) -> Any:
        if name == "pygit2":
            raise ImportError(name)
        return real(name, *rest, **more)

    git._pygit2.cache_clear()
    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ConfigurationError, match=r"pip install 'story-indexer\[git\]'"):
        GitArchive(path)
