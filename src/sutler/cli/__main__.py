"""`python -m sutler.cli`: the command line without the installed script; messages call the program `sutler` all the same."""

import sys

from sutler.cli import main

sys.argv[0] = "sutler"
main()
