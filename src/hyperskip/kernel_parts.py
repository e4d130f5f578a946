"""Functions that kernels call: compiled as a part of the kernel, not on their own.

Numba optimizes each function, turns it into machine code with wrappers for Python and C, and then
optimizes it again in every caller. A part of a kernel needs one optimization, that of the kernel.
"""

from typing import Any

from numba import njit
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


def kernel_part(*, fastmath: Any = False, forceinline: bool = False) -> Any:
    """Decorate a function that only kernels call; called from Python, it would crash.

    It must not allocate or return arrays, since references are not counted. With fast math, the
    rounding of sums depends on the order of optimizations, so such a part is optimized separately.
    """
    return njit(
        error_model="numpy",
        boundscheck=False,
        fastmath=fastmath,
        forceinline=forceinline,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        _nrt=False,
        **({} if fastmath else {"pipeline_class": _PartCompiler}),
    )


class _PartLibrary(JITCodeLibrary):
    """The code of a part: it is linked into kernels, and is neither optimized nor loaded."""

    def add_llvm_module(self, ll_module: Any) -> None:
        self._final_module.link_in(ll_module)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, _: str) -> int:
        return 0

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, _: str, __: Any) -> None:
        """Do nothing: there is no loaded code that could use the environment."""


class _PartCompiler(Compiler):
    """Numba's compiler, with a library of our own."""

    def __init__(
        self, typing_context: Any, target_context: Any, library: Any, *others: Any
    ) -> None:
        library = _PartLibrary(target_context.codegen(), "kernel part")
        super().__init__(typing_context, target_context, library, *others)
