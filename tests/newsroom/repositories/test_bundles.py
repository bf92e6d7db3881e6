"""newsroom/repositories/bundles.py: zips as servers send them, and how they fail."""

import io
import zipfile

import pytest

from newsroom.repositories.bundles import failed, zipped

TOLD = b"a.csv (text/csv) 1 bytes.\r\nb.csv (text/csv) 1 bytes.\r\n"
GOOD = zipped([("a.csv", b"1"), ("b.csv", b"2"), ("MANIFEST.TXT", TOLD)])


def test_a_zip_has_its_sizes_behind_the_data() -> None:
    with zipfile.ZipFile(io.BytesIO(GOOD)) as bundle:
        assert all(info.flag_bits & 8 for info in bundle.infolist())
        assert bundle.read("b.csv") == b"2"


def names(how: str) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(failed(GOOD, how))) as bundle:
        return bundle.namelist()


def test_each_failure_is_in_the_zip() -> None:
    assert names("left-out") == ["b.csv", "MANIFEST.TXT"]
    with zipfile.ZipFile(io.BytesIO(failed(GOOD, "left-out"))) as bundle:
        assert b"a.csv (text/csv) skipped because" in bundle.read("MANIFEST.TXT")
    assert names("unsafe")[-1] == "../../up.txt"
    assert names("more")[-1] == "more.txt"
    with zipfile.ZipFile(io.BytesIO(failed(GOOD, "wrong"))) as bundle:
        assert bundle.read("a.csv") == b"0"
    with pytest.raises(zipfile.BadZipFile):
        zipfile.ZipFile(io.BytesIO(failed(GOOD, "cut")))
    with pytest.raises(KeyError):
        failed(GOOD, "unknown")
