"""The merge of manifests: one value where several mean the same, the most trusted one first."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter

from indexer.software.merging.agents import Agent, unified
from indexer.software.merging.canonical_forms import canonical_form, day_of
from indexer.software.merging.combining import combined, combined_agent
from indexer.software.merging.manifest import StatedValue, TranslatedManifest, by_trust
from indexer.software.merging.merged import Conflict, MergedMetadata, MergedValue
from indexer.software.merging.strategies import AGENTS, Strategy, strategy_of


def merge(manifests: Iterable[TranslatedManifest]) -> MergedMetadata:
    """Return the merged metadata of some manifests, the same for any order of them.

    `strategies` has the strategy of each term. Values with the same canonical form are one value,
    whose sources are all manifests that state it; fields that an object lacks are taken from
    equal objects. No values are lost: those that are not used are conflicts.
    """
    ordered = tuple(sorted(manifests, key=by_trust))
    stated = [*_with_same_as([*chain.from_iterable(map(_stated, ordered))])]
    conflicts: list[Conflict] = []
    agents = _agents([each for each in stated if each.term in AGENTS], conflicts)
    terms: dict[str, list[StatedValue]] = {}
    for each in stated:
        terms.setdefault(each.term, []).append(each)
    values: list[MergedValue] = []
    for term, of_term in terms.items():
        if term in AGENTS:
            found = [*_named(term, agents)]
        else:
            found = [combined(term, each, conflicts) for each in _groups(term, of_term)]
        values += _chosen(term, found, conflicts)
    return MergedMetadata(ordered, tuple(values), tuple(conflicts))


def _stated(manifest: TranslatedManifest) -> Iterator[StatedValue]:
    translation = manifest.translation
    for each in translation.properties:
        yield StatedValue(
            each.term, each.value, manifest.path, translation.format, each.place, each.rule
        )


def _with_same_as(stated: Sequence[StatedValue]) -> Iterator[StatedValue]:
    """Yield the values; ids that differ from the first one become `sameAs` (spec 7)."""
    first = next((each.value for each in stated if each.term == "id"), None)
    for each in stated:
        if each.term == "id" and canonical_form("id", each.value) != canonical_form("id", first):
            yield each._replace(term="sameAs")
        else:
            yield each


def _groups(term: str, stated: Iterable[StatedValue]) -> Iterable[Sequence[StatedValue]]:
    groups: dict[object, list[StatedValue]] = {}
    for each in stated:
        groups.setdefault(canonical_form(term, each.value), []).append(each)
    return groups.values()


def _agents(
    stated: Sequence[StatedValue], conflicts: list[Conflict]
) -> list[tuple[Agent, MergedValue]]:
    return [
        (agent, combined_agent([each for _, each in agent.stated], conflicts))
        for agent in unified(stated)
    ]


def _named(term: str, agents: Iterable[tuple[Agent, MergedValue]]) -> Iterator[MergedValue]:
    """Yield the agents of a term, in the order in which the term names them."""
    places = [
        (next((number for number, each in agent.stated if each.term == term), -1), value)
        for agent, value in agents
    ]
    for number, value in sorted(places, key=itemgetter(0)):
        if number >= 0:
            yield value._replace(term=term)


def _chosen(
    term: str, values: list[MergedValue], conflicts: list[Conflict]
) -> Sequence[MergedValue]:
    match strategy_of(term):
        case Strategy.UNION:
            return values
        case Strategy.PREFER:
            best = values[0].stated[0].path
            kept = [each for each in values if _is_of(each, best)]
            others = [each for each in values if not _is_of(each, best)]
        case Strategy.NEWEST:
            # The first of several, which is the most trusted one.
            newest = max(range(len(values)), key=lambda number: day_of(values[number].value))
            kept = [values[newest]]
            others = [each for number, each in enumerate(values) if number != newest]
    if others:
        conflicts.append(Conflict(term, tuple(kept), tuple(others)))
    return kept


def _is_of(value: MergedValue, path: str) -> bool:
    return any(each.path == path for each in value.stated)
