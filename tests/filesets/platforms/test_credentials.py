"""The token of a registered client: fetched once, renewed when it ends, never recorded."""

from typing import Any

import pytest

from indexer.errors import BadResponse, FilesetError
from indexer.filesets.platform_options import PlatformOptions
from indexer.filesets.platforms.credentials import platform_credentials
from indexer.http.fetching.exchange import Request, Response
from tests.clock import Clock
from tests.each_row import each_row
from tests.filesets.platforms.imitation import Imitation, InTurn

TOKEN_URL = "https://datadryad.org/oauth/token"
DRYAD: dict[str, Any] = {"dryad_client_id": "me", "dryad_client_secret": "hunter2 &"}


def token(name: str) -> dict[str, object]:
    return {"access_token": name, "token_type": "Bearer", "expires_in": 36000}


def test_a_token_is_fetched_once_and_renewed_when_it_ends() -> None:
    imitation = Imitation({TOKEN_URL: InTurn([token("first"), token("second")])}, **DRYAD)
    clock = imitation.clock
    (found,) = imitation.api.auth
    assert found.origin == "https://datadryad.org"
    for seconds, name in ((0, "first"), (35_900, "first"), (50, "second")):
        clock.sleep(seconds)
        assert found.sign("GET", "https://datadryad.org/a") == {"Authorization": f"Bearer {name}"}
    assert imitation.asked == [TOKEN_URL] * 2


def test_the_secret_is_in_a_form_that_is_not_recorded() -> None:
    asked: list[Request] = []

    def ask(request: Request) -> Response:
        asked.append(request)
        return Response(request.url, 200, {}, b'{"access_token": "a"}')

    (found,) = platform_credentials(ask, PlatformOptions(**DRYAD), Clock().utc)
    found.sign("GET", "https://datadryad.org/a")
    assert (asked[0].method, asked[0].record) == ("POST", None)
    assert asked[0].body == b"client_id=me&client_secret=hunter2+%26&grant_type=client_credentials"


@each_row("answer", (401, 500, BadResponse("cut off"), b"no JSON", {"expires_in": 7}))
def test_a_token_that_is_not_given_is_a_status(answer: object) -> None:
    (found,) = Imitation({TOKEN_URL: answer}, **DRYAD).api.auth
    with pytest.raises(FilesetError, match=r"error-authentication|platform-error"):
        found.sign("GET", "https://datadryad.org/a")


def test_tokens_of_options_belong_to_their_apis() -> None:
    auth = Imitation(osf_token="secret-1", github_token="secret-2").api.auth
    assert [each.origin for each in auth] == [
        "https://api.osf.io",
        "https://files.osf.io",
        "https://api.github.com",
    ]


def test_without_options_nothing_is_sent() -> None:
    assert Imitation().api.auth == ()
