"""Kernels of C++ packages, built by the user's compiler and run in a process of their own."""
