"""Modules as graphs for other tools to draw: Graphviz, Mermaid, Model Explorer."""
