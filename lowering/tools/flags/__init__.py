"""The flags of `htp-opt`, by what they are for."""
