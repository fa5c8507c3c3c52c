#!/bin/sh
# Chromium for the tests of the page.
. "$(dirname "$0")/install_program.sh"

found() {
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" >/dev/null 2>&1 && { command -v "$name"; return 0; }
    done
    return 1
}

provide browser chromium Chromium "tests of the page"
