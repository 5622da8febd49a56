"""Text that keeps every bit of the numbers that it says, where xDSL's own would not."""
