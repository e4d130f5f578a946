"""Threads that work on the same block: which words are whose, and a place to meet."""

import sys
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

_SPINS = 256  # looks at the others before giving up the processor to them

_give_way = types.ExternalFunction(
    "SwitchToThread" if sys.platform == "win32" else "sched_yield", types.int32()
)


class Crew(NamedTuple):
    """A thread's place among those that work on the same block."""

    member: int  # from 0
    size: int


ALONE = Crew(0, 1)


@njit(forceinline=True)
def owner_of(scattered: Any, crew: Any) -> Any:
    """The member that moves a word, from 32 bits that are spread evenly over words."""
    return np.int64((scattered * np.uint64(crew.size)) >> np.uint64(32))


@intrinsic
def _arrive(typing_context: Any, arrivals: Any) -> Any:
    """Add 1 to arrivals[0]; what this thread wrote before is seen by all who see that."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        one = ir.Constant(ir.IntType(64), 1)
        address = _address(context, builder, signature, arguments)
        builder.atomic_rmw("add", address, one, "acq_rel")
        return context.get_dummy_value()

    return types.void(arrivals), generate


@intrinsic
def _arrived(typing_context: Any, arrivals: Any) -> Any:
    """How many have arrived."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature, arguments)
        return builder.load_atomic(address, "acquire", 8)

    return types.int64(arrivals), generate


def _address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    first = context.get_constant(types.intp, 0)
    return cgutils.get_item_pointer(
        context, builder, signature.args[0], array, [first], wraparound=False
    )


@njit(error_model="numpy")
def together(arrivals: Any, meetings: Any, crew: Any, stop: Any) -> Any:
    """Wait until every member is here; False if they were told to stop.

    Args:
        arrivals: (1,) of the crew: how often any member came, ever.
        meetings: (1,) of this member: how often it came.
        crew: Who this is, and how many there are.
        stop: (1,): not 0 if somebody may never come.
    """
    if crew.size == 1:
        return True
    meetings[0] += 1
    _arrive(arrivals)
    spins = 0
    while _arrived(arrivals) < meetings[0] * crew.size:
        spins += 1
        if spins % _SPINS == 0:
            if stop[0] != 0:
                return False
            _give_way()
    return True
