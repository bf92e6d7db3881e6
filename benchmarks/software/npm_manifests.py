"""Synthetic manifests of npm, as large as those of real packages; no two have the same names."""

import json

REQUIREMENTS = 14
"""The packages that a manifest requires; a package on a registry names about so many."""


def npm_manifest(number: int) -> bytes:
    """Return a package.json of about 1.6 kB, in the form in which npm writes it."""
    name, person = f"gauge-{number}", f"Keeper{number} Morrow"
    host = f"https://code.example/velmora-{number % 97}/{name}"
    versions = {f"part-{number}-{each}": f"^{each}.{number % 20}.0" for each in range(REQUIREMENTS)}
    required = dict(list(versions.items())[: REQUIREMENTS // 2])
    tools = dict(list(versions.items())[REQUIREMENTS // 2 :])
    manifest = {
        "name": f"@velmora/{name}",
        "version": f"{number % 7}.{number % 30}.{number % 11}",
        "description": f"Reads water levels of river {number} and draws them as curves",
        "keywords": ["river", "water", "gauge", f"basin-{number % 50}"],
        "homepage": f"{host}#readme",
        "bugs": {"url": f"{host}/issues"},
        "repository": {"type": "git", "url": f"git+{host}.git"},
        "license": ("MIT", "Apache-2.0", "ISC", "(MIT OR GPL-3.0-or-later)")[number % 4],
        "author": f"{person} <keeper{number}@velmora.example> (https://keeper{number}.example)",
        "contributors": [
            {"name": f"Helper{number} Oake", "email": f"oake{number}@velmora.example"}
        ],
        "main": "dist/index.js",
        "types": "dist/index.d.ts",
        "files": ["dist", "README.md"],
        "engines": {"node": ">=18"},
        "scripts": {"build": "tsc -p .", "test": "node --test", "lint": "eslint src"},
        "dependencies": required,
        "devDependencies": tools,
    }
    return json.dumps(manifest, indent=2).encode()
