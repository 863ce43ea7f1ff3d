"""`concede bench`: one subcommand a file."""
