"""Shapes of manifests in JSON: how tools and people write them."""

import json
from collections.abc import Callable
from typing import Any

from tests.software.corpus.projects import Project
from tests.software.corpus.shape import ALL, AUTHOR, LICENCE, NEEDS, REPOSITORY, VERSION, Shape


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _npm(p: Project) -> str:
    first, *others = p.people
    return _json(
        {
            "name": f"@{p.name}/core",
            "version": p.version,
            "description": p.text,
            "main": "dist/index.js",
            "scripts": {"test": "vitest", "build": "tsc -p ."},
            "repository": {"type": "git", "url": f"git+{p.repository}.git"},
            "bugs": {"url": p.issues},
            "homepage": p.homepage,
            "author": f"{first.mailbox} ({p.homepage})",
            "contributors": [{"name": each.name, "email": each.email} for each in others],
            "license": p.licence,
            "keywords": [*p.keywords],
            "engines": {"node": ">=18"},
            "dependencies": {name: f"^{version}" for name, version in p.needs},
            "devDependencies": {name: f"~{version}" for name, version in p.tests},
        }
    )


def _old_npm(p: Project) -> str:
    return _json(
        {
            "name": p.name,
            "version": p.version,
            "author": {"name": p.people[0].name, "email": p.people[0].email},
            "licenses": [{"type": p.licence, "url": f"{p.homepage}/LICENSE"}],
            "repository": p.repository.removeprefix("https://github.com/"),
            "bugs": p.issues,
            "keywords": ", ".join(p.keywords),
            "dependencies": {"left-tide": "*"},
            "engines": ["node >= 0.8"],
        }
    )


def _minimal_npm(p: Project) -> str:
    return json.dumps({"private": True, "workspaces": ["packages/*"], "license": p.licence})


def _composer(p: Project) -> str:
    return _json(
        {
            "name": f"{p.name}/{p.name}",
            "type": "library",
            "description": p.text,
            "keywords": [*p.keywords],
            "homepage": p.homepage,
            "version": p.version,
            "license": [p.licence],
            "authors": [
                {"name": each.name, "email": each.email, "role": "Developer"} for each in p.people
            ],
            "support": {"issues": p.issues, "source": p.repository},
            "require": {"php": "^8.1", "ext-json": "*", "symfony/yaml": "^6.0"},
            "require-dev": {"phpunit/phpunit": "^10"},
            "autoload": {"psr-4": {"App\\": "src/"}},
        }
    )


def _small_composer(p: Project) -> str:
    return _json(
        {
            "name": f"acme/{p.name}",
            "license": p.licence,
            "authors": [{"name": p.people[0].name}],
            "require": {"php": ">=5.3"},
        }
    )


def _codemeta(version: str) -> Callable[[Project], str]:
    def write(p: Project) -> str:
        ci = "contIntegration" if version == "2.0" else "continuousIntegration"
        context = {
            "2.0": "https://doi.org/10.5063/schema/codemeta-2.0",
            "3.0": "https://w3id.org/codemeta/3.0",
        }
        return _json(
            {
                "@context": context.get(version, f"https://w3id.org/codemeta/{version}"),
                "@type": "SoftwareSourceCode",
                "name": p.title,
                "description": p.text,
                "version": p.version,
                "license": [
                    f"https://spdx.org/licenses/{each}" for each in p.licence.split(" OR ")
                ],
                "codeRepository": p.repository,
                "issueTracker": p.issues,
                ci: f"{p.repository}/actions",
                "dateCreated": p.date,
                "keywords": [*p.keywords],
                "programmingLanguage": {"@type": "ComputerLanguage", "name": "Fortran"},
                "author": [
                    {
                        "@type": "Person",
                        **({"@id": f"https://orcid.org/{each.orcid}"} if each.orcid else {}),
                        "givenName": each.given,
                        "familyName": each.family,
                        "email": each.email,
                    }
                    for each in p.people
                ],
                "softwareRequirements": [
                    {"@type": "SoftwareApplication", "name": name, "version": version}
                    for name, version in p.needs
                ],
                "funder": {"@type": "Organization", "name": "The Example Fund"},
            }
        )

    return write


def _codemeta_graph(p: Project) -> str:
    return _json(
        {
            "@context": ["https://schema.org", {"codemeta": "https://codemeta.github.io/terms/"}],
            "@graph": [
                {"@id": "#author", "@type": "Person", "name": p.people[0].name},
                {
                    "@id": p.homepage,
                    "@type": "SoftwareSourceCode",
                    "name": p.name,
                    "author": [{"@id": "#author"}],
                    "codeRepository": {"@id": p.repository},
                    "codemeta:issueTracker": {"@id": p.issues},
                    "version": p.version,
                    "license": p.licence,
                },
            ],
        }
    )


def _zenodo(p: Project) -> str:
    return _json(
        {
            "title": f"{p.title}: software",
            "description": f"<p>{p.text}</p>",
            "upload_type": "software",
            "version": p.version,
            "license": {"id": p.licence} if " " not in p.licence else p.licence,
            "creators": [
                {
                    "name": f"{each.family}, {each.given}",
                    "affiliation": "Example University",
                    **({"orcid": each.orcid} if each.orcid else {}),
                }
                for each in p.people
            ],
            "keywords": [*p.keywords],
            "related_identifiers": [
                {"relation": "isSupplementTo", "identifier": p.repository, "scheme": "url"},
                {"relation": "cites", "identifier": f"10.5555/{p.name}", "scheme": "doi"},
            ],
            "communities": [{"identifier": "examples"}],
            "grants": [{"id": "777541"}],
            "publication_date": p.date,
        }
    )


def _bower(p: Project) -> str:
    return _json(
        {
            "name": p.name,
            "description": p.text,
            "version": p.version,
            "main": f"{p.name}.js",
            "authors": [each.mailbox for each in p.people],
            "license": p.licence,
            "keywords": [*p.keywords],
            "homepage": p.homepage,
            "repository": {"type": "git", "url": f"git://github.com/x/{p.name}.git"},
            "ignore": ["**/.*", "node_modules"],
            "dependencies": {"jquery": ">= 1.9.1"},
            "devDependencies": {"qunit": "~1.16.0"},
        }
    )


def _deno(p: Project) -> str:
    return f"""{{
  // The registry takes these three.
  "name": "@{p.name}/{p.name}",
  "version": "{p.version}",
  "license": "{p.licence}",
  "exports": "./mod.ts",
  "tasks": {{ "dev": "deno run --watch main.ts", }},
  "imports": {{
    "@std/path": "jsr:@std/path@^1.0.0", /* paths */
    "chalk": "npm:chalk@5",
  }},
}}
"""


def _github(p: Project) -> str:
    return _json(
        {
            "id": 1000 + len(p.text),
            "name": p.name,
            "full_name": p.repository.removeprefix("https://github.com/"),
            "owner": {"login": p.people[0].family, "type": "User", "html_url": p.homepage},
            "html_url": p.repository,
            "description": p.text,
            "homepage": p.homepage,
            "clone_url": f"{p.repository}.git",
            "language": "C++",
            "topics": [each.replace(" ", "-") for each in p.keywords],
            "license": {
                "key": "x",
                "spdx_id": p.licence if " " not in p.licence else "NOASSERTION",
            },
            "created_at": f"{p.date}T08:00:00Z",
            "updated_at": f"{p.date}T10:00:00Z",
            "forks_count": len(p.name),
            "stargazers_count": 0,
            "subscribers_count": True,
            "has_issues": True,
            "archived": len(p.people) > 2,
            "parent": None,
        }
    )


def _gitea(p: Project) -> str:
    return _json(
        {
            "name": p.name,
            "html_url": f"https://git.example.org/x/{p.name}",
            "clone_url": f"https://git.example.org/x/{p.name}.git",
            "description": p.text,
            "website": p.homepage,
            "language": "Go",
            "stars_count": 3,
            "watchers_count": -1,
            "forks_count": 1,
            "created_at": f"{p.date}T08:00:00Z",
            "updated_at": f"{p.date}T08:00:00Z",
            "has_issues": False,
        }
    )


def _cpan(p: Project) -> str:
    return _json(
        {
            "abstract": p.text,
            "author": [each.mailbox for each in p.people],
            "dynamic_config": 0,
            "generated_by": "Dist::Zilla version 6.030",
            "keywords": [*p.keywords],
            "license": ["perl_5" if len(p.name) % 2 else "apache_2_0"],
            "meta-spec": {"version": 2},
            "name": p.title.replace(" ", "-"),
            "prereqs": {
                "runtime": {"requires": {"Moo": "2.0", "perl": "5.010"}},
                "test": {"requires": {"Test::More": "0.96"}},
            },
            "release_status": "stable",
            "resources": {
                "bugtracker": {"web": p.issues},
                "homepage": p.homepage,
                "repository": {"type": "git", "url": f"{p.repository}.git", "web": p.repository},
            },
            "version": f"v{p.version}",
        }
    )


JSON_SHAPES = (
    Shape("npm", ALL, _npm),
    Shape("npm", ALL, _old_npm),
    Shape("npm", (LICENCE,), _minimal_npm),
    Shape("composer", ALL, _composer),
    Shape("composer", (LICENCE, AUTHOR, NEEDS), _small_composer),
    *(Shape("codemeta", ALL, _codemeta(each)) for each in ("2.0", "3.0", "3.1")),
    Shape("codemeta", (LICENCE, AUTHOR, REPOSITORY, VERSION), _codemeta_graph),
    Shape("zenodo", (LICENCE, AUTHOR, REPOSITORY, VERSION), _zenodo),
    Shape("cpan", ALL, _cpan),
    Shape("bower", ALL, _bower),
    Shape("deno", (LICENCE, VERSION, NEEDS), _deno),
    Shape("github", (REPOSITORY,), _github),
    Shape("gitea", (REPOSITORY,), _gitea),
)
"""The shapes of formats in JSON."""
