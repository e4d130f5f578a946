"""Sixteen numbers at once: a vector register as a type of Numba.

LLVM vectorizes a loop only if it can prove that rows do not overlap, which it rarely can. With this
type, a kernel is explicit: `total(load(rows, i, column) * weight)`. Each operation is one LLVM
instruction on <16 x float>; LLVM splits it if registers are narrower.

Functions of lanes also accept single numbers, so that each formula is written once.
"""

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import config, types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

LANES = 16


def _has_wide_registers() -> bool:
    """Whether all lanes fit into one register of the processor, and there are 32 of these."""
    features = getattr(config, "CPU_FEATURES", None)  # from NUMBA_CPU_FEATURES
    if features is not None:
        return "+avx512f" in features
    return bool(get_host_cpu_features().get("avx512f", False))


WIDE = _has_wide_registers()

# NaN and infinity keep their meaning, so that divergence is detected. benchmarks/kernel.py measures
# the effect of the other flags. Operations on lanes always have them; functions that compute with
# single numbers, too, need `fastmath=FAST`.
FAST = {"reassoc", "contract", "nsz", "arcp"}
_FLAGS = tuple(sorted(FAST))


class LanesType(types.Type):
    """The Numba type of a register; elements are float32, int32 or boolean."""

    def __init__(self, element: Any) -> None:
        self.element = element
        super().__init__(f"Lanes({element})")


FLOATS = LanesType(types.float32)
INTEGERS = LanesType(types.int32)
TRUTHS = LanesType(types.boolean)

_FLOAT, _INTEGER, _TRUTH = ir.FloatType(), ir.IntType(32), ir.IntType(1)
_REGISTERS = {
    FLOATS: ir.VectorType(_FLOAT, LANES),
    INTEGERS: ir.VectorType(_INTEGER, LANES),
    TRUTHS: ir.VectorType(_TRUTH, LANES),
}


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, numba_type: Any) -> None:
        super().__init__(manager, numba_type, _REGISTERS[numba_type])


def _spread_out(builder: Any, value: Any) -> Any:
    """A register with the number in every lane; registers are returned as they are."""
    if isinstance(value.type, ir.VectorType):
        return value
    register = ir.VectorType(value.type, LANES)
    nothing = ir.Constant(register, ir.Undefined)
    first = builder.insert_element(nothing, value, ir.Constant(_INTEGER, 0))
    zeros = ir.Constant(ir.VectorType(_INTEGER, LANES), [0] * LANES)
    return builder.shuffle_vector(first, nothing, zeros)


def _constant(like: Any, value: float) -> Any:
    """A constant of this type, in every lane if the type is a register."""
    return ir.Constant(like, [value] * LANES if isinstance(like, ir.VectorType) else value)


def _define(
    operation: Any, operands: tuple[Any, Any], result: Any, instruction: Callable[..., Any]
) -> None:
    """Define an operator of Python for registers."""

    class Template(AbstractTemplate):
        def generic(self, arguments: Any, _: Any) -> Any:
            return signature(result, *operands) if tuple(arguments) == operands else None

    def lower(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return instruction(builder, *(_spread_out(builder, value) for value in arguments))

    infer_global(operation)(Template)
    lower_builtin(operation, *operands)(lower)


def _arithmetic(name: str) -> Callable[..., Any]:
    return lambda builder, a, b: getattr(builder, name)(a, b, flags=_FLAGS)


def _comparison(sign: str, of_floats: bool) -> Callable[..., Any]:
    if of_floats:
        return lambda builder, a, b: builder.fcmp_ordered(sign, a, b)
    return lambda builder, a, b: builder.icmp_signed(sign, a, b)


def _define_operators() -> None:
    arithmetic = {
        "fadd": (operator.add, operator.iadd),
        "fsub": (operator.sub, operator.isub),
        "fmul": (operator.mul, operator.imul),
        "fdiv": (operator.truediv, operator.itruediv),
    }
    for name, operations in arithmetic.items():
        for operation in operations:
            for operands in ((FLOATS, FLOATS), (FLOATS, types.float32), (types.float32, FLOATS)):
                _define(operation, operands, FLOATS, _arithmetic(name))
    for sign, operation in ((">", operator.gt), (">=", operator.ge)):
        _define(operation, (FLOATS, types.float32), TRUTHS, _comparison(sign, of_floats=True))
    for sign, operation in (("<=", operator.le), (">=", operator.ge), ("!=", operator.ne)):
        _define(operation, (INTEGERS, types.int32), TRUTHS, _comparison(sign, of_floats=False))
    _define(operator.and_, (TRUTHS, TRUTHS), TRUTHS, lambda builder, a, b: builder.and_(a, b))


_define_operators()


def _address(context: Any, builder: Any, array_type: Any, array: Any, indices: Any) -> Any:
    parts = context.make_array(array_type)(context, builder, array)
    return cgutils.get_item_pointer(
        context, builder, array_type, parts, list(indices), wraparound=False
    )


def _call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    """Call an LLVM function that exists for numbers and for registers."""
    kind = f"v{LANES}f32" if isinstance(arguments[-1].type, ir.VectorType) else "f32"
    function_type = ir.FunctionType(result, [argument.type for argument in arguments])
    function = cgutils.get_or_insert_function(builder.module, function_type, f"{name}.{kind}")
    return builder.call(function, arguments, fastmath=_FLAGS)


@intrinsic
def load(typing_context: Any, array: Any, row: Any, column: Any) -> Any:
    """The lanes array[row, column : column + LANES]."""
    lanes = FLOATS if array.dtype == types.float32 else INTEGERS

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        place = _address(context, builder, sig.args[0], arguments[0], arguments[1:])
        return builder.load(builder.bitcast(place, _REGISTERS[lanes].as_pointer()), align=4)

    return lanes(array, types.int64, types.int64), generate


@intrinsic
def store(typing_context: Any, array: Any, row: Any, column: Any, lanes: Any) -> Any:
    """Set array[row, column : column + LANES]."""

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        place = _address(context, builder, sig.args[0], arguments[0], arguments[1:3])
        register = arguments[3]
        builder.store(register, builder.bitcast(place, register.type.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64, FLOATS), generate


@intrinsic
def prefetch(typing_context: Any, array: Any, row: Any, column: Any) -> Any:
    """Fetch array[row, column] into the cache, while other work is done."""

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        place = _address(context, builder, sig.args[0], arguments[0], arguments[1:])
        byte = ir.IntType(8).as_pointer()
        function_type = ir.FunctionType(ir.VoidType(), [byte, _INTEGER, _INTEGER, _INTEGER])
        function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.prefetch.p0")
        # To be read, soon to be used again, data.
        options = [ir.Constant(_INTEGER, number) for number in (0, 3, 1)]
        builder.call(function, [builder.bitcast(place, byte), *options])
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), generate


@intrinsic
def spread(typing_context: Any, array: Any, row: Any, column: Any) -> Any:
    """The number array[row, column] in every lane."""

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        place = _address(context, builder, sig.args[0], arguments[0], arguments[1:])
        return _spread_out(builder, builder.load(place))

    return FLOATS(array, types.int64, types.int64), generate


@intrinsic
def everywhere(typing_context: Any, number: Any) -> Any:
    """The number in every lane."""

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return _spread_out(builder, arguments[0])

    return FLOATS(types.float32), generate


@intrinsic
def total(typing_context: Any, lanes: Any) -> Any:
    """The sum of the lanes."""

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        zero = ir.Constant(_FLOAT, -0.0)
        return _call(builder, "llvm.vector.reduce.fadd", _FLOAT, zero, arguments[0])

    return types.float32(FLOATS), generate


@intrinsic
def choose(typing_context: Any, condition: Any, yes: Any, no: Any) -> Any:
    """In each lane, `yes` if the condition holds, otherwise `no`."""
    result = FLOATS if condition == TRUTHS else yes

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        if sig.return_type == FLOATS:
            arguments = [_spread_out(builder, value) for value in arguments]
        return builder.select(*arguments)

    return result(condition, yes, no), generate


def _limit(outside: str) -> Any:
    """A function of a number and a limit: the limit if the number is beyond it; NaN stays NaN."""

    @intrinsic
    def limited(typing_context: Any, x: Any, limit: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
            value, bound = arguments
            if isinstance(value.type, ir.VectorType):
                bound = _spread_out(builder, bound)
            return builder.select(builder.fcmp_ordered(outside, value, bound), bound, value)

        return x(x, types.float32), generate

    return limited


at_most = _limit(">")
at_least = _limit("<")


def _function(name: str) -> Any:
    """An LLVM function of one number, for use in kernels."""

    @intrinsic
    def function(typing_context: Any, x: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
            return _call(builder, name, arguments[0].type, arguments[0])

        return x(x), generate

    return function


square_root = _function("llvm.sqrt")
magnitude = _function("llvm.fabs")
rounded = _function("llvm.rint")


@intrinsic
def power_of_two(typing_context: Any, exponent: Any) -> Any:
    """2^exponent for whole numbers from -126 to 127, by writing the bits of the number."""

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        floating = arguments[0].type
        whole = _REGISTERS[INTEGERS] if isinstance(floating, ir.VectorType) else _INTEGER
        exponent = builder.add(builder.fptosi(arguments[0], whole), _constant(whole, 127))
        return builder.bitcast(builder.shl(exponent, _constant(whole, 23)), floating)

    return exponent(exponent), generate


@intrinsic
def exponent_of(typing_context: Any, x: Any) -> Any:
    """The whole part of log2(x) for normal x > 0, by reading the bits of the number."""

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        floating = arguments[0].type
        whole = _REGISTERS[INTEGERS] if isinstance(floating, ir.VectorType) else _INTEGER
        exponent = builder.lshr(builder.bitcast(arguments[0], whole), _constant(whole, 23))
        return builder.sitofp(builder.sub(exponent, _constant(whole, 127)), floating)

    return x(x), generate
