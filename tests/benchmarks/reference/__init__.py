"""A reference planner of bytes: plain, brute, and without a line of the project's planner."""
