"""The options of landing pages: where they come from, and the resolver of DOIs."""

from typing import Literal

from indexer.filesets.landing.blocklists import BlocklistOptions
from indexer.filesets.service_url import ServiceURL
from indexer.system.options import option


class LandingOptions(BlocklistOptions):
    """Part of the options of programs that fetch the pages of datasets."""

    doi_url: ServiceURL = option("https://doi.org", "URL of the resolver of DOIs", "DOI_URL")
    landing_page: Literal["live", "archive"] = option(
        "live",
        "where pages come from: live (the site) or archive (captures of the web archive)",
        "FILESETS_LANDING_PAGE",
    )
