"""The command htp-run, and what all commands share."""
