"""Where the log goes."""

import logging

import pytest

from indexer.errors import ConfigurationError
from indexer.system.logs import level_of


def test_an_unknown_level_is_refused() -> None:
    assert level_of("WARN") == logging.WARNING
    with pytest.raises(ConfigurationError, match="no log level 'loud'"):
        level_of("loud")
