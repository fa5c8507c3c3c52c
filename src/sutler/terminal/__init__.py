"""The commands of `sutler` in the terminal; `cli.py` says what there is, these modules do it."""
