"""Runs of passes, and the instruments that follow them."""
