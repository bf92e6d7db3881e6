"""Secrets in text: found by name and by value, in the encodings that programs use."""

import base64
import html
import json
from urllib.parse import quote, quote_plus

import pytest

from indexer.errors import ConfigurationError
from indexer.http.redaction.redactor import Redactor, Secrets, replaced
from tests.each_row import each_row

SECRET = 'p/s+w "ö&1\\'
BY_VALUE = Redactor(Secrets(headers=(), fields=(), values=[SECRET, "0123456789abcdef"]))
BY_NAME = Redactor(Secrets(headers=["Authorization", "Cookie"], fields=["access_token", "API_Key"]))
NESTED = json.dumps(json.dumps({"access_token": 'a"b\\', "b": "c"}))


def body(redactor: Redactor, text: bytes) -> bytes:
    """A body without its secrets."""
    return b"".join(replaced(memoryview(text), redactor.in_body(text)))


def head(text: bytes) -> bytes:
    """A head without its secrets."""
    return b"".join(replaced(memoryview(text), BY_NAME.in_head(text)))


@each_row(
    "encoded",
    [
        SECRET,
        quote(SECRET),
        quote(SECRET, safe="").lower(),
        quote(quote(SECRET, safe=""), safe=""),
        quote_plus(SECRET),
        json.dumps(SECRET)[1:-1],
        json.dumps(SECRET, ensure_ascii=False)[1:-1].replace("/", "\\/"),
        "".join(f"\\u{ord(each):04X}" for each in SECRET),
        html.escape(SECRET),
        "".join(f"&#{ord(each)};" for each in SECRET),
        SECRET.replace("/", "%2f").replace(" ", "+"),
    ],
)
def test_a_value_is_found_however_it_is_encoded(encoded: str) -> None:
    text = f"before {encoded} after".encode()
    assert body(BY_VALUE, text) == b"before REDACTED after"


@each_row("user", ["", "u", "us", "use", "user"])
def test_a_value_is_found_within_base64(user: str) -> None:
    pair = f"{user}:{SECRET}:{user}".encode()
    for encoded in (base64.b64encode(pair), base64.urlsafe_b64encode(pair)):
        before, word, after = body(BY_VALUE, encoded).partition(b"REDACTED")
        # Six bits a character: the rest encodes no bit of the secret.
        bits = len(f"{user}:") * 8
        assert word
        assert len(before) * 6 <= bits
        assert len(after.rstrip(b"=")) * 6 < bits + 6
        for text in (encoded.replace(b"/", b"\\/"), quote(encoded, safe="").encode()):
            assert b"REDACTED" in body(BY_VALUE, text)


def test_other_text_is_left() -> None:
    text = json.dumps({"access": "token", "p/s+w": 0, "url": "http://a/?b=c&d=0123456789"}).encode()
    assert body(BY_VALUE, text) == body(BY_NAME, text) == text


@each_row(
    ("sent", "stored"),
    [
        ("/a?access_token=x&b=c", "/a?access_token=REDACTED&b=c"),
        ("/a?b=c&ACCESS%5fTOKEN=x%20y#d", "/a?b=c&ACCESS%5fTOKEN=REDACTED#d"),
        ("/a#access_token=x", "/a#access_token=REDACTED"),
        ("access_token=x+y&b=c", "access_token=REDACTED&b=c"),
        ("b=c&api_key=", "b=c&api_key="),
        ("/a?my_access_token=x&access_token_type=y", "/a?my_access_token=x&access_token_type=y"),
        ('"/a?b=c\\u0026api_key=x\\/y\\u0026d"', '"/a?b=c\\u0026api_key=REDACTED\\u0026d"'),
        ('<a href="/a?b=c&amp;api_key=x">', '<a href="/a?b=c&amp;api_key=REDACTED">'),
        ("/a?to=http%3A%2F%2Fb%3Fapi_key%3Dx", "/a?to=http%3A%2F%2Fb%3Fapi_key%3DREDACTED"),
        ('{"access_token" : "a\\"b", "c": 1}', '{"access_token" : "REDACTED", "c": 1}'),
        ('{"access_token": 12.5e3}', '{"access_token": "REDACTED"}'),
        ('{"access_token": null, "b": 1}', '{"access_token": null, "b": 1}'),
        ('[{"access_token": {"a": ["]", "x"]}, "b": 1}]', '[{"access_token": "REDACTED", "b": 1}]'),
        ('{"access_token": ["x', '{"access_token": "REDACTED"'),
        ('{"access_token": "x', '{"access_token": "REDACTED'),
        (NESTED, NESTED.replace('a\\\\\\"b\\\\\\\\', "REDACTED")),
    ],
)  # fmt: skip
def test_a_field_is_found_in_urls_forms_and_json(sent: str, stored: str) -> None:
    assert body(BY_NAME, sent.encode()) == stored.encode()


def test_a_field_is_found_in_a_form_of_parts() -> None:
    part = b'--b\r\nContent-Disposition: form-data; name="api_key"\r\nX: y\r\n\r\n%b\r\n--b--\r\n'
    assert body(BY_NAME, part % b"a\r\nb") == part % b"REDACTED"


@each_row(
    ("sent", "stored"),
    [
        (b"Authorization: Bearer x y", b"Authorization: REDACTED"),
        (b"AUTHORIZATION :x", b"AUTHORIZATION :REDACTED"),
        (b"Cookie: a=b;\r\n\tc=d\r\n e=f", b"Cookie: REDACTED"),
        (b"Cookie:\xff\rx", b"Cookie:REDACTED"),
        (b"X-Cookie: a=b", b"X-Cookie: a=b"),
        (b"X: Cookie: a=b", b"X: Cookie: a=b"),
        (b"Location: /b?api_key=x", b"Location: /b?api_key=REDACTED"),
        (b'Link: </b?api_key=x>; rel="next"', b'Link: </b?api_key=REDACTED>; rel="next"'),
        (b"Referer: http://a/?c=d&access_token=x", b"Referer: http://a/?c=d&access_token=REDACTED"),
    ],
)
@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_headers_are_found_by_name_and_urls_in_all_of_them(
    end: bytes, sent: bytes, stored: bytes
) -> None:
    start, rest = b"GET /a?api_key=%b HTTP/1.1\r\nHost: a\r\n", b"%bAccept: */*\r\n\r\n" % end
    assert head(start % b"x" + sent + rest) == start % b"REDACTED" + stored + rest


def test_a_value_that_is_too_short_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="fewer than 6 characters") as failed:
        Secrets(values=["abcde"])
    assert "abcde" not in str(failed.value)
    assert "abcdef" not in repr(Secrets(values=["abcdef"]))
