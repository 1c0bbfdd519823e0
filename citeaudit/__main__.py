"""`python -m citeaudit`: the same as the command."""

from citeaudit.cli.main import run

run()
