"""Rules in `htp-opt`, besides running them: checks, choice, reports."""
