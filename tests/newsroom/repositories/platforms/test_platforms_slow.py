"""newsroom/repositories/platforms: all files of all datasets."""

from newsroom.repositories.dataset import Dataset
from newsroom.repositories.server import Repositories
from tests.each_row import each_row
from tests.newsroom.repositories.platforms.walks import GOOD, check_files


@each_row("dataset", GOOD)
def test_the_api_leads_to_the_bytes_of_all_files(shared: Repositories, dataset: Dataset) -> None:
    check_files(shared, dataset)
