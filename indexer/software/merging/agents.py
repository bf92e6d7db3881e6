"""Agents: persons and organisations that several manifests name, each of them recognised once."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TypeAlias

from indexer.software.merging.canonical_forms import name_form, url_form
from indexer.software.merging.manifest import StatedValue
from indexer.software.syntax.tree import Tree

MAX_SHARED = 8
"""The most agents of one key, and entries of one agent in a manifest, that are compared.

With more, nothing is recognised, and the time that a hostile file takes stays linear.
"""

MAX_ROUNDS = 4
"""How often agents that were joined are looked at again: two of them may have a key of a third."""

ROLES = frozenset(
    {
        *("admin", "contact", "dev", "developers", "devs", "hello", "help", "info", "mail"),
        *("maintainer", "maintainers", "no-reply", "noreply", "office", "opensource", "support"),
        *("team",),
    }
)
"""Names of mailboxes that several persons read: they identify nobody."""

Keys: TypeAlias = frozenset[str]


@dataclass(slots=True)
class Agent:
    """A person or an organisation: what manifests state of it, numbered in order of trust."""

    stated: list[tuple[int, StatedValue]]
    ids: Keys
    emails: Keys
    names: Keys
    kinds: Keys
    places: dict[tuple[str, str], set[tuple[Keys, Keys, Keys]]] = field(default_factory=dict)
    """By manifest and term: ids, e-mails and names of each entry."""


def unified(stated: Iterable[StatedValue]) -> list[Agent]:
    """Return the agents of some values, in the order in which they are first named.

    Agents are one if they share an ORCID or another id, else an e-mail, else a name. They are two
    if their ids or kinds differ, or if one manifest lists both, in one term, with different names
    or e-mails.
    """
    agents = [_agent(number, each) for number, each in enumerate(stated)]
    for keys in (_ids, _emails, _names):
        for _ in range(MAX_ROUNDS):
            count = len(agents)
            agents = _joined(agents, keys)
            if len(agents) == count:
                break
    for agent in agents:
        agent.stated.sort(key=itemgetter(0))
    return agents


def fields_of(value: Tree) -> dict[str, Tree]:
    """Return the fields of an agent; a text is its name, or its id."""
    if isinstance(value, dict):
        return value
    text = str(value)
    return {"id" if "://" in text else "name": text}


def full_name(fields: dict[str, Tree]) -> str:
    """Return the name of an agent as its manifest has it, or an empty text."""
    parts = [part for key in ("givenName", "familyName") for part in _texts(fields.get(key))]
    return next(_texts(fields.get("name")), " ".join(parts))


def _agent(number: int, stated: StatedValue) -> Agent:
    fields = fields_of(stated.value)
    ids = frozenset(url_form(text) for key in ("id", "@id") for text in _texts(fields.get(key)))
    emails = frozenset(_mailboxes(fields))
    names = frozenset(filter(None, [name_form(full_name(fields))]))
    kinds = frozenset(_texts(fields.get("type")))
    place = (stated.path, stated.term)
    return Agent([(number, stated)], ids, emails, names, kinds, {place: {(ids, emails, names)}})


def _mailboxes(fields: dict[str, Tree]) -> Iterator[str]:
    for text in _texts(fields.get("email")):
        mailbox = text.strip().removeprefix("mailto:").casefold()
        if "@" in mailbox and mailbox.partition("@")[0] not in ROLES:
            yield mailbox


def _joined(agents: list[Agent], keys: Callable[[Agent], Keys]) -> list[Agent]:
    known: dict[str, list[Agent]] = {}
    kept: list[Agent] = []
    for agent in agents:
        shared = (other for key in sorted(keys(agent)) for other in known.get(key, ()))
        found = next((other for other in shared if _may_be_one(other, agent)), None)
        if found is None:
            kept.append(agent)
            found = agent
        else:
            _join(found, agent)
        for key in keys(agent):
            others = known.setdefault(key, [])
            if len(others) < MAX_SHARED and not any(other is found for other in others):
                others.append(found)
    return kept


def _may_be_one(one: Agent, other: Agent) -> bool:
    if _differ(one.kinds, other.kinds) or _differ(_orcids(one), _orcids(other)):
        return False
    return not any(
        len(one.places[place]) >= MAX_SHARED
        or any(
            any(map(_differ, mine, theirs))
            for mine in one.places[place]
            for theirs in other.places[place]
        )
        for place in one.places.keys() & other.places.keys()
    )


def _differ(some: Keys, others: Keys) -> bool:
    return bool(some and others and some.isdisjoint(others))


def _join(agent: Agent, other: Agent) -> None:
    agent.stated += other.stated
    agent.ids |= other.ids
    agent.emails |= other.emails
    agent.names |= other.names
    agent.kinds |= other.kinds
    for place, entries in other.places.items():
        agent.places.setdefault(place, set()).update(entries)


def _ids(agent: Agent) -> Keys:
    return agent.ids


def _orcids(agent: Agent) -> Keys:
    return frozenset(each for each in agent.ids if each.startswith("//orcid.org/"))


def _emails(agent: Agent) -> Keys:
    return agent.emails


def _names(agent: Agent) -> Keys:
    return agent.names


def _texts(value: Tree) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str) and value.strip():
        yield value
