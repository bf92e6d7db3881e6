"""The files of a capture: the bytes that were hashed, without transfer codings."""

import gzip
from pathlib import Path

from indexer.blobstore import open_blobstore
from indexer.filesets.exporting.contents import contents
from indexer.filesets.items.item import Item
from indexer.filesets.items.layout import CAPTURE, ItemManifest, StoredFile
from tests.warc.wire import archived, exchange

URL = "http://site.example/"
PACKED = gzip.compress(b"packed", mtime=0)
ANSWERS = {
    "again": b"HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nno",
    "chunked": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"3\r\nchu\r\n4\r\nnked\r\n0\r\n\r\n",
    "stored.gz": b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + PACKED,
    "a%20b": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nblank",
    "other": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother",
}


def item_of(tmp_path: Path, capture: bytes) -> Item:
    item = Item(open_blobstore(str(tmp_path)), "item-1")
    item.write(CAPTURE, capture)
    return item


def manifest(*names: str) -> ItemManifest:
    files = [StoredFile(path=name, terminal_url=URL + name) for name in names]
    return ItemManifest(format=1, item="item-1", stored="", platform_name="x", files=files)


def test_each_file_has_the_bytes_of_its_answer(tmp_path: Path) -> None:
    exchanges = [exchange(url=URL + name, response=data) for name, data in ANSWERS.items()]
    item = item_of(tmp_path, archived(*exchanges, exchanges[1]))
    wanted = manifest("stored.gz", "chunked", "again", "a b", "chunked")
    found = {number: stream.read() for number, stream in contents(item, wanted)}
    assert found == {0: PACKED, 1: b"chunked", 3: b"blank", 4: b"chunked"}
