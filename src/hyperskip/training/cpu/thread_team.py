"""Threads that share the work on a block: phases of items, which whoever is free takes.

A phase begins when all items of the one before are done, and nobody waits for a thread that has
taken none: on a busy machine, whoever has a processor does the work.
"""

import sys
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

_SPINS = 256  # looks at the others before giving up the processor to them
_ITEM_BITS = 32

_give_way = types.ExternalFunction(
    "SwitchToThread" if sys.platform == "win32" else "sched_yield", types.int32()
)


class Team(NamedTuple):
    """What threads that work on the same block share."""

    size: int  # at most so many threads
    claims: npt.NDArray[np.int64]  # (1,): the phase, and how many items were asked for in it
    done: npt.NDArray[np.int64]  # (1,): how many items of the phase are done


def new_team(size: int) -> Team:
    """A team that has not begun; each needs cache lines of its own."""
    return Team(size, np.zeros(16, dtype=np.int64)[:1], np.zeros(16, dtype=np.int64)[:1])


@intrinsic
def _add(typing_context: Any, array: Any, number: Any) -> Any:
    """Add to array[0], all at once; returns what was there before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = item_address(context, builder, signature, arguments)
        return builder.atomic_rmw("add", address, arguments[1], "acq_rel")

    return types.int64(array, types.int64), generate


@intrinsic
def _read(typing_context: Any, array: Any) -> Any:
    """array[0] as others last wrote it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = item_address(context, builder, signature, arguments)
        return builder.load_atomic(address, "acquire", 8)

    return types.int64(array), generate


@intrinsic
def _write(typing_context: Any, array: Any, number: Any) -> Any:
    """Set array[0]; who sees that, sees all that this thread wrote before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = item_address(context, builder, signature, arguments)
        builder.store_atomic(arguments[1], address, "release", 8)
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


def item_address(
    context: Any, builder: Any, signature: Any, arguments: Any, place: Any = None
) -> Any:
    """Where an item of the first argument is, an array: the first one, unless a place is given."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    if place is None:
        place = context.get_constant(types.intp, 0)
    return cgutils.get_item_pointer(
        context, builder, signature.args[0], array, [place], wraparound=False
    )


@njit(error_model="numpy", forceinline=True)
def claim(team: Any) -> Any:
    """The phase that the team is in, and an item of it for this thread alone.

    An item that the phase does not have means that all are taken: then wait for the next phase.
    """
    claimed = _add(team.claims, 1)
    return claimed >> _ITEM_BITS, claimed & ((1 << _ITEM_BITS) - 1)


@njit(error_model="numpy", forceinline=True)
def finish(team: Any, phase: Any, items: Any) -> Any:
    """Say that an item of the phase is done; after the last of its items, the next phase begins."""
    if _add(team.done, 1) == items - 1:
        _write(team.done, 0)
        _write(team.claims, (phase + 1) << _ITEM_BITS)


@njit(error_model="numpy")
def wait_for_next(team: Any, phase: Any, stop: Any) -> Any:
    """Wait until a phase is over, or there is a reason to stop."""
    spins = 0
    while _read(team.claims) >> _ITEM_BITS == phase and stop[0] == 0:
        spins += 1
        if spins % _SPINS == 0:
            _give_way()


@njit(forceinline=True)
def share_of(scattered: Any, shares: Any) -> Any:
    """The share that a word falls into, from 32 bits that are spread evenly over words."""
    return np.int64((scattered * np.uint64(shares)) >> np.uint64(32))
