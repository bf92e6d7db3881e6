"""What has to be right before a stack is deployed; nothing is changed."""

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from indexer.broker import open_broker
from indexer.commands.programs.catalog import check_options
from indexer.commands.running.topologies import BREADCRUMBS, topologies
from indexer.errors import ConfigurationError, StoryIndexerError
from indexer.programs.settings import BROKER_VARIABLES, INDEX_VARIABLES
from indexer.stack.configuration import StackConfiguration
from indexer.stack.plan import StackPlan
from indexer.stack.programs import programs
from indexer.stack.servers import servers
from indexer.stories.indexing.fields import STORY_FIELDS
from indexer.system.origins import FILE

OTHERS_MAY_READ = 0o007

REGISTRY_SECONDS = 10.0


class Check(NamedTuple):
    """One check: `why` is the reason why it failed, `note` what else there is to say."""

    name: str
    why: str = ""
    note: str = ""


def configuration_checks(plan: StackPlan) -> Iterator[Check]:
    """Whether the configuration of a stack is complete: its secrets, and each program's options."""
    strict = plan.realm.name == "prod"
    for name, path in sorted(plan.configuration.secrets.items()):
        yield Check(f"secret {name}", _secret_problem(path, strict=strict))
    if not all(path.is_file() for path in plan.configuration.secrets.values()):
        yield Check("settings", note="not checked: they need all secrets")
        return
    given = variables_of(plan.configuration)
    for program in programs(plan):
        yield Check(f"settings of {program.name}", _options_problem(program.command, given))


def tree_checks(root: Path, *, allow_dirty: bool) -> Iterator[Check]:
    """Whether what is deployed is what the repository has."""
    changed = _git(root, "status", "--porcelain").splitlines()
    dirty = f"{len(changed)} files are not committed: {changed[0][3:]} …" if changed else ""
    yield Check("clean tree", "" if allow_dirty else dirty, dirty if allow_dirty else "")
    pushed = bool(_git(root, "branch", "--remotes", "--contains", "HEAD").strip())
    missing = "" if pushed else "this commit is on no branch of a remote: push it"
    yield Check("pushed commit", "" if allow_dirty else missing, missing if allow_dirty else "")


def registry_check(image: str) -> Check:
    """Whether the registry of an image answers; one without a registry stays on this node."""
    import requests  # noqa: PLC0415 - slow, and not for help

    registry = registry_of(image)
    if not registry:
        return Check("registry", note=f"{image} is for this node only: its name has no registry")
    try:
        answer = requests.get(f"https://{registry}/v2/", timeout=REGISTRY_SECONDS)
    except requests.RequestException as error:
        return Check("registry", f"{registry} does not answer: {error}")
    # Without a login, a registry refuses: it is there all the same.
    fine = answer.status_code in (200, 401)
    return Check("registry", "" if fine else f"{registry} answers {answer.status_code}")


def registry_of(image: str) -> str:
    """The host of an image's registry; blank for an image without one."""
    host, slash, _ = image.partition("/")
    return host if slash and ("." in host or ":" in host or host == "localhost") else ""


def server_checks(plan: StackPlan) -> Iterator[Check]:
    """Whether the broker and the index outside of the stack can be used by its programs."""
    given = variables_of(plan.configuration, contents=True)
    inside = {server.name for server in servers(plan.realm)}
    for names, check in ((BROKER_VARIABLES, _broker_check), (INDEX_VARIABLES, _index_check)):
        name, url = names[0], next((given[each] for each in names if given.get(each)), "")
        host = urlsplit(url).hostname
        if host in inside or not host:
            yield Check(name, note="in the stack, which prepares it" if host else "not configured")
        else:
            yield check(plan, url)


def variables_of(configuration: StackConfiguration, *, contents: bool = False) -> Mapping[str, str]:
    """The environment of programs on this machine; with the secrets themselves if asked for."""
    if not contents:
        files = {name + FILE: str(path) for name, path in configuration.secrets.items()}
        return {**configuration.settings, **files}
    found = {}
    for name, path in configuration.secrets.items():
        try:
            found[name] = path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{name}{FILE}: {path}: {error}") from error
    return {**configuration.settings, **found}


def _broker_check(plan: StackPlan, url: str) -> Check:
    """What `configure` will change on a broker, or why it can't."""
    try:
        with closing(open_broker(url)) as broker:
            wanted = topologies(plan.pipeline, plan.configuration.settings.get(BREADCRUMBS, ""))
            missing = [line for each in wanted for line in broker.declared(each)]
    except StoryIndexerError as error:
        return Check("BROKER_URL", str(error))
    note = f"{len(missing)} things to make: {missing[0]} …" if missing else "configured"
    return Check("BROKER_URL", note=note)


def _index_check(_: StackPlan, url: str) -> Check:
    """Whether the fields of an existing index are of the types that the importer writes."""
    from indexer.search.elasticsearch.admin.conf import misfits, properties  # noqa: PLC0415 - slow
    from indexer.search.elasticsearch.setup import connected  # noqa: PLC0415

    try:
        with connected(url) as (client, server):
            exists = client.indices.exists(index=server.alias)
            indices = properties(client, server.alias) if exists else {}
    except StoryIndexerError as error:
        return Check("INDEX_URL", str(error))
    return Check("INDEX_URL", "; ".join(misfits(indices, STORY_FIELDS)))


def _secret_problem(path: Path, *, strict: bool) -> str:
    try:
        if not path.read_bytes().strip():
            return f"{path} is empty"
        others = path.stat().st_mode & OTHERS_MAY_READ
    except OSError as error:
        return f"{path}: {error.strerror}"
    return f"every user of this machine can read {path}: chmod o= {path}" * bool(others and strict)


def _options_problem(command: Sequence[str], given: Mapping[str, str]) -> str:
    try:
        if command[0] == "program":
            check_options(command[1], given)
    except ConfigurationError as error:
        return str(error)
    return ""


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ConfigurationError(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout
