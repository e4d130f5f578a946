"""Functions that kernels call: compiled as a part of the kernel, not on their own.

Numba optimizes each function, turns it into machine code with wrappers for Python and C, and then
optimizes it again in every caller. A part of a kernel needs one optimization, that of the kernel.
"""

from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


def kernel_part(
    *, fastmath: set[str] | None = None, forceinline: bool = False
) -> Callable[[Callable[..., Any]], Any]:
    """Decorate a function that only kernels call; a call from Python would crash.

    It must not allocate or return arrays, since references are not counted. With fast math, the
    rounding of sums depends on the order of optimizations, so such a part is optimized separately.
    """
    options: dict[str, Any] = {
        "error_model": "numpy",
        "boundscheck": False,
        "forceinline": forceinline,
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
        "_nrt": False,
    }
    if fastmath:
        options["fastmath"] = fastmath
    else:
        options["pipeline_class"] = _PartCompiler
    decorator: Callable[[Callable[..., Any]], Any] = njit(**options)
    return decorator


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
    def codegen(self) -> Any:  # Numba only calls its set_env
        return self

    def set_env(self, _: str, __: Any) -> None:
        """Do nothing: there is no loaded code that could use the environment."""


class _PartCompiler(Compiler):
    """Numba's compiler, with a library of our own."""

    def __init__(
        self, typing_context: Any, target_context: Any, library: Any, *others: Any
    ) -> None:
        library = _PartLibrary(target_context.codegen(), "kernel part")  # type: ignore[no-untyped-call]
        super().__init__(typing_context, target_context, library, *others)  # type: ignore[no-untyped-call]
