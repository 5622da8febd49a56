"""Deciding where tensors lie, and making it real; the numbers stay."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import spec_of, type_of
from htp_mlir.dialects.value.spec import FLAT_TCM
from htp_mlir.lowering.passes.placement.absorb_copies import AbsorbCopies
from htp_mlir.lowering.passes.placement.assign_places import (
    AssignPlaces,
    assign_places,
    check_properties,
    realise_places,
)
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from tests.support.faults import told

from ....support.roundtrip import parse
from ..kit import Model, assert_same, ops_of, placer, places_of, run

SHAPE = (1, 8, 8, 32)


def place(module: ModuleOp) -> ModuleOp:
    by = placer()
    assign_places(module, by)
    realise_places(module, by.budget)
    check_properties(module, by)
    return module


def test_an_op_gets_what_it_demands_and_passes_its_layout_on() -> None:
    model = Model(*SHAPE)
    sum_ = model.op("Add", model.op("Relu", model.x), model.const(1))
    module = model.module(sum_)
    assign_places(module, placer())
    assert places_of(module, "Relu") == ["crouton tcm"]
    assert places_of(module, "Add") == ["crouton tcm"]
    assert places_of(module, "Const") == ["flat ddr"]
    assert places_of(module, "Reshape") == ["flat ddr", "nowhere"]


def test_an_open_memory_is_tcm_for_small_tensors_only() -> None:
    model = Model(*SHAPE)
    module = model.module(model.op("Abs", model.x))
    assign_places(module, placer(largest=0))
    assert places_of(module, "Abs") == ["flat ddr"]


def test_an_op_without_a_kernel_for_its_places_runs_from_main_memory() -> None:
    model = Model(*SHAPE)
    module = model.module(model.op("Abs", model.op("Relu", model.x)))
    assign_places(module, placer())
    assert places_of(module, "Abs") == ["flat ddr"]


def test_layouts_change_in_tcm_on_the_way_in_and_out() -> None:
    model = Model(*SHAPE)
    module = model.module(model.op("Relu", model.x))
    before = run(module)
    assert ops_of(place(module)) == [
        "flat_to_vtcm",
        "ForceFormat_Crouton",
        "Relu",
        "ForceFormat_Flat",
        "flat_from_vtcm",
    ]
    assert_same(before, run(module))


def test_from_croutons_to_flat_inside_tcm_nothing_leaves_it() -> None:
    model = Model(*SHAPE)
    module = model.module(model.op("Neg", model.op("Relu", model.x)))
    before = run(module)
    assert ops_of(place(module))[3:5] == ["ForceFormat_Flat", "Neg"]
    assert_same(before, run(module))


def test_a_conversion_is_shared_by_all_that_need_it() -> None:
    model = Model(*SHAPE)
    module = model.module(*(model.op("Relu", model.x) for _ in range(3)))
    place(module)
    assert ops_of(module).count("ForceFormat_Crouton") == 1
    assert ops_of(module).count("flat_to_vtcm") == 1


def test_a_constant_changes_its_layout_at_compile_time() -> None:
    model = Model(*SHAPE)
    module = model.module(model.op("Add", model.op("Relu", model.x), model.const(1)))
    before = run(module)
    assert ops_of(place(module)).count("ForceFormat_Crouton") == 1
    assert places_of(module, "Const") == ["crouton ddr"]
    assert_same(before, run(module))


def test_a_constant_that_croutons_would_pad_is_moved_flat() -> None:
    model = Model(1, 4, 2, 32)
    module = model.module(model.op("Add", model.op("Relu", model.x), model.const(1)))
    before = run(module)
    assert ops_of(place(module)).count("ForceFormat_Crouton") == 2
    assert places_of(module, "Const") == ["flat ddr"]
    assert_same(before, run(module))


def test_a_constant_that_is_wanted_flat_and_in_croutons_moves_once() -> None:
    model = Model(*SHAPE)
    const = model.const(1)
    module = model.module(model.op("Relu", const), model.op("Neg", const), model.x)
    before = run(module)
    assert places_of(place(module), "Const") == ["crouton ddr"]
    assert ops_of(module)[:4] == ["crouton_to_vtcm", "Relu", "ForceFormat_Flat", "Neg"]
    assert_same(before, run(module))


def test_what_is_placed_already_stays_as_it_is() -> None:
    model = Model(*SHAPE)
    module = place(model.module(model.op("Neg", model.op("Relu", model.x))))
    once = module.clone()
    realise_places(module, placer().budget)
    assert module.is_structurally_equivalent(once)


def test_a_place_that_the_op_cannot_give_is_refused() -> None:
    model = Model(*SHAPE)
    value = model.op("Relu", model.x)
    module = model.module(value)
    assign_places(module, placer())
    relu = next(op for op in module.walk() if op.name == "htp.Relu")
    flat = type_of(spec_of(relu.results[0]).with_place(FLAT_TCM))
    Rewriter.replace_value_with_new_type(relu.results[0], flat)
    realise_places(module, placer().budget)
    with pytest.raises(HtpError, match="'result 0' is flat in tcm, its properties want crouton"):
        check_properties(module, placer())


def test_a_broken_property_is_named() -> None:
    model = Model(*SHAPE)
    module = model.module(model.op("Relu", model.x))
    assign_places(module, placer())
    with pytest.raises(HtpError, match="'in' is flat in ddr, its properties want crouton in tcm"):
        check_properties(module, placer())


def test_a_layout_without_conversions_is_refused() -> None:
    flat, deep = (f"tensor<1x1x4x32xf32, #htp.place<{at}, ddr>>" for at in ("flat", "depth32"))
    module = parse(f"""
      htp.State @h : tensor<1x1x4x32xf32>
      func.func @main(%x: tensor<1x1x4x32xf32>, %r: tensor<1x1x1x1xi1>) -> tensor<1x1x4x32xf32> {{
        %0 = htp.StateRead @h, %x, %r : tensor<1x1x4x32xf32>, tensor<1x1x1x1xi1> -> {deep}
        %1 = htp.Exp(%0) {{htp.operand_places = [#htp.place<flat, ddr>]}} : ({deep}) -> {flat}
        %y = htp.Reshape(%1) : ({flat}) -> tensor<1x1x4x32xf32>
        func.return %y : tensor<1x1x4x32xf32>
      }}""")
    with pytest.raises(HtpError) as error:
        realise_places(module, placer().budget)
    assert told(str(error.value)) == [
        "%1 = htp.Exp: wants a tensor that is depth32 in ddr to be flat in ddr, "
        "no conversion from or to layout depth32",
        "  place it flat or crouton",
    ]


def test_places_are_chosen_before_there_are_copies() -> None:
    model = Model(*SHAPE)
    module = place(model.module(model.op("Relu", model.x)))
    with pytest.raises(HtpError) as error:
        AssignPlaces().apply(Context(), module)
    assert told(str(error.value)) == [
        "%2 = htp.flat_to_vtcm: moves a tensor between places before these are chosen",
        "  run htp-absorb-copies before htp-assign-places",
    ]
    AbsorbCopies().apply(Context(), module)
    AssignPlaces().apply(Context(), module)
    module.verify()


def test_places_are_noted_in_text() -> None:
    model = Model(*SHAPE)
    module = model.module(model.op("Neg", model.op("Relu", model.x)))
    assign_places(module, placer())
    again = parse(str(module))
    for assigned in (module, again):
        realise_places(assigned, placer().budget)
    assert again.is_structurally_equivalent(module)


def noting(places: str) -> str:
    model = Model(*SHAPE)
    module = model.module(model.op("Relu", model.x))
    return str(module).replace("htp.Relu(%1)", f"htp.Relu(%1) {{htp.operand_places = {places}}}")


@pytest.mark.parametrize("places", ["unit", '["crouton"]'])
def test_a_note_of_another_form_does_not_verify(places: str) -> None:
    with pytest.raises(VerifyException, match="it must be a list of places and units"):
        parse(noting(places))


def test_a_note_for_another_number_of_operands_is_refused() -> None:
    with pytest.raises(HtpError) as error:
        realise_places(parse(noting("[unit, unit]")), placer().budget)
    assert told(str(error.value))[1:] == [
        "  give a list of 1 entries, each #htp.place<layout, memory> or unit"
    ]
