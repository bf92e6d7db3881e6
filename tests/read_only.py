"""Folders as another user sees them: readable, and not writable.

Tests may run as root, which ignores permissions by two capabilities: the thread gives them up.
"""

import ctypes
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_VERSION = 0x20080522
_DAC_OVERRIDE, _DAC_READ_SEARCH = 1 << 1, 1 << 2


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


_Sets = ctypes.c_uint32 * 6
"""Effective, permitted and inheritable capabilities 0 to 31, then the same for the rest."""


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Take from this thread the permission to write a folder and all in it; give it back."""
    paths = [folder, *folder.rglob("*")]
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in paths}
    try:
        for path, mode in modes.items():
            path.chmod(mode & ~0o222)
        with _without_capabilities():
            yield
    finally:
        for path, mode in modes.items():
            if path.exists():
                path.chmod(mode)


@contextmanager
def _without_capabilities() -> Iterator[None]:
    if os.geteuid() != 0:
        yield
        return
    before = _Sets()
    _call("capget", before)
    reduced = _Sets(*before)
    reduced[0] &= ~(_DAC_OVERRIDE | _DAC_READ_SEARCH)
    _call("capset", reduced)
    try:
        yield
    finally:
        _call("capset", before)


def _call(name: str, sets: ctypes.Array[ctypes.c_uint32]) -> None:
    function = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    header = _Header(_VERSION, 0)
    if not function or function(ctypes.byref(header), sets):
        pytest.skip(f"root can't give up its capabilities here: {os.strerror(ctypes.get_errno())}")
