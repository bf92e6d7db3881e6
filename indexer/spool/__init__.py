"""Files on their way to blobstores: written aside, and kept until every store has them.

    create → write → seal → deliver → [the messages in it are settled] → forget

A file that is sealed is never lost, and never made twice: its manifest says which stores have it
and what is in it, so that whoever finds it after a crash goes on, and knows what comes again.

    DIRECTORY/NAME.tmp            being written: worthless once its process is gone
    DIRECTORY/NAME                sealed
    DIRECTORY/spool/NAME.json     its manifest, until its messages are known to be settled
    DIRECTORY/spool/NAME.lock     locked by the process that has it in hand
    DIRECTORY/spool/names         the last names given out; locked while files change hands

Several processes may share a directory. The file of one that died is taken over by another.
"""

from indexer.spool.manifest import Manifest
from indexer.spool.spool import Aside, Spool

__all__ = ["Aside", "Manifest", "Spool"]
