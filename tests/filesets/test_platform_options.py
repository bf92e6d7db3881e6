"""The options of platforms: URLs of services are checked."""

import pytest

from indexer.errors import ConfigurationError
from indexer.filesets.platform_options import PlatformOptions


def test_the_url_of_a_service_ends_without_a_slash() -> None:
    options = PlatformOptions.of({"ZENODO_URL": "http://127.0.0.1:8080/"})
    assert options.zenodo_url == "http://127.0.0.1:8080"


def test_a_bad_url_of_a_service_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="zenodo"):
        PlatformOptions.of({"ZENODO_URL": "zenodo.org"})
