"""The oracle's verdict: equal, a correction with a reason, or different."""

from typing import Any

from benchmarks.software_oracle.comparing import Compared, verdict
from benchmarks.software_oracle.environment import Answer
from tests.each_row import each_row


@each_row(
    ("content", "theirs", "ours", "expected"),
    [
        (b"", Answer({"keywords": ["b", "a"]}), {"keywords": ["a", "b"]}, "equal"),
        (b"", Answer({"author": ["b", "a"]}), {"author": ["a", "b"]}, "different"),
        (b"", Answer({"name": 1}), {"name": "1"}, "different"),
        (b"", Answer(None), None, "equal"),
        (b"", Answer(None), {"name": "a"}, "different"),
        (b"", Answer(None, "KeyError: 'x'"), None, "crash"),
        (
            b"",
            Answer({"license": "http://example.org/base/MIT"}),
            {"license": "MIT"},
            "invented base",
        ),
        (b"", Answer({"license": "http://example.org/base/MIT"}), {}, "different"),
        (b'"../a"', Answer({"url": "http://example.org/a"}), {"url": "../a"}, "base and path"),
        (b"", Answer({"url": "http://a.example"}), {"url": "//a.example"}, "scheme of the base"),
        (b"<!ENTITY", Answer({"name": "a"}), None, "entities"),
    ],
)
def test_a_difference_is_a_correction_or_counts(
    content: bytes, theirs: Answer, ours: dict[str, Any] | None, expected: str
) -> None:
    assert verdict(Compared(content, theirs, ours)) == expected
