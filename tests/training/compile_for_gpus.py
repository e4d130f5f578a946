"""Compiles every GPU kernel for several types of GPU, and prints the memory that each needs.

No GPU is needed. It is a separate program, because Triton cannot compile kernels in a process where
it interprets them, as it does in the tests.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from hyperskip.training.gpu import (
    kernels,
    ranking_backend,
    ranking_kernels,
    rounds,
    subword_backend,
    subword_kernels,
)
from hyperskip.training.objective.ranking import GROUP

TYPES = {
    **dict.fromkeys(["tokens", "survivors", "starts", "before", "kept", "reaches"], "*i32"),
    **dict.fromkeys(["contexts", "negatives", "cursor", "moved"], "*i32"),
    **dict.fromkeys(["keep", "seed", "noise", "numbers"], "*i64"),
    **dict.fromkeys(["rates", "centers", "table", "losses", "theta_gradients", "loads"], "*fp32"),
    **dict.fromkeys(["distance_weights", "context_weights", "weights", "word_rates"], "*fp32"),
    **dict.fromkeys(["count", "sentences", "window", "search_steps", "words", "draws"], "i32"),
    **dict.fromkeys(["round_", "tiles", "shared", "reach", "parts"], "i32"),
    "theta": "*fp64",
    "fixed": "*u8",
    "max_step": "fp32",
    "sharpness": "fp32",
}


OF_RANKING = {
    **dict.fromkeys(["samples", "sources", "targets"], "*i32"),
    **dict.fromkeys(["starts", "gradients"], "*i64"),
    **dict.fromkeys(["rows", "weights", "sums", "pulls", "losses", "points", "moments"], "*fp32"),
    **dict.fromkeys(["own_gradients", "levels"], "*fp32"),
    **dict.fromkeys(["first", "nodes", "count", "begin"], "i32"),
    **dict.fromkeys(["rate", "ceiling", "max_step", "sharpness", "number"], "fp32"),
    "touched": "*i8",
    "fixed": "*u8",
    "seed": "i64",
}


OF_SUBWORDS = {
    **dict.fromkeys(["ngrams", "residuals", "weights"], "*fp32"),
    **dict.fromkeys(["row_starts", "word_starts"], "*i64"),
    **dict.fromkeys(["rows", "words"], "*i32"),
    "step": "fp32",
}


def compiled(
    name: str,
    capability: int,
    constants: dict[str, Any],
    module: Any = kernels,
    types: Mapping[str, str] | None = None,
    warps: int = 4,
) -> dict[str, Any]:
    """Compile a kernel; returns its name and the shared memory it needs."""
    kernel = getattr(module, name)
    all_types = TYPES | dict(types or {})
    signature = {
        argument: "constexpr" if argument in constants else all_types[argument]
        for argument in kernel.arg_names
    }
    positions = {argument: i for i, argument in enumerate(kernel.arg_names)}
    source = ASTSource(
        kernel, signature, {(positions[key],): value for key, value in constants.items()}
    )
    target = GPUTarget("cuda", capability, 32)
    result = triton.compile(source, target=target, options=kernels.FUSED | {"num_warps": warps})
    return {"kernel": name, "capability": capability, "shared_memory": result.metadata.shared}


def main() -> None:
    """Compile all kernels, and print a list."""
    found = []
    for capability in (80, 90):
        found.append(compiled("survive", capability, {"SIZE": 1024}))
        found.append(compiled("arrange", capability, {"SIZE": 1024, "SHRINK": True}))
        found.append(compiled("count_contexts", capability, {"SIZE": 1024, "TIED": True}))
        found.append(compiled("draw", capability, {"SIZE": 1024}))
    for capability, factors, dimension, hyperbolic, tied, fixed_point, far in (
        (90, 1, 20, True, True, False, False),
        (90, 5, 20, True, True, False, False),
        (89, 1, 150, True, False, True, True),
        (80, 2, 150, True, True, True, True),
        (80, 1, 300, False, False, True, False),
        (80, 1, 254, True, False, False, True),
        (89, 1, 126, True, True, False, False),
        (89, 1, 254, False, False, False, False),
    ):
        settings = rounds.Settings(
            hyperbolic=hyperbolic,
            tied=tied,
            factors=factors,
            dimension=dimension,
            sharpness=1.0,
            window=10,
            shared_negatives=128,
            max_step=1.0,
            learn_theta=True,
            deterministic=fixed_point,
            tiles=256,
            damped=fixed_point,
        )
        common = {
            "TILE": rounds.TILE,
            "HYPERBOLIC": hyperbolic,
            "FACTORS": factors,
            "DIMENSION": dimension,
            "COLUMNS": settings.columns,
            "USED": settings.used,
            "FIXED_POINT": fixed_point,
        }
        of_pull = {
            "ROWS": rounds._ROWS,
            "CONTEXT_PARTS": settings.context_parts,
            "FAR": far,
            "TIED": tied,
            "MOST_UNITS": settings.most_units,
            "ROW": factors * settings.columns,
            "WIDTH": settings.width,
            "PRECISION": settings.precision,
            "GRADIENT_PRECISION": settings.precision if far else settings.gradient_precision,
        }
        full_columns = triton.next_power_of_2(settings.columns)
        of_move = {
            "FULL_COLUMNS": full_columns,
            "LEARN_THETA": not tied,
            "PARTS_OF_A_ROUND": 1024,
            "DAMPED": settings.damped,
            "SIZE": max(1, rounds._MOVED_NUMBERS // full_columns),
        }
        sums = "*i64" if fixed_point else "*fp32"
        gradients = dict.fromkeys(["center_gradients", "context_gradients", "gradients"], sums)
        of_tables = {"contexts": "*fp32"} | gradients
        found.append(
            compiled(
                "pull", capability, common | of_pull, types=of_tables, warps=rounds._PULL_WARPS
            )
        )
        found.append(
            compiled(
                "move", capability, common | of_move, types=of_tables, warps=rounds._MOVE_WARPS
            )
        )
    found += [*compiled_for_ranking(90, 10, True), *compiled_for_ranking(80, 300, False)]
    found += [*compiled_for_subwords(90, 1, 100), *compiled_for_subwords(80, 2, 150)]
    json.dump(found, sys.stdout)


def compiled_for_ranking(
    capability: int, dimension: int, hyperbolic: bool
) -> Iterator[dict[str, Any]]:
    """Compile the kernels of ranking."""
    sizes = {"DIMENSION": dimension, "WIDTH": dimension + 4, "HYPERBOLIC": hyperbolic}
    samples = {"negatives": 4096, "GROUP": GROUP, "SAMPLES": ranking_backend._SAMPLES, "CHUNKS": 8}
    rows = {"SIZE": 8, "COLUMNS": triton.next_power_of_2(dimension)}
    targets = {"TARGETS": ranking_backend._TARGETS, "PARTS": 16, "STEPS": 14, "WEIGHTED": True}
    for name, constants in {
        "draw": {"negatives": 4096, "SIZE": 256},
        "sum_likelihoods": sizes | samples,
        "pull": sizes | targets | {"negatives": 4096, "GROUP": GROUP},
        "push": sizes | samples,
        "combine": {"DIMENSION": dimension, "COLUMNS": dimension + 1, "PARTS": 16, "SIZE": 64},
        "step": sizes | rows,
        "derive_rows": sizes | rows,
    }.items():
        yield compiled(name, capability, constants, ranking_kernels, OF_RANKING)


def compiled_for_subwords(
    capability: int, factors: int, dimension: int
) -> Iterator[dict[str, Any]]:
    """Compile the kernels of subwords."""
    width = triton.next_power_of_2(dimension)
    at_once = subword_backend._NUMBERS_AT_ONCE // width
    sizes = {"FACTORS": factors, "DIMENSION": dimension, "WIDTH": width, "AT_ONCE": at_once}
    centers = OF_SUBWORDS | {"words": "*fp32"}
    constants = sizes | {"COLUMNS": dimension + 2}
    yield compiled("compute_residuals", capability, constants, subword_kernels, centers)
    yield compiled("move_ngrams", capability, sizes, subword_kernels, OF_SUBWORDS)


if __name__ == "__main__":
    main()
