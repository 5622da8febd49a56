"""Memory that other processes can map, and which tensors lie in it."""

import gc
import mmap
import os

import numpy as np
import pytest
from htp_mlir.dialects.value.spec import Memory
from htp_mlir.runtime.tensors.memory import Arena, SharedBytes, shared_bytes


def test_another_mapping_of_the_descriptor_has_the_same_bytes() -> None:
    shared = SharedBytes(5000)
    with mmap.mmap(shared.descriptor, 5000) as other:
        shared.bytes()[4999] = 7
        assert other[4999] == 7


def test_a_view_knows_its_memory_and_offset() -> None:
    arena = Arena(Memory.DDR, 4096, shared=True)
    view = arena.view(128, 512, "x").view(np.float32).reshape(2, 64)
    place = shared_bytes(view[1])
    assert place is not None
    memory, offset = place
    assert offset == 128 + 256
    assert len(memory) == 4096
    assert shared_bytes(Arena(Memory.DDR, 64).bytes) is None


def test_the_descriptor_is_closed_with_the_last_view() -> None:
    view = SharedBytes(64).bytes()[:8]
    place = shared_bytes(view)
    assert place is not None
    descriptor = place[0].descriptor
    os.fstat(descriptor)
    del view, place
    gc.collect()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)
