"""Passes that are functions: options, errors, locations, and what is refused."""

import re
from collections.abc import Callable

import pytest
from htp_mlir.dialects.htp import AbsOp, MaximumOp, NegOp, ReluOp
from htp_mlir.dialects.locations import node_of
from htp_mlir.lowering.plugins import (
    HtpError,
    PassFunction,
    fail_at,
    module_pass,
    plugin_universe,
    replace_op,
    rewrite_pass,
)
from htp_mlir.lowering.testing import assert_same
from htp_mlir.runtime import parse_module
from htp_mlir.runtime.tools.pipeline import make_pipeline
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, UnknownLoc, f32
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import Rewriter

TEXT = """func.func @main(%x: tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %1 = htp.Abs(%0) {htp.name = "magnitude"} : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %2 = htp.Abs(%1) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %3 = htp.Reshape(%2) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  func.return %3 : tensor<1x1x1x4xf32>
}"""


def expanded(op: AbsOp) -> list[Operation]:
    (x,) = op.operands
    negated = NegOp.build(operands=[x], result_types=[x.type])
    larger = MaximumOp.build(operands=[x, negated.results[0]], result_types=[x.type])
    return [negated, larger]


@rewrite_pass("expand-abs")
def expand_abs(op: AbsOp, rewriter: PatternRewriter, *, at_least: int = 0) -> None:
    """Make the larger of x and -x of an Abs."""
    if op.results[0].type.element_count() >= at_least:
        rewriter.replace(op, expanded(op))


@module_pass("expand-abs-too")
def expand_abs_too(module: ModuleOp, *, at_least: int = 0) -> None:
    """Make the larger of x and -x of every Abs."""
    for op in module.walk():
        if isinstance(op, AbsOp) and op.results[0].type.element_count() >= at_least:
            replace_op(op, expanded(op))


BOTH = pytest.mark.parametrize("form", [expand_abs, expand_abs_too], ids=["op", "module"])


@BOTH
def test_the_ops_are_rewritten_and_the_numbers_stay(form: PassFunction) -> None:
    before = parse_module(TEXT)
    after = before.clone()
    form(after)
    names = [op.name for op in after.walk()]
    assert (names.count("htp.Abs"), names.count("htp.Maximum")) == (0, 2)
    assert_same(before, after)


@BOTH
def test_new_ops_have_the_location_of_the_old_one(form: PassFunction) -> None:
    module = parse_module(TEXT)
    form(module)
    negations = [op for op in module.walk() if isinstance(op, NegOp)]
    assert [node_of(op) for op in negations] == ["magnitude", ""]
    assert not any(isinstance(op.location, UnknownLoc) for op in negations)


@BOTH
def test_options_are_keyword_arguments_and_those_of_pipelines(form: PassFunction) -> None:
    module = parse_module(TEXT)
    form(module, at_least=5)
    assert module.is_structurally_equivalent(parse_module(TEXT))
    available = plugin_universe(passes=[form]).all_passes
    make_pipeline(available, f"{form.name}{{at-least=4}}").apply(Context(), module)
    assert "htp.Abs" not in [op.name for op in module.walk()]
    with pytest.raises(HtpError, match="unknown option 'least'\n  did you mean 'at-least'"):
        make_pipeline(available, f"{form.name}{{least=4}}")
    with pytest.raises(HtpError, match="option 'at-least' is many\n  it must be a whole number"):
        make_pipeline(available, f'{form.name}{{at-least="many"}}')


def test_several_classes_of_ops_are_rewritten() -> None:
    seen = []

    @rewrite_pass("sees")
    def sees(op: ReluOp | AbsOp | NegOp, rewriter: PatternRewriter) -> None:
        seen.append(op.name)

    module = parse_module(TEXT)
    expand_abs(module)
    sees(module)
    assert seen == ["htp.Neg", "htp.Neg"]


def test_the_function_keeps_its_name_and_docstring() -> None:
    assert expand_abs.__name__ == "expand_abs"
    assert expand_abs.__doc__ == expand_abs.pass_type.__doc__
    assert "Make the larger" in (expand_abs.__doc__ or "")


def test_a_required_option_must_be_given() -> None:
    @module_pass("needs-size")
    def needs_size(module: ModuleOp, *, size: int, unit: str | None = None) -> None:
        """Do nothing."""

    available = plugin_universe(passes=[needs_size]).all_passes
    with pytest.raises(HtpError, match="pass 'needs-size'"):
        make_pipeline(available, "needs-size")
    make_pipeline(available, "needs-size{size=1 unit=KiB}")


def raised(pass_: Callable[[ModuleOp], None]) -> list[str]:
    with pytest.raises(HtpError) as error:
        pass_(parse_module(TEXT))
    return error.value.lines()


def test_an_exception_names_the_pass_the_op_and_the_line() -> None:
    @rewrite_pass("broken")
    def broken(op: AbsOp, rewriter: PatternRewriter) -> None:
        if op.operands[0].owner.name == "htp.Abs":
            raise KeyError("gone")

    first, remedy, *_ = raised(broken)
    begin = r"<text>:4:3: htp\.Abs: pass 'broken' fails: KeyError: 'gone', at \S+:\d+"
    assert re.fullmatch(begin, first)
    assert remedy == "  fix the pass; the tools show the traceback with --debug"


def test_an_error_of_the_pass_is_told_as_it_is() -> None:
    @module_pass("refuses")
    def refuses(module: ModuleOp) -> None:
        for op in module.walk():
            if isinstance(op, AbsOp):
                raise fail_at(op, "is not wanted", "leave it out")

    first, remedy, *_ = raised(refuses)
    assert first == "<text>:3:3: htp.Abs 'magnitude': is not wanted"
    assert remedy == "  leave it out"


def test_what_does_not_verify_afterwards_is_laid_to_the_pass() -> None:
    @module_pass("shrinks")
    def shrinks(module: ModuleOp) -> None:
        for op in module.walk():
            if isinstance(op, AbsOp):
                Rewriter.replace_value_with_new_type(op.results[0], TensorType(f32, [1, 1, 1, 3]))

    assert "pass 'shrinks' left it so" in raised(shrinks)[0]


def test_rewrites_without_end_are_stopped() -> None:
    @rewrite_pass("turns")
    def turns(op: AbsOp, rewriter: PatternRewriter) -> None:
        rewriter.replace(
            op, AbsOp.build(operands=[op.operands[0]], result_types=[op.operands[0].type])
        )

    assert "pass 'turns' rewrites without end" in raised(turns)[0]


def nothing(module: ModuleOp) -> None: ...
def two(module: ModuleOp, size: int) -> None: ...
def any_options(module: ModuleOp, **options: int) -> None: ...
def untyped(module: ModuleOp, *, size=1) -> None: ...
def odd(module: ModuleOp, *, sizes: dict[str, int]) -> None: ...
def taken(module: ModuleOp, *, name: str) -> None: ...
def rootless(op, rewriter: PatternRewriter) -> None: ...
def no_op(op: int, rewriter: PatternRewriter) -> None: ...


REFUSED = {
    "pass 'My Pass': this is no name": lambda: module_pass("My Pass")(nothing),
    "takes 2 arguments before '*', not 1": lambda: module_pass("a")(two),
    "takes 2 arguments before '*', not 1\n": lambda: module_pass("a")(any_options),
    "option 'size' has no type": lambda: module_pass("a")(untyped),
    "option 'sizes' is of type dict": lambda: module_pass("a")(odd),
    "option 'name' has a name that passes use": lambda: module_pass("a")(taken),
    "takes 1 arguments before '*', not 2": lambda: rewrite_pass("a")(nothing),
    "annotated with nothing, which is no class of ops": lambda: rewrite_pass("a")(rootless),
    "annotated with int, which is no class of ops": lambda: rewrite_pass("a")(no_op),
}


@pytest.mark.parametrize(("message", "make"), REFUSED.items(), ids=REFUSED.keys())
def test_functions_of_another_form_are_refused(message: str, make: Callable[[], object]) -> None:
    with pytest.raises(HtpError, match=re.escape(message)) as error:
        make()
    assert len(error.value.lines()) == 2


@module_pass("scale-by")
def scale_by(module: ModuleOp, *, factor: float, more: tuple[float, ...] = ()) -> None:
    """Tell the type of what is given."""
    raise TypeError(f"{factor!r} {more!r}")


def test_a_whole_number_is_a_real_one() -> None:
    pipeline = make_pipeline(
        {"scale-by": lambda: scale_by.pass_type}, "scale-by{factor=2 more=1,2.5}"
    )
    with pytest.raises(HtpError, match=re.escape("TypeError: 2.0 (1.0, 2.5)")):
        pipeline.apply(Context(), parse_module(TEXT))


@module_pass("leave")
def leave(module: ModuleOp) -> None:
    """End the process."""
    raise SystemExit(0)


def test_a_pass_cannot_end_the_tool_without_a_word() -> None:
    with pytest.raises(HtpError, match=r"pass 'leave'\S*: SystemExit: 0, at "):
        leave(parse_module(TEXT))
