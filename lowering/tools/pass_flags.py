"""The flags of `htp-opt` that follow the passes of a run."""

from __future__ import annotations

from argparse import ArgumentParser


def add_pass_flags(parser: ArgumentParser) -> None:
    """Add the flags to a parser."""
    add = parser.add_argument
    add(
        "--dump-pass-pipeline",
        action="store_true",
        help="print the passes of -p, those inside htp-lower in its place, as a pipeline to edit "
        "and to run, for the level of the input file or for a graph; run nothing",
    )
    add(
        "--verify-each",
        action="store_true",
        help="verify the whole module after each pass, also after those inside htp-lower, which "
        "otherwise verifies what they changed",
    )
