"""The URLs and DOIs of all platforms: which dataset each one names, or why it names none."""

from collections.abc import Sequence

from indexer.errors import FilesetError
from indexer.filesets.landing.evidence import evidence_of
from indexer.filesets.landing.resource import Resource
from indexer.filesets.platforms import find, platforms
from indexer.filesets.platforms.references import Kind
from tests.each_row import each_row
from tests.filesets.platforms.imitation import Imitation

UUID = "0c1e2f3a-1b2c-4d5e-8f90-a1b2c3d4e5f6"
HEX = "0123456789abcdef0123456789abcdef"

# What the unknown hosts of this file answer to probes, and API calls that name parents and members.
ANSWERS = {
    "https://data.example.edu/api/info/version": {"status": "OK", "data": {"version": "6.2"}},
    "http://dv.example.org:8080/api/info/version": {"status": "OK", "data": {"version": "5.1"}},
    "https://rdm.example.ac.at/api/records?size=1": {"hits": {"hits": [], "total": 0}},
    "https://api.figshare.com/v2/articles/7654321": {
        "figshare_url": "https://bridges.example.edu/articles/dataset/a/7654321"
    },
    "https://api.figshare.com/v2/collections/4000001/articles?page=1&page_size=100&per_page=100": [
        {"id": 71, "doi": "10.6084/m9.figshare.71"}
    ],
}

ROWS = (
    # Zenodo, and other sites with InvenioRDM
    ("https://zenodo.org/record/10200001", "zenodo 10200001"),
    ("https://zenodo.org/records/10200001", "zenodo 10200001"),
    ("https://zenodo.org/records/10200001/", "zenodo 10200001"),
    ("http://zenodo.org/records/10200001", "zenodo 10200001"),
    ("https://www.zenodo.org/records/10200001", "zenodo 10200001"),
    ("https://ZENODO.org/records/10200001", "zenodo 10200001"),
    ("https://zenodo.org./records/10200001", "zenodo 10200001"),
    ("https://zenodo.org:443/records/10200001", "zenodo 10200001"),
    ("https://zenodo.org/records/10200001#.ZBx1", "zenodo 10200001"),
    ("https://zenodo.org/records/10200001?preview=1", "zenodo 10200001"),
    ("https://zenodo.org/record/10200001/files/a.zip?download=1", "zenodo 10200001"),
    ("https://zenodo.org/records/10200001/files/sub/a%20b.csv", "zenodo 10200001"),
    ("https://zenodo.org/records/10200001/export/json", "zenodo 10200001"),
    ("https://zenodo.org/api/records/10200001", "zenodo 10200001"),
    ("https://zenodo.org/api/records/10200001/files", "zenodo 10200001"),
    ("https://zenodo.org/doi/10.5281/zenodo.10200001", "zenodo 10200001"),
    ("https://zenodo.org/badge/DOI/10.5281/zenodo.10200001.svg", "zenodo 10200001"),
    ("https://sandbox.zenodo.org/records/99", "zenodo 99"),
    ("https://sandbox.zenodo.org/doi/10.5072/zenodo.99", "zenodo 99"),
    ("https://doi.org/10.5281/zenodo.10200001", "zenodo 10200001"),
    ("https://doi.org/10.5281/ZENODO.10200001", "zenodo 10200001"),
    ("http://dx.doi.org/10.5281/zenodo.10200001", "zenodo 10200001"),
    ("https://www.doi.org/10.5281/zenodo.10200001", "zenodo 10200001"),
    ("https://doi.org/10.5281%2Fzenodo.10200001", "zenodo 10200001"),
    ("doi:10.5281/zenodo.10200001", "zenodo 10200001"),
    ("10.5281/zenodo.10200001", "zenodo 10200001"),
    ("https://rdm.example.ac.at/records/8d5a1-nmx34", "zenodo 8d5a1-nmx34"),
    ("https://rdm.example.ac.at/records/1234", "zenodo 1234"),
    ("https://zenodo.org/communities/biology", "no-platform-match"),
    ("https://zenodo.org/deposit/10200001", "no-platform-match"),
    ("https://zenodo.org/", "no-platform-match"),
    ("https://zenodo.org.evil.example/records/1", "no-platform-match"),
    ("https://notzenodo.org/records/1", "no-platform-match"),
    ("https://catalogue.example.org/records/1", "no-platform-match"),
    # Figshare and its portals
    ("https://figshare.com/articles/dataset/Some_title/7654321/2", "figshare 7654321 2"),
    ("https://figshare.com/articles/dataset/Some_title/7654321/2/", "figshare 7654321 2"),
    ("https://figshare.com/articles/dataset/Some_title/7654321", "figshare 7654321"),
    ("https://figshare.com/articles/dataset/Some_title/7654321/", "figshare 7654321"),
    ("https://figshare.com/articles/dataset/Some_title/7654321?file=99", "figshare 7654321"),
    ("https://figshare.com/articles/Some_title/7654321/1", "figshare 7654321 1"),
    ("https://figshare.com/articles/_/7654321", "figshare 7654321"),
    ("https://figshare.com/articles/7654321", "figshare 7654321"),
    ("https://figshare.com/articles/dataset/2019/7654321/1", "figshare 7654321 1"),
    ("https://figshare.com/articles/dataset/2019/7654321", "figshare 7654321"),
    ("https://figshare.com/articles/journal_contribution/A/7654321/3", "figshare 7654321 3"),
    ("https://figshare.com/articles/presentation/A/7654321/3", "figshare 7654321 3"),
    ("https://figshare.com/articles/poster/A/7654321/3", "figshare 7654321 3"),
    ("https://figshare.com/articles/thesis/A/7654321/3", "figshare 7654321 3"),
    ("https://figshare.com/articles/figure/A/7654321/3", "figshare 7654321 3"),
    ("https://figshare.com/articles/media/A/7654321/3", "figshare 7654321 3"),
    ("https://figshare.com/articles/software/A/7654321/3", "figshare 7654321 3"),
    ("https://figshare.com/articles/code/A/7654321/3", "figshare 7654321 3"),
    ("https://figshare.com/articles/fileset/A/7654321/3", "figshare 7654321 3"),
    ("https://figshare.com/articles/preprint/A/7654321/3", "figshare 7654321 3"),
    ("https://figshare.com/articles/conference_contribution/A/7654321", "figshare 7654321"),
    ("https://figshare.com/articles/online_resource/A/7654321", "figshare 7654321"),
    ("https://figshare.com/articles/dataset/%E8%B3%87%E6%96%99/7654321/1", "figshare 7654321 1"),
    ("https://www.figshare.com/articles/dataset/A/7654321/1", "figshare 7654321 1"),
    ("https://portal.figshare.com/articles/dataset/A/7654321/1", "figshare 7654321 1"),
    ("https://bridges.example.edu/articles/dataset/A/7654321/1", "figshare 7654321 1"),
    ("https://api.figshare.com/v2/articles/7654321/versions/2", "figshare 7654321 2"),
    ("https://doi.org/10.6084/m9.figshare.7654321.v2", "figshare 7654321 2"),
    ("https://doi.org/10.6084/M9.FIGSHARE.7654321.V2", "figshare 7654321 2"),
    ("https://doi.org/10.6084/m9.figshare.7654321", "figshare 7654321"),
    ("https://doi.org/10.25384/sage.7654321.v1", "figshare 7654321 1"),
    ("https://doi.org/10.1184/R1/7654321.v1", "figshare 7654321 1"),
    ("https://doi.org/10.6084/m9.figshare.c.4000001.v3", "platform-scope"),
    ("https://figshare.com/collections/Some_title/4000001/3", "platform-scope"),
    ("https://figshare.com/collections/4000001", "platform-scope"),
    ("https://figshare.com/ndownloader/files/13579", "platform-scope"),
    ("https://ndownloader.figshare.com/files/13579", "platform-scope"),
    ("https://figshare.com/s/0123456789abcdef0123", "platform-restricted"),
    ("https://figshare.com/projects/A/123", "no-platform-match"),
    ("https://figshare.com/authors/Jane_Doe/123", "no-platform-match"),
    ("https://figshare.com.evil.example/articles/dataset/A/7654321/1", "no-platform-match"),
    ("https://journal.example.org/articles/7000001", "no-platform-match"),
    # Dataverse
    (
        "https://dataverse.harvard.edu/dataset.xhtml?persistentId=doi:10.7910/DVN/ABCDEF",
        "dataverse doi:10.7910/DVN/ABCDEF",
    ),
    (
        "https://dataverse.harvard.edu/dataset.xhtml?persistentid=doi:10.7910/DVN/ABCDEF",
        "dataverse doi:10.7910/DVN/ABCDEF",
    ),
    (
        "https://dataverse.harvard.edu/dataset.xhtml?persistentId=doi%3A10.7910%2FDVN%2FABCDEF",
        "dataverse doi:10.7910/DVN/ABCDEF",
    ),
    (
        "https://dataverse.harvard.edu/dataset.xhtml?persistentId=DOI:10.7910/dvn/abcdef",
        "dataverse doi:10.7910/dvn/abcdef",
    ),
    (
        "https://dataverse.harvard.edu/citation?persistentId=doi:10.7910/DVN/ABCDEF",
        "dataverse doi:10.7910/DVN/ABCDEF",
    ),
    (
        "https://dataverse.harvard.edu/dataset.xhtml?persistentId=doi:10.7910/DVN/ABCDEF"
        "&version=1.1",
        "dataverse doi:10.7910/DVN/ABCDEF 1.1",
    ),
    (
        "https://dataverse.harvard.edu/dataset.xhtml?version=1.1"
        "&persistentId=https://doi.org/10.7910/DVN/ABCDEF",
        "dataverse doi:10.7910/DVN/ABCDEF 1.1",
    ),
    (
        "https://dataverse.harvard.edu/api/datasets/:persistentId/?persistentId=hdl:1902.1/12345",
        "dataverse hdl:1902.1/12345",
    ),
    (
        "https://dataverse.harvard.edu/dataset.xhtml?persistentId=perma:AB/C-1/2",
        "dataverse perma:AB/C-1/2",
    ),
    ("https://dataverse.harvard.edu/dataset.xhtml?id=321", "dataverse id:321"),
    ("https://doi.org/10.7910/DVN/ABCDEF", "dataverse doi:10.7910/dvn/abcdef"),
    ("https://doi.org/10.18710/ABCDEF", "dataverse doi:10.18710/abcdef"),
    ("https://doi.org/10.34894/ABCDEF", "dataverse doi:10.34894/abcdef"),
    (
        "http://dv.example.org:8080/dataset.xhtml?persistentId=doi:10.5072/FK2/ABCDEF",
        "dataverse doi:10.5072/FK2/ABCDEF",
    ),
    (
        "https://data.example.edu/dataset.xhtml?persistentId=doi:10.5072/12345",
        "dataverse doi:10.5072/12345",
    ),
    (
        "https://data.example.edu/dataset.xhtml?persistentId=doi:10.5072/data-2020-7",
        "dataverse doi:10.5072/data-2020-7",
    ),
    (
        "https://data.example.edu/dataset.xhtml?persistentId=doi:10.5072/FK2/A/B/C",
        "dataverse doi:10.5072/FK2/A/B/C",
    ),
    (
        "https://data.example.edu/dataset.xhtml?persistentId=doi:10.5072/FK2/ABCDEF&version=DRAFT",
        "platform-restricted",
    ),
    (
        "https://data.example.edu/file.xhtml?persistentId=doi:10.5072/FK2/ABCDEF/GHIJKL",
        "platform-scope",
    ),
    (
        "https://data.example.edu/citation?persistentId=doi:10.5072/FK2/ABCDEF/GHIJKL",
        "platform-scope",
    ),
    ("https://doi.org/10.7910/DVN/ABCDEF/GHIJKL", "platform-scope"),
    ("https://data.example.edu/file.xhtml?fileId=41", "platform-scope"),
    ("https://data.example.edu/dataset.xhtml?persistentId=ABCDEF", "no-platform-match"),
    ("https://data.example.edu/dataset.xhtml?persistentId=ark:10.5072/A", "no-platform-match"),
    ("https://other.example.edu/dataset.xhtml?persistentId=doi:10.5072/A", "no-platform-match"),
    ("https://data.example.edu/dataverse/root", "no-platform-match"),
    # archive.org
    ("https://archive.org/details/some_item-2020", "archiveorg some_item-2020"),
    ("https://archive.org/details/some_item-2020/", "archiveorg some_item-2020"),
    ("https://archive.org/details/some_item-2020?tab=about", "archiveorg some_item-2020"),
    ("http://www.archive.org/details/some_item-2020", "archiveorg some_item-2020"),
    ("https://archive.org/download/some_item-2020", "archiveorg some_item-2020"),
    ("https://archive.org/download/some_item-2020/", "archiveorg some_item-2020"),
    ("https://archive.org/metadata/some_item-2020", "archiveorg some_item-2020"),
    ("https://archive.org/download/some_item-2020/a.zip", "platform-scope"),
    ("https://archive.org/details/some_item-2020/page/n7", "platform-scope"),
    ("https://archive.org/details/@someone", "no-platform-match"),
    ("https://archive.org/search?query=a", "no-platform-match"),
    # 4TU.ResearchData
    (f"https://data.4tu.nl/datasets/{UUID}", f"4tu {UUID}"),
    (f"https://data.4tu.nl/datasets/{UUID}/2", f"4tu {UUID} 2"),
    (f"https://data.4tu.nl/articles/_/{UUID}/1", f"4tu {UUID} 1"),
    ("https://data.4tu.nl/articles/dataset/A_title/12345678/1", "4tu 12345678 1"),
    ("https://data.4tu.nl/articles/_/12345678", "4tu 12345678"),
    (f"https://doi.org/10.4121/{UUID}.v1", f"4tu {UUID} 1"),
    (f"https://doi.org/10.4121/{UUID}", f"4tu {UUID}"),
    (f"https://doi.org/10.4121/uuid:{UUID}", f"4tu {UUID}"),
    ("https://doi.org/10.4121/12345678.v1", "4tu 12345678 1"),
    (f"https://data.4tu.nl/file/{UUID}/{UUID}", "platform-scope"),
    # OSF
    ("https://osf.io/ab1cd", "osf ab1cd"),
    ("https://osf.io/ab1cd/", "osf ab1cd"),
    ("https://osf.io/AB1CD/", "osf AB1CD"),
    ("https://osf.io/ab1cd/files/", "osf ab1cd"),
    ("https://osf.io/ab1cd/files/osfstorage", "osf ab1cd"),
    ("https://osf.io/ab1cd/wiki/", "osf ab1cd"),
    ("https://osf.io/registries/osf/ab1cd", "osf ab1cd"),
    ("https://api.osf.io/v2/nodes/ab1cd/", "osf ab1cd"),
    ("https://doi.org/10.17605/OSF.IO/AB1CD", "osf ab1cd"),
    ("https://osf.io/ab1cd/files/osfstorage/0123456789abcdef01234567", "platform-scope"),
    ("https://osf.io/download/ab1cd/", "platform-scope"),
    ("https://osf.io/preprints/psyarxiv/ab1cd", "platform-scope"),
    ("https://doi.org/10.31234/osf.io/ab1cd_v2", "platform-scope"),
    ("https://osf.io/search?q=a", "no-platform-match"),
    # Dryad
    (
        "https://datadryad.org/dataset/doi:10.5061/dryad.abc12",
        "dryad 10.5061/dryad.abc12",
    ),
    (
        "https://datadryad.org/stash/dataset/doi:10.5061/dryad.abc12",
        "dryad 10.5061/dryad.abc12",
    ),
    (
        "https://datadryad.org/dataset/doi%3A10.5061%2Fdryad.abc12",
        "dryad 10.5061/dryad.abc12",
    ),
    ("https://datadryad.org/resource/doi:10.5061/dryad.abc12", "dryad 10.5061/dryad.abc12"),
    ("https://doi.org/10.5061/DRYAD.ABC12", "dryad 10.5061/dryad.abc12"),
    ("https://doi.org/10.7280/D1ABCD", "dryad 10.7280/d1abcd"),
    ("https://doi.org/10.15146/R3ABCD", "dryad 10.15146/r3abcd"),
    ("https://doi.org/10.5061/dryad.abc12/3", "platform-scope"),
    ("https://datadryad.org/resource/doi:10.5061/dryad.abc12/3", "platform-scope"),
    ("https://datadryad.org/stash/downloads/file_stream/77", "platform-scope"),
    ("https://datadryad.org/search", "no-platform-match"),
    # GitHub releases
    ("https://github.com/some/tool/releases/tag/v1.0", "github some/tool v1.0"),
    ("https://github.com/some/tool/releases/tag/data%2F2020", "github some/tool data/2020"),
    ("https://github.com/some/tool/releases/latest", "github some/tool"),
    ("https://github.com/some/tool/releases", "github some/tool"),
    ("https://github.com/some/tool", "github some/tool"),
    ("https://github.com/some/tool.git", "github some/tool"),
    ("https://github.com/some/tool/releases/download/v1.0/a.zip", "platform-scope"),
    ("https://github.com/some/tool/tree/main/data", "platform-scope"),
    ("https://github.com/some", "no-platform-match"),
    ("https://github.com/some/tool/issues/7", "no-platform-match"),
    # B2SHARE
    (f"https://b2share.eudat.eu/records/{HEX}", f"b2share {HEX}"),
    (f"https://b2share.eudat.eu/api/records/{HEX}", f"b2share {HEX}"),
    (f"https://doi.org/10.23728/b2share.{HEX}", f"b2share {HEX}"),
    ("https://b2share.eudat.eu/records/?q=a", "no-platform-match"),
    # no platform
    ("https://doi.org/10.1000/182", "no-platform-match"),
    ("https://example.org/a.pdf", "no-platform-match"),
    ("ftp://example.org/records/1", "no-platform-match"),
    ("not a URL", "no-platform-match"),
    ("http://[/records/1", "no-platform-match"),
)


KNOWN = platforms(Imitation(ANSWERS).api)


def outcome(url: str, hops: Sequence[str] = ()) -> str:
    """The platform, the id and the version of a dataset, or the status of anything else."""
    resource = Resource([url, *hops], hops[-1], "20260101000000") if hops else None
    try:
        platform, found = find(KNOWN, evidence_of(url, {}, resource))
        if found.kind is Kind.DATASET:
            return f"{platform.name} {found.id} {found.version}".rstrip()
        platform.item(found)
    except FilesetError as error:
        return error.status
    return "an item"


@each_row(("url", "expected"), ROWS)
def test_a_url_names_a_dataset_or_a_status_says_why_not(url: str, expected: str) -> None:
    assert outcome(url) == expected


def test_the_table_is_long_enough() -> None:
    assert len({url for url, _ in ROWS}) == len(ROWS) >= 120


DOI = "https://doi.org/10.5281/zenodo.10200000"


@each_row(
    ("url", "hops", "expected"),
    (
        # The DOI of all versions, whose page redirected to one of them.
        (DOI, ["https://zenodo.org/records/10200001"], "zenodo 10200001"),
        (DOI, ["https://zenodo.org/doi/10.5281/zenodo.10200000"], "zenodo 10200000"),
        (
            "https://doi.org/10.6084/m9.figshare.7654321.v2",
            ["https://figshare.com/articles/dataset/A/7654321"],
            "figshare 7654321 2",
        ),
        (
            "https://doi.org/10.6084/m9.figshare.7654321.v2",
            ["https://elsewhere.example.com/login"],
            "figshare 7654321 2",
        ),
        (
            "https://hdl.handle.net/1902.1/12345",
            ["https://data.example.edu/citation?persistentId=hdl:1902.1/12345"],
            "dataverse hdl:1902.1/12345",
        ),
        (
            "https://doi.org/10.5072/FK2/ABCDEF",
            [
                "https://data.example.edu/citation?persistentId=doi:10.5072/FK2/ABCDEF",
                "https://data.example.edu/dataset.xhtml?persistentId=doi:10.5072/FK2/ABCDEF",
                "https://login.example.edu/sso",
            ],
            "dataverse doi:10.5072/FK2/ABCDEF",
        ),
        ("https://example.org/short/1", ["https://osf.io/ab1cd/"], "osf ab1cd"),
    ),
)
def test_every_hop_is_evidence(url: str, hops: list[str], expected: str) -> None:
    assert outcome(url, hops) == expected
