"""`python -m sutler.cli`: the command line without its script."""

from sutler.cli import main

main()
