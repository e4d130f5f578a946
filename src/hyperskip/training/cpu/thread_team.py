"""A team of threads that share the work on a block, in phases of items.

Each thread takes the next free item. A phase begins when all items of the last phase are done. No
thread waits for one that has not taken an item, so that progress does not depend on threads that
have no processor on a busy machine.
"""

import platform
import sys
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from hyperskip.kernel_parts import kernel_part

_SPINS = 256  # checks before yielding the processor to other threads
_ITEM_BITS = 32
_SCATTER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio

_yield_processor = types.ExternalFunction(
    "SwitchToThread" if sys.platform == "win32" else "sched_yield", types.int32()
)


class Team(NamedTuple):
    """State that the threads of a team share."""

    size: int  # the largest number of threads
    claims: npt.NDArray[np.int64]  # (1,): the phase, and the number of claims in it
    done: npt.NDArray[np.int64]  # (1,): number of finished items of the phase
    taken: npt.NDArray[np.int64]  # (items, 8): in which phase an item was taken, from 1


def new_team(size: int, items: int = 1) -> Team:
    """A team before its first block; all counters are in different cache lines.

    Args:
        size: The largest number of threads.
        items: The largest number of items of a phase in which threads prefer some items.
    """
    counters = np.zeros((2, 16), dtype=np.int64)
    return Team(size, counters[0, :1], counters[1, :1], np.zeros((items, 8), dtype=np.int64))


@intrinsic
def _add(typing_context: Any, array: Any, number: Any) -> Any:
    """Add to array[0] atomically; returns the old value."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = item_address(context, builder, signature, arguments)
        return builder.atomic_rmw("add", address, arguments[1], "acq_rel")

    return types.int64(array, types.int64), generate


@intrinsic
def _exchange(typing_context: Any, array: Any, number: Any) -> Any:
    """Set array[0] atomically; returns the old value."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = item_address(context, builder, signature, arguments)
        return builder.atomic_rmw("xchg", address, arguments[1], "acq_rel")

    return types.int64(array, types.int64), generate


@intrinsic
def _read(typing_context: Any, array: Any) -> Any:
    """Read array[0] atomically."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = item_address(context, builder, signature, arguments)
        return builder.load_atomic(address, "acquire", 8)

    return types.int64(array), generate


@intrinsic
def _write(typing_context: Any, array: Any, number: Any) -> Any:
    """Set array[0] atomically, after all earlier writes of this thread."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = item_address(context, builder, signature, arguments)
        builder.store_atomic(arguments[1], address, "release", 8)
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


def item_address(
    context: Any, builder: Any, signature: Any, arguments: Any, index: Any = None
) -> Any:
    """Address of an item of the first argument, an array: of the first item by default."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    if index is None:
        index = context.get_constant(types.intp, 0)
    return cgutils.get_item_pointer(
        context, builder, signature.args[0], array, [index], wraparound=False
    )


@kernel_part(forceinline=True)
def claim(team: Any) -> Any:
    """Claim an item for this thread; returns the current phase and the number of the item.

    If the phase has no such item, all are taken: wait for the next phase.
    """
    claimed = _add(team.claims, 1)
    return claimed >> _ITEM_BITS, claimed & ((1 << _ITEM_BITS) - 1)


@kernel_part(forceinline=True)
def preferred(team: Any, phase: Any, items: Any, member: Any) -> Any:
    """An item that no thread has taken in this phase, after `claim` has returned one.

    A thread prefers the same items in each phase: their memory may be in its cache.
    """
    item = member * items // team.size
    while team.taken[item, 0] == phase + 1 or _exchange(team.taken[item], phase + 1) == phase + 1:
        item = (item + 1) % items
    return item


@kernel_part(forceinline=True)
def finish(team: Any, phase: Any, items: Any) -> Any:
    """Report that an item is done; after the last item of a phase, the next phase begins."""
    if _add(team.done, 1) == items - 1:
        _write(team.done, 0)
        _write(team.claims, (phase + 1) << _ITEM_BITS)


@intrinsic
def _pause(typing_context: Any) -> Any:
    """Let the other thread of this core run, where the processor has an instruction for that."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if platform.machine().lower() in ("x86_64", "amd64"):
            function_type = ir.FunctionType(ir.VoidType(), [])
            name = "llvm.x86.sse2.pause"
            builder.call(cgutils.get_or_insert_function(builder.module, function_type, name), [])
        return context.get_dummy_value()

    return types.void(), generate


@kernel_part()
def wait_for_next(team: Any, phase: Any, stop: Any) -> Any:
    """Wait until the phase is over, or until training is stopped."""
    spins = 0
    while _read(team.claims) >> _ITEM_BITS == phase and stop[0] == 0:
        spins += 1
        _pause()
        if spins % _SPINS == 0:
            _yield_processor()


@kernel_part(forceinline=True)
def scattered(word: Any) -> Any:
    """32 bits that spread words over slots and shares."""
    return np.uint64(word) * _SCATTER >> np.uint64(32)


@kernel_part(forceinline=True)
def share_of(word: Any, shares: Any) -> Any:
    """The share of a word."""
    return np.int64((scattered(word) * np.uint64(shares)) >> np.uint64(32))
