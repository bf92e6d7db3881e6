"""`story-indexer archives` on a real bucket, with archives that are damaged or not ours."""

import io
import json
from pathlib import Path

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner, Result

from indexer.blobstore import Blobstore, StoreCredentials, open_blobstore
from indexer.commands.archives import warc
from indexer.commands.archives.archives import app
from indexer.warc.cdxj import index_of
from tests.services import S3
from tests.stories.archived import a_story, archive

pytestmark = pytest.mark.external

SOUND = "2024/05/01/mc-20240501120000-1-host.warc.gz"
MISPLACED = "2024/05/02/mc-20240501120000-2-host.warc.gz"
CUT = "2024/05/03/mc-20240503120000-1-host.warc.gz"
FOREIGN = "uploads/page.warc.gz"


def url(number: int) -> str:
    return f"https://site.example/news/{number}"


def put(store: Blobstore, key: str, data: bytes) -> None:
    store.put(key, io.BytesIO(data))


@pytest.fixture
def store(s3: S3, monkeypatch: pytest.MonkeyPatch) -> Blobstore:
    """A bucket with four archives and a file that is none; its credentials are the archiver's."""
    for name, value in {
        "ENDPOINT": s3.endpoint,
        "REGION": "us-east-1",
        "ACCESS_KEY_ID": s3.access_key,
        "SECRET_ACCESS_KEY": s3.secret_key,
    }.items():
        monkeypatch.setenv(f"ARCHIVER_S3_{name}", value)
    credentials = StoreCredentials(
        s3.access_key, SecretStr(s3.secret_key), "us-east-1", s3.endpoint
    )
    store = open_blobstore(f"s3://{s3.bucket}", credentials)
    put(store, SOUND, archive([a_story(number) for number in (1, 2)]))
    put(store, MISPLACED, archive([a_story(number) for number in (3, 4)]))
    put(store, CUT, archive([a_story(number) for number in (5, 6)])[:-200])
    put(store, FOREIGN, b"<html>")
    put(store, "2024/05/01/notes.txt", b"not an archive")
    return store


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_the_stories_of_a_bucket_are_listed(store: Blobstore) -> None:
    result = run("list", f"{store.url}/*")
    assert result.stdout.split() == [url(number) for number in (5, 3, 4, 1, 2)]
    assert f"{store.url}/{FOREIGN}: record 1, offset 0: not a WARC file" in result.stderr
    assert f"{store.url}/{CUT}: record 5" in result.stderr
    assert result.exit_code == 1


def test_the_archives_of_a_prefix_are_listed(store: Blobstore) -> None:
    result = run("list", "--names", f"{store.url}/2024/05/0*")
    names = [f"{store.url}/{key}" for key in (CUT, MISPLACED, SOUND)]
    assert (result.stdout.split(), result.exit_code) == (names, 0)


def test_the_archive_that_holds_a_story_is_found(store: Blobstore) -> None:
    result = run("find", f"{url(4)}?from=rss", url(1), "--in", f"{store.url}/2024/05/01/*")
    assert result.stdout == f"{store.url}/{SOUND}  2  2024-04-30T18:00:00Z  {url(1)}\n"
    assert result.stderr == f"not found: {url(4)}?from=rss\n"
    assert result.exit_code == 1
    days = [f"{store.url}/2024/05/0{day}/*" for day in (1, 2)]
    both = run("find", f"{url(4)}?from=rss", url(1), "--in", days[0], "--in", days[1])
    assert len(both.stdout.splitlines()) == 2
    assert both.exit_code == 0


def test_a_bucket_is_verified_and_what_was_sound_not_read_again(
    store: Blobstore, tmp_path: Path
) -> None:
    report = str(tmp_path / "report.jsonl")
    result = run("verify", f"{store.url}/*", "--report", report, "--json", "--jobs", "3")
    *archives, last = map(json.loads, result.stdout.splitlines())
    sound = {each["archive"]: each["sound"] for each in archives}
    assert sound == {
        f"{store.url}/{FOREIGN}": False,
        f"{store.url}/{CUT}": False,
        f"{store.url}/{MISPLACED}": True,
        f"{store.url}/{SOUND}": True,
    }
    notes = {each["archive"].removeprefix(f"{store.url}/"): each["notes"] for each in archives}
    assert notes[MISPLACED] == ["in the folder of 2024-05-02, but its name has the date 2024-05-01"]
    assert notes[FOREIGN] == ["not in a folder YYYY/MM/DD"]
    assert notes[SOUND] == notes[CUT] == []
    assert (last["summary"]["stories"], result.exit_code) == (5, 1)

    put(store, CUT, archive([a_story(5)]))
    put(store, SOUND, archive([a_story(number) for number in (1, 2, 7)]))
    store.delete(FOREIGN)
    result = run("verify", f"{store.url}/*", "--report", report)
    assert result.stdout.splitlines()[-1] == (
        "3 archives: 3 sound, 0 not sound, 1 of them verified before; 6 stories, 0.00 GB"
    )
    assert result.exit_code == 0


def test_the_indexes_of_a_bucket_lie_beside_its_archives(store: Blobstore) -> None:
    arguments = ["index", f"{store.url}/2024/05/*"]
    result = CliRunner().invoke(warc.app, arguments)
    assert result.exit_code == 1
    assert f"{CUT}: record 5, offset " in result.stderr
    for key in (SOUND, MISPLACED, CUT):
        with store.open(key) as file, store.open(f"{key}.cdxj") as index:
            assert index.read() == index_of(file, key.rpartition("/")[2]).dump()
    again = CliRunner().invoke(warc.app, arguments)
    assert (again.exit_code, again.stderr) == (0, "")
    assert "0 indexes made, 3 there before" in again.stdout
