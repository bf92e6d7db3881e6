"""Values in JSON answers, and the hashes in them."""

from typing import Any

import pytest

from indexer.errors import FilesetError
from indexer.filesets.platforms.answers import JSONValue, hash_of
from tests.each_row import each_row

D32, D40, D64, D128 = ("a1" * (length // 2) for length in (32, 40, 64, 128))


@each_row(
    ("text", "algorithm", "expected"),
    (
        (f"md5:{D32}", "", {"md5": D32}),
        (f"MD5:{D32.upper()}", "", {"md5": D32}),
        (D32, "", {"md5": D32}),
        (D40, "", {"sha1": D40}),
        (D64, "", {"sha256": D64}),
        (D128, "", {"sha512": D128}),
        (D40, "SHA-1", {"sha1": D40}),
        (D64, "sha-256", {"sha256": D64}),
        (f"sha256:{D64}", "md5", {"sha256": D64}),
        (f"adler32:{D32[:8]}", "", {"adler32": D32[:8]}),
        (D40, "md5", {}),
        (f"md5:{D40}", "", {}),
        ("md5:", "", {}),
        ("", "md5", {}),
        ("zz" * 16, "", {}),
        ("a1", "", {}),
    ),
)
def test_a_hash_is_read_with_its_algorithm(
    text: str, algorithm: str, expected: dict[str, str]
) -> None:
    assert hash_of(text, algorithm) == expected


@each_row(
    ("value", "text", "size", "is_true", "is_false"),
    (
        (" a ", " a ", None, False, False),
        ("a\ud800", "a?", None, False, False),
        (7, "7", 7, False, False),
        ("7", "7", 7, False, False),
        ("7 bytes", "7 bytes", 7, False, False),
        (-7, "-7", None, False, False),
        (7.5, "7.5", None, False, False),
        (10**30, str(10**30), None, False, False),
        ("1.2 MB", "1.2 MB", None, False, False),
        (True, "", None, True, False),
        (False, "", None, False, True),
        ("true", "true", None, True, False),
        ("0", "0", 0, False, True),
        (None, "", None, False, False),
        ([7], "", None, False, False),
        ({"a": 7}, "", None, False, False),
    ),
)
def test_a_value_is_read_as_what_is_wanted(
    value: Any, text: str, size: int | None, is_true: bool, is_false: bool
) -> None:
    found = JSONValue({"a": value}, "here")["a"]
    assert (found.text, found.size) == (text, size)
    assert (found.is_true, found.is_false) == (is_true, is_false)


@each_row(
    ("body", "message"),
    (
        (b"", "here: the answer is no JSON"),
        (b"\xff\xfe\xff", "here: the answer is no JSON"),
        (b"[" * 100_000, "here: the answer is no JSON"),
        (b"[]", "here: a.b: no value"),
        (b'{"a": {"b": []}}', "here: a.b: no value"),
        (b'{"a": {"b": " "}}', "here: a.b: no value"),
    ),
)
def test_a_missing_value_is_named(body: bytes, message: str) -> None:
    with pytest.raises(FilesetError) as caught:
        _ = JSONValue.read(body, "here")["a"]["b"].needed
    assert caught.value.status == "platform-error"
    assert caught.value.why == message
