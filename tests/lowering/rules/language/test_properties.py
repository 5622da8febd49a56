"""Tensor properties: what each clause demands, which clause wins, and what is refused."""

from collections.abc import Sequence

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.spec import LayoutKind, Memory
from htp_mlir.lowering.rules import Crouton, Flat, MainMemory, Op, Outputs, Tcm, tensor_properties
from htp_mlir.lowering.rules.graph.graph import TensorProperties
from htp_mlir.lowering.rules.language.properties import Clause, OutputNames, merge

FLAT, CROUTON = LayoutKind.FLAT, LayoutKind.CROUTON
TCM, DDR = Memory.TCM, Memory.DDR

Demands = dict[str, tuple[LayoutKind | None, Memory | None]]


def demands(row: TensorProperties) -> Demands:
    """Layout and memory of every tensor of an op, by tag."""
    return {tag: (row.layout(tag), row.memory(tag)) for tag in (*row.outputs, *row.inputs)}


def test_documented_example_leaves_the_layout_of_the_input_free() -> None:
    row = tensor_properties(Op("Argmax", "in", "axis"), Flat("*", "axis"), MainMemory("..."))
    assert demands(row) == {"*": (FLAT, DDR), "in": (None, DDR), "axis": (FLAT, DDR)}


def test_documented_example_with_its_tags_mended() -> None:
    row = tensor_properties(
        Op("FastExampleOp", "in0", "in1", "in2"),
        Flat("*", "in1", "in2"),
        Crouton("in0"),
        MainMemory("in2"),
        Tcm("in0", "in1"),
    )
    assert demands(row) == {
        "*": (FLAT, None),
        "in0": (CROUTON, TCM),
        "in1": (FLAT, TCM),
        "in2": (FLAT, DDR),
    }


def test_documented_example_as_printed_names_unknown_tags() -> None:
    with pytest.raises(HtpError) as caught:
        tensor_properties(Op("FastExampleOp", "in0", "in1", "in2"), Tcm("in_0", "in_1"))
    assert caught.value.lines() == [
        "tensor properties of FastExampleOp: Tcm() names 'in_0', which is no tag of the op",
        "  its tags are *, in0, in1, in2",
    ]


def test_the_first_clause_that_names_a_tensor_wins() -> None:
    row = tensor_properties(Op("Relu", "in"), Flat("in"), Crouton("in", "*"))
    assert (row.layout("in"), row.layout("*")) == (FLAT, CROUTON)


def test_the_rest_is_what_no_earlier_clause_constrains_for_that_property() -> None:
    row = tensor_properties(Op("Add", "a", "b"), Tcm("a"), Crouton("*"), Flat("..."), Tcm("b"))
    assert demands(row) == {"*": (CROUTON, None), "a": (FLAT, TCM), "b": (FLAT, TCM)}


def test_a_clause_after_the_rest_finds_nothing_left() -> None:
    row = tensor_properties(Op("Relu", "in"), MainMemory("..."), Tcm("in"))
    assert row.memory("in") is DDR


def test_outputs_have_names_from_the_first_on_and_belong_to_the_rest() -> None:
    row = tensor_properties(
        Op("Gru", "X"), Outputs("Y", "Y_h"), Tcm("*"), MainMemory("Y_h"), Flat("...")
    )
    assert row.outputs == ("Y", "Y_h")
    assert demands(row) == {"Y": (FLAT, TCM), "Y_h": (FLAT, DDR), "X": (FLAT, None)}
    assert (row.layout("*"), row.memory("*")) == (FLAT, TCM)


def test_the_first_clause_wins_by_either_name_of_the_first_output() -> None:
    row = tensor_properties(Op("Gru", "X"), Outputs("Y", "Y_h"), Tcm("Y"), MainMemory("*", "Y_h"))
    assert demands(row) == {"Y": (None, TCM), "Y_h": (None, DDR), "X": (None, None)}


def test_the_first_output_may_keep_the_star_as_its_name() -> None:
    row = tensor_properties(Op("Gru", "X"), Outputs("*", "Y_h"), Tcm("*"))
    assert demands(row) == {"*": (None, TCM), "Y_h": (None, None), "X": (None, None)}


def test_a_declaration_without_clauses_leaves_everything_free() -> None:
    assert demands(tensor_properties(Op("Relu", "in"))) == {"*": (None, None), "in": (None, None)}


def test_operands_are_named_in_order_and_further_ones_not_at_all() -> None:
    row = tensor_properties(Op("Concat", "axis"), Flat("axis"))
    assert (row.input_tag(0), row.input_tag(1)) == ("axis", None)


REFUSED: list[tuple[Sequence[str], Clause | OutputNames, str]] = [
    (("a", "a"), Flat("a"), "'a' names 2 tensors"),
    (("*",), Flat("*"), "'*' names 2 tensors"),
    (("a",), Outputs("a"), "'a' names 2 tensors"),
    (("a",), Outputs("b", "*"), "'*' names 2 tensors"),
    (("*",), Outputs("b"), "'*' names 2 tensors"),
    (("...",), Flat("..."), "'...' names a tensor"),
    (("a",), Crouton("b"), "Crouton() names 'b', which is no tag of the op"),
    (("a",), MainMemory("b"), "MainMemory() names 'b', which is no tag of the op"),
]


@pytest.mark.parametrize(("tags", "clause", "message"), REFUSED)
def test_tags_that_name_no_tensor_or_two_are_refused(
    tags: Sequence[str], clause: Clause | OutputNames, message: str
) -> None:
    with pytest.raises(HtpError) as caught:
        tensor_properties(Op("Relu", *tags), clause)
    assert message in caught.value.lines()[0]


def test_a_nested_op_among_the_inputs_is_refused() -> None:
    with pytest.raises(HtpError, match=r'Op\("Neg", "x"\) stands among the inputs'):
        tensor_properties(Op("Relu", Op("Neg", "x")))


def test_a_second_declaration_of_an_op_is_refused() -> None:
    row = tensor_properties(Op("Relu", "in"), Tcm("in"))
    assert merge([row]) == {"Relu": row}
    with pytest.raises(HtpError, match="tensor properties of Relu: are declared twice"):
        merge([row, row])
