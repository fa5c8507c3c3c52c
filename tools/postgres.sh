#!/bin/sh
# PostgreSQL for the tests of several processes, from the system's packages. In CI a missing one is a failure; elsewhere
# those tests say that they are left out. The tests start one of their own, in a folder of their own; nothing is left running.
set -u

found() {
    command -v initdb 2>/dev/null && return 0
    for path in /usr/lib/postgresql/*/bin/initdb /usr/pgsql-*/bin/initdb; do
        [ -x "$path" ] && { echo "$path"; return 0; }
    done
    return 1
}

if path=$(found); then
    echo "== database: $path"
    exit 0
fi

as_root=""
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    else
        as_root="no"
    fi
fi

if [ "$as_root" != "no" ] && command -v apt-get >/dev/null 2>&1; then
    echo "== database: installing PostgreSQL from the system's packages"
    export DEBIAN_FRONTEND=noninteractive
    $as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends postgresql >/dev/null
    if path=$(found); then
        echo "== database: $path"
        exit 0
    fi
fi

echo "The tests of several processes need PostgreSQL, and it could not be installed here." >&2
echo "Install it with your system's packages (Debian: sudo apt-get install postgresql) and run this again." >&2
if [ -n "${CI:-}" ]; then
    exit 1
fi
echo "Without it these tests are left out." >&2
