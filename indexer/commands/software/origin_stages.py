"""What `software head` and `software index` do with each origin."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from indexer.commands.console.parameters import JSONOptions
from indexer.commands.console.terminal import cell, line_of_json
from indexer.commands.software.indexing import HeadOptions, IndexOriginsOptions
from indexer.errors import FetchError, InputError, Quarantine
from indexer.inputs.inputs import MAX_UNPACKED_BYTES
from indexer.messages.worker import Done, Skipped
from indexer.search import SearchIndex, open_index
from indexer.software.archives.heads import OriginHead, head_of
from indexer.software.archives.inputs import is_one_origin, message_of, messages_of
from indexer.software.archives.opening import OpenArchives
from indexer.software.archives.source_archive import ObjectKind, ObjectRef
from indexer.software.messages import OriginMessage
from indexer.software.searching.fields import SOFTWARE_FIELDS
from indexer.software.searching.writing import write_origins
from indexer.software.store.store import SoftwareStore
from indexer.text.chunks import chunks
from indexer.text.unpacking import input_errors, unpacked
from workers.software.origin_indexer import Ending, OriginIndexer, OriginIndexerOptions

FAILURES = ("bad-archive", "bad-metadata", "bad-line", "no-archive", "clone-failed")
"""Statuses of origins that were not read."""


def show_heads(names: Iterable[str], options: HeadOptions) -> int:
    """Print the head of each origin; return how many could not be read."""
    failures = 0
    with closing(OpenArchives(options.archives)) as archives:
        for message in _messages(names, options.source_archive):
            found = message if isinstance(message, Skipped) else _head(archives, message)
            failures += isinstance(found, Skipped)
            _print_head(options, message.label, found)
    return failures


def index_all(names: Iterable[str], options: IndexOriginsOptions) -> int:
    """Index origins, and print the status of each; return how many could not be read."""
    failures = 0
    given = OriginIndexerOptions(
        data=options.data, database_url=options.database_url, archives=options.reading.archives
    )
    with (
        closing(SoftwareStore.open(options.database)) as store,
        closing(open_index(options.software_index_url, SOFTWARE_FIELDS)) as index,
        closing(OriginIndexer(given)) as worker,
    ):
        for batch in chunks(_messages(names, options.reading.source_archive), worker.size):
            for message, ending in _endings(worker, batch):
                why = "" if isinstance(ending, Done) else ending.why
                _print(options.reading, origin=message.label, status=ending.status, why=why)
                failures += ending.status in FAILURES
                _publish(store, index, ending)
    return failures


def _messages(names: Iterable[str], archive: str) -> Iterator[OriginMessage | Skipped]:
    for name in names:
        if archive and "://" in name:
            yield OriginMessage(archive, name)
        elif is_one_origin(name):
            yield message_of(name)
        else:
            path = Path(name).absolute()
            with input_errors(name), path.open("rb") as file:
                content = unpacked(name, file, MAX_UNPACKED_BYTES)
                yield from messages_of(name, content, archive or str(path))


def _head(archives: OpenArchives, message: OriginMessage) -> OriginHead | Skipped:
    try:
        with archives.opened(message.archive) as archive:
            return head_of(archive, message.url)
    except (FetchError, InputError) as error:
        return Skipped("bad-archive", message.label, str(error))


def _endings(
    worker: OriginIndexer, batch: Sequence[OriginMessage | Skipped]
) -> Iterator[tuple[OriginMessage | Skipped, Ending | Skipped]]:
    waiting: list[OriginMessage] = []
    for message in batch:
        if isinstance(message, Skipped):
            yield message, message
            continue
        try:
            worker.add(message)
        except Quarantine as refused:
            yield message, refused
        else:
            waiting.append(message)
    yield from zip(waiting, worker.flush(), strict=True)


def _publish(store: SoftwareStore, index: SearchIndex, ending: Ending | Skipped) -> None:
    if isinstance(ending, Done) and ending.outputs:
        write_origins(store, index, [each.url for each in ending.outputs])


def _print_head(options: JSONOptions, url: str, found: OriginHead | Skipped) -> None:
    if isinstance(found, Skipped):
        _print(options, origin=url, head="", directory="", branch="", why=found.why)
        return
    root = ObjectRef(ObjectKind.DIRECTORY, found.directory).swhid if found.directory else ""
    _print(
        options,
        origin=url,
        head=found.swhid,
        directory=root,
        branch=found.branch,
        why=found.reason,
    )


def _print(options: JSONOptions, **columns: str) -> None:
    if options.json_:
        print(line_of_json(columns))
    else:
        print("\t".join(cell(each) for each in columns.values()))
