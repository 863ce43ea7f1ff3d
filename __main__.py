"""`python -m concede`: the command line, where the script `concede` is not on the path."""

from .interfaces.cli.main import main

if __name__ == "__main__":
    main()
