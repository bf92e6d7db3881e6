"""The rules for keys of objects, the same for every backend."""

from indexer.errors import StorageError

MAX_BYTES = 1024
"""S3's limit for a key."""


def checked(key: str) -> str:
    """The key, if every backend can store it safely. Raises StorageError."""
    if problem := _problem(key):
        raise StorageError(f"not a key: {key[:200]!r}: {problem}")
    return key


def _problem(key: str) -> str:
    if not key:
        return "it is empty"
    if key.startswith("/"):
        return "it is absolute"
    if any(part in ("", ".", "..") for part in key.split("/")):
        return "a part of it is empty, '.' or '..'"
    if any(char < " " or char == "\x7f" for char in key):
        return "it has control characters"
    try:
        size = len(key.encode())
    except UnicodeEncodeError:
        return "it is not Unicode text"
    return f"it is longer than {MAX_BYTES} bytes" if size > MAX_BYTES else ""
