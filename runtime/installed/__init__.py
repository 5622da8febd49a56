"""Plugins that are installed beside the project, and the dialects, passes and packages of all."""
