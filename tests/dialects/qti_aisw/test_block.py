"""The block ops: each numbered constraint has a statement that breaks it, and limits that hold."""

import re

import pytest
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.dialects.qti_aisw.choices import BufferMode, Direction, MaskMode
from xdsl.transforms.common_subexpression_elimination import cse
from xdsl.transforms.dead_code_elimination import dce
from xdsl.utils.exceptions import ParseError, VerifyException

from ...support.examples import module_of
from ...support.roundtrip import parse


def buffer(
    params: str = "buffer_dim = 1 : i64, buffer_size = 4 : i64",
    inp: str = "tensor<1x1x16xf32>",
    out: str = "tensor<1x4x16xf32>",
    reset: str = "tensor<i1>",
) -> str:
    return f"%y = qti_aisw.Buffer(%x, reset = %r) {{{params}}} : ({inp}, {reset}) -> {out}"


def sized(size: int, rows: int = 1, **params: int) -> str:
    """A Buffer of `size` rows that gets `rows` per inference."""
    settings = {"buffer_dim": 1, "buffer_size": size, **params}
    text = ", ".join(f"{name} = {value} : i64" for name, value in settings.items())
    return buffer(text, f"tensor<1x{rows}x16xf32>", f"tensor<1x{max(size, 0)}x16xf32>")


BUFFER_BAD = {
    "C1 integers": (
        buffer(inp="tensor<1x1x16xi32>", out="tensor<1x4x16xi32>"),
        "(C1) operand 'inp' has element type Int32, it must be f32, f16 or quantised u8 or u16",
    ),
    "C1 quantised i8": (
        buffer(
            inp="tensor<1x1x16x!quant.uniform<i8:f32, 0.5>>",
            out="tensor<1x4x16x!quant.uniform<i8:f32, 0.5>>",
        ),
        "(C1) operand 'inp' has element type QInt8",
    ),
    "C2 past the rank": (
        buffer("buffer_dim = 3 : i64, buffer_size = 4 : i64"),
        "(C2) param 'buffer_dim' is 3, the input has rank 3; it must be from 0 to rank - 1",
    ),
    "C2 negative": (
        buffer("buffer_dim = -1 : i64, buffer_size = 4 : i64"),
        "(C2) param 'buffer_dim' is -1",
    ),
    "C3 no multiple": (
        sized(5, rows=2, stride=2),
        "(C3) param 'buffer_size' is 5, an inference brings 2 rows; it must be a positive multiple",
    ),
    "C3 zero": (sized(0), "(C3) param 'buffer_size' is 0"),
    "C3 negative": (sized(-1), "(C3) param 'buffer_size' is -1"),
    "C3 no rows": (sized(4, rows=0), "(C3) param 'buffer_size' is 4, an inference brings 0 rows"),
    "C4 default stride below the rows": (
        sized(4, rows=2),
        "(C4) param 'stride' is 1, an inference brings 2 rows and the buffer holds 4; "
        "it must be a multiple of 2 from 2 to 4",
    ),
    "C4 no multiple": (sized(4, rows=2, stride=3), "(C4) param 'stride' is 3"),
    "C4 zero": (sized(4, stride=0), "(C4) param 'stride' is 0"),
    "C4 above the size": (sized(4, stride=5), "(C4) param 'stride' is 5"),
    "C5 negative": (
        sized(4, buffer_padding=-1),
        "(C5) param 'buffer_padding' is -1, an inference brings 1 rows and the buffer holds 4; "
        "it must be a multiple of 1 from 0 to 4",
    ),
    "C5 above the size": (sized(4, buffer_padding=5), "(C5) param 'buffer_padding' is 5"),
    "C5 no multiple": (
        sized(4, rows=2, stride=2, buffer_padding=1),
        "(C5) param 'buffer_padding' is 1",
    ),
    "C6 float": (
        buffer(reset="tensor<f32>"),
        "(C6) operand 'reset' has element type Float32, it must be i1",
    ),
    "C6 two": (
        buffer(reset="tensor<2xi1>"),
        "(C6) operand 'reset' has shape 2, it must hold one element",
    ),
    "result shape": (
        buffer(out="tensor<1x1x16xf32>"),
        "result 0 has shape 1x1x16, its inputs give 1x4x16",
    ),
    "result scale": (
        buffer(
            inp="tensor<1x1x16x!quant.uniform<u8:f32, 0.5>>",
            out="tensor<1x4x16x!quant.uniform<u8:f32, 0.25>>",
        ),
        "result 0 has element type QUInt8 (0.25:0), its inputs give QUInt8 (0.5:0)",
    ),
}

BUFFER_GOOD = {
    "padding fills it": sized(4, buffer_padding=4),
    "tumbling": sized(4, stride=4),
    "as large as an input": sized(4, rows=4, stride=4, buffer_padding=4),
    "reset of one element": buffer(reset="tensor<1x1xi1>"),
    "f16": buffer(inp="tensor<1x1x16xf16>", out="tensor<1x4x16xf16>"),
    "u16": buffer(
        inp="tensor<1x1x16x!quant.uniform<u16:f32, 0.5:9>>",
        out="tensor<1x4x16x!quant.uniform<u16:f32, 0.5:9>>",
    ),
    "rank 1": buffer(
        "buffer_dim = 0 : i64, buffer_size = 4 : i64", "tensor<1xf32>", "tensor<4xf32>"
    ),
}


def masked(
    data: str = "tensor<2x1x4x8xf32>", mask: str = "tensor<2x8xi32>", mode: str = "UNCOMPRESSED"
) -> str:
    return (
        f"%y = qti_aisw.MaskedSoftmax(%x, %m) {{mode = #qti_aisw.mask_mode<{mode}>}} : "
        f"({data}, {mask}) -> {data}"
    )


MASKED_BAD = {
    "C1 rank": (masked("tensor<2x4x8xf32>"), "(C1) operand 'data' has rank 3, it must be 4"),
    "C1 integers": (masked("tensor<2x1x4x8xi32>"), "(C1) operand 'data' has element type Int32"),
    "C2 float": (
        masked(mask="tensor<2x8xf32>"),
        "(C2) operand 'mask' has element type Float32, it must be i32",
    ),
    "C2 rank": (masked(mask="tensor<2x1x8xi32>"), "(C2) operand 'mask' has rank 3, it must be 2"),
    "C2 batch": (
        masked(mask="tensor<1x8xi32>"),
        "(C2) operand 'mask' has batch 1, the data 2; they must be equal",
    ),
    "C3": (
        masked(mask="tensor<2x4xi32>"),
        "(C3) operand 'mask' has 4 columns, the data 8 channels; they must be equal",
    ),
    "C4": (
        masked(mask="tensor<2x3xi32>", mode="COMPRESSED"),
        "(C4) data 2x1x4x8 has width 4 and 8 channels; they must be equal",
    ),
    "result dtype": (
        masked().replace("-> tensor<2x1x4x8xf32>", "-> tensor<2x1x4x8xf16>"),
        "result 0 has element type Float16, its inputs give Float32",
    ),
}

MASKED_GOOD = {
    "added": masked(),
    "packed": masked("tensor<2x1x8x8xf32>", "tensor<2x3xi32>", "COMPRESSED"),
    "no sequences": masked("tensor<2x1x8x8xf32>", "tensor<2x0xi32>", "COMPRESSED"),
    "another scale": masked("tensor<2x1x4x8x!quant.uniform<u8:f32, 0.5>>").replace(
        "-> tensor<2x1x4x8x!quant.uniform<u8:f32, 0.5>>",
        "-> tensor<2x1x4x8x!quant.uniform<u8:f32, 3.90625e-3>>",
    ),
}

GATES = {"Lstm": 4, "Gru": 3}
HIDDEN, INPUT, SEQ, BATCH = 8, 4, 5, 2


def recurrent(op: str, params: str = "", directions: int = 1, **types: str) -> str:
    """A StatefulLstm or StatefulGru with X, W, R and the operands named in `types`."""
    gates = GATES[op] * HIDDEN
    base = {
        "X": f"tensor<{SEQ}x{BATCH}x{INPUT}xf32>",
        "W": f"tensor<{directions}x{gates}x{INPUT}xf32>",
        "R": f"tensor<{directions}x{gates}x{HIDDEN}xf32>",
    }
    operands = {**base, **types}
    optional = [f"{name} = %{name}" for name in operands if name not in base]
    final = f"tensor<{directions}x{BATCH}x{HIDDEN}xf32>"
    finals = [final] * (2 if op == "Lstm" else 1)
    results = ", ".join([f"tensor<{SEQ}x{directions}x{BATCH}x{HIDDEN}xf32>", *finals])
    names = ", ".join(["%y", "%h", "%c"][: 1 + len(finals)])
    size = "" if "hidden_size" in params else f"hidden_size = {HIDDEN} : i64"
    settings = ", ".join(filter(None, [size, params]))
    used = ", ".join(["%X", "%W", "%R", *optional])
    return (
        f"{names} = qti_aisw.Stateful{op}({used}) {{{settings}}} "
        f": ({', '.join(operands.values())}) -> ({results})"
    )


RECURRENT_BAD = {
    "C1 rank": ({"X": "tensor<5x4xf32>"}, "", "(C1) operand 'X' has rank 2, it must be 3"),
    "C1 integers": ({"X": "tensor<5x2x4xi32>"}, "", "(C1) operand 'X' has element type Int32"),
    "C3 quantised": (
        {"X": "tensor<5x2x4x!quant.uniform<u8:f32, 0.5>>"},
        "",
        "(C3) operand 'W' is Float32, 'X' is QUInt8; they must be equal",
    ),
    "C2": ({}, "hidden_size = 0 : i64", "(C2) param 'hidden_size' is 0, it must be >= 1"),
    "C3 hidden": ({"W": "tensor<1x8x4xf32>"}, "", "(C3) operand 'W' has shape 1x8x4, the others"),
    "C3 directions": (
        {},
        "direction = #qti_aisw.direction<bidirectional>",
        "(C3) operand 'W' has shape 1x",
    ),
    "C3 dtype": (
        {"W": "tensor<1x{gates}x4xf16>"},
        "",
        "(C3) operand 'W' is Float16, 'X' is Float32; they must be equal",
    ),
    "C4": ({"R": "tensor<1x8x8xf32>"}, "", "(C4) operand 'R' has shape 1x8x8, the others give"),
    "C5": ({"B": "tensor<1x8xf32>"}, "", "(C5) operand 'B' has shape 1x8, the others give 1x"),
    "C6 dtype": (
        {"sequence_lens": "tensor<2xf32>"},
        "",
        "(C6) operand 'sequence_lens' has element type Float32, it must be i32",
    ),
    "C6 batch": (
        {"sequence_lens": "tensor<3xi32>"},
        "",
        "(C6) operand 'sequence_lens' has shape 3, the others give 2",
    ),
    "C7": (
        {"initial_h": "tensor<2x8xf32>"},
        "",
        "(C7) operand 'initial_h' has shape 2x8, the others give 1x2x8",
    ),
    "C8 zero": ({}, "clip = 0.0 : f32", "(C8) param 'clip' is 0.0, it must be > 0"),
    "C8 negative": ({}, "clip = -1.0 : f32", "(C8) param 'clip' is -1.0, it must be > 0"),
    "C11 float": (
        {"reset": "tensor<f32>"},
        "",
        "(C11) operand 'reset' has element type Float32, it must be i1",
    ),
    "C11 batch": (
        {"reset": "tensor<2xi1>"},
        "",
        "(C11) operand 'reset' has shape 2, it must hold one element",
    ),
}
OWN_BAD = {
    "Lstm C7 initial_c": (
        recurrent("Lstm", initial_c="tensor<1x2x4xf32>"),
        "(C7) operand 'initial_c' has shape 1x2x4, the others give 1x2x8",
    ),
    "Lstm C9": (
        recurrent("Lstm", "input_forget = 2 : i64"),
        "(C9) param 'input_forget' is 2, it must be 0 or 1",
    ),
    "Lstm C10": (
        recurrent("Lstm", P="tensor<1x32xf32>"),
        "(C10) operand 'P' has shape 1x32, the others give 1x24",
    ),
    "Gru C9": (
        recurrent("Gru", "linear_before_reset = -1 : i64"),
        "(C9) param 'linear_before_reset' is -1, it must be 0 or 1",
    ),
}

RECURRENT_GOOD = {
    "all of Lstm": recurrent(
        "Lstm",
        "clip = 3.0 : f32, direction = #qti_aisw.direction<bidirectional>, input_forget = 1 : i64",
        directions=2,
        B="tensor<2x64xf32>",
        sequence_lens="tensor<2xi32>",
        initial_h="tensor<2x2x8xf32>",
        initial_c="tensor<2x2x8xf32>",
        P="tensor<2x24xf32>",
        reset="tensor<i1>",
    ),
    "all of Gru": recurrent(
        "Gru",
        "clip = 3.0 : f32, direction = #qti_aisw.direction<reverse>, linear_before_reset = 1 : i64",
        B="tensor<1x48xf32>",
        sequence_lens="tensor<2xi32>",
        initial_h="tensor<1x2x8xf32>",
        reset="tensor<1xi1>",
    ),
}

REFUSED = {
    **{f"Buffer {name}": case for name, case in BUFFER_BAD.items()},
    **{f"MaskedSoftmax {name}": case for name, case in MASKED_BAD.items()},
    **{
        f"{op} {name}": (
            recurrent(
                op,
                params,
                **{k: v.replace("{gates}", str(GATES[op] * HIDDEN)) for k, v in types.items()},
            ),
            message,
        )
        for op in GATES
        for name, (types, params, message) in RECURRENT_BAD.items()
    },
    **OWN_BAD,
}
ACCEPTED = {**BUFFER_GOOD, **MASKED_GOOD, **RECURRENT_GOOD}


@pytest.mark.parametrize(("statement", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refuses(statement: str, message: str) -> None:
    with pytest.raises(VerifyException, match=re.escape(message)):
        parse(module_of(statement))


@pytest.mark.parametrize("statement", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepts(statement: str) -> None:
    parse(module_of(statement))


@pytest.mark.parametrize(
    "mnemonic", ["Buffer", "MaskedSoftmax", "StatefulLstm", "StatefulGru", "Lstm", "Gru"]
)
def test_every_documented_constraint_has_a_failing_test(mnemonic: str) -> None:
    documented = set(re.findall(r"\(C\d+\)", GRAPH_OPS[mnemonic].__doc__ or ""))
    name = mnemonic.removeprefix("Stateful")
    messages = [message for key, (_, message) in REFUSED.items() if key.split()[0] == name]
    tested = {rule for message in messages for rule in re.findall(r"\(C\d+\)", message)}
    assert documented
    assert documented <= tested


TWICE = """builtin.module {{
  func.func @main(%x: {type}) -> {made} {{
    %a = {op}
    %b = {op}
    %c = {op}
    %s = qti_aisw.ElementWiseAdd(%a, %b) : ({made}, {made}) -> {made}
    func.return %s : {made}
  }}
}}"""


def _count_after_cleanup(op: str, type_: str, results: str) -> int:
    module = parse(TWICE.format(op=op, type=type_, made=results))
    cse(module)
    dce(module)
    wanted = op.split("(")[0]
    return sum(inner.name == wanted for inner in module.walk())


def test_state_is_never_merged_or_dropped() -> None:
    op = (
        "qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 4 : i64} : "
        "(tensor<1xf32>) -> tensor<4xf32>"
    )
    assert _count_after_cleanup(op, "tensor<1xf32>", "tensor<4xf32>") == 3


def test_pure_ops_are_merged_and_dropped() -> None:
    op = "qti_aisw.Relu(%x) : (tensor<4xf32>) -> tensor<4xf32>"
    assert _count_after_cleanup(op, "tensor<4xf32>", "tensor<4xf32>") == 1


def test_choices_have_the_numbers_of_the_specification() -> None:
    assert [mode.code for mode in BufferMode] == [0, 1, 2]
    assert [mode.code for mode in MaskMode] == [0, 1]
    assert [direction.directions for direction in Direction] == [1, 1, 2]


def test_defaults_are_filled_in() -> None:
    (op,) = [op for op in parse(module_of(sized(4))).walk() if op.name == "qti_aisw.Buffer"]
    assert isinstance(op, GRAPH_OPS["Buffer"])
    assert op.params() == {
        "buffer_size": 4,
        "buffer_dim": 1,
        "buffer_padding": 0,
        "stride": 1,
        "mode": "BLOCKING",
    }


def test_unknown_choice_is_refused() -> None:
    statement = masked(mode="PACKED")
    with pytest.raises(ParseError, match="UNCOMPRESSED"):
        parse(module_of(statement))
