#!/bin/sh
# Writes the locks from pyproject.toml: lock.sh [--upgrade]. Keeps versions that still fit, unless
# told to upgrade. The locks hold versions and hashes, and name no index.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$(sh scripts/python.sh)" -m venv "$folder"
"$folder/bin/python" -m pip install -q --disable-pip-version-check uv

compile() {
    "$folder/bin/uv" pip compile -q --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-header "$@"
}
compile "$@" --group build -o requirements-build.txt
compile "$@" --group replay -o requirements-replay.txt
# The image and a clone read git repositories; an installation with pip chooses.
compile "$@" pyproject.toml --extra git -o requirements.txt
compile "$@" pyproject.toml --extra dev --extra git -c requirements.txt -o requirements-dev.txt
