"""Commands of the tools, behind their flags."""
