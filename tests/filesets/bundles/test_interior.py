"""Bundles: every shape of the wild is read in one pass, and what is unsafe is refused."""

import gzip
import io
import stat
import tarfile
import zipfile
import zlib

import pytest

from indexer.errors import FilesetError
from indexer.filesets.bundles.entries import MOST_READ
from indexer.filesets.bundles.interior import BundleMember, interior, suffix_of
from indexer.filesets.bundles.limits import BundleLimits
from tests.each_row import each_row
from tests.filesets.bundles.samples import (
    FILES,
    mode,
    named,
    overlapping,
    sparse,
    streamed,
    tarred,
    unicode_path,
    zipped,
)
from tests.filesets.datasets import md5

LIMITS = BundleLimits()
LONG = f"{'folder/' * 30}{'x' * 150}.csv"
CP437, UTF8 = "Stör.csv".encode("cp437"), "Stör.csv".encode()


def members(bundle: bytes, limits: BundleLimits = LIMITS) -> list[BundleMember]:
    return [*interior(io.BytesIO(bundle), limits)]


@each_row(
    "bundle",
    [
        zipped(),
        zipped(method=zipfile.ZIP_STORED),
        zipped(zip64=True),
        streamed(),
        streamed(zip64=True),
        zipped({"data/": b"", **FILES}),
        zipped({"data\\": b"", **FILES}),
        zipped(change=mode(stat.S_IFREG | 0o644)),
        tarred(),
        tarred(form=tarfile.USTAR_FORMAT),
        tarred(form=tarfile.GNU_FORMAT),
        tarred(is_gzip=True),
    ],
)
def test_the_files_of_a_bundle_are_read(bundle: bytes) -> None:
    found = {each.path: each for each in members(bundle)}
    assert {path: each.size for path, each in found.items()} == {
        path: len(data) for path, data in FILES.items()
    }
    assert {path: each.hashes["md5"] for path, each in found.items()} == {
        path: md5(data) for path, data in FILES.items()
    }
    assert found["data/a.csv"].crc == zlib.crc32(FILES["data/a.csv"])
    assert len(found["b.bin"].head) == 1024


@each_row(
    ("bundle", "names"),
    [
        (zipped({"Stör.csv": b"1"}), ["Stör.csv"]),
        (named(CP437), ["Stör.csv"]),
        (named(UTF8), ["Stör.csv", UTF8.decode("cp437")]),
        (named(b"St?r.csv", extra=unicode_path(b"St?r.csv", "Stör.csv")), ["Stör.csv", "St?r.csv"]),
        (named(b"new.csv", extra=unicode_path(b"old.csv", "Stör.csv")), ["new.csv"]),
        (named(b"data\\a.csv"), ["data\\a.csv", "data/a.csv"]),
        (tarred({LONG: b"1"}), [LONG]),
        (tarred({"./a.csv": b"1"}), ["a.csv", "./a.csv"]),
        (tarred({LONG: b"1"}, form=tarfile.GNU_FORMAT), [LONG]),
        (zipped({"inner.zip": zipped()}), ["inner.zip"]),
        (zipped({"name\x1b[31m": b""}), ["name\x1b[31m"]),
    ],
)
def test_a_name_is_read_in_all_its_forms(bundle: bytes, names: list[str]) -> None:
    (found,) = members(bundle)
    assert [*found.names] == names


def encrypted() -> bytes:
    return named(b"a.csv", flags=1)


def links(kind: bytes) -> bytes:
    def change(info: tarfile.TarInfo) -> None:
        info.type, info.linkname, info.size = kind, "/etc/passwd", 0

    return tarred({"a": b""}, change=change)


@each_row(
    ("bundle", "status", "why"),
    [
        (zipped({"../up.csv": b""}), "unsafe", "folder above"),
        (zipped({"a/..\\..\\up.csv": b""}), "unsafe", "folder above"),
        (zipped({"/etc/passwd": b""}), "unsafe", "absolute"),
        (zipped({"C:\\x.csv": b""}), "unsafe", "absolute"),
        (zipped({"../": b""}), "unsafe", "folder above"),
        (named(b"a\0.csv"), "unsafe", "NUL"),
        (named(b"ok.csv", extra=unicode_path(b"ok.csv", "../up")), "unsafe", "folder above"),
        (zipped({"a": b"/etc"}, mode(stat.S_IFLNK | 0o777)), "unsafe", "a link"),
        (zipped({"a": b""}, mode(stat.S_IFCHR)), "unsafe", "a link or a device"),
        (encrypted(), "unsafe", "encrypted"),
        (zipped(method=zipfile.ZIP_BZIP2), "unsafe", "compression method 12"),
        (zipped([("a", b"1"), ("a", b"2")]), "unsafe", "two files named 'a'"),
        (overlapping(), "unsafe", "share bytes"),
        (tarred({"../up.csv": b""}), "unsafe", "folder above"),
        (links(tarfile.SYMTYPE), "unsafe", "a link"),
        (links(tarfile.LNKTYPE), "unsafe", "a link"),
        (links(tarfile.CHRTYPE), "unsafe", "a link, a device"),
        (sparse(), "unsafe", "sparse"),
        (zipped()[:-30], "mismatch", "damaged"),
        (zipped()[:40], "mismatch", "damaged"),
        (zipped()[:60] + zipped()[70:], "mismatch", "damaged"),
        (streamed().replace(b"PK\1\2", b"PK\1\3", 1), "mismatch", "damaged"),
        (tarred()[:700], "mismatch", "damaged"),
        (tarred(is_gzip=True)[:-20], "mismatch", "damaged"),
        (b"<html>Sorry</html>", "mismatch", "damaged"),
        (b"", "mismatch", "damaged"),
        (named(b"\xff.csv", flags=0x800), "mismatch", "damaged"),
    ],
)
def test_an_unsafe_or_damaged_bundle_is_refused(bundle: bytes, status: str, why: str) -> None:
    with pytest.raises(FilesetError) as caught:
        members(bundle)
    assert caught.value.status == f"bundle-{status}"
    assert why in caught.value.why


@each_row(
    ("limits", "why"),
    [
        (BundleLimits(bundle_max_size=100), "limits of size"),
        (BundleLimits(bundle_max_files=2), "more than 2 files"),
    ],
)
def test_limits_are_options(limits: BundleLimits, why: str) -> None:
    for bundle in (zipped(), tarred()):
        with pytest.raises(FilesetError, match="bundle-unsafe") as caught:
            members(bundle, limits)
        assert why in caught.value.why


def test_a_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    zeros = {"zeros": bytes(300_000)}
    for bundle in (zipped(zeros), tarred(zeros, is_gzip=True)):
        assert len(members(bundle)) == 1
    # Small bundles may have any ratio.
    monkeypatch.setattr("indexer.filesets.bundles.interior.SMALL", 1000)
    for bundle in (zipped(zeros), tarred(zeros, is_gzip=True)):
        with pytest.raises(FilesetError) as caught:
            members(bundle)
        assert "limits of size or ratio" in caught.value.why


def test_a_huge_header_is_not_read_into_memory() -> None:
    info = tarfile.TarInfo("a")
    info.type, info.size = tarfile.XHDTYPE, MOST_READ + 1
    header = info.tobuf(tarfile.GNU_FORMAT)
    for bundle in (header, gzip.compress(header)):
        with pytest.raises(FilesetError, match="bundle-unsafe"):
            members(bundle)


class Counted(io.BytesIO):
    """A file that counts what is read from it."""

    count = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.count += len(data)
        return data


@each_row("is_gzip", [False, True])
def test_each_byte_is_read_about_once(is_gzip: bool) -> None:
    files = {f"{at}": bytes([at]) * 512 * (at % 3) for at in range(200)}
    bundle = tarred(files, is_gzip=is_gzip)
    counted = Counted(bundle)
    assert len([*interior(counted, LIMITS)]) == len(files)
    assert counted.count <= 2 * len(bundle) + 100_000


@each_row(
    ("bundle", "suffix"),
    [(zipped(), ".zip"), (tarred(), ".tar"), (tarred(is_gzip=True), ".tar.gz")],
)
def test_the_suffix_is_that_of_the_bytes(bundle: bytes, suffix: str) -> None:
    assert suffix_of(io.BytesIO(bundle)) == suffix
