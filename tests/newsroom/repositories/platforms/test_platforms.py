"""newsroom/repositories/platforms: what is promised of every dataset of every platform."""

from newsroom.repositories.dataset import Dataset
from newsroom.repositories.platforms import KINDS
from newsroom.repositories.server import Repositories
from newsroom.repositories.table import datasets
from tests.each_row import each_row
from tests.newsroom.repositories.asking import ask, follow
from tests.newsroom.repositories.platforms.walks import GOOD, WALKS, check_files

FIRST = [next(each for each in GOOD if each.platform == name) for name in WALKS]


@each_row("dataset", FIRST)
def test_the_api_leads_to_the_bytes_of_all_files(shared: Repositories, dataset: Dataset) -> None:
    check_files(shared, dataset)


@each_row("dataset", [each for each in datasets() if each.doi])
def test_a_doi_leads_to_a_page_of_its_dataset(shared: Repositories, dataset: Dataset) -> None:
    url, got = follow(shared, f"http://doi.example/{dataset.doi}")
    is_missing = dataset.state in ("hidden", "draft")
    assert got.status == (404 if is_missing else 410 if "rem" in dataset.title else got.status)
    assert got.headers["Content-Type"].startswith("text/html")
    assert got.status != 200 or f'content="{dataset.title}"'.encode() in got.body, url


def test_each_platform_has_datasets_and_a_landing_page(shared: Repositories) -> None:
    assert {each.platform for each in datasets()} == {kind.name for kind in KINDS}
    for dataset in datasets():
        if dataset.expect.startswith("success"):
            assert ask(shared, shared.landing(dataset)).status == 200


def test_each_host_has_rules_for_robots(shared: Repositories) -> None:
    for kind in KINDS:
        for host in kind.hosts:
            assert ask(shared, f"http://{host}/robots.txt").body.startswith(b"User-agent: *")


def test_unknown_hosts_and_paths_are_errors(shared: Repositories) -> None:
    assert ask(shared, "http://nowhere.example/").status == 421
    for kind in KINDS:
        assert ask(shared, f"http://{kind.hosts[0]}/no/such/path").status == 404


def test_the_table_has_enough_of_everything() -> None:
    assert len(datasets()) >= 40
    assert len({(each.platform, each.id, each.version) for each in datasets()}) == len(datasets())
