# Read by browser.sh, postgres.sh and proxies.sh, which say in `found` where the program is: `provide LABEL PACKAGES NAME TESTS` takes it
# from the system's packages where it is missing. In CI a missing one is a failure; elsewhere those tests say that they are left out.
set -u

provide() {
    label=$1 package=$2 name=$3 tests=$4
    if path=$(found); then
        echo "== $label: $path"
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
        echo "== $label: installing $name from the system's packages"
        export DEBIAN_FRONTEND=noninteractive
        $as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends $package >/dev/null
        if path=$(found); then
            echo "== $label: $path"
            exit 0
        fi
    fi

    echo "The $tests need $name, and it could not be installed here." >&2
    echo "Install it with your system's packages (Debian: sudo apt-get install $package) and run this again." >&2
    if [ -n "${CI:-}" ]; then
        exit 1
    fi
    echo "Without it these tests are left out." >&2
}
