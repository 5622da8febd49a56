"""From a file to a module."""
