"""The entries of a tar file, plain or in gzip, by `tarfile`: long names of GNU and pax too."""

import gzip
import tarfile
from collections.abc import Iterator
from functools import partial
from typing import IO, BinaryIO, cast

from indexer.files.hashes import CHUNK
from indexer.filesets.bundles.entries import BoundedReads, BundleEntry, check_names, unsafe


def tar_entries(file: BinaryIO, *, is_gzip: bool) -> Iterator[BundleEntry]:
    """The files in their order; each entry is checked when it is reached.

    Raises FilesetError (`bundle-unsafe`), and the errors of `tarfile` and `gzip`.
    """
    plain = cast(BinaryIO, gzip.GzipFile(fileobj=file)) if is_gzip else file
    # Not `r:gz` or a stream: only a file of ours can limit what `tarfile` reads at once.
    source = cast(BinaryIO, BoundedReads(plain))
    with tarfile.open(fileobj=source, mode="r:", encoding="utf-8", errors="replace") as bundle:
        for member in bundle:
            # `tar -c .` writes `./` before each name.
            names = tuple(dict.fromkeys((member.name.removeprefix("./"), member.name)))
            check_names(names)
            if member.issparse() or not (member.isreg() or member.isdir()):
                raise unsafe(f"a link, a device or a sparse file: {member.name!r:.200}")
            if member.isreg():
                yield BundleEntry(names, member.size, partial(_content, bundle, member))
        # Only at its end can gzip tell that it is whole.
        while is_gzip and source.read(CHUNK):
            pass


def _content(bundle: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    content = bundle.extractfile(member)
    if content is None:
        raise unsafe(f"no file: {member.name!r:.200}")
    return content
