"""Directories, tarballs and lines of JSON: hostile and damaged ones."""

import io
import json
import os
import tarfile
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from indexer.errors import InputError
from indexer.software.archives import file_tree, members, objects
from indexer.software.archives.directory import DirectoryArchive
from indexer.software.archives.heads import head_of
from indexer.software.archives.json_lines import JsonLinesArchive
from indexer.software.archives.opening import on_disk
from indexer.software.archives.source_archive import MAX_CONTENT
from indexer.software.archives.tarball import TarballArchive
from tests.software.archives.project import MANIFEST, URL, write_lines, write_tar


def tar_of(path: Path, *infos: tarfile.TarInfo, data: bytes = b"") -> Path:
    """A tar file of members with the same bytes."""
    with tarfile.open(path, "w") as tar:
        for info in infos:
            info.size = len(data) if info.isfile() else 0
            tar.addfile(info, io.BytesIO(data))
    return path


def names(archive: TarballArchive | DirectoryArchive) -> list[str]:
    """The names in the root directory."""
    pages = archive.pages(head_of(archive, "").directory)
    assert pages is not None
    return [entry.name for page in pages for entry in page]


def test_links_are_not_followed_and_version_control_is_left_out(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(MANIFEST)
    project = tmp_path / "project"
    (project / ".hg").mkdir(parents=True)
    (project / "package.json").symlink_to(secret)
    (project / "loop").symlink_to(project)
    os.mkfifo(project / "pipe")
    archive = DirectoryArchive(project)
    assert names(archive) == ["loop", "package.json"]
    found = archive.pages(head_of(archive, "").directory)
    assert found is not None
    assert {entry.type for page in found for entry in page} == {"link"}
    assert archive.content(objects.blob_id(MANIFEST)) is None


def test_a_file_that_changes_after_the_visit_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_bytes(MANIFEST)
    archive = DirectoryArchive(tmp_path)
    head_of(archive, "")
    (tmp_path / "package.json").write_bytes(b"{}")
    with pytest.raises(InputError, match=r"package\.json has changed"):
        archive.content(objects.blob_id(MANIFEST))


def test_huge_files_are_hashed_and_not_kept(tmp_path: Path) -> None:
    data = b"x" * (MAX_CONTENT + 1)
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "package.json").write_bytes(data)
    packed = tar_of(tmp_path / "p.tar", tarfile.TarInfo("package.json"), data=data)
    for archive in (DirectoryArchive(tmp_path / "d"), TarballArchive(packed)):
        head_of(archive, "")
        found = archive.content(objects.blob_id(data))
        assert found is not None
        assert (found.data, found.sha1) == (b"", "")
        assert found.size > MAX_CONTENT


@pytest.mark.parametrize("name", ["../package.json", "a/../../x", "/a/../../x"])
def test_a_member_outside_of_its_tarball_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="outside"):
        TarballArchive(tar_of(tmp_path / "p.tar", tarfile.TarInfo(name))).visit("")
    with zipfile.ZipFile(tmp_path / "p.zip", "w") as packed:
        packed.writestr(name, b"")
    with pytest.raises(InputError, match="outside"):
        TarballArchive(tmp_path / "p.zip").visit("")


def test_devices_are_left_out_and_leading_slashes_removed(tmp_path: Path) -> None:
    device = tarfile.TarInfo("device")
    device.type = tarfile.CHRTYPE
    path = tar_of(tmp_path / "p.tar", device, tarfile.TarInfo("/etc"), tarfile.TarInfo("./a"))
    assert names(TarballArchive(path)) == ["a", "etc"]


def test_a_hard_link_has_the_bytes_of_its_target(tmp_path: Path) -> None:
    link = tarfile.TarInfo("package.json")
    link.type, link.linkname = tarfile.LNKTYPE, "./first.json"
    path = tar_of(tmp_path / "p.tar", tarfile.TarInfo("first.json"), link, data=MANIFEST)
    archive = TarballArchive(path)
    assert names(archive) == ["first.json", "package.json"]
    found = archive.content(objects.blob_id(MANIFEST))
    assert found is not None
    assert found.data == MANIFEST


def test_a_bomb_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "MAX_UNPACKED", 100_000)
    data = b"\0" * 200_000
    with tarfile.open(tmp_path / "p.tar.xz", "w:xz") as tar:
        info = tarfile.TarInfo("a")
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))
    with zipfile.ZipFile(tmp_path / "p.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a", data)
    for name in ("p.tar.xz", "p.zip"):
        with pytest.raises(InputError, match="more than"):
            TarballArchive(tmp_path / name).visit("")


def test_a_header_that_fills_the_memory_is_refused(tmp_path: Path) -> None:
    info = tarfile.TarInfo("x" * (members.MAX_HEADER + 1))
    path = tmp_path / "p.tar"
    with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as tar:
        tar.addfile(info)
    with pytest.raises(InputError, match="header"):
        TarballArchive(path).visit("")


@pytest.mark.parametrize("limit", ["MAX_FILES", "MAX_DEPTH"])
def test_too_many_files_and_too_deep_directories_are_an_error(
    limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_tree, limit, 3)
    (tmp_path / "a" / "b" / "c" / "d").mkdir(parents=True)
    with pytest.raises(InputError, match="more than 3"):
        DirectoryArchive(tmp_path).visit("")


@pytest.mark.parametrize("ending", [".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".zip", ".tar"])
def test_a_damaged_tarball_is_an_error(ending: str, tmp_path: Path) -> None:
    whole = write_tar(tmp_path / "whole.tar.gz", "w:gz").read_bytes()
    for number, data in enumerate((b"", b"PK\x03\x04 no", b"no archive", whole[: len(whole) // 2])):
        path = tmp_path / f"{number}{ending}"
        path.write_bytes(data)
        with pytest.raises(InputError, match=path.name):
            TarballArchive(path).visit("")


def test_an_encrypted_zip_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("package.json", MANIFEST)
    data = bytearray(path.read_bytes())
    for magic in (b"PK\x03\x04", b"PK\x01\x02"):
        at = data.index(magic) + (6 if magic[2:3] == b"\x03" else 8)
        data[at] |= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match="encrypted"):
        TarballArchive(path).visit("")


def test_packed_lines_are_read_too(tmp_path: Path) -> None:
    import gzip  # noqa: PLC0415 - here only

    plain = write_lines(tmp_path / "plain.jsonl")
    path = tmp_path / "p.jsonl.gz"
    path.write_bytes(gzip.compress(plain.read_bytes()))
    with closing(on_disk(path)) as archive:
        assert head_of(archive, URL).directory == "1" * 40


@pytest.mark.parametrize("line", ["{", "[]", "nonsense", "[" * 5000])
def test_a_damaged_line_is_an_error_that_names_it(line: str, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(f"\n{line}\n")
    with pytest.raises(InputError, match=r"p\.jsonl: line 2"):
        JsonLinesArchive(path)


def visits(path: Path, *statuses: dict[str, object]) -> JsonLinesArchive:
    """An archive with visits of one origin, and the snapshots 1 to 9."""
    lines = [
        *({"topic": "origin_visit_status", "origin": URL, **each} for each in statuses),
        *({"topic": "snapshot", "id": str(n) * 40, "branches": {str(n): None}} for n in range(9)),
    ]
    path.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    return JsonLinesArchive(path)


def test_the_latest_full_visit_with_a_snapshot_counts(tmp_path: Path) -> None:
    archive = visits(
        tmp_path / "p.jsonl",
        {"date": "2026-01-02", "visit": 2, "status": "full", "snapshot": "2" * 40},
        {"date": "2026-01-01", "visit": 1, "status": "full", "snapshot": "1" * 40},
        {"date": "2026-01-03", "visit": 3, "status": "full", "snapshot": None},
        {"date": "2026-01-04", "visit": 4, "status": "partial", "snapshot": "4" * 40},
        {"date": "2026-01-05", "visit": 5, "status": "ongoing", "snapshot": "5" * 40},
    )
    visit = archive.visit(URL)
    assert visit is not None
    assert list(visit.branches) == ["2"]
    assert archive.visit("https://example.org/other") is None


def test_a_content_that_is_not_its_id_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps({"topic": "content", "sha1_git": "1" * 40, "text": "x"}))
    with pytest.raises(InputError, match="is not"):
        JsonLinesArchive(path).content("1" * 40)


@pytest.mark.parametrize("name", ["nothing", "a.txt"])
def test_what_is_no_archive_is_an_error(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    with pytest.raises(InputError, match=name):
        on_disk(tmp_path / name)


def test_a_manifest_in_a_folder_is_kept_when_a_tarball_is_read(tmp_path: Path) -> None:
    (tmp_path / "debian").mkdir()
    (tmp_path / "debian" / "control").write_bytes(b"Source: gauge\n")
    packed = tmp_path / "gauge.tar.gz"
    with tarfile.open(packed, "w:gz") as file:
        file.add(tmp_path / "debian", "gauge-1.0/debian")
    archive = TarballArchive(packed)
    assert archive.visit("gauge") is not None
    packed.unlink()
    found = archive.content(objects.blob_id(b"Source: gauge\n"))
    assert found is not None
    assert found.data == b"Source: gauge\n"
