#!/bin/sh
# The two proxies that the manual for hosts names, nginx and Caddy, for the tests that stand one in front of a server.
. "$(dirname "$0")/install_program.sh"

found() {
    [ -x /usr/sbin/nginx ] || command -v nginx >/dev/null 2>&1 || return 1
    command -v caddy
}

provide proxies "nginx-light caddy" "nginx and Caddy" "tests of what the manual for hosts says of proxies"
