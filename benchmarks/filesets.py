"""Archives datasets of the imitation repositories into a directory: CPU time, and the memory used.

    python -m benchmarks filesets [--datasets 1000] [--files 10000] [--json]

A file of 2 GiB is fetched, hashed and stored; beside it, its hashes alone, and a bare socket whose
bytes are hashed and written to a file. Then many small datasets, and one with many files. The cost
is that of finding a dataset (page, API, manifest) and that of archiving it. The repositories are a
process of their own, which is not counted; each measured work has one, too: the peak is its own.
"""

import argparse
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import BinaryIO

from rich.console import Console
from rich.table import Table

from indexer.files.hashes import FileHashes
from indexer.filesets.ingest.opening import opened_ingester
from indexer.filesets.ingest.options import ArchivingOptions
from indexer.filesets.manifest import HASHES
from indexer.filesets.request import IngestRequest
from indexer.filesets.results.result import fileset_result
from indexer.filesets.strategies.strategy import (
    ArchiveJob,
    ArchiveStrategyResult,
    FilesetIngestStrategy,
    Watch,
)
from newsroom.repositories.files import HASHES_OF_BIG

BIG = "http://zenodo.example/records/10200081"
BIG_FILE = "/api/records/10200081/files/film.bin/content"
BIG_BYTES = 2 << 30
PIECE = 1 << 20

COLUMNS = {
    "cpu_seconds": "CPU s",
    "times_hashes": "× hashes",
    "found": "found",
    "archived": "archived",
    "datasets_per_cpu_second": "per CPU s",
    "peak_megabytes": "peak MB",
}

Row = dict[str, float]


@contextmanager
def repositories(*arguments: str) -> Iterator[Mapping[str, str]]:
    """Serve them from another process; the settings by which they are found."""
    command = [sys.executable, "-m", "newsroom.repositories", "--json", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout  # noqa: S101 - for mypy: it is a pipe
            yield json.loads(process.stdout.readline())["settings"]
        finally:
            process.terminate()


def apart(work: Callable[..., Row], *given: object) -> Row:
    """Do work in a new process; its figures, and the peak of its memory."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        row = pool.submit(work, *given).result()
        return {**row, "peak_megabytes": pool.submit(_peak).result()}


def _peak() -> float:
    return getrusage(RUSAGE_SELF).ru_maxrss / 1000


class Timed:
    """A strategy, and the CPU seconds that it takes."""

    def __init__(self, strategy: FilesetIngestStrategy) -> None:
        self._strategy = strategy
        self.seconds = 0.0

    def check_existing(self, job: ArchiveJob) -> ArchiveStrategyResult | None:
        """See `FilesetIngestStrategy`."""
        with self._timed():
            return self._strategy.check_existing(job)

    def process(self, job: ArchiveJob, watch: Watch) -> ArchiveStrategyResult:
        """See `FilesetIngestStrategy`."""
        with self._timed():
            return self._strategy.process(job, watch)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        started = time.process_time()
        yield
        self.seconds += time.process_time() - started


def ingested(settings: Mapping[str, str], urls: Sequence[str], to: str) -> Row:
    """Archive datasets; the CPU seconds to find them and their files, and to archive these."""
    with opened_ingester(ArchivingOptions.of(dict(settings)), to) as ingester:
        assert ingester.archiveorg  # noqa: S101 - for mypy: it is there
        ingester.archiveorg = timed = Timed(ingester.archiveorg)
        started = time.process_time()
        for url in urls:
            request = IngestRequest.of({"ingest_type": "dataset", "base_url": url})
            found = ingester.ingest(request, lambda _: None)
            if not fileset_result(found)["hit"]:
                raise SystemExit(f"{url}: {found.status}: {found.message}")
        passed = time.process_time() - started
    found_in = passed - timed.seconds
    return {"cpu_seconds": passed, "found": found_in, "archived": timed.seconds}


def hashed() -> Row:
    """Hash as many bytes as the large file has, from memory."""
    hashes, piece, started = FileHashes(HASHES), bytes(PIECE), time.process_time()
    for _ in range(BIG_BYTES // PIECE):
        hashes.update(piece)
    return {"cpu_seconds": time.process_time() - started}


def bare(port: int, to: str) -> Row:
    """Receive the large file from a socket, hash it, and write it to a file."""
    hashes, started = FileHashes(HASHES), time.process_time()
    with (
        closing(socket.create_connection(("127.0.0.1", port))) as sock,
        Path(to).open("wb") as file,
    ):
        head = f"GET {BIG_FILE} HTTP/1.1\r\nHost: zenodo.example\r\nConnection: close\r\n\r\n"
        sock.sendall(head.encode())
        _received(sock.makefile("rb"), file, hashes)
    if hashes.digests()["sha512"] != HASHES_OF_BIG["sha512"]:
        raise SystemExit("the bare socket has received other bytes")
    return {"cpu_seconds": time.process_time() - started}


def _received(answer: BinaryIO, file: BinaryIO, hashes: FileHashes) -> None:
    while answer.readline() != b"\r\n":
        pass
    while data := answer.read(PIECE):
        hashes.update(data)
        file.write(data)


def large_file(folder: Path) -> dict[str, Row]:
    """The file of 2 GiB, by each way."""
    with repositories() as settings:
        port = int(settings["FETCHER_RESOLVE"].rpartition(":")[2])
        rows = {
            "hashes alone": apart(hashed),
            "bare socket and file": apart(bare, port, str(folder / "bare")),
            "2 GiB file": apart(ingested, settings, [BIG], str(folder / "large")),
        }
    (folder / "bare").unlink()
    least = rows["hashes alone"]["cpu_seconds"]
    return {name: {**row, "times_hashes": row["cpu_seconds"] / least} for name, row in rows.items()}


def generated(folder: Path, datasets: int, files: int) -> Row:
    """Datasets of Zenodo with small files."""
    given = ("--datasets", str(datasets), "--files", str(files))
    urls = [f"http://zenodo.example/records/{20_000_001 + 10 * at}" for at in range(datasets)]
    with repositories(*given) as settings:
        unlimited = {**settings, "FILESETS_MAX_FILE_COUNT": str(files)}
        row = apart(ingested, unlimited, urls, str(folder / f"{datasets}-{files}"))
    return {**row, "datasets_per_cpu_second": datasets / row["cpu_seconds"]}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--datasets", type=int, default=1000, help="small datasets of two files")
    parser.add_argument("--files", type=int, default=10_000, help="files of one more dataset")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        rows = large_file(Path(name))
        rows[f"{given.datasets:,} datasets"] = generated(Path(name), given.datasets, 2)
        rows[f"{given.files:,} files"] = generated(Path(name), 1, given.files)
    if given.json:
        print(json.dumps(rows))
    else:
        Console().print(table(rows))


def table(rows: Mapping[str, Row]) -> Table:
    """The figures for people."""
    found = Table("", *COLUMNS.values(), box=None)
    for what, row in rows.items():
        found.add_row(what, *(f"{row[name]:,.2f}" if name in row else "" for name in COLUMNS))
    return found


if __name__ == "__main__":
    main()
