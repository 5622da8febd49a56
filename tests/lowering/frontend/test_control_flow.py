"""If, Loop, Scan and sequences whose structure is constant, against ONNX Runtime."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.frontend.onnx.bodies import control_flow
from htp_mlir.runtime.session.session import Session
from onnx import ModelProto, parser

from .models import floats, judged

X = floats(3, 4)


def model(text: str, opset: int = 21) -> ModelProto:
    """A model of one input x[3, 4] and one output y, from nodes as text."""
    head = f'<ir_version: 9, opset_import: ["" : {opset}]>'
    return parser.parse_model(f"{head} test (float[3, 4] x) => (float[N, M] y) {{ {text} }}")


def assert_as_reference(text: str, opset: int = 21) -> None:
    """The graph level and the allocated one compute what ONNX Runtime does."""
    one = model(text, opset)
    wanted = judged(one, {"x": X})["y"]
    module = import_model(one)
    for level in (module, lower(module)):
        result = Session(level, check=True).run({"x": X})["y"]
        np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=2e-6)


def fault(text: str) -> str:
    """The one fault of a model."""
    with pytest.raises(HtpError) as caught:
        import_model(model(text))
    (only,) = caught.value.faults
    return only.line()


BRANCHES = """y = If (c) <
    then_branch = t () => (float[N, M] a) { w = Constant <value = float[4] {1, 2, 3, 4}> ()
                                            a = Mul (x, w) },
    else_branch = e () => (float[N, M] b) { b = Neg (x) } >"""


@pytest.mark.parametrize(
    "condition",
    [
        "c = Constant <value = bool {1}> ()",
        "c = Constant <value = bool {0}> ()",
        "s = Shape (x) n = Size (s) two = Constant <value_int = 2> () c = Equal (n, two)",
    ],
)
def test_if_takes_the_branch_of_a_constant_condition(condition: str) -> None:
    assert_as_reference(condition + BRANCHES)


def test_a_graph_inside_may_name_its_output_as_its_node_does() -> None:
    """Not a cycle: what a branch or a body makes, it does not read from outside."""
    assert_as_reference(
        """c = Constant <value = bool {1}> () trips = Constant <value_int = 3> ()
        first = Constant <value_ints = [0]> ()
        z = If (c) < then_branch = t () => (float[N, M] z) { z = Neg (x) },
                     else_branch = e () => (float[N, M] z) { z = Abs (x) } >
        last, s = Loop (trips, c, z) < body = b (int64 i, bool go, float[N, M] v)
                                              => (bool on, float[N, M] w, float[N, M] s) {
            on = Identity (go) w = Add (v, x) s = Relu (w) } >
        total = ReduceSum <keepdims = 0> (s, first) y = Add (total, last)"""
    )


def test_if_inside_if() -> None:
    assert_as_reference("""
        c = Constant <value = bool {1}> ()
        h = Relu (x)
        y = If (c) <
            then_branch = t () => (float[N, M] a) {
                d = Constant <value = bool {0}> ()
                i = Exp (h)
                a = If (d) <then_branch = u () => (float[N, M] k) { k = Neg (i) },
                            else_branch = v () => (float[N, M] l) { l = Add (i, x) }>
            },
            else_branch = e () => (float[N, M] b) { b = Identity (x) }>""")


def test_an_initializer_of_a_branch_may_be_its_output() -> None:
    assert_as_reference("""
        c = Constant <value = bool {1}> ()
        w = If (c) <
            then_branch = t () => (float[4] b) <float[4] b = {1, 2, 3, 4}> { unused = Neg (b) },
            else_branch = e () => (float[N, M] b) { b = Neg (x) }>
        y = Mul (x, w)""")


def test_an_old_graph_inside_is_brought_to_the_new_opset() -> None:
    """Before opset 13 the axes of Squeeze were an attribute."""
    assert_as_reference(
        """
        c = Constant <value = bool {1}> ()
        y = If (c) <
            then_branch = t () => (float[N, M] b) {
                a = Unsqueeze <axes = [0]> (x)
                b = Squeeze <axes = [0]> (a)
            },
            else_branch = e () => (float[N, M] b) { b = Neg (x) }>""",
        opset=12,
    )


LOOP = """
    trips = Constant <value_int = {trips}> ()
    go = Constant <value = bool {{1}}> ()
    {outputs} = Loop (trips, {go}, x) <body = b (int64 i, bool c, float[N, M] v)
        => (bool d, float[N, M] w, float[N] row) <float[4] bias = {{1, 2, 3, 4}}> {{
            d = {condition}
            f = Cast <to = 1> (i)
            k = Add (v, f)
            w = Mul (k, bias)
            j = Constant <value_int = 0> ()
            row = Gather (w, j)
        }}>"""


@pytest.mark.parametrize("go", ["go", ""])
@pytest.mark.parametrize("condition", ["Identity (c)", "Constant <value = bool {1}> ()"])
def test_loop_is_unrolled(go: str, condition: str) -> None:
    text = LOOP.format(trips=3, outputs="last, rows", go=go, condition=condition)
    assert_as_reference(text + "y = Concat <axis = 0> (last, rows)")


def test_loop_of_one_trip_and_of_none() -> None:
    text = LOOP.format
    last = {"outputs": "last, rows", "go": "go", "condition": "Identity (c)"}
    assert_as_reference(text(trips=1, **last) + "y = Concat <axis = 0> (last, rows)")
    assert "its trip count is 0, so what it stacks is empty" in fault(
        text(trips=0, **last) + "y = Relu (last)"
    )


@pytest.mark.parametrize("trips", [2, 9])
def test_trips_are_counted_where_the_condition_follows_from_numbers(trips: int) -> None:
    """As PyTorch's exporter writes EmbeddingBag: no trip count, and a number that is carried."""
    text = """
        first = Constant <value_int = 1> ()
        past = Constant <value_int = 7> ()
        last, end, rows = Loop ({trips}, , x, first) <body = b (int64 i, bool c, float[N, M] v,
            int64 at) => (bool d, float[N, M] w, int64 next, float[N, M] row) {{
                two = Constant <value_int = 2> ()
                next = Add (at, two)
                d = Less (next, past)
                f = Cast <to = 1> (at)
                w = Mul (v, f)
                row = Identity (v)
            }}>
        e = Cast <to = 1> (end)
        scaled = Mul (last, e)
        flat = Reshape (rows, size)
        y = Concat <axis = 0> (scaled, flat)"""
    size = "size = Constant <value_ints = [-1, 4]> ()"
    count = f"trips = Constant <value_int = {trips}> ()"
    assert_as_reference(count + size + text.format(trips="trips"))
    if trips > 3:
        assert_as_reference(size + text.format(trips=""))


def test_a_condition_of_two_values_is_flipped_once() -> None:
    text = LOOP.format(trips=3, outputs="last, rows", go="go", condition="Not (c)")
    assert_as_reference(text + "y = Concat <axis = 0> (last, rows)")


def test_a_loop_that_counts_on_and_on_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control_flow, "MAX_NODES", 50)
    text = """
        first = Constant <value_int = 1> ()
        y, end = Loop (, , x, first) <body = b (int64 i, bool c, float[N, M] v, int64 at)
            => (bool d, float[N, M] w, int64 next) {
                next = Add (at, first)
                d = Less (first, next)
                w = Neg (v)
            }>"""
    assert "its 17 trips of 3 nodes each are too many to unroll" in fault(text)


def test_a_sequence_that_a_loop_collects() -> None:
    assert_as_reference("""
        trips = Constant <value_int = 3> ()
        none = SequenceEmpty ()
        all = Loop (trips, , none) <body = b (int64 i, bool c, seq(float[N, M]) s)
            => (bool d, seq(float[N, M]) t) {
                d = Identity (c)
                f = Cast <to = 1> (i)
                k = Add (x, f)
                t = SequenceInsert (s, k)
            }>
        y = ConcatFromSequence <axis = 0> (all)""")


@pytest.mark.parametrize("attributes", ["", ", scan_input_directions = [1]"])
@pytest.mark.parametrize("outwards", ["", ", scan_output_axes = [1], scan_output_directions = [1]"])
def test_scan_is_unrolled(attributes: str, outwards: str) -> None:
    assert_as_reference(f"""
        zero = Constant <value = float[4] {{0, 0, 0, 0}}> ()
        last, y = Scan (zero, x) <num_scan_inputs = 1{attributes}{outwards},
            body = b (float[4] state, float[4] part) => (float[4] sum, float[4] copy) {{
                sum = Add (state, part)
                copy = Relu (sum)
            }}>""")


@pytest.mark.parametrize(
    ("split", "use"),
    [
        ("SplitToSequence <axis = 1> (x)", "ConcatFromSequence <axis = 0> (s)"),
        ("SplitToSequence <keepdims = 0> (x)", "ConcatFromSequence <axis = 0, new_axis = 1> (s)"),
        ("SplitToSequence <axis = 1> (x, three)", "SequenceAt (s, last)"),
        ("SplitToSequence <axis = 1> (x, sizes)", "SequenceAt (s, last)"),
        ("SequenceConstruct (x, h)", "SequenceAt (s, last)"),
        ("SequenceConstruct (x, h)", "SequenceAt (r, last) r = SequenceErase (s, last)"),
        ("SequenceConstruct (x, h)", "SequenceAt (r, last) r = SequenceInsert (s, h, last)"),
    ],
)
def test_sequences_of_known_elements(split: str, use: str) -> None:
    first, _, before = use.partition(" r = ")
    before = f"r = {before}" if before else ""
    assert_as_reference(f"""
        h = Relu (x)
        three = Constant <value_int = 3> ()
        sizes = Constant <value_ints = [1, 3]> ()
        last = Constant <value_int = -1> ()
        s = {split} {before}
        y = {first}""")


def test_the_length_of_a_sequence() -> None:
    assert_as_reference("""
        s = SequenceConstruct (x, x)
        n = SequenceLength (s)
        f = Cast <to = 1> (n)
        y = Mul (x, f)""")


COMPUTED = """z = ReduceSum <keepdims = 0> (x) o = Constant <value_float = {least}> ()
    c = Greater (z, o) n = Cast <to = 7> (z) """


@pytest.mark.parametrize("least", ["-1000.0", "1000.0"])
def test_if_of_a_computed_condition_computes_both_branches(least: str) -> None:
    assert_as_reference(COMPUTED.replace("{least}", least) + BRANCHES)


def test_if_inside_an_if_of_a_computed_condition() -> None:
    assert_as_reference(
        COMPUTED.replace("{least}", "0.5")
        + """y = If (c) <
            then_branch = t () => (float[N, M] a) {
                one = Constant <value_float = 1.0> ()
                d = Less (z, one)
                a = If (d) <then_branch = u () => (float[N, M] k) { k = Neg (x) },
                            else_branch = v () => (float[N, M] l) { l = Add (x, x) }>
            },
            else_branch = e () => (float[N, M] b) { b = Relu (x) }>"""
    )


@pytest.mark.parametrize(
    ("branch", "problem"),
    [
        ("b = ReduceSum (x)", "and its branches give 'y' two shapes"),
        (
            "b = qti_aisw.Buffer <buffer_size = 3, buffer_dim = 0> (x)",
            "and one of its branches keeps a state",
        ),
    ],
)
def test_if_of_a_computed_condition_refuses(branch: str, problem: str) -> None:
    """What does not fit, or must not run unless it is taken, cannot be computed on the side."""
    text = COMPUTED.replace("{least}", "1.0") + BRANCHES.replace("b = Neg (x)", branch)
    assert f"(If): its condition 'c' is computed {problem}; make it constant" in fault(text)


def test_what_is_computed_is_refused() -> None:
    computed = COMPUTED.replace("{least}", "1.0")
    for condition in ("Identity (d)", "Equal (i, n)", "ReduceMax (c)"):
        text = LOOP.format(trips=3, outputs="y, rows", go="go", condition=condition)
        assert "its condition 'd' is computed, so its trips are not known" in fault(computed + text)
    text = LOOP.format(trips=3, outputs="y, rows", go="go", condition="Identity (c)")
    assert "its trip count 'n' is not constant; make it an initializer, or fix an input" in fault(
        computed + text.replace("(trips,", "(n,"),
    )
    assert "its position 'n' is not constant" in fault(
        computed + "s = SequenceConstruct (x, x) y = SequenceAt (s, n)"
    )


def test_unrolling_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control_flow, "MAX_NODES", 50)
    text = LOOP.format(trips=11, outputs="y, rows", go="go", condition="Identity (c)")
    assert fault(text) == (
        "node of 'y' (Loop): its 11 trips of 6 nodes each are too many to unroll; "
        "at most 50 nodes are taken"
    )


def test_shapes_that_grow_from_trip_to_trip_are_refused() -> None:
    text = """
        trips = Constant <value_int = 40> ()
        s = Shape (x)
        long = Loop (trips, , s) <body = b (int64 i, bool c, int64[N] v)
            => (bool d, int64[M] w) { d = Identity (c) w = Concat <axis = 0> (v, v) }>
        y = Reshape (x, long)"""
    assert "joins integers that shapes may follow from" in fault(text)


def test_sizes_are_checked_inside_of_graphs_too() -> None:
    text = BRANCHES.replace("b = Neg (x)", "b = Split <num_outputs = 1000000000> (x)")
    assert "attribute 'num_outputs' is 1000000000, it has 1" in fault(
        "c = Constant <value = bool {1}> ()" + text
    )


def test_a_fault_in_a_branch_names_the_node_around_it() -> None:
    text = """c = Constant <value = bool {1}> ()
        y = If (c) <then_branch = t () => (float[N, M] a) { a = RandomUniformLike (x) },
                    else_branch = e () => (float[N, M] b) { b = Neg (x) }>"""
    assert "(RandomUniformLike) inside node of 'y' (If): " in fault(text)
    line = fault(text.replace("RandomUniformLike (x)", "Relu <slope = 1> (x)"))
    assert "(Relu) inside node of 'y' (If): unknown attribute 'slope'; allowed are none" in line


def test_what_no_tensor_can_say_is_refused_by_its_kind() -> None:
    wanted = "strings are not supported; prepare the text before the model"
    assert fault("y = StringNormalizer (x)") == f"node of 'y' (StringNormalizer): {wanted}"


def test_names_that_are_no_text_inside_a_graph() -> None:
    one = model("c = Constant <value = bool {1}> ()" + BRANCHES)
    data = one.SerializeToString().replace(b"\x12\x01b", b"\x12\x01\xff")
    with pytest.raises(HtpError, match="names that are no UTF-8 text"):
        import_model(ModelProto.FromString(data))


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        ("num_scan_inputs = 3", "attribute 'num_scan_inputs' is 3, it has 2 inputs"),
        ("num_scan_inputs = 0", "attribute 'num_scan_inputs' is 0, it has 2 inputs"),
        ("num_scan_inputs = 1, scan_input_axes = [0, 1]", "'scan_input_axes' has 2 numbers"),
        ("num_scan_inputs = 1, scan_output_axes = [0, 0]", "'scan_output_axes' has 2 numbers"),
    ],
)
def test_scan_that_contradicts_itself(attributes: str, problem: str) -> None:
    """Beside another fault inference is lenient, so that the expansion looks at it."""
    one = model(f"""
        zero = Constant <value = float[4] {{0, 0, 0, 0}}> ()
        other = ImageDecoder (x)
        last, y = Scan (zero, x) <{attributes},
            body = b (float[4] state, float[4] part) => (float[4] sum, float[4] copy) {{
                sum = Add (state, part)
                copy = Relu (sum)
            }}>""")
    with pytest.raises(HtpError) as caught:
        import_model(one)
    assert problem in caught.value.faults[-1].line()


def test_a_sequence_cannot_leave_the_model() -> None:
    text = """<ir_version: 9, opset_import: ["" : 21]>
        test (float[3, 4] x) => (seq(float[3, 4]) y) { y = SequenceConstruct (x, x) }"""
    with pytest.raises(HtpError, match="a sequence is an output of the model"):
        import_model(parser.parse_model(text))
