"""Elasticsearch's URL, its client, and the index template and first index.

http://user:password@host:9200/mc_search      the write alias; mc_search by default
http://one:9200,two:9200/mc_search            several hosts, separated by commas
http://one:9200,http://two:9200               the same in the format of ELASTICSEARCH_HOSTS
https://host/prefix/mc_search?ca_certs=PATH   behind a proxy; with a private certificate authority
?api_key=KEY                                  instead of user and password
?create=false                                 fail if there is no index, instead of creating one
"""

import os
import re
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from elasticsearch import ApiError, Elasticsearch

from indexer.errors import ConfigurationError
from indexer.search.elasticsearch.errors import reason, search_errors
from indexer.search.elasticsearch.mapping import mappings
from indexer.search.language.schema import FieldType, Schema
from indexer.text.url_parameters import check_parameters

DEFAULT_ALIAS = "mc_search"
DEFAULT_PORT = 9200

TIMEOUT_SECONDS = 60.0
"""For one request, including the connection."""

_OTHER_HOST = re.compile(r"(?<=[^/])/?[,\s]\s*(https?)://(?:([^/@,]*)@)?", re.IGNORECASE)
"""The separator of hosts that are a URL each, as in ELASTICSEARCH_HOSTS: they have the scheme of
the first, and its user and password or none."""

_ALIAS = re.compile(r"[a-z0-9][a-z0-9._-]{0,200}")
_OPTIONS = {"api_key", "ca_certs", "create"}


@dataclass(frozen=True, slots=True)
class Settings:
    """The parts of an index's URL."""

    hosts: tuple[str, ...]
    alias: str = DEFAULT_ALIAS
    basic_auth: tuple[str, str] | None = field(default=None, repr=False)
    api_key: str | None = field(default=None, repr=False)
    ca_certs: str | None = None
    create: bool = True

    @property
    def template(self) -> str:
        """The name of the index template (stories.md 8)."""
        return (
            "mediacloud_search_template"
            if self.alias == DEFAULT_ALIAS
            else f"{self.alias}_template"
        )

    @property
    def first_index(self) -> str:
        """The name of the first index of a new installation."""
        return f"{self.alias}-000001"


def settings(url: str) -> Settings:
    """Parse a URL. Raises ConfigurationError, which never quotes the URL with its password."""
    try:
        parts = urlsplit(_OTHER_HOST.sub(",", url))
        options = dict(
            parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
        )
    except ValueError as error:
        raise ConfigurationError("the index's URL can't be read") from error
    if parts.scheme not in ("http", "https"):
        raise ConfigurationError("the URL of an Elasticsearch starts with http:// or https://")
    check_parameters("the index's URL", url, _OPTIONS)
    credentials, _, hosts = parts.netloc.rpartition("@")
    for scheme, other in _OTHER_HOST.findall(url):
        if scheme.lower() != parts.scheme or other not in ("", credentials):
            raise ConfigurationError(
                "the index's URL: all hosts must have the same scheme, user and password"
            )
    prefix, _, alias = parts.path.rstrip("/").rpartition("/")
    alias = alias or DEFAULT_ALIAS
    if not _ALIAS.fullmatch(alias):
        raise ConfigurationError(
            "the index's URL must end with the name of an alias: a-z, 0-9, dot, hyphen, underscore"
        )
    return Settings(
        hosts=tuple(_host(parts.scheme, host, prefix) for host in hosts.split(",")),
        alias=alias,
        basic_auth=_user_and_password(credentials),
        api_key=options.get("api_key") or None,
        ca_certs=options.get("ca_certs") or None,
        create=options.get("create", "true").lower() not in ("false", "no", "0"),
    )


def _host(scheme: str, host: str, prefix: str) -> str:
    try:
        parts = urlsplit(f"{scheme}://{host}")
        port = parts.port or DEFAULT_PORT
    except ValueError:
        parts, port = urlsplit(""), 0
    if not parts.hostname:
        raise ConfigurationError(
            "the index's URL is http(s)://user:password@host:port/alias; "
            "special characters of a password are percent-encoded, like %2F"
        )
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{scheme}://{name}:{port}{prefix}"


def _user_and_password(credentials: str) -> tuple[str, str] | None:
    user, _, password = credentials.partition(":")
    return (unquote(user), unquote(password)) if user else None


def connect(given: Settings) -> Elasticsearch:
    """Return a client for all threads; it connects at its first use. Raises ConfigurationError."""
    options: dict[str, Any] = {"ca_certs": given.ca_certs} if given.ca_certs else {}
    if given.ca_certs and not Path(given.ca_certs).is_file():
        raise ConfigurationError(f"the index's URL: there is no file {given.ca_certs}")
    try:
        return Elasticsearch(
            list(given.hosts),
            basic_auth=given.basic_auth,
            api_key=given.api_key,
            opaque_id=opaque_id(),
            request_timeout=TIMEOUT_SECONDS,
            **options,
        )
    except (ValueError, OSError) as error:
        raise ConfigurationError(f"the index's URL: {error}") from error


def opaque_id() -> str:
    """Return the name of this process in the server's logs (stories.md 7.2)."""
    program = Path(sys.argv[0]).stem or "python"
    return f"story-indexer.{program}.{socket.gethostname()}.{os.getpid()}"


@contextmanager
def connected(url: str) -> Iterator[tuple[Elasticsearch, Settings]]:
    """Open a client for a URL, whose errors are raised as SearchError.

    Raises ConfigurationError, SearchError.
    """
    given = settings(url)
    client = connect(given)
    try:
        with search_errors(given.alias, ", ".join(given.hosts)):
            yield client, given
    finally:
        client.close()


def create(client: Elasticsearch, given: Settings, schema: Schema) -> None:
    """Create the template and the first index if they are missing."""
    # The template comes first: it applies only to indices that are created after it.
    if not client.indices.exists_index_template(name=given.template):
        _unless_exists(lambda: _put_template(client, given, schema))
    create_first_index(client, given)


def create_first_index(client: Elasticsearch, given: Settings) -> None:
    """Create the first index with the write alias if it is missing."""
    aliases = {given.alias: {"is_write_index": True}}
    _unless_exists(lambda: client.indices.create(index=given.first_index, aliases=aliases))


def _put_template(client: Elasticsearch, given: Settings, schema: Schema) -> None:
    body = template(given.alias, schema, wildcard=has_wildcard(client))
    client.indices.put_index_template(name=given.template, create=True, **body)


def _unless_exists(make: Callable[[], object]) -> None:
    try:
        make()
    except ApiError as error:
        # Another process may have made it a moment before.
        if "already exists" not in reason(error.body):
            raise


def template(alias: str, schema: Schema, *, wildcard: bool = True) -> dict[str, Any]:
    """Return the index template of an alias; without `wildcard` its URLs are of type `keyword`."""
    return {
        "index_patterns": [f"{alias}-*"],
        "template": {"mappings": mappings(schema, wildcard=wildcard)},
    }


def without_wildcard(schema: Schema) -> str:
    """Return what a server without the `wildcard` field type lacks; empty if no field needs it."""
    names = " and ".join(f"`{field.name}`" for field in schema.of(FieldType.URL))
    why = f"this Elasticsearch has no `wildcard` field type: {names} is a `keyword`"
    return why if names else ""


def has_wildcard(client: Elasticsearch) -> bool:
    """Return whether the server has the `wildcard` field type."""
    # Forks and managed servers may forbid the question; most of them have the type.
    try:
        nodes = client.nodes.info(node_id="_local", filter_path="nodes.*.modules.name")["nodes"]
    except ApiError as error:
        if error.status_code not in (403, 404, 410):
            raise
        return True
    return any(
        module["name"] == "wildcard"
        for node in nodes.values()
        for module in node.get("modules", ())
    )
