"""Recurrent layers: what a node says of one, and its steps in ops without recurrence."""
