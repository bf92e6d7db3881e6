"""The keys of URLs: those of the package `surt`, which made this table, for replay tools."""

from indexer.warc.surt import surt
from tests.each_row import each_row


@each_row(
    ("url", "key"),
    [
        ("http://example.com", "com,example)/"),
        (
            "https://www.Example.com/News/Story.html?b=2&a=1#frag",
            "com,example)/news/story.html?a=1&b=2",
        ),
        ("http://WWW2.Example.com:80/a//b/../c/", "com,example)/a/c"),
        ("https://example.com:8443/x", "com,example:8443)/x"),
        ("https://example.com:80/", "com,example:80)/"),
        ("http://user:pw@example.com/x", "com,example)/x"),
        ("http://example.com/a/?", "com,example)/a"),
        ("http://example.com/a/?x=", "com,example)/a?x="),
        (
            "http://example.com/%7Efoo/%e4%bd%a0?q=%C3%A9+x",
            "com,example)/~foo/%e4%bd%a0?q=%c3%a9+x",
        ),
        ("http://example.com/a%252Fb%2525", "com,example)/a/b%25"),
        ("http://b%C3%BCcher.de/x", "de,xn--bcher-kva)/x"),
        ("http://bücher.de/é", "de,xn--bcher-kva)/%c3%a9"),
        ("http://xn--bcher-kva.de/", "de,xn--bcher-kva)/"),
        ("http://1.2.3.4/x", "4,3,2,1)/x"),
        ("http://127.1/", "1,0,0,127)/"),
        ("http://[2001:DB8::1]:8080/x", "2001:db8::1:8080)/x"),
        ("http://example..com./x", "com,example)/x"),
        ("http://www.com/x", "com)/x"),
        ("http://www12x.example.com/", "com,example,www12x)/"),
        ("http://example.com/a?a=1&&b=2&", "com,example)/a?&&a=1&b=2"),
        ("http://example.com/?a-b=2&a=2&a=1&A=0", "com,example)/?a=0&a=1&a=2&a-b=2"),
        (
            "http://example.com/?u=http%3A%2F%2Fb.com%2F%3Fc%3Dd",
            "com,example)/?u=http://b.com/?c=d",
        ),
        (
            "http://example.com/a;jsessionid=0123456789abcdef0123456789abcdef",
            "com,example)/a;jsessionid=0123456789abcdef0123456789abcdef",
        ),
        (
            "http://example.com/?x=1&PHPSESSID=0123456789abcdef0123456789abcdef&y=2",
            "com,example)/?x=1&y=2",
        ),
        ("http://example.com/?sid=0123456789abcdef0123456789abcdef", "com,example)/"),
        ("http://example.com/?z=3&CFID=1&cftoken=2", "com,example)/?&z=3"),
        ("http://example.com/(S(hgwksb45zjrw3pnzcs5e54n3))/x.aspx?a", "com,example)/x.aspx?a"),
        ("http://example.com/../a/./b", "com,example)/../a/b"),
        ("http://example.com/a//..", "com,example)/a"),
        ("http://example.com/%zz%2", "com,example)/%25zz%252"),
        ('http://example.com/a b|c"{}^`\\<>', 'com,example)/a%20b|c"{}^`\\<>'),
        ("http://example.com/a%23b%3fc#d", "com,example)/a%23b?c"),
        ("http://example.com/a\tb\nc ", "com,example)/abc"),
        ("http://example.com/%00%c3%28", "com,example)/%00%c3("),
        ("http://localhost/", "localhost)/"),
        ("http://-a.com/", "com,-a)/"),
        ("http://a_b.com/", "com,a_b)/"),
        ("urn:uuid:123", "urn:uuid:123"),
        ("dns:example.com", "dns:example.com"),
    ],
)
def test_keys_are_those_of_replay_tools(url: str, key: str) -> None:
    assert surt(url) == key


@each_row(
    "url",
    [
        "http://",
        "http:///",
        "http://[/",
        "http://h:port/",
        "http://%ff/",
        " \u2028 x",
        "\udcff:\u0663",
        "http://\udcff:\u0663/\udcff",
        "",
    ],
)
def test_a_url_that_cannot_be_visited_has_a_key_that_cannot_break_a_line(url: str) -> None:
    key = surt(url)
    assert key.isascii()
    assert not any(char.isspace() for char in key)
