"""qti-raise-block-ops on imported ONNX: the same numbers, kept state, and what stays."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import import_model, lower
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes.graph.raise_ops import Raise, RaiseBlockOps
from htp_mlir.lowering.patterns.raising.masks import bounds
from htp_mlir.lowering.patterns.raising.threads import keep_states
from htp_mlir.lowering.rules import Node
from htp_mlir.runtime import Session
from onnx.parser import parse_model
from xdsl.dialects.builtin import ModuleOp

RNG = np.random.default_rng(5)
HEAD = '<ir_version: 9, opset_import: ["" : 17]>\n'


def imported(text: str) -> ModuleOp:
    return import_model(parse_model(HEAD + text))


def raised(module: ModuleOp, reset: str = "") -> ModuleOp:
    module = module.clone()
    RaiseBlockOps(reset=reset).apply(installed().context(), module)
    module.verify()
    return module


def names(module: ModuleOp) -> set[str]:
    return {op.name.partition(".")[2] for op in module.walk()}


def weights(gates: int) -> str:
    """The weights of a layer of 4 inputs and 3 numbers of state."""
    shapes = {"w": (1, gates * 3, 4), "r": (1, gates * 3, 3)}
    return ", ".join(
        f"float[{','.join(map(str, dims))}] {name} = "
        f"{{{', '.join(f'{number:.3f}' for number in RNG.standard_normal(np.prod(dims)))}}}"
        for name, dims in shapes.items()
    )


STATE = "float[1,2,3]"
GRU = f"""m (float[2,2,4] x, {STATE} h0) => (float[2,1,2,3] y, {STATE} h) <{weights(3)}> {{
    y, h = GRU <hidden_size = 3> (x, w, r, , , h0)
}}"""
LSTM = f"""m (float[2,2,4] x, {STATE} h0, {STATE} c0) => (float[2,1,2,3] y, {STATE} h, {STATE} c)
<{weights(4)}> {{
    y, h, c = LSTM <hidden_size = 3> (x, w, r, , , h0, c0)
}}"""
FLAT = f"""m (float[2,2,4] x, float[2,3] h0) => (float[2,1,2,3] y, float[2,3] h)
<{weights(3)}, int64[1] axis = {{0}}> {{
    deep = Unsqueeze (h0, axis)
    y, last = GRU <hidden_size = 3> (x, w, r, , , deep)
    h = Squeeze (last, axis)
}}"""

SLICED = f"""m (float[2,2,4] x, {STATE} h0) => (float[2,1,2,3] y, {STATE} h)
<{weights(3)}, int64[1] zero = {{0}}, int64[1] one = {{1}}> {{
    all = Slice (h0, zero, one, zero)
    y, h = GRU <hidden_size = 3> (x, w, r, , , all)
}}"""


SPLIT = "first, second = Split (h0, halves)"
GATHERED = """left = Gather (h0, zero)
    first = Unsqueeze (left, axes)
    right = Gather (h0, one)
    second = Unsqueeze (right, axes)"""


def two_layers(parts: str, order: str = "last, final", second: str = "second") -> str:
    """Two layers whose states are parts of one input, and of one output."""
    return f"""m (float[2,2,4] x, float[2,2,3] h0) => (float[2,1,2,3] y, float[2,2,3] h)
<{weights(3)}, int64[2] halves = {{1, 1}}, int64 zero = {{0}}, int64 one = {{1}},
 int64[1] axes = {{0}}, int64[1] ways = {{1}}> {{
    {parts}
    z, last = GRU <hidden_size = 3> (x, w, r, , , first)
    rows = Squeeze (z, ways)
    y, final = GRU <hidden_size = 3> (rows, r, r, , , {second})
    h = Concat <axis = 0> ({order})
}}"""


LAYERS = [two_layers(parts) for parts in (SPLIT, GATHERED)]


def test_layers_whose_states_change_places_stay() -> None:
    swapped = two_layers(SPLIT, order="final, last")
    shared = two_layers(SPLIT, second="first")
    for text in (swapped, shared):
        assert "StatefulGru" not in names(raised(imported(text)))


def test_each_of_two_layers_keeps_its_part_of_the_state() -> None:
    kept = raised(imported(LAYERS[0]))
    assert sum(op.name == "qti_aisw.StatefulGru" for op in kept.walk()) == 2


@pytest.mark.parametrize(
    "text",
    [GRU, LSTM, FLAT, SLICED, *LAYERS],
    ids=["gru", "lstm", "flat", "sliced", "split", "gathered"],
)
def test_a_kept_state_gives_what_a_threaded_one_gives(text: str) -> None:
    module = imported(text)
    kept = raised(module, "reset")
    assert names(kept) & {"StatefulGru", "StatefulLstm"}
    caller = Session(module)
    inputs = {name: spec.shape for name, spec in caller.inputs.items() if name != "x"}
    first = {name: RNG.standard_normal(dims).astype(np.float32) for name, dims in inputs.items()}
    for session in (Session(kept, check=True), Session(lower(kept), check=True)):
        state = first
        for step in range(6):
            begins = step in (0, 4)
            state = first if begins else state
            x = RNG.standard_normal((2, 2, 4)).astype(np.float32)
            expected = caller.run({"x": x, **state})
            # What is fed as a state counts where one begins, and nowhere else.
            fed = first if begins else {name: value + 9 for name, value in first.items()}
            result = session.run({"x": x, **fed, "reset": np.array(begins)})
            for name, wanted in expected.items():
                np.testing.assert_allclose(result[name], wanted, rtol=1e-5, atol=1e-6)
            state = {f"{name}0": expected[name] for name in expected if name != "y"}


WRITTEN_OUT = (
    GRU.replace(f"{STATE} h0)", "bool reset)")
    .replace("y, h = GRU", "known = Where (reset, x, x)\n y, h = GRU")
    .replace("(x, w, r, , , h0)", "(known, w, r)")
)
"""GRU in the body of StatefulGru."""


def test_a_body_that_was_written_out_keeps_its_state_again() -> None:
    caller, kept = Session(imported(GRU)), raised(imported(WRITTEN_OUT))
    assert names(kept) & {"StatefulGru", "ElementWiseSelect"} == {"StatefulGru"}
    for level in (kept, lower(kept)):
        session, state = Session(level, check=True), np.zeros((1, 2, 3), np.float32)
        for step in range(5):
            reset, x = np.array(step == 3), RNG.standard_normal((2, 2, 4)).astype(np.float32)
            state = np.zeros_like(state) if reset else state
            expected = caller.run({"x": x, "h0": state})
            result = session.run({"x": x, "reset": reset})
            for name, wanted in expected.items():
                np.testing.assert_allclose(result[name], wanted, rtol=1e-5, atol=1e-6)
            state = np.asarray(expected["h"])


@pytest.mark.parametrize("choice", ["reset, x, z", "never, x, z"])
def test_a_choice_between_two_values_is_no_body(choice: str) -> None:
    text = WRITTEN_OUT.replace("(reset, x, x)", f"({choice})").replace(
        "known =", "z = Neg (x)\n never = Not (reset)\n known ="
    )
    assert names(raised(imported(text))) >= {"Gru", "ElementWiseSelect"}


def test_without_a_reset_the_inputs_stay_as_they_were() -> None:
    module = imported(GRU)
    assert list(Session(raised(module)).inputs) == list(Session(module).inputs)


def test_a_reset_of_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(HtpError, match="input 'h0': is there already"):
        raised(imported(GRU), "h0")


COMPUTED = "initial_h is computed, it is no input of the model"
NEGATED = GRU.replace("y, h = GRU", "z = Neg (h0)\n y, h = GRU")
TURNED = GRU.replace("y, h = GRU", "z = Slice (h0, last, all, axis, back)\n y, h = GRU").replace(
    "> {",
    ", int64[1] last = {-1}, int64[1] all = {-9}, int64[1] axis = {1}, int64[1] back = {-1}> {",
)
LEFT = {
    "absent": (
        "initial_h is absent, so each inference begins from zeros",
        GRU.replace(", , , h0)", ")"),
    ),
    "negated": (COMPUTED, NEGATED.replace(", , , h0)", ", , , z)")),
    "turned around": (COMPUTED, TURNED.replace(", , , h0)", ", , , z)")),
    "read": (
        "initial_h is an input that other ops read, too",
        NEGATED.replace(f"{STATE} h)", f"{STATE} h, {STATE} z)"),
    ),
    "lost": (
        "the state after it is no output of the model in the shape of initial_h",
        GRU.replace("y, h = GRU", "y, g = GRU").replace("h0)\n}", "h0)\n h = Neg (g)\n}"),
    ),
}


@pytest.mark.parametrize(("reason", "text"), LEFT.values(), ids=LEFT)
def test_a_state_that_does_not_go_round_stays(reason: str, text: str) -> None:
    module = imported(text)
    (note,) = keep_states(module, "reset")
    assert note.problem == reason
    assert "Gru" in names(module)
    assert "reset" not in Session(module).inputs


def softmax(mask: str, kind: str = "bool", dims: str = "2,1,1,5") -> str:
    return f"""m (float[2,3,4,5] x, {kind}[{dims}] keep) => (float[2,3,4,5] y)
    <float one = {{1}}, float zero = {{0}}, float far = {{-10000}}, float low = {{-9}},
     float half = {{0.5}}, float never = {{-3.0e38}}, float wide = {{1.0e9}}> {{
        {mask}
        y = Softmax (s)
    }}"""


ADDED = "k = Cast <to = 1> (keep) n = Sub (one, k) m = Mul (n, far) s = Add (x, m)"
MASKED = {
    "added": softmax(ADDED),
    "added, of bytes": softmax("m = Cast <to = 1> (keep) s = Add (m, x)", "int8"),
    "added, of integers": softmax("m = Cast <to = 1> (keep) s = Add (m, x)", "int32"),
    "added, far": softmax(
        "k = Cast <to = 1> (keep) n = Sub (k, one) m = Mul (n, wide) s = Add (x, m)"
    ),
    "taken away": softmax(
        "k = Cast <to = 1> (keep) n = Sub (k, one) m = Mul (n, far) s = Sub (x, m)"
    ),
    "added, by a choice": softmax("m = Where (keep, zero, far) s = Add (x, m)"),
    "kept": softmax("s = Where (keep, x, far)"),
    "dropped": softmax("s = Where (keep, never, x)"),
    "batch of one": softmax("s = Where (keep, x, far)").replace("2,", "1,"),
    "batch of one, low rank": softmax("s = Where (keep, x, far)", dims="5").replace("2,", "1,"),
}
SCORES = {
    "floats": softmax("s = Add (x, keep)", "float"),
    "halves": softmax("k = Cast <to = 1> (keep) m = Mul (k, half) s = Add (x, m)"),
    "wide integers": softmax("m = Cast <to = 1> (keep) s = Add (x, m)", "int64"),
    "a number that does not mask": softmax("s = Where (keep, x, low)"),
    "a mask for each row": softmax(ADDED, dims="2,1,4,5"),
    "one mask for two batches": softmax(ADDED, dims="1,1,1,5"),
    "another axis": softmax(ADDED).replace("Softmax", "Softmax <axis = 1>"),
}


def fed(session: Session) -> dict[str, np.ndarray]:
    """Scores, and truth values that keep the first column."""
    shapes = {name: (spec.shape, spec.dtype.storage) for name, spec in session.inputs.items()}
    values = {name: RNG.integers(-3, 3, dims).astype(kind) for name, (dims, kind) in shapes.items()}
    if values["keep"].dtype == bool:
        values["keep"] = RNG.integers(0, 2, values["keep"].shape).astype(bool)
    return values


@pytest.mark.one_per
@pytest.mark.parametrize("text", MASKED.values(), ids=MASKED)
def test_a_masked_softmax_is_found(text: str) -> None:
    module = imported(text)
    after_raising = raised(module)
    assert "MaskedSoftmax" in names(after_raising)
    assert "Softmax" not in names(after_raising)
    session = Session(module)
    for _ in range(4):
        inputs = fed(session)
        expected = session.run(inputs)["y"]
        assert expected is not None
        for after in (after_raising, lower(after_raising)):
            result = Session(after, check=True).run(inputs)["y"]
            np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("way", ["kept", "dropped", "added"])
def test_a_row_that_is_masked_as_a_whole_stays_as_it_was(way: str) -> None:
    module = imported(MASKED[way])
    inputs = {**fed(Session(module)), "keep": np.full((2, 1, 1, 5), way == "dropped")}
    expected = Session(module).run(inputs)["y"]
    assert expected is not None
    result = Session(raised(module), check=True).run(inputs)["y"]
    np.testing.assert_allclose(result, expected, rtol=1e-5)


@pytest.mark.parametrize("text", SCORES.values(), ids=SCORES)
def test_other_sums_stay(text: str) -> None:
    ops = names(raised(imported(text)))
    assert "Softmax" in ops
    assert "MaskedSoftmax" not in ops


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s = Where (keep, far, low)", (-10000, -9)),
        ("k = Cast <to = 1> (keep) s = Neg (k)", (-1, 0)),
        ("k = Cast <to = 1> (keep) a = Mul (k, far) s = Sub (low, a)", (-9, 9991)),
        ("k = Cast <to = 1> (keep) s = Add (k, half)", None),
        ("k = Cast <to = 1> (keep) s = Mul (k, wide)", (0, 10**9)),
        ("k = Cast <to = 1> (keep) a = Mul (k, wide) s = Sub (a, one)", None),
        ("k = Cast <to = 1> (keep) a = Mul (k, wide) s = Mul (a, far)", None),
        ("k = Cast <to = 1> (keep) s = Mul (k, never)", None),
        ("k = Cast <to = 1> (keep) s = Exp (k)", None),
    ],
)
def test_bounds_of_whole_numbers(text: str, expected: tuple[int, int] | None) -> None:
    module = imported(softmax(text).replace("float[2,3,4,5] y)", "float[2,1,1,5] y)"))
    (op,) = (op for op in module.walk() if op.name == "qti_aisw.Softmax")
    assert bounds(Node(op.operands[0])) == expected


ATTENTION = """m (float[2,1,5,8] q, float[2,1,6,8] k, float[2,1,6,8] v, int32[2,6] mask)
=> (float[2,1,5,8] y) <int64[2] axes = {1, 2}> {
    turned = Transpose <perm = [0, 1, 3, 2]> (k)
    scores = MatMul (q, turned)
    numbers = Cast <to = 1> (mask)
    wide = Unsqueeze (numbers, axes)
    masked = Add (scores, wide)
    shares = Softmax <axis = -1> (masked)
    y = MatMul (shares, v)
}"""


ATTENDED = """m (float[2,3,4,8] q, float[2,3,5,8] keys, float[2,3,5,8] values, bool[2,1,1,5] keep)
=> (float[2,3,4,8] y)
<float root = {2}, float one = {1}, float zero = {0}, float far = {LOW}> {
    turned = Transpose <perm = [0, 1, 3, 2]> (keys)
    raw = MatMul (q, turned)
    x = Div (raw, root)
    MASK
    shares = Softmax <axis = -1> (s)
    y = MatMul (shares, values)
}"""


def behind_an_attention(mask: str, low: str = "-3.0e38") -> ModuleOp:
    """What an Attention is before block ops are looked for."""
    module = imported(ATTENDED.replace("MASK", mask).replace("LOW", low))
    Raise().apply(installed().context(), module)
    assert "Attention" in names(module)
    return module


@pytest.mark.parametrize(
    ("mask", "low"),
    [
        (ADDED, "-10000"),
        ("s = Where (keep, x, far)", "-3.0e38"),
        ("s = Where (keep, far, x)", "-3.0e38"),
        ("m = Where (keep, zero, far) s = Add (x, m)", "-3.0e38"),
    ],
)
def test_a_masked_softmax_comes_out_of_an_attention(mask: str, low: str) -> None:
    module = behind_an_attention(mask, low)
    after_raising = raised(module)
    assert names(after_raising) & {"MaskedSoftmax", "Attention", "Softmax"} == {"MaskedSoftmax"}
    inputs = fed(Session(module))
    expected = Session(module).run(inputs)["y"]
    assert expected is not None
    for after in (after_raising, lower(after_raising)):
        result = Session(after, check=True).run(inputs)["y"]
        np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "mask",
    [
        "low = Log (zero) s = Where (keep, x, low)",
        "m = Where (keep, zero, far) b = Div (m, root) s = Add (x, b)",
    ],
    ids=["rows without keys give 0", "floats"],
)
def test_an_attention_with_another_mask_stays(mask: str) -> None:
    kept = raised(behind_an_attention(mask, "-9.5"))
    assert names(kept) & {"MaskedSoftmax", "Attention"} == {"Attention"}


def test_a_masked_softmax_is_found_before_an_attention_takes_it_in() -> None:
    assert names(raised(imported(ATTENTION))) & {"MaskedSoftmax", "Attention"} == {"MaskedSoftmax"}
