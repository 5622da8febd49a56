"""Quantisation of graphs before they are lowered: calibration, encodings, their files."""
