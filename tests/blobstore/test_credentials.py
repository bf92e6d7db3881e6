"""Complete sets of variables, and the order in which they are tried."""

import pytest
from pydantic import SecretStr

from indexer.blobstore import StoreCredentials
from indexer.blobstore.credentials import StoreSettings, credentials, stores

COMPLETE = {
    "QUEUER_S3_REGION": "eu-west-1",
    "QUEUER_S3_ACCESS_KEY_ID": "key",
    "QUEUER_S3_SECRET_ACCESS_KEY": "hush-hush",
}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """One complete set of variables."""
    for name, value in COMPLETE.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


def test_a_complete_set_counts() -> None:
    secret = SecretStr("hush-hush")
    assert stores("QUEUER") == [
        StoreSettings("QUEUER", "s3", "", StoreCredentials("key", secret, "eu-west-1"))
    ]


@pytest.mark.parametrize("missing", COMPLETE)
@pytest.mark.parametrize("blank", [True, False])
def test_a_set_that_lacks_an_item_does_not(
    environment: pytest.MonkeyPatch, missing: str, blank: bool
) -> None:
    if blank:
        environment.setenv(missing, "")
    else:
        environment.delenv(missing)
    assert stores("QUEUER") == []


def test_an_endpoint_stands_for_a_region(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("QUEUER_S3_REGION", "")
    environment.setenv("QUEUER_S3_ENDPOINT", "http://127.0.0.1:9000")
    (store,) = stores("QUEUER")
    assert store.credentials.endpoint == "http://127.0.0.1:9000"


def test_a_secret_may_be_in_a_file(
    environment: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("secrets") / "key"
    file.write_text("from the file\n", encoding="utf-8")
    environment.delenv("QUEUER_S3_SECRET_ACCESS_KEY")
    environment.setenv("QUEUER_S3_SECRET_ACCESS_KEY_FILE", str(file))
    assert stores("QUEUER")[0].credentials.secret_access_key.get_secret_value() == "from the file"


def test_the_bucket_makes_the_url(environment: pytest.MonkeyPatch) -> None:
    for name, value in COMPLETE.items():
        environment.setenv(name.replace("QUEUER_S3", "ARCHIVER_B2"), value)
    environment.setenv("ARCHIVER_B2_BUCKET", "archive")
    assert [store.url for store in stores("ARCHIVER")] == ["b2://archive"]


def test_the_programs_own_come_first(environment: pytest.MonkeyPatch) -> None:
    for name in COMPLETE:
        environment.setenv(name.replace("QUEUER", "RSS"), f"own {name}")
    assert [store.name for store in stores("RSS", "QUEUER")] == ["RSS", "QUEUER"]
    assert [each.access_key_id for each in credentials("s3", ["RSS", "QUEUER"])] == [
        "own QUEUER_S3_ACCESS_KEY_ID",
        "key",
    ]


def test_without_variables_the_client_uses_its_own_configuration() -> None:
    assert credentials("b2", ["QUEUER"]) == [StoreCredentials()]


def test_no_secret_is_shown() -> None:
    assert "hush-hush" not in repr(stores("QUEUER"))
