"""The subcommands of ``rivalry``: a file each, imported when it is asked for and no sooner."""
