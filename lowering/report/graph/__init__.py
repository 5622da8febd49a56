"""Modules as graphs for other tools to draw: Graphviz, Model Explorer."""
