"""Instruments of `htp-opt`, and the flags that ask for them."""
