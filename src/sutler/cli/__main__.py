"""`python -m sutler.cli`: the command line without its script; reports name the command as the script would."""

import sys

from sutler.cli import main

sys.argv[0] = "sutler"
main()
