#!/bin/sh
# Makes the virtual environment: venv.sh FOLDER. Only what the locks name is ever fetched.
set -eu

folder=$1
python=$(sh scripts/python.sh)

# Debian and its derivatives keep the part of Python that fills virtual environments apart.
if ! "$python" -c 'import ensurepip' 2>/dev/null; then
    package="$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "$python can't make virtual environments. On Debian: sudo apt-get install $package" >&2
        exit 1
    fi
    echo "installing Debian's $package, which $python needs to make virtual environments"
    apt-get -q update >/dev/null
    DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "$package" >/dev/null
fi

"$python" -m venv --clear "$folder"
# The pip that comes with Python may be too old for some of the packages.
"$folder/bin/python" -m pip install -q --disable-pip-version-check \
    --no-deps --require-hashes -r requirements-build.txt
