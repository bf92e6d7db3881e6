"""The manifest and the names of one dataset of each platform, in each shape of its API."""

from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platforms import PLATFORMS
from tests.each_row import each_row
from tests.filesets.platforms.samples import HEX, SAMPLES, UUID, item_of, sample

MD5 = "9e107d9d372bb6826bd81d3542a419d6"
SHA1 = "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12"
SHA256 = "d7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592"

ZENODO_FILE = (
    "sub dir/data file.csv 1234 md5 - "
    "https://zenodo.org/api/records/10200001/files/sub%20dir/data%20file.csv/content"
)
NATIVE_FILE = ZENODO_FILE.replace(" - ", " text/csv ")
NOTES = "notes.pdf 99 sha1 application/pdf https://dataverse.harvard.edu/api/access/datafile/42"

EXPECTED = {
    "zenodo": ("zenodo.org-10200001", "10200001 v1.0 10200000", [ZENODO_FILE]),
    "zenodo, legacy": ("zenodo.org-10200001", "10200001 v1.0 10200000", [ZENODO_FILE]),
    "zenodo, October 2023": ("zenodo.org-10200001", "10200001 v1.0 10200000", [ZENODO_FILE]),
    "zenodo, native": ("zenodo.org-10200001", "10200001 2 10200000", [NATIVE_FILE]),
    "figshare": (
        "figshare.com-7654321-v2",
        "7654321 2 7654321",
        [
            "a.wav 10 md5 audio/x-wav https://ndownloader.figshare.com/files/501",
            "b.txt 20  - https://ndownloader.figshare.com/files/502",
        ],
    ),
    "dataverse": (
        "dataverse.harvard.edu-ABCDEF-v2.1",
        "doi:10.7910/DVN/ABCDEF 2.1 doi:10.7910/DVN/ABCDEF",
        [
            "data/raw/survey.dta 7168 md5 application/x-stata-14 https://dataverse.harvard.edu/api"
            "/access/datafile/:persistentId/?persistentId=doi:10.7910/DVN/ABCDEF/GHIJKL"
            "&format=original",
            NOTES,
        ],
    ),
    "dataverse, old version": (
        "dataverse.harvard.edu-ABCDEF-v1.0",
        "doi:10.7910/DVN/ABCDEF 1.0 doi:10.7910/DVN/ABCDEF",
        [NOTES],
    ),
    "archiveorg": (
        "some_Item",
        "some_Item None None",
        [
            "a b#1.csv 10 md5,sha1 text/csv https://archive.org/download/some_Item/a%20b%231.csv",
            "odd.xyz 20 md5,sha1 - https://archive.org/download/some_Item/odd.xyz",
        ],
    ),
    "osf": (
        "osf.io-ab1cd-v2024-05-06",
        "ab1cd 2024-05-06 ab1cd",
        [
            "a.csv 10 md5,sha256 - https://osf.io/download/f1/",
            "b.csv 20 md5,sha256 - https://osf.io/download/f2/",
            "sub/c d.csv 30 md5,sha256 - https://osf.io/download/f3/",
        ],
    ),
    "dryad": (
        "datadryad.org-dryad.abc12-v3",
        "10.5061/dryad.abc12 3 10.5061/dryad.abc12",
        [
            "a.csv 10 md5 text/csv https://datadryad.org/api/v2/files/71/download",
            "b.csv 20 sha256 text/csv https://datadryad.org/api/v2/files/72/download",
        ],
    ),
    "github": (
        "github.com-some_tool-v1.0",
        "some/tool@v1.0 v1.0 some/tool",
        [
            "data.zip 10 sha256 application/zip "
            "https://github.com/some/tool/releases/download/v1.0/data.zip",
            "old.zip 20  application/zip "
            "https://github.com/some/tool/releases/download/v1.0/old.zip",
        ],
    ),
    "b2share": (
        f"b2share.eudat.eu-{HEX}",
        f"{HEX} 1 None",
        ["a b.nc 10 md5 - https://b2share.eudat.eu/api/files/7b/a%20b.nc"],
    ),
    "4tu": (
        f"data.4tu.nl-{UUID}-v1",
        f"{UUID} 1 {UUID}",
        [f"a.csv 10 md5 - https://data.4tu.nl/file/{UUID}/9"],
    ),
}


def line(file: FilesetManifestFile) -> str:
    """A file of a manifest in one line; its hashes are checked, and only named."""
    assert set(file.hashes.values()) <= {MD5, SHA1, SHA256}
    hashes = ",".join(sorted(file.hashes))
    return f"{file.path} {file.size} {hashes} {file.mimetype or '-'} {file.platform_url}"


@each_row(("name", "expected"), EXPECTED.items())
def test_a_dataset_becomes_an_item(name: str, expected: tuple[str, str, list[str]]) -> None:
    item = item_of(*sample(name))
    ids = f"{item.platform_id} {item.platform_version} {item.platform_concept_id}"
    found = (item.archiveorg_item_name, ids, [line(file) for file in item.files])
    assert found == expected
    assert item.platform_name == name.partition(",")[0]
    assert item.platform_status == "success"
    assert item.platform_base_url
    assert item.archiveorg_item_meta
    assert item.archiveorg_item_meta["title"]
    assert item.archiveorg_item_meta["creator"]


def test_each_platform_has_a_sample() -> None:
    assert EXPECTED.keys() == SAMPLES.keys()
    named = {name.partition(",")[0] for name in SAMPLES}
    assert named | {"generic"} == {platform.name for platform in PLATFORMS}


def test_the_metadata_of_an_item_are_those_of_the_platform() -> None:
    assert item_of(*sample("dataverse")).archiveorg_item_meta == {
        "collection": "datasets",
        "date": "2024-01-02",
        "source": "https://dataverse.harvard.edu/dataset.xhtml"
        "?persistentId=doi:10.7910/DVN/ABCDEF&version=2.1",
        "doi": "10.7910/DVN/ABCDEF",
        "external-identifier": "urn:doi:10.7910/DVN/ABCDEF",
        "title": "A survey",
        "creator": ["Doe, Jane", "Roe, Ann"],
        "description": "What people said<br>Be kind",
        "license": "http://creativecommons.org/publicdomain/zero/1.0",
        "licenseurl": "http://creativecommons.org/publicdomain/zero/1.0",
        "version": "2.1",
    }


def test_endpoints_are_options() -> None:
    url, answers = sample("zenodo")
    here = "http://127.0.0.1:8080"
    moved = {each.replace("https://zenodo.org", here): value for each, value in answers.items()}
    item = item_of(url.replace("https://zenodo.org", here), moved, zenodo_url=here)
    assert item.platform_domain == "127.0.0.1"
    by_doi = item_of("https://doi.org/10.5281/zenodo.10200001", moved, zenodo_url=here)
    assert by_doi.files == item.files
    assert str(by_doi.files[0].platform_url).startswith(here)


def test_files_that_the_archive_made_of_torrents_are_left_out() -> None:
    id = "academictorrents_0123"
    names = ["a.csv", f"{id}_academictorrents.torrent", f"{id}.bib", f"{id}_archive.torrent"]
    files = [{"name": name, "source": "original"} for name in names]
    answers = {f"https://archive.org/metadata/{id}": {"metadata": {"a": 1}, "files": files}}
    item = item_of(f"https://archive.org/details/{id}", answers)
    assert [file.path for file in item.files] == ["a.csv"]
