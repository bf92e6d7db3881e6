#!/bin/bash
# Starts the node with the settings of the official image: variables with a dot in their names.
set -eu

settings=()
while IFS= read -r -d '' variable; do
    name=${variable%%=*}
    if [[ $name == *.* && $name != *[A-Z]* ]]; then
        settings+=("-E$variable")
    fi
done < <(env -0)
exec /usr/share/elasticsearch/bin/elasticsearch "${settings[@]}" "$@"
