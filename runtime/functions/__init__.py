"""The meaning of every op as plain functions of numpy arrays; nothing here knows the IR."""
