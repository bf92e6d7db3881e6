"""Files on their way to blobstores: written aside, and kept until every store has them.

    create → write → seal → deliver → [its messages are settled] → forget

A sealed file is never lost and never made twice. Its manifest lists the stores that have it and
its items: after a crash another process continues, and recognises items that are delivered again.

    DIRECTORY/NAME.tmp            unfinished: useless if its process has ended
    DIRECTORY/NAME                sealed
    DIRECTORY/spool/NAME.json     its manifest, until all its messages are settled
    DIRECTORY/spool/NAME.SUFFIX   its companion (an index, say), until every store has it
    DIRECTORY/spool/NAME.lock     locked by the process that works on the file
    DIRECTORY/spool/names         the names used last; locked while names are chosen

Several processes may share a directory. The files of a process that died are adopted by another.
"""

from indexer.spool.companions import Companion
from indexer.spool.manifest import Manifest
from indexer.spool.spool import Spool, UnfinishedFile

__all__ = ["Companion", "Manifest", "Spool", "UnfinishedFile"]
