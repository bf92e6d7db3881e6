"""Replay tools find every page of our archives by the indexes beside them."""

import json
import random
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import pytest

from indexer.stories.story import Story
from indexer.warc.surt import surt
from indexer.warc.writer import target_uri
from scripts.replay import replay_tools
from scripts.services.loopback import free_port
from scripts.services.service import Unavailable
from tests import services
from tests.paths import ROOT
from tests.patience import PATIENCE
from tests.stories.archived import a_story
from tests.workers.stories.test_archiver import add, make, stored

URLS = [
    "https://www.example.com/News/Story.html?b=2&a=1",
    "http://example.com:8080/a//b/",
    "http://example.com/?x=1&PHPSESSID=0123456789abcdef0123456789abcdef&y=2",
    "http://bücher.example/zeitung/äpfel?q=süß",
    "http://example.com/a%2Fb?u=http%3A%2F%2Fb.com%2F%3Fc%3Dd",
    "https://example.com/news/2024/05/01/100%25",
    "https://example.com/article.php?id=1&id=2&",
    "http://192.168.0.1/page",
]
HTML = "<!DOCTYPE html><meta charset=utf-8><title>Seite</title><p>Grüße {}</p>"


@pytest.fixture(scope="module")
def tools() -> Path:
    """The folder of the replay tools' programs."""
    try:
        return replay_tools()
    except Unavailable as error:
        if services.required():
            raise
        pytest.skip(str(error))


def stories() -> list[Story]:
    """A story at each URL."""
    found = []
    for number, url in enumerate(URLS):
        story = a_story(number, HTML.format(number).encode())
        story.http_metadata.final_url = url
        found.append(story)
    return found


@pytest.fixture
def archives(tmp_path: Path) -> list[Path]:
    """Two archives in one folder, with their indexes."""
    worker = make(tmp_path)
    for batch in (stories()[::2], stories()[1::2]):
        add(worker, *batch)
        worker.flush()
    worker.close()
    return stored(tmp_path)


LAYOUT = """
mkdir -p collections/news/archive collections/news/indexes
ln -s "$1"/*/*/*/*.warc.gz collections/news/archive/
LC_ALL=C sort -m "$1"/*/*/*/*.cdxj > collections/news/indexes/news.cdxj
"""
"""The commands of docs/archives.md, with the folder of the archives as an argument."""


@pytest.fixture
def pywb(tools: Path, archives: Sequence[Path], tmp_path: Path) -> Iterator[str]:
    """The URL of pywb, with the collections `news`, of links, and `day`, the folder itself."""
    folder = tmp_path / "replay"
    folder.mkdir()
    subprocess.run(["sh", "-euc", LAYOUT, "sh", str(tmp_path / "store")], cwd=folder, check=True)
    day = {"index": f"{archives[0].parent}/", "archive_paths": f"{archives[0].parent}/"}
    (folder / "config.yaml").write_text(json.dumps({"collections": {"day": day}}))
    port = free_port()
    command = [str(tools / "wayback"), "--bind", "127.0.0.1", "--port", str(port)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
    try:
        wait(process, f"http://127.0.0.1:{port}/")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def wait(process: "subprocess.Popen[bytes]", url: str) -> None:
    """Wait until the server answers."""
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url, timeout=PATIENCE).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"pywb does not answer; status {process.poll()}")


def test_pywb_replays_every_page_as_it_was_received(pywb: str) -> None:
    for story, collection in product(stories(), ("news", "day")):
        url = target_uri(story.http_metadata.final_url or "")
        # `id_`: without pywb's own changes to the page.
        with urllib.request.urlopen(f"{pywb}/{collection}/20240430id_/{url}") as answer:
            assert answer.read() == story.raw_html.html, url
            assert answer.headers["Memento-Datetime"] == "Tue, 30 Apr 2024 18:00:00 GMT"


def test_the_documented_commands_are_these() -> None:
    document = (ROOT / "docs" / "archives.md").read_text(encoding="utf-8")
    for line in LAYOUT.strip().replace('"$1"', "/srv/news/archive").splitlines()[1:]:
        assert f"    {line}\n" in document


def test_indexes_are_those_of_cdxj_indexer(tools: Path, archives: Sequence[Path]) -> None:
    assert len(archives) == 2
    for archive in archives:
        program = str(tools / "cdxj-indexer")
        command = [program, "--sort", "--records", "response", str(archive)]
        done = subprocess.run(command, capture_output=True, check=True)
        assert archive.with_name(f"{archive.name}.cdxj").read_bytes() == done.stdout


HOSTS = """
    e.com www.E.com WWW3.news.co.uk e.com:80 e.com:443 e.com:8080 u:p@e.com 1.2.3.4 127.1
    b%C3%BCcher.de bücher.de xn--bcher-kva.de e.com. e..com [::1] [2001:DB8::1]:8080 a_b.com
    localhost www.com 0300.1.2.3 -a.com 中国.cn ß.de www12.34.de
"""
PIECES = """
    / // . .. a B www. ? & = # %20 %2F %252f %C3%A9 %e4 é 中 + ; ~ | @ : \\ ' " < { ^ ` % %zz %00
    %23 %3f %26 %25 _ * , ( ) $ ! a=1 b=2 A-b=3 a1= utm_source=x cfid=1&cftoken=2
    jsessionid=SESSION PHPSESSID=SESSION sid=SESSION (a(0123456789abcdef01234567))/x.aspx
"""
KEYS = "import json, surt, sys; print(json.dumps([surt.surt(url) for url in json.load(sys.stdin)]))"


def test_keys_of_made_up_urls_are_those_of_surt(tools: Path) -> None:
    chance = random.Random(11)
    hosts = HOSTS.split()
    pieces = [" ", *PIECES.replace("SESSION", "0123456789abcdef" * 2).split()]
    urls = [
        chance.choice(["http://", "https://", "HTTP://"])
        + chance.choice(hosts)
        + chance.choice("//?")
        + "".join(chance.choices(pieces, k=chance.randrange(9)))
        for _ in range(5000)
    ]
    command = [str(tools / "python"), "-c", KEYS]
    done = subprocess.run(command, input=json.dumps(urls).encode(), capture_output=True, check=True)
    keys = json.loads(done.stdout)
    assert [(url, surt(url)) for url in urls] == list(zip(urls, keys, strict=True))
