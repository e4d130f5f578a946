"""Write a small file of each current format; files that exist are never changed.

After a new format version: give its file a new name here, run this script, and add what the file
contains to test_formats.py. Files of earlier versions stay as they are.

`model-1-first.safetensors` and `map-1.disc-map` were written by earlier commits.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from hyperskip import HierarchyPoints, Phrase, Phrases, SubwordScheme, SubwordTable, WordVectors
from hyperskip.experiment.results.experiment_folder import ExperimentFolder
from hyperskip.experiment.results.records import Record
from hyperskip.projection.map_file import map_beside
from hyperskip.text.encoding.corpus_folder import open_encoded
from hyperskip.text.encoding.encoder import encode
from hyperskip.text.relations.relations import Relations
from hyperskip.training.checkpoints import checkpoint
from hyperskip.training.checkpoints.checkpoint import Key
from hyperskip.training.parameters import Parameters
from hyperskip.training.run.state import EpochSummary, Position, State, Sums
from hyperskip.vectors.model_registry import NamedModel, checksum, registry_entry

FILES = Path(__file__).parent / "files"

Writer = Callable[[Path], object]


def coordinates() -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
    return np.array([[0.5, -0.25], [1.0, 2.0], [-3.0, 0.125]], dtype=np.float32)


def model(
    *,
    factors: int = 1,
    hierarchy: HierarchyPoints | None = None,
    subwords: SubwordTable | None = None,
) -> WordVectors:
    return WordVectors(
        ["the", "café", "new york"],
        coordinates(),
        counts=[9, 4, 1],
        geometry="hyperboloid",
        factors=factors,
        options={"dimension": 2, "tokenizer": "paper"},
        history=[{"epoch": 1, "loss": 2.5}],
        hierarchy=hierarchy,
        subwords=subwords,
    )


def hierarchy() -> HierarchyPoints:
    return HierarchyPoints(-coordinates(), slope=2.0, offset=-1.0, evidence=[3, 0, 1], edge=4.0)


def subwords() -> SubwordTable:
    return SubwordTable(
        SubwordScheme(shortest=3, longest=4, buckets=8), [1, 5], [[0.5, 1.0], [2.0, 4.0]]
    )


def write_checkpoint(path: Path) -> None:
    times = np.sqrt(1 + (coordinates() ** 2).sum(axis=1)).reshape(1, 3, 1)
    history = (EpochSummary(1, False, 2.5, 10, 0, 0.5, 3.0),)
    position = Position(epoch=1, block=2, sums=Sums(7, 6, 5.0, 4, 0.25), history=history)
    parameters = Parameters(coordinates(), -coordinates(), 3.0, times)
    key = Key({"dimension": 2, "epochs": 3}, "text", None)
    checkpoint.save(path, key, model(), State(position, parameters))


def text() -> list[str]:
    return ["the new york café", "new york the the"]


def write_experiment(path: Path) -> None:
    corpus = open_encoded(path.with_name("corpus-1"))
    folder = ExperimentFolder(path)
    folder.begin(corpus, ["text.txt"], {"pairs": "0" * 64})
    record = Record(
        name="hyperboloid-2",
        model="hyperboloid",
        geometry="hyperboloid",
        dimension=2,
        seed=1,
        asked={"dimension": 2, "epochs": 3},
        rate=0.05,
        epochs=3,
        scores={"similarity": {"product": {"average": 0.5}}},
        loss=2.5,
        seconds=1.5,
        words_per_second=100.0,
        whole_seconds=2.0,
        machine={"cores": 2},
    )
    record.write(path / "runs" / "hyperboloid-2.json")


def write_map(path: Path) -> None:
    """A map lies next to its model, which has its name without the ending."""
    map_beside(path.with_suffix(""), model())


def write_registry(path: Path) -> None:
    model_file = path.with_name("model-5.safetensors")
    model = NamedModel("three", model_file.name, checksum(model_file), "CC0-1.0", "Three words")
    entry = registry_entry(model)
    path.write_text(entry, encoding="utf-8")


def writers() -> dict[str, Writer]:
    phrases = [Phrase(("new", "york"), 9.5, 20, 1), Phrase(("a b", "c\\"), 0.125, 3, 2)]
    relations = [("cat", "animal", 5, ("such-as", "is-a")), ("café", "place", 1, ())]
    return {
        "model-1.safetensors": model().save,
        "model-2.safetensors": model(factors=2).save,
        "model-3.safetensors": model(hierarchy=hierarchy()).save,
        "model-4.safetensors": model(subwords=subwords()).save,
        "model-5.safetensors": lambda path: model(hierarchy=hierarchy(), subwords=subwords()).save(
            path, compact=True
        ),
        "models-1.json": write_registry,
        "checkpoint-1.safetensors": write_checkpoint,
        "map-2.disc-map": write_map,
        "corpus-1": lambda path: encode(text(), path, min_count=1),
        "corpus-2": lambda path: encode(text(), path, min_count=1, lowercase=False),
        "corpus-3": lambda path: encode(
            text(), path, min_count=1, phrases=True, phrase_min_count=1, phrase_threshold=0.01
        ),
        "phrases.tsv": Phrases(phrases).save,
        "relations.tsv": Relations.of_rows(relations).save,
        "experiment-1": write_experiment,
    }


def write_missing(folder: Path) -> list[str]:
    """Write the files that do not exist, and return their names."""
    folder.mkdir(exist_ok=True)
    missing = [name for name in writers() if not (folder / name).exists()]
    for name in missing:
        writers()[name](folder / name)
    return missing


if __name__ == "__main__":
    write_missing(FILES)
