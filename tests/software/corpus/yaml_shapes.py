"""Shapes of manifests in YAML: how tools and people write them."""

import json

from tests.software.corpus.projects import Project
from tests.software.corpus.shape import ALL, AUTHOR, LICENCE, NEEDS, REPOSITORY, VERSION, Shape


def _pubspec(p: Project) -> str:
    return f"""name: {p.name.replace("-", "_")}
description: >-
  {" ".join(p.text.split())}
version: {p.version}
homepage: {p.homepage}
repository: {p.repository}
issue_tracker: {p.issues}
topics:
  - {p.keywords[0]}

environment:
  sdk: '>=3.0.0 <4.0.0'

dependencies:
  flutter:
    sdk: flutter
  http: ^1.0.0

dev_dependencies:
  test: any
"""


def _old_pubspec(p: Project) -> str:
    people = "\n".join(f"- {each.mailbox}" for each in p.people)
    return f"""name: {p.name.replace("-", "_")}
version: 1.0
description: {json.dumps(p.text, ensure_ascii=False)}
authors:
{people}
homepage: {p.homepage}
dependencies:
  path: '>=1.0.0'
"""


def _cff(p: Project) -> str:
    people = "\n".join(
        f"  - family-names: {each.family}\n    given-names: {each.given}\n"
        f"    email: {each.email}"
        + (f"\n    orcid: https://orcid.org/{each.orcid}" if each.orcid else "")
        for each in p.people
    )
    return f"""# Made by hand, see https://citation-file-format.github.io
cff-version: 1.2.0
message: If you use this software, please cite it as below.
title: "{p.title}"
abstract: {json.dumps(p.text, ensure_ascii=False)}
authors:
{people}
version: {p.version}
date-released: {p.date}
license: {p.licence.split(" OR ")[0]}
repository-code: {p.repository}
url: {p.homepage}
doi: 10.5281/zenodo.{1000 + len(p.text)}
keywords:
  - {p.keywords[0]}
  - {p.keywords[1]}
"""


def _cff_of_a_paper(p: Project) -> str:
    return f"""cff-version: 1.1.0
title: {p.name}
version: "{p.version}"
authors:
  - name: The {p.name} developers
    website: {p.homepage}
  - alias: {p.people[0].given.lower()}
    family-names: {p.people[0].family}
    affiliation: Institute of Examples
license: [{", ".join(p.licence.split(" OR "))}]
repository-code: "{p.repository}"
identifiers:
  - type: doi
    value: 10.1234/{p.name}
  - type: url
    value: {p.homepage}/v1
preferred-citation:
  type: article
  title: On {p.title.lower()}
  authors:
    - family-names: {p.people[0].family}
      given-names: {p.people[0].given}
  doi: https://doi.org/10.5555/{p.name}
  year: 2021
"""


def _publiccode(p: Project) -> str:
    return f"""publiccodeYmlVersion: "0.4"
name: {p.title}
url: {p.repository}.git
landingURL: {p.homepage}
softwareVersion: {p.version}
releaseDate: {p.date}
platforms: [web, linux]
categories:
  - data-collection
developmentStatus: stable
softwareType: standalone/web
description:
  en:
    genericName: Tool
    shortDescription: >
      {" ".join(p.text.split())}
    features:
      - maps
legal:
  license: {p.licence}
  mainCopyrightOwner: City of Example
maintenance:
  type: internal
  contacts:
    - name: {p.people[0].name}
      email: {p.people[0].email}
localisation:
  localisationReady: true
  availableLanguages: [en, it]
dependsOn:
  open:
    - name: PostgreSQL
      versionMin: "12"
"""


def _cpan_yaml(p: Project) -> str:
    return f"""---
abstract: '{p.title}'
author:
  - '{p.people[0].mailbox}'
build_requires:
  Test::More: '0.88'
generated_by: 'Module::Build version 0.4234'
license: {"perl" if len(p.name) % 2 else "mit"}
meta-spec:
  url: http://module-build.example/META-spec-v1.4.html
  version: '1.4'
name: {p.title.replace(" ", "-")}
requires:
  List::Util: '1.33'
  perl: 5.006
resources:
  bugtracker: {p.issues}
  license: http://dev.perl.org/licenses/
  repository: {p.repository}
version: {p.version}
"""


def _conda(p: Project) -> str:
    return f"""{{% set name = "{p.name}" %}}
{{% set version = "{p.version}" %}}

package:
  name: {{{{ name|lower }}}}
  version: {{{{ version }}}}

source:
  url: https://pypi.example/{{{{ name[0] }}}}/{{{{ name }}}}-{{{{ version }}}}.tar.gz
  sha256: {"0123456789abcdef" * 4}

build:
  number: 0
  noarch: python
  script: {{{{ PYTHON }}}} -m pip install . -vv

requirements:
  build:
    - {{{{ compiler('c') }}}}  # [unix]
  host:
    - python >=3.8
    - pip
  run:
    - python >=3.8
    - numpy >=1.20,<2  # [not win]

test:
  imports:
    - {p.name.replace("-", "_")}

about:
  home: {p.homepage}
  license: {p.licence}
  license_file: LICENSE
  summary: {json.dumps(p.text, ensure_ascii=False)}
  dev_url: {p.repository}

extra:
  recipe-maintainers:
    - {p.people[0].given.lower()}
"""


YAML_SHAPES = (
    Shape("pubspec", (REPOSITORY, VERSION, NEEDS), _pubspec),
    Shape("pubspec", (AUTHOR, VERSION, NEEDS), _old_pubspec),
    Shape("cff", (LICENCE, AUTHOR, REPOSITORY, VERSION), _cff),
    Shape("cff", (LICENCE, AUTHOR, REPOSITORY, VERSION), _cff_of_a_paper),
    Shape("publiccode", (LICENCE, REPOSITORY, VERSION, NEEDS), _publiccode),
    Shape("cpan-yaml", ALL, _cpan_yaml),
    Shape("conda", (LICENCE, REPOSITORY, VERSION, NEEDS), _conda),
)
"""The shapes of formats in YAML."""
