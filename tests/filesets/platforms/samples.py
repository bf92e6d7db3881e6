"""One dataset of each platform, in each shape: its URL, and the answers of the API."""

from collections.abc import Mapping
from typing import Any

from indexer.filesets.landing.evidence import evidence_of
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.platforms import find, platforms
from tests.filesets.platforms.imitation import Imitation, json_file

UUID = "0c1e2f3a-1b2c-4d5e-8f90-a1b2c3d4e5f6"
HEX = "0123456789abcdef0123456789abcdef"

ZENODO = "https://zenodo.org/api/records/10200001"
FIGSHARE = "https://api.figshare.com/v2/articles/7654321"
DATAVERSE = "https://dataverse.harvard.edu/api/datasets/:persistentId"
PID = "?persistentId=doi:10.7910/DVN/ABCDEF"
ARCHIVEORG = "https://archive.org/metadata/some_Item"
OSF = "https://api.osf.io/v2"
OSF_NODE = f"{OSF}/nodes/ab1cd"
DRYAD = "https://datadryad.org/api/v2"
GITHUB = "https://api.github.com/repos/some/tool/releases"
B2SHARE = f"https://b2share.eudat.eu/api/records/{HEX}"
FOURTU = f"https://data.4tu.nl/v2/articles/{UUID}"

SAMPLES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "zenodo": ("https://zenodo.org/records/10200001", {ZENODO: "zenodo_today"}),
    "zenodo, legacy": ("https://zenodo.org/record/10200001", {ZENODO: "zenodo_legacy"}),
    "zenodo, October 2023": ("https://zenodo.org/record/10200001", {ZENODO: "zenodo_transitional"}),
    "zenodo, native": ("https://zenodo.org/records/10200001", {ZENODO: "zenodo_native"}),
    "figshare": (
        "https://figshare.com/articles/dataset/Sounds/7654321/2",
        {f"{FIGSHARE}/versions/2": "figshare_article"},
    ),
    "dataverse": (
        f"https://dataverse.harvard.edu/dataset.xhtml{PID}",
        {f"{DATAVERSE}/{PID}": "dataverse_dataset"},
    ),
    "dataverse, old version": (
        f"https://dataverse.harvard.edu/dataset.xhtml{PID}&version=1.0",
        {f"{DATAVERSE}/versions/1.0{PID}": "dataverse_version"},
    ),
    "archiveorg": ("https://archive.org/details/some_Item", {ARCHIVEORG: "archiveorg_item"}),
    "osf": (
        "https://osf.io/ab1cd/",
        {
            f"{OSF}/guids/ab1cd/": "osf_guid",
            f"{OSF_NODE}/?embed=license&embed=bibliographic_contributors": "osf_node",
            f"{OSF_NODE}/files/osfstorage/?page[size]=100": "osf_files",
            f"{OSF_NODE}/files/osfstorage/?page=2": "osf_files_2",
            f"{OSF_NODE}/files/osfstorage/d1/": "osf_folder",
        },
    ),
    "dryad": (
        "https://doi.org/10.5061/dryad.abc12",
        {
            f"{DRYAD}/datasets/doi%3A10.5061%2Fdryad.abc12": "dryad_dataset",
            f"{DRYAD}/versions/123/files?per_page=100": "dryad_files",
            f"{DRYAD}/versions/123/files?page=2&per_page=100": "dryad_files_2",
        },
    ),
    "github": (
        "https://github.com/some/tool/releases/tag/v1.0",
        {
            f"{GITHUB}/tags/v1.0": "github_release",
            f"{GITHUB}/55/assets?page=1&page_size=100&per_page=100": "github_assets",
        },
    ),
    "b2share": (f"https://b2share.eudat.eu/records/{HEX}", {B2SHARE: "b2share_record"}),
    "4tu": (
        f"https://data.4tu.nl/datasets/{UUID}/1",
        {f"{FOURTU}/versions/1": "fourtu_article"},
    ),
}


def sample(name: str) -> tuple[str, dict[str, Any]]:
    """The URL of a sample, and its answers by URL."""
    url, files = SAMPLES[name]
    return url, {each: json_file(file) for each, file in files.items()}


def item_of(url: str, answers: Mapping[str, Any], **options: Any) -> FilesetPlatformItem:
    """The dataset at a URL, of platforms that answer so. Raises FilesetError."""
    known = platforms(Imitation(answers, **options).api)
    platform, reference = find(known, evidence_of(url, {}))
    return platform.item(reference)
