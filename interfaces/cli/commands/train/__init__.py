"""`concede train`: one subcommand a file."""
