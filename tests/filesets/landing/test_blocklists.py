"""The blocklists: papers' hosts are skipped, platforms of datasets are not."""

from pathlib import Path

import pytest

from indexer.errors import ConfigurationError, FilesetError
from indexer.filesets.landing.blocklists import BlocklistOptions, Blocklists
from tests.each_row import each_row

LISTS = Blocklists(BlocklistOptions())


@each_row(
    "url",
    (
        "https://ieeexplore.ieee.org/document/1",
        "https://validate.perfdrive.com/?ssa=1",
        "https://orcid.org/0000-0002-1825-0097",
        "https://doi.org/10.2307/1234",
        "https://UNSWORKS.unsw.edu.au/handle/1",
        "https://plutof.ut.ee/#/doi/10.15156/1",
    ),
)
def test_a_blocked_url_is_skipped(url: str) -> None:
    for check in (LISTS.check_before, LISTS.check_after):
        with pytest.raises(FilesetError, match="skip-url-blocklist"):
            check(url)


@each_row(
    "url",
    (
        "https://zenodo.org/records/1",
        "https://archive.org/details/item",
        "https://doi.pangaea.de/10.1594/PANGAEA.1",
        "https://www.gbif.org/dataset/1",
        "https://doi.org/10.15468/abc",
        "https://doi.org/10.18730/abc",
        "https://www.fao.org/glis/doi/10.18730/abc",
    ),
)
def test_repositories_of_datasets_are_not_blocked(url: str) -> None:
    LISTS.check_before(url)
    LISTS.check_after(url)


def test_entries_of_the_archive_apply_only_to_the_end_of_a_chain() -> None:
    url = "https://web.archive.org/web/2020/https://example.org/"
    LISTS.check_before(url)
    with pytest.raises(FilesetError, match="skip-url-blocklist"):
        LISTS.check_after(url)


@each_row(
    "url",
    (
        "https://example.org/cookieAbsent",
        "https://example.org/a?cookieSet=1",
        "https://example.org/a?error=cookies_not_supported",
        "https://secure.jbs.elsevierhealth.com/a",
    ),
)
def test_a_wall_of_cookies_is_told_apart(url: str) -> None:
    LISTS.check_before(url)
    with pytest.raises(FilesetError, match="blocked-cookie"):
        LISTS.check_after(url)


def test_an_operator_has_lists_of_his_own(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("# mine\n\n://zenodo.org/\n")
    with pytest.raises(FilesetError, match="skip-url-blocklist"):
        Blocklists(BlocklistOptions(blocked_urls=mine)).check_before("https://zenodo.org/a")
    with pytest.raises(ConfigurationError, match=r"none\.txt"):
        Blocklists(BlocklistOptions(cookie_walls=tmp_path / "none.txt"))
