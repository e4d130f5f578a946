"""Imports point down the data flow only; ARCHITECTURE.md draws what is enforced here."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hyperskip
from hyperskip.geometry.names import GEOMETRIES

PACKAGE = Path(hyperskip.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
SCRIPTS = sorted(PACKAGE.rglob("*.js"))

# What each folder or module may import; a folder may always import from itself.
ALLOWED = {
    "errors": {"documentation"},
    "version": set(),
    "documentation": set(),
    "public_names": set(),
    "garbage_collection": set(),
    "kernel_cache": {"garbage_collection"},
    "kernel_parts": set(),
    "random_draws": {"kernel_parts"},
    "builtin": {"public_names"},
    "decimals": set(),
    "interruption": set(),
    "thread_pool": {"interruption"},
    "spelling": set(),
    "devices": {"errors", "options"},
    "options": {"errors", "spelling"},
    "cluster": {"errors", "options", "version"},
    "files": {"errors", "interruption", "spelling"},
    "geometry": {"errors", "public_names"},
    "subwords": {"errors", "kernel_cache"},
    "text": {
        *("cluster", "devices", "errors", "files", "kernel_cache", "kernel_parts", "options"),
        *("spelling", "thread_pool", "version"),
    },
    "graphs": {
        *("devices", "errors", "files", "kernel_cache", "kernel_parts", "options"),
        *("random_draws", "text", "thread_pool"),
    },
    "vectors": {
        *("devices", "errors", "files", "geometry", "kernel_cache", "options", "spelling"),
        *("subwords", "version"),
    },
    "training": {
        *("cluster", "devices", "errors", "files", "garbage_collection", "geometry", "graphs"),
        *("interruption", "kernel_cache", "kernel_parts", "options", "random_draws", "subwords"),
        *("text", "thread_pool", "vectors"),
    },
    "torch": {"errors", "options", "public_names", "vectors"},
    "rank_correlation": {"geometry"},
    "evaluation": {
        *("builtin", "decimals", "devices", "errors", "files", "geometry", "graphs"),
        *("kernel_cache", "options", "rank_correlation", "text", "thread_pool", "vectors"),
    },
    "projection": {
        *("devices", "errors", "files", "geometry", "kernel_cache", "options"),
        *("rank_correlation", "thread_pool", "vectors"),
    },
    "page": set(),
    "pictures": {
        *("builtin", "errors", "files", "geometry", "graphs", "options", "page", "projection"),
        "vectors",
    },
    "explorer": {
        *("devices", "errors", "files", "geometry", "graphs", "interruption", "options", "page"),
        *("projection", "text", "vectors", "version"),
    },
    "learn": {
        *("errors", "files", "geometry", "options", "public_names", "text", "training", "vectors"),
    },
    "experiment": {
        *("errors", "evaluation", "files", "geometry", "options", "pictures", "public_names"),
        *("text", "training", "vectors", "version"),
    },
    "progress": {"evaluation", "files", "projection", "text", "training"},
    "diagnosis": {
        *("builtin", "devices", "errors", "evaluation", "files", "kernel_cache", "training"),
        *("vectors", "version"),
    },
    "cli": {
        *("builtin", "cluster", "decimals", "devices", "diagnosis", "documentation", "errors"),
        "evaluation",
        *(
            "experiment",
            "explorer",
            "files",
            "geometry",
            "graphs",
            "interruption",
            "options",
            "pictures",
        ),
        *("progress", "projection", "text", "training", "vectors", "version"),
    },
    "__init__": {
        *("builtin", "errors", "evaluation", "experiment", "files", "geometry", "graphs", "learn"),
        *(
            "pictures",
            "public_names",
            "subwords",
            "text",
            "torch",
            "training",
            "vectors",
            "version",
        ),
    },
    "__main__": {"cli"},
}
# `vectors.plot()`, `tree.plot()` and `vectors.export_explorer()` belong to the vectors. `train`,
# `embed_graph`, `encode` and downloads show their own progress. These are the only imports in the
# other direction. They are made when a function is called, and for types.
UPWARD_IMPORTS = {
    ("vectors/word_vectors.py", "hyperskip.explorer.export.exporting"),
    ("vectors/word_vectors.py", "hyperskip.pictures.picture"),
    ("vectors/word_vectors.py", "hyperskip.pictures.request.request"),
    ("vectors/named_models.py", "hyperskip.progress.automatic"),
    ("vectors/tree.py", "hyperskip.pictures.picture"),
    ("vectors/tree.py", "hyperskip.pictures.tree_picture"),
    ("training/trainer.py", "hyperskip.progress.automatic"),
    ("training/graph_embedding.py", "hyperskip.progress.automatic"),
    ("text/encoding/encoder.py", "hyperskip.progress.automatic"),
    ("text/relations/extracting.py", "hyperskip.progress.automatic"),
    ("text/phrases/finding.py", "hyperskip.progress.automatic"),
}
# The same inside of a folder: what each of its parts may import.
ALLOWED_PARTS = {
    "text": {
        "__init__": set[str](),
        "word_rules": set[str](),
        "phrase_rules": set[str](),
        "options": {"phrase_rules", "word_rules"},
        "pieces": set[str](),
        "worker_process": set[str](),
        "reading": {"options", "pieces", "worker_process"},
        "words": {"pieces", "word_rules"},
        "phrases": {"phrase_rules", "words"},
        "encoding": {"options", "phrases", "pieces", "reading", "word_rules", "words"},
        "phrases.finding": {"encoding", "options", "phrases", "pieces", "reading", "word_rules"},
        "relations": {"encoding", "options", "pieces", "reading", "worker_process"},
    },
    "training": {
        "__init__": set[str](),
        "options": set[str](),
        "parameters": set[str](),
        "blocks": set[str](),
        "objective": set[str](),
        "training_corpus": set[str](),
        "training_text": {"blocks"},
        "edge_text": {"training_text"},
        "shared_plan": set[str](),
        "presets": {"options"},
        "ranking_options": {"options"},
        "ranking_plan": {"blocks", "ranking_options", "shared_plan"},
        "settled_options": {"options"},
        "subword_options": {"options"},
        "ngram_index": set[str](),
        "plan": {
            *("objective", "options", "settled_options", "shared_plan", "subword_options"),
            "training_text",
        },
        "start": {
            *("blocks", "edge_text", "ngram_index", "objective", "parameters", "plan"),
            *("ranking_options", "ranking_plan", "settled_options", "shared_plan"),
            *("subword_options", "training_text"),
        },
        "hierarchy.options": set[str](),
        "arguments": {
            *("hierarchy.options", "options", "presets", "settled_options", "shared_plan"),
            *("start", "subword_options"),
        },
        "graph_options": {"options", "ranking_options", "walk_options"},
        "walk_options": {"options"},
        "graph_arguments": {
            *("arguments", "graph_options", "options", "ranking_options", "ranking_plan"),
            *("settled_options", "start", "walk_options"),
        },
        "cpu": set[str](),
        "gpu": set[str](),
        "kernel_settings": {"cpu", "gpu", "objective", "plan", "ranking_plan"},
        "backend": {"objective", "parameters"},
        "cpu.subword_backend": {"cpu", "ngram_index", "objective"},
        "cpu.backend": {
            *("backend", "cpu", "cpu.subword_backend", "kernel_settings", "ngram_index"),
            *("objective", "options", "parameters", "plan"),
        },
        "target_lists": {"backend"},
        "ranking_state": {"backend", "objective", "parameters", "ranking_plan", "target_lists"},
        "cpu.ranking_backend": {
            *("backend", "cpu", "edge_text", "kernel_settings", "parameters", "ranking_plan"),
            *("ranking_state", "target_lists"),
        },
        "gpu.ranking_backend": {
            *("backend", "edge_text", "gpu", "kernel_settings", "objective", "parameters"),
            *("ranking_plan", "ranking_state", "target_lists"),
        },
        "gpu.subword_backend": {"gpu", "ngram_index", "objective"},
        "gpu.backend": {
            *("backend", "blocks", "gpu", "gpu.subword_backend", "kernel_settings"),
            *("ngram_index", "objective", "parameters", "plan"),
        },
        "run": {
            *("backend", "blocks", "cpu.backend", "cpu.ranking_backend", "gpu.backend"),
            *("gpu.ranking_backend", "ngram_index", "objective", "options", "parameters", "plan"),
            "ranking_options",
            *("ranking_plan", "shared_plan", "training_text"),
        },
        "result": {
            *("ngram_index", "options", "parameters", "plan", "ranking_plan", "run", "shared_plan"),
            "training_text",
        },
        "checkpoints": {
            *(
                "ngram_index",
                "options",
                "parameters",
                "ranking_options",
                "result",
                "run",
                "shared_plan",
            ),
            "training_text",
        },
        "cluster": {
            *("backend", "blocks", "objective", "options", "parameters", "plan"),
            *("ranking_options", "ranking_plan", "run", "shared_plan", "training_text"),
        },
        "hierarchy": {"arguments", "hierarchy.options", "options", "run", "settled_options"},
        "trainer": {
            *("arguments", "checkpoints", "cluster", "hierarchy", "ngram_index", "options", "plan"),
            *(
                "subword_options",
                "ranking_options",
                "result",
                "run",
                "settled_options",
                "start",
                "training_corpus",
                "training_text",
            ),
        },
        "graph_embedding": {
            *("arguments", "checkpoints", "cluster", "edge_text", "graph_arguments"),
            *("graph_options", "parameters", "ranking_options", "ranking_plan", "result"),
            *("run", "start", "trainer"),
        },
    },
}
# Kernels see arrays and scalars, never words, files or options.
ALLOWED_MODULES = {
    "text/words/kernel.py": {"hyperskip.kernel_cache", "hyperskip.kernel_parts"},
    "text/phrases/kernels.py": {"hyperskip.kernel_cache", "hyperskip.kernel_parts"},
    "graphs/walks/kernels.py": {
        *("hyperskip.kernel_cache", "hyperskip.kernel_parts", "hyperskip.random_draws"),
    },
    "subwords/kernel.py": {"hyperskip.kernel_cache"},
    "vectors/search/kernel.py": {"hyperskip.kernel_cache"},
    "evaluation/edges/kernel.py": {"hyperskip.kernel_cache"},
    "projection/kernels.py": {"hyperskip.kernel_cache"},
    "projection/force_kernels.py": {"hyperskip.kernel_cache"},
    "training/cluster/kernels.py": {"hyperskip.kernel_cache"},
    "training/blocks.py": set[str](),
    "training/objective/sampling.py": set[str](),
    "training/objective/loss.py": {"hyperskip.geometry.arrays"},
    "training/objective/ranking.py": {
        *("hyperskip.geometry.arrays", "hyperskip.training.objective.draws"),
    },
    **{
        f"training/cpu/{path.name}": {
            *("hyperskip.kernel_cache", "hyperskip.kernel_parts", "hyperskip.random_draws"),
            "hyperskip.thread_pool",
            *(f"hyperskip.training.cpu.{other.stem}" for other in path.parent.glob("*.py")),
        }
        for path in (PACKAGE / "training" / "cpu").glob("*.py")
        if not path.stem.endswith("backend")
    },
    **{
        f"training/gpu/{path.name}": {
            "hyperskip.garbage_collection",
            *(f"hyperskip.training.gpu.{other.stem}" for other in path.parent.glob("*.py")),
        }
        for path in (PACKAGE / "training" / "gpu").glob("*.py")
        if not path.stem.endswith("backend")
    },
    "training/objective/reference.py": {
        "hyperskip.geometry.arrays",
        "hyperskip.geometry.hyperboloid",
        "hyperskip.training.objective.draws",
        "hyperskip.training.objective.loss",
    },
}
COMPILER = ("numba", "llvmlite")
GPU_LIBRARIES = ("torch", "triton")  # optional
CLUSTER_FOLDERS = ("cluster", "text/encoding/cluster", "training/cluster")
DATA_LIBRARIES = ("datasets", "pandas", "polars", "pyarrow")  # optional
STORAGE_LIBRARY = "fsspec"  # raises errors of many packages, which `storage_errors` translates


def is_package(module: str) -> bool:
    return (PACKAGE.parent / module.replace(".", "/") / "__init__.py").is_file()


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            names.update(
                f"{module}.{alias.name}" if is_package(module) else module for alias in node.names
            )
    return names


def folder_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_folders(path: Path) -> set[str]:
    """Return the other folders and modules that a module imports, without upward imports."""
    module = path.relative_to(PACKAGE).as_posix()
    parts = [name.split(".") for name in imported(path) if (module, name) not in UPWARD_IMPORTS]
    ours = {part[1] for part in parts if part[0] == "hyperskip" and len(part) > 1}
    return ours - {folder_of(path)}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    assert imported_folders(path) <= ALLOWED[folder_of(path)]


@pytest.mark.parametrize("folder", ALLOWED)
def test_every_permission_is_used(folder: str) -> None:
    modules = [path for path in MODULES if folder_of(path) == folder]
    assert ALLOWED[folder] == set().union(*map(imported_folders, modules))


@pytest.mark.parametrize("folder", ALLOWED_PARTS)
def test_imports_inside_a_folder_point_down(folder: str) -> None:
    for path in sorted((PACKAGE / folder).rglob("*.py")):
        inside = ".".join(path.relative_to(PACKAGE / folder).with_suffix("").parts)
        part = part_of(folder, inside)
        allowed = ALLOWED_PARTS[folder][part] | {part}
        for name in imported(path):
            if name.startswith(f"hyperskip.{folder}."):
                inside = name.removeprefix(f"hyperskip.{folder}.")
                assert part_of(folder, inside) in allowed, f"{path} imports {name}"


def part_of(folder: str, inside: str) -> str:
    """The part of a folder that a module belongs to: itself, if it is listed, or its top."""
    return inside if inside in ALLOWED_PARTS[folder] else inside.split(".")[0]


@pytest.mark.parametrize("name", ALLOWED_MODULES)
def test_kernels_see_arrays_only(name: str) -> None:
    ours = {module for module in imported(PACKAGE / name) if module.startswith("hyperskip")}
    assert ours <= ALLOWED_MODULES[name]


def test_only_kernels_import_the_compiler() -> None:
    users = {
        path.relative_to(PACKAGE)
        for path in MODULES
        if any(name.split(".")[0] in COMPILER for name in imported(path))
    }
    others = {
        path
        for path in users
        if path.parent != Path("training/cpu") or path.stem.endswith("backend")
    }
    assert others == {
        *(Path("kernel_cache.py"), Path("kernel_parts.py"), Path("projection/kernels.py")),
        *(Path("graphs/walks/kernels.py"), Path("text/words/kernel.py")),
        *(Path("evaluation/edges/kernel.py"), Path("subwords/kernel.py")),
        *(
            Path("text/phrases/kernels.py"),
            Path("projection/lens_kernels.py"),
            Path("projection/force_kernels.py"),
        ),
        *(Path("training/cluster/kernels.py"), Path("vectors/search/kernel.py")),
    }


def test_only_what_computes_with_pytorch_imports_it() -> None:
    for path in MODULES:
        if any(name.split(".")[0] in GPU_LIBRARIES for name in imported(path)):
            name = path.relative_to(PACKAGE).as_posix()
            allowed = (
                *("devices.py", "evaluation/edges/gpu.py"),
                *("vectors/search/products.py", "training/gpu/backend.py"),
            )
            assert name in allowed or name.startswith(("torch/", "training/gpu/"))


def test_only_what_works_on_a_cluster_imports_ray() -> None:
    for path in MODULES:
        if any(name.split(".")[0] == "ray" for name in imported(path)):
            assert path.parent.relative_to(PACKAGE).as_posix() in CLUSTER_FOLDERS


def test_only_estimators_import_scikit_learn() -> None:
    for path in MODULES:
        if any(name.split(".")[0] == "sklearn" for name in imported(path)):
            assert folder_of(path) == "learn"


def test_errors_of_the_hugging_face_hub_stay_inside() -> None:
    for path in MODULES:
        if any(name.split(".")[0] == "huggingface_hub" for name in imported(path)):
            assert path.relative_to(PACKAGE).as_posix() == "vectors/sharing/hub.py"


def test_errors_of_the_storage_library_stay_inside() -> None:
    users = [
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        if any(name.split(".")[0] == STORAGE_LIBRARY for name in imported(path))
    ]
    assert users == ["files/remote.py", "files/storage_errors.py"]


def test_only_readers_of_columns_import_arrow() -> None:
    users = {
        path.relative_to(PACKAGE / "text").as_posix()
        for path in MODULES
        if path.is_relative_to(PACKAGE / "text")
        and any(name.split(".")[0] in DATA_LIBRARIES for name in imported(path))
    }
    readers = {"reading/arrow.py", "reading/frames.py", "reading/parquet.py"}
    assert users == {*readers, "relations/relations.py"}  # which returns a data frame


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import hyperskip", ["numpy", "numba"]),
        (
            "import hyperskip.cli.main",
            ["numpy", "numba", "matplotlib", "rapidfuzz", "scipy", "fsspec"],
        ),
        ("import hyperskip.evaluation.analogy, hyperskip.evaluation.datasets", ["numba", "torch"]),
        ("import hyperskip; hyperskip.load", ["numba", "matplotlib", "torch"]),
        ("import hyperskip; hyperskip.train", ["scipy.sparse", "scipy.optimize"]),
        ("import hyperskip; hyperskip.evaluate", ["numba", "torch"]),
        ("import hyperskip.vectors.word_vectors", ["hyperskip.pictures", "hyperskip.projection"]),
        ("import hyperskip.pictures.picture", ["numba", "matplotlib"]),
        ("import hyperskip.experiment", ["numpy", "numba"]),
        ("import hyperskip.learn", ["numpy", "sklearn"]),
        ("import hyperskip.geometry.names", ["numpy"]),
        ("import hyperskip; hyperskip.torch", ["torch", "numpy"]),
        ("import hyperskip; hyperskip.export_vectors", ["torch", "tokenizers"]),
        ("import hyperskip; hyperskip.from_pretrained", ["huggingface_hub"]),
        (
            "import hyperskip; hyperskip.read_graph([('dog', 'mammal')], closure=True)",
            ["datasets", "fsspec", "networkx", "numba", "pandas", "polars", "pyarrow"],
        ),
        ("import hyperskip.text.encoding.encoded_corpus", ["numba", "mwparserfromhell", "ray"]),
        ("import hyperskip.cluster.connection, hyperskip.cluster.failures", ["numpy", "ray"]),
        (
            "import hyperskip; hyperskip.train([['a', 'b'] * 50], epochs=50)",
            ["datasets", "fsspec", "pandas", "polars", "pyarrow"],
        ),
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(statement: str, absent: list[str]) -> None:
    check = f"import sys; {statement}; print([m for m in {absent} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert result.stdout.strip() == "[]", result.stdout + result.stderr


def is_geometry_name(node: ast.AST) -> bool:
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(is_geometry_name(element) for element in node.elts)
    if isinstance(node, ast.Constant):
        return node.value in GEOMETRIES
    name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", None)
    return name in ("EUCLIDEAN", "GEOMETRIES", "HYPERBOLOID")


def compared(node: ast.AST) -> list[ast.expr]:
    """What a node compares: the operands of `==`, `in` and the like, or the value of a `case`."""
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    return [node.value] if isinstance(node, ast.MatchValue) else []


@pytest.mark.parametrize(
    "statement",
    [
        "name == HYPERBOLOID",
        "names.EUCLIDEAN != name",
        "name in ('euclidean', 'sphere')",
        "match name:\n    case 'hyperboloid': pass",
    ],
)
def test_a_comparison_with_the_name_of_a_geometry_is_found(statement: str) -> None:
    nodes = ast.walk(ast.parse(statement))
    assert any(is_geometry_name(operand) for node in nodes for operand in compared(node))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_geometry_compares_names_of_geometries(path: Path) -> None:
    """All other folders use the facts of a space, such as `space.is_curved` and `space.routes`."""
    if folder_of(path) == "geometry":
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for operand in compared(node):
            assert not is_geometry_name(operand), f"{path}:{operand.lineno}: use the space"


def compares_geometry_names(script: str) -> bool:
    """Whether a script of the page compares a value with the name of a geometry."""
    name = rf"""["'`]({"|".join(GEOMETRIES)})["'`]"""
    return re.search(rf"[!=]==?\s*{name}|{name}\s*[!=]==?|\bcase\s+{name}", script) is not None


@pytest.mark.parametrize(
    "statement",
    [
        'geometry === "euclidean"',
        "'hyperboloid' != geometry",
        'switch (geometry) { case "hyperboloid": }',
    ],
)
def test_a_comparison_in_a_script_is_found(statement: str) -> None:
    assert compares_geometry_names(statement)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_script_compares_names_of_geometries(path: Path) -> None:
    assert not compares_geometry_names(path.read_text(encoding="utf-8")), "use model.is_curved"


def test_public_names_exist_and_are_documented() -> None:
    for name in hyperskip.__all__:
        assert getattr(hyperskip, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        hyperskip.nothing  # noqa: B018
