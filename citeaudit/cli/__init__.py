"""The command line: it talks, and decides nothing."""
