#!/bin/sh
# PostgreSQL for the tests of several processes. They start one of their own, in a folder of their own; nothing is left running.
. "$(dirname "$0")/install_program.sh"

found() {
    command -v initdb 2>/dev/null && return 0
    for path in /usr/lib/postgresql/*/bin/initdb /usr/pgsql-*/bin/initdb; do
        [ -x "$path" ] && { echo "$path"; return 0; }
    done
    return 1
}

provide database postgresql PostgreSQL "tests of several processes"
