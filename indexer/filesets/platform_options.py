"""The options of platforms: the URL of each API, its token, and policies."""

from typing import Literal

from pydantic import SecretStr

from indexer.filesets.service_url import ServiceURL
from indexer.system.options import Options, option


class ArchiveorgOptions(Options):
    """The options of archive.org, as a platform and as a store of items."""

    archiveorg_url: ServiceURL = option(
        "https://archive.org", "URL of archive.org", "ARCHIVEORG_URL"
    )
    ia_access_key: SecretStr = option(
        SecretStr(""), "access key for uploads to archive.org", "IA_ACCESS_KEY"
    )
    ia_secret_key: SecretStr = option(SecretStr(""), "its secret key", "IA_SECRET_KEY")


class PlatformOptions(ArchiveorgOptions):
    """Part of the options of programs that ask platforms for the files of datasets."""

    version_policy: Literal["scope", "latest"] = option(
        "scope",
        "a DOI of all versions: scope (refuse it, naming the versions) or latest (take that one)",
        "FILESETS_VERSION_POLICY",
    )
    file_policy: Literal["scope", "parent"] = option(
        "scope",
        "the DOI of one file: scope (refuse it, naming its dataset) or parent (take the dataset)",
        "FILESETS_FILE_POLICY",
    )
    report_gone: bool = option(
        False,
        "report deleted datasets as platform-gone, not as platform-restricted",
        "FILESETS_REPORT_GONE",
    )
    partial: bool = option(
        False,
        "archive the public files of a dataset that has restricted ones, as success-partial",
        "FILESETS_PARTIAL",
    )
    zenodo_url: ServiceURL = option("https://zenodo.org", "URL of Zenodo", "ZENODO_URL")
    figshare_url: ServiceURL = option("https://figshare.com", "URL of Figshare", "FIGSHARE_URL")
    figshare_api_url: ServiceURL = option(
        "https://api.figshare.com/v2", "URL of the API of Figshare", "FIGSHARE_API_URL"
    )
    figshare_download_url: ServiceURL = option(
        "https://ndownloader.figshare.com", "URL of Figshare's zips", "FIGSHARE_DOWNLOAD_URL"
    )
    fourtu_url: ServiceURL = option("https://data.4tu.nl", "URL of 4TU.ResearchData", "FOURTU_URL")
    osf_url: ServiceURL = option("https://osf.io", "URL of OSF", "OSF_URL")
    osf_api_url: ServiceURL = option(
        "https://api.osf.io/v2", "URL of the API of OSF", "OSF_API_URL"
    )
    osf_files_url: ServiceURL = option(
        "https://files.osf.io/v1", "URL of OSF's zips", "OSF_FILES_URL"
    )
    dryad_url: ServiceURL = option("https://datadryad.org", "URL of Dryad", "DRYAD_URL")
    github_url: ServiceURL = option("https://github.com", "URL of GitHub", "GITHUB_URL")
    github_api_url: ServiceURL = option(
        "https://api.github.com", "URL of the API of GitHub", "GITHUB_API_URL"
    )
    b2share_url: ServiceURL = option("https://b2share.eudat.eu", "URL of B2SHARE", "B2SHARE_URL")
    osf_token: SecretStr = option(SecretStr(""), "token for OSF", "OSF_TOKEN")
    github_token: SecretStr = option(SecretStr(""), "token for GitHub", "GITHUB_TOKEN")
    dryad_client_id: str = option("", "id of a client of Dryad's API", "DRYAD_CLIENT_ID")
    dryad_client_secret: SecretStr = option(
        SecretStr(""), "secret of this client: Dryad's files need one", "DRYAD_CLIENT_SECRET"
    )
    api_timeout: float = option(60.0, "seconds for an API answer", "FILESETS_API_TIMEOUT")
    api_tries: int = option(5, "most tries of an API call", "FILESETS_API_TRIES")
    api_wait: float = option(
        120.0, "longest wait that a platform may ask for, in seconds", "FILESETS_API_WAIT"
    )
    api_bytes: int = option(50_000_000, "largest API answer", "FILESETS_API_BYTES")
    max_manifest: int = option(
        10_000, "files listed of a dataset; listing ends after them", "FILESETS_MAX_MANIFEST"
    )
