"""PDL: upstream's mlir-opt and xDSL's interpreter rewrite as our engine does."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp import CORE_OF
from htp_mlir.lowering.interop.pdl import exported, pdl_module_text, pdl_text, rules_text
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.patterns.conditions import only_use
from htp_mlir.lowering.rules import (
    AND,
    EARLY,
    EXTERNAL_CONSTRAINT,
    IS_FLOAT32,
    LET,
    OK,
    SAME_SHAPE,
    WITH_SIZE,
    GraphOptions,
    Op,
    OpVarIn,
    RuleSet,
    gen_ConstArr_f32,
    gen_Shape,
    rule,
    rules,
    run_rules,
)
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.apply_pdl import ApplyPDLPass
from xdsl.transforms.dead_code_elimination import dce

from ...support.native_graph import NativeGraph
from ...support.roundtrip import parse, run_mlir_opt
from ..patterns.examples import EXAMPLES
from .own_rules import OWN, relus

RULES = Packages().rules
OPTIONS = GraphOptions()


@dataclass(frozen=True)
class Pair:
    """Rules and a module that our engine rewrites by them, with what it makes of it."""

    rules: RuleSet
    module: ModuleOp
    expected: ModuleOp

    @property
    def patterns(self) -> str:
        """The rules in PDL."""
        each = exported(self.rules.rules, self.rules)
        assert all(rule.patterns for rule in each), [rule.reason for rule in each]
        return pdl_text(each)


def pair(rule_set: RuleSet, module: ModuleOp) -> Pair | None:
    """The pair of these; None where no rule fires."""
    expected = module.clone()
    if not run_rules(expected, rule_set, OPTIONS).firings:
        return None
    dce(expected)
    return Pair(rule_set, module, expected)


def by_upstream(pairs: list[Pair]) -> Iterator[ModuleOp]:
    """What mlir-opt makes of each module; what is dead then goes, as ops of ours may."""
    texts = [pdl_module_text(pair.module, pair.patterns) for pair in pairs]
    flags = ("--allow-unregistered-dialect", "--split-input-file", "--test-pdl-bytecode-pass")
    done = run_mlir_opt("// -----\n".join(texts), *flags)
    assert done.returncode == 0, done.stderr
    for text in done.stdout.split("// -----"):
        (inner,) = parse(text).body.block.ops
        assert isinstance(inner, ModuleOp)
        inner.detach()
        del inner.properties["sym_name"]
        dce(inner)
        yield inner


def by_xdsl(pair: Pair, path: Path) -> ModuleOp:
    """What xDSL's interpreter makes of the module."""
    path.write_text(pair.patterns, encoding="utf-8")
    context, module = Packages().context(), pair.module.clone()
    context.load_registered_dialect("pdl")
    ApplyPDLPass(pdl_file=str(path)).apply(context, module)
    dce(module)
    return module


def assert_equal(module: ModuleOp, expected: ModuleOp) -> None:
    """Check that two modules differ in names of values at most."""
    assert module.is_structurally_equivalent(expected), f"{module}\nis not\n{expected}"


def of_the_project() -> list[Pair]:
    """Every rule of the project that PDL can say, with an example that it fires on alone."""
    pairs: list[Pair] = []
    for each in exported(RULES.rules, RULES):
        if each.patterns:
            candidates = (pair(RULES.alone(each.rule), example()) for example in EXAMPLES.values())
            pairs.append(next(filter(None, candidates)))
    return pairs


@pytest.mark.needs("mlir-opt")
@pytest.mark.slow
def test_upstream_does_what_rules_of_the_project_do() -> None:
    pairs = of_the_project()
    for each, module in zip(pairs, by_upstream(pairs), strict=True):
        assert_equal(module, each.expected)


@pytest.mark.slow
def test_xdsl_does_what_rules_of_the_project_do(tmp_path: Path) -> None:
    for each in of_the_project():
        assert_equal(by_xdsl(each, tmp_path / "rule.mlir"), each.expected)


def test_these_rules_of_the_project_are_said() -> None:
    """The renames of raw ops, the bounds of ReluMinMax, and the slice of everything."""
    said = {each.rule.name for each in exported(RULES.rules, RULES) if each.patterns}
    assert said >= {*CORE_OF, "ReluMinMax", "Slice_shape"}


def own(name: str) -> Pair:
    member, module = OWN[name]
    written = pair(rules(member), module(NativeGraph()))
    assert written is not None
    return written


@pytest.mark.needs("mlir-opt")
def test_upstream_does_what_our_engine_does() -> None:
    pairs = [own(name) for name in OWN]
    for name, each, module in zip(OWN, pairs, by_upstream(pairs), strict=True):
        assert_equal(module, each.expected)
        assert not module.is_structurally_equivalent(each.module), name


@pytest.mark.parametrize("name", OWN)
def test_xdsl_does_what_our_engine_does(name: str, tmp_path: Path) -> None:
    each = own(name)
    assert_equal(by_xdsl(each, tmp_path / "rules.mlir"), each.expected)


@pytest.mark.needs("mlir-opt")
def test_of_two_rules_at_one_op_upstream_takes_the_first() -> None:
    first, second = (rule(EARLY, Op("Relu", "X"), OK, Op(name, "X")) for name in ("Abs", "Neg"))
    for order in ((first, second), (second, first)):
        each = pair(rules(*order), relus(NativeGraph()))
        assert each is not None
        (module,) = by_upstream([each])
        assert_equal(module, each.expected)


X = Op("Relu", "X")
UNSAYABLE = {
    "nothing declares the op Mine.Nothing": rule(EARLY, Op("Mine::Nothing", "X"), OK, "X"),
    "it makes no constant: 0 elements; 1 to 16777216 are allowed": rule(
        EARLY, X, OK, Op("Add", "X", gen_ConstArr_f32(1.0, 0))
    ),
    "its constraint asks the Python function only_use": rule(
        EARLY, Op("Abs", LET("C", X)), EXTERNAL_CONSTRAINT(only_use, "C"), "X"
    ),
    "its constraint asks IS_FLOAT32": rule(EARLY, X, AND(OK, IS_FLOAT32("X")), Op("Abs", "X")),
    "its constraint asks SAME_SHAPE": rule(EARLY, X, SAME_SHAPE("*", "X"), Op("Abs", "X")),
    "its replacement computes WITH_SIZE": rule(
        EARLY, X, OK, WITH_SIZE(gen_Shape(1, 1, 1, 1), Op("Abs", "X"))
    ),
    "its root is a Reshape, which stays where it makes the signature": rule(
        EARLY, Op("Reshape", X), OK, Op("Reshape", "X")
    ),
    "it matches an op of any number of inputs": rule(
        EARLY, Op("Abs", OpVarIn("Concat", "A", "X")), OK, Op("Abs", "X")
    ),
    "it asks for an input of the graph": rule(EARLY, Op("Abs", LET("X", Op("*Input"))), OK, "X"),
    "an op of it has several results": rule(EARLY, Op("Abs", Op("TopK", "X", "K")), OK, "X"),
    "it runs where a graph option is on": rule(
        EARLY, X, OK, Op("Abs", "X"), flags=["relaxed_precision_flag"]
    ),
    "the params of a graph op are inputs to it, and attributes to PDL": rule(
        EARLY, Op("qti_aisw::Elu", "X", "alpha"), OK, Op("qti_aisw::Relu", "X")
    ),
}


@pytest.mark.parametrize("reason", UNSAYABLE)
def test_what_pdl_cannot_say_has_a_reason(reason: str) -> None:
    rule_set = rules(UNSAYABLE[reason])
    (each,) = exported(rule_set.rules, rule_set)
    assert (each.patterns, each.reason) == ((), reason)


def test_a_rule_that_is_asked_for_must_be_said() -> None:
    with pytest.raises(
        HtpError, match="PDL cannot say it: its constraint asks the Python function"
    ):
        rules_text(Packages(), ["Relu"])


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(HtpError, match="no rule in use is called that") as error:
        rules_text(Packages(), ["ReluMinMx"])
    assert "ReluMinMax" in str(error.value)
