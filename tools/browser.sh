#!/bin/sh
# Chromium for the tests of the page, from the system's packages. In CI a missing browser is a failure; elsewhere the
# tests that need one say that they are left out.
set -u

found() {
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" >/dev/null 2>&1 && { command -v "$name"; return 0; }
    done
    return 1
}

if path=$(found); then
    echo "== browser: $path"
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
    echo "== browser: installing Chromium from the system's packages"
    export DEBIAN_FRONTEND=noninteractive
    $as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends chromium >/dev/null
    if path=$(found); then
        echo "== browser: $path"
        exit 0
    fi
fi

echo "The tests of the page need Chromium, and it could not be installed here." >&2
echo "Install it with your system's packages (Debian: sudo apt-get install chromium) and run this again." >&2
if [ -n "${CI:-}" ]; then
    exit 1
fi
echo "Without it these tests are left out." >&2
