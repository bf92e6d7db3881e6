#!/bin/sh
# Makes a cluster from the variables of the official image, POSTGRES_USER, POSTGRES_DB and
# POSTGRES_PASSWORD or POSTGRES_PASSWORD_FILE, if there is none; then starts it.
set -eu

if [ ! -e "$PGDATA/PG_VERSION" ]; then
    user=${POSTGRES_USER:-postgres}
    secret=$(mktemp)
    if [ -n "${POSTGRES_PASSWORD_FILE:-}" ]; then
        cat "$POSTGRES_PASSWORD_FILE" > "$secret"
    else
        printf '%s' "$POSTGRES_PASSWORD" > "$secret"
    fi
    initdb --auth=scram-sha-256 --pwfile="$secret" --username="$user" --locale=C.UTF-8
    if [ "${POSTGRES_DB:-$user}" != postgres ]; then
        echo "CREATE DATABASE \"${POSTGRES_DB:-$user}\"" | postgres --single -D "$PGDATA" postgres
    fi
    rm "$secret"
    echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
fi
exec postgres -c listen_addresses='*' "$@"
