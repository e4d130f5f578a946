"""A team of threads that share the work on a block, in phases of items.

Each thread takes the next free item. A phase begins when all items of the last phase are done. No
thread waits for one that has not taken an item, so that progress does not depend on threads that
have no processor on a busy machine.
"""

import sys
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from hyperskip.kernel_parts import kernel_part

_SPINS = 256  # checks before yielding the processor to other threads
_ITEM_BITS = 32

_yield_processor = types.ExternalFunction(
    "SwitchToThread" if sys.platform == "win32" else "sched_yield", types.int32()
)


class Team(NamedTuple):
    """State that the threads of a team share."""

    size: int  # the largest number of threads
    claims: npt.NDArray[np.int64]  # (1,): the phase, and the number of claims in it
    done: npt.NDArray[np.int64]  # (1,): number of finished items of the phase


def new_team(size: int) -> Team:
    """A team before its first block; the counters are in different cache lines."""
    return Team(size, np.zeros(16, dtype=np.int64)[:1], np.zeros(16, dtype=np.int64)[:1])


@intrinsic
def _add(typing_context: Any, array: Any, number: Any) -> Any:
    """Add to array[0] atomically; returns the old value."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = item_address(context, builder, signature, arguments)
        return builder.atomic_rmw("add", address, arguments[1], "acq_rel")

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
def finish(team: Any, phase: Any, items: Any) -> Any:
    """Report that an item is done; after the last item of a phase, the next phase begins."""
    if _add(team.done, 1) == items - 1:
        _write(team.done, 0)
        _write(team.claims, (phase + 1) << _ITEM_BITS)


@kernel_part()
def wait_for_next(team: Any, phase: Any, stop: Any) -> Any:
    """Wait until the phase is over, or until training is stopped."""
    spins = 0
    while _read(team.claims) >> _ITEM_BITS == phase and stop[0] == 0:
        spins += 1
        if spins % _SPINS == 0:
            _yield_processor()


@kernel_part(forceinline=True)
def share_of(scattered: Any, shares: Any) -> Any:
    """The share of a word, from 32 bits of its hash."""
    return np.int64((scattered * np.uint64(shares)) >> np.uint64(32))
