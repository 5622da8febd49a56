"""Dialects as IRDL definitions, and modules as these definitions know them."""
