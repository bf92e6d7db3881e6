"""Messages of the family: they come back as they were sent; broken ones are refused."""

import pytest

from indexer.errors import DecodeError
from indexer.software.messages import ChangedOrigin, OriginMessage

URL = "https://example.org/project"


@pytest.mark.parametrize(
    "message",
    [OriginMessage("/a", URL), OriginMessage("", "", {"target": URL, "metadata": "{}"})],
)
def test_an_origin_comes_back(message: OriginMessage) -> None:
    assert OriginMessage.load(message.dump()) == message
    assert message.label == URL


def test_a_changed_origin_comes_back() -> None:
    message = ChangedOrigin(URL, "indexed")
    assert ChangedOrigin.load(message.dump()) == message


def test_a_label_has_no_credentials() -> None:
    label = OriginMessage("a", "https://user:secret@example.org/p").label
    assert label == "https://example.org/p"


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"origin": 1}', b'{"origin": ""}', b"\xff"])
def test_other_bytes_are_refused(data: bytes) -> None:
    for kind in (OriginMessage, ChangedOrigin):
        with pytest.raises(DecodeError):
            kind.load(data)
