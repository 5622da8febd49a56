"""Block ops: those of the converter's own operator domain. Three of the four keep state."""
