"""The realms, by name."""

import pytest

from indexer.errors import ConfigurationError
from indexer.stack.realms import REALMS, realm


def test_a_realm_has_ports_of_its_own() -> None:
    assert {each.name: each.ports for each in REALMS} == {"prod": 0, "staging": 10, "dev": 20}


def test_an_unknown_realm_is_an_error_that_names_those_there_are() -> None:
    with pytest.raises(ConfigurationError, match="no realm 'test': there are prod, staging, dev"):
        realm("test")
