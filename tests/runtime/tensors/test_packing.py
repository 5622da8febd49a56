"""Packing: memory order equals the address formula, and unpacking undoes it."""

import numpy as np
import pytest
from htp_mlir.dialects.value.spec import (
    R4CROUTON,
    R4CROUTON2,
    R4CROUTON2X2,
    R4CROUTON4X1,
    R4CROUTON32,
    R4DEPTH32,
    R4FLAT,
    R4NCHW,
    R4WEIGHTS,
    Layout,
)
from htp_mlir.runtime.tensors import packing
from hypothesis import given, settings
from hypothesis import strategies as st

LAYOUTS = [
    R4FLAT,
    R4NCHW,
    R4DEPTH32,
    R4CROUTON,
    R4CROUTON4X1,
    R4CROUTON2X2,
    R4CROUTON2,
    R4CROUTON32,
    R4WEIGHTS,
]
layouts = st.sampled_from(LAYOUTS)
shapes = st.tuples(st.integers(1, 2), st.integers(1, 18), st.integers(1, 18), st.integers(1, 66))


def numbered(shape: tuple[int, ...]) -> np.ndarray:
    return np.arange(1, np.prod(shape) + 1, dtype=np.int32).reshape(shape)


@given(layout=layouts, shape=shapes)
@settings(max_examples=100)
def test_unpack_undoes_pack(layout: Layout, shape: tuple[int, ...]) -> None:
    array = numbered(shape)
    blocks = packing.pack(array, layout)
    assert blocks.size == layout.elements(shape)
    np.testing.assert_array_equal(packing.unpack(blocks, layout, shape), array)


@given(layout=layouts, shape=shapes, data=st.data())
def test_each_element_lies_at_its_address(layout: Layout, shape, data) -> None:
    array = numbered(shape)
    memory = packing.pack(array, layout).reshape(-1)
    for _ in range(20):
        index = tuple(data.draw(st.integers(0, n - 1)) for n in shape)
        assert memory[layout.address(index, shape)] == array[index]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_every_address_of_a_small_tensor(layout: Layout) -> None:
    shape = (2, 9, 11, 37)
    array = numbered(shape)
    memory = packing.pack(array, layout).reshape(-1)
    addresses = [layout.address(index, shape) for index in np.ndindex(shape)]
    np.testing.assert_array_equal(memory[addresses], array.reshape(-1))
    assert np.count_nonzero(memory) == array.size


def test_crouton_chunks_run_along_depth_then_width_then_height_then_batch() -> None:
    blocks = packing.block_shape(R4CROUTON, (2, 9, 20, 50))
    assert blocks == (2, 2, 3, 2, 8, 8, 32)


def test_weights_order_input_blocks_inside_output_blocks() -> None:
    assert packing.block_shape(R4WEIGHTS, (3, 3, 64, 96)) == (3, 2, 3, 3, 8, 32, 4)
    weights = numbered((3, 3, 64, 96))
    memory = packing.pack(weights, R4WEIGHTS).reshape(-1)
    assert list(memory[:4]) == list(weights[0, 0, :4, 0])
    assert memory[4] == weights[0, 0, 0, 1]
    second_input_block = 3 * 3 * 1024
    assert memory[second_input_block] == weights[0, 0, 32, 0]
    assert memory[2 * second_input_block] == weights[0, 0, 0, 32]


def test_two_byte_croutons_interleave_pairs_of_width() -> None:
    array = numbered((1, 8, 4, 32))
    memory = packing.pack(array, R4CROUTON2).reshape(-1)
    assert list(memory[:4]) == [array[0, 0, w, d] for d in (0, 1) for w in (0, 1)]


def test_unpacking_into_a_padded_buffer_touches_only_its_middle() -> None:
    array = numbered((1, 9, 5, 33))
    buffer = np.zeros((1, 11, 7, 33), np.int32)
    packing.unpack_into(packing.pack(array, R4CROUTON32), buffer[:, 1:-1, 1:-1], R4CROUTON32)
    np.testing.assert_array_equal(buffer[:, 1:-1, 1:-1], array)
    assert buffer.sum() == array.sum()


def test_packing_leaves_padding_alone() -> None:
    blocks = np.full(packing.block_shape(R4CROUTON32, (1, 3, 5, 30)), -7, np.int32)
    packing.pack_into(numbered((1, 3, 5, 30)), blocks, R4CROUTON32)
    assert np.count_nonzero(blocks == -7) == blocks.size - 3 * 5 * 30


@pytest.mark.parametrize("layout", [R4CROUTON, R4CROUTON2], ids=lambda layout: layout.name)
def test_an_empty_tensor_has_nothing_to_copy(layout: Layout) -> None:
    blocks = np.zeros(packing.block_shape(layout, (1, 0, 4, 4)), np.int8)
    assert packing.copy_pairs(blocks, np.zeros((1, 0, 4, 4), np.int8), layout) == ()
