"""Flags that the tools share, by what they are for."""
