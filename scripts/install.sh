#!/bin/sh
# Installs a lock and the project into the virtual environment: install.sh FOLDER LOCK.
# Nothing is resolved, and what must be built is built with the locked setuptools.
set -eu

pip="$1/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation"
echo "installing $(grep -c == "$2") packages of $2: once, about half a minute"
$pip --require-hashes -r "$2"
# setuptools warns that an editable installation is one.
PYTHONWARNINGS=ignore $pip -e .
