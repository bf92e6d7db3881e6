#!/bin/sh
# Prints the Python to use: $PYTHON if it is set, else the first of the PATH that is new enough.
set -eu

new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

if [ -n "${PYTHON:-}" ]; then
    set -- "$PYTHON"
else
    set -- python3 python3.14 python3.13 python3.12 python3.11
fi
for python in "$@"; do
    if new_enough "$python"; then
        command -v "$python"
        exit
    fi
done
version=$("$1" --version 2>/dev/null) || version="no Python"
echo "Python 3.11 or newer is needed; $1 is $version" >&2
echo "Install one, or say where it is: make PYTHON=/path/to/python3" >&2
exit 1
