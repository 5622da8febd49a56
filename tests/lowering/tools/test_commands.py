"""The commands of `htp` and the flags of `htp-opt`: few, helped, none of upstream left out."""

import argparse
from argparse import SUPPRESS
from importlib import import_module

import pytest
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.lowering.tools.htp import VERBS, htp_parser
from htp_mlir.lowering.tools.opt_flags import MOVED, OPT
from htp_mlir.lowering.universe import PASSES
from htp_mlir.runtime.tools.verbs import ROOT, Verb
from xdsl.xdsl_opt_main import xDSLOptMain

MOST = 16
"""Flags of one command, beside those that every command has."""


@pytest.mark.parametrize("verb", VERBS, ids=[verb.name for verb in VERBS])
def test_a_command_is_short_and_helped(verb: Verb) -> None:
    shown = [name for name, settings in verb.flags.items() if settings["help"] != SUPPRESS]
    assert sum(name.startswith("-") for name in shown) <= MOST
    assert all(settings["help"] for settings in verb.flags.values())
    outcome = htp.run([*verb.name.split(), "--help"])
    assert (outcome.status, outcome.err) == (0, "")
    assert verb.sentence.split()[0] in outcome.out
    module, _, function = verb.work.partition(":")
    assert callable(getattr(import_module(f"{ROOT}.{module}"), function))


WITH_OPERANDS = [verb for verb in VERBS if not all(name.startswith("-") for name in verb.flags)]


@pytest.mark.parametrize("verb", WITH_OPERANDS, ids=[verb.name for verb in WITH_OPERANDS])
def test_a_flag_stands_before_between_or_behind_operands(verb: Verb) -> None:
    needed = [f"{name}=1" for name, settings in verb.flags.items() if settings.get("required")]
    counts = [verb.flags[name].get("nargs") for name in verb.flags if not name.startswith("-")]
    operands = ["a", *("b" for count in counts[1:]), *("c" for count in counts if count in {*"*+"})]
    parsed = []
    for at in range(len(operands) + 1):
        words = [*operands[:at], *needed, "--diagnostics", "json", *operands[at:]]
        parsed.append(vars(htp_parser().parse_args([*verb.name.split(), *words])))
    assert {**parsed[0], "diagnostics": "json"} == parsed[0]
    assert [each for each in parsed if each != parsed[0]] == []


def test_a_word_behind_two_dashes_is_an_operand() -> None:
    assert htp_parser().parse_args(["run", "--", "-x.mlir"]).model == "-x.mlir"


def test_the_help_lists_every_command() -> None:
    words = htp.run(["--help"]).out.split()
    assert {verb.name.split()[0] for verb in VERBS} <= set(words)


def test_htp_opt_has_every_flag_of_xdsl_opt() -> None:
    upstream = argparse.ArgumentParser()
    xDSLOptMain(args=[]).register_all_arguments(upstream)
    theirs = {flag for action in upstream._actions for flag in action.option_strings}
    ours = {flag for spellings in OPT for flag in spellings.split()}
    assert theirs - ours <= {"-h", "--help", "-v", "--version"}
    assert not ours & MOVED.keys()


def test_the_help_of_htp_opt_has_our_passes_first_and_counts_the_others() -> None:
    text = htp_opt.run(["--help"]).out
    ours, _, flags = text.partition("options:")
    assert all(name in ours for name in PASSES.all_passes)
    assert "others" in ours
    assert "convert-scf-to-cf" not in text
    assert "--print-ir-after-all" in flags
