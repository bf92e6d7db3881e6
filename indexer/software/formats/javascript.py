"""Manifests of JavaScript: package.json."""

from indexer.software.readings.links import links
from indexer.software.rules.key_rule import KeyRule
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.syntax.json_file import read_json

NPM = ManifestFormat(
    "npm",
    "NpmMapping",
    ("package.json",),
    read_json,
    column="NodeJS",
    rules=(KeyRule("bugs", "issueTracker"), KeyRule("bugs/url", "issueTracker", links)),
)
