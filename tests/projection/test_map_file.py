"""A map is made once, kept beside its model, and made anew when it does not fit."""

from pathlib import Path

import numpy as np
import pytest
from facts import naming

from hyperskip import WordVectors
from hyperskip.errors import OptionError, OutputWarning
from hyperskip.projection.disc_map import DiscMap
from hyperskip.projection.events import MapProgress
from hyperskip.projection.map_file import map_beside


@pytest.fixture
def vectors() -> WordVectors:
    coordinates = np.random.default_rng(0).normal(size=(40, 4)).astype(np.float32)
    return WordVectors([f"w{i}" for i in range(40)], coordinates)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tmp_path / "model.safetensors"


class Making:
    """Makes maps and knows whether the last one was made anew."""

    def __init__(self, model: Path) -> None:
        self._model, self._reports = model, list[MapProgress]()

    def __call__(self, vectors: WordVectors, **options: object) -> DiscMap:
        self._reports.clear()
        return map_beside(self._model, vectors, report=self._reports.append, **options)  # type: ignore[arg-type]

    @property
    def anew(self) -> bool:
        return bool(self._reports)


def test_a_map_is_made_once(model: Path, vectors: WordVectors) -> None:
    making = Making(model)
    first = making(vectors)
    assert making.anew
    again = making(vectors)
    assert not making.anew
    assert again.places.tobytes() == first.places.tobytes()
    assert (again.method, again.fidelity, again.tried) == (
        first.method, first.fidelity, first.tried,
    )  # fmt: skip
    assert again.rows.tolist() == first.rows.tolist()


def test_another_question_makes_another_map(model: Path, vectors: WordVectors) -> None:
    making = Making(model)
    making(vectors)
    for options in ({"words": 20}, {"method": "polar"}, {"seed": 2}):
        making(vectors, **options)
        assert making.anew, options
    assert len(making(vectors, words=20).rows) == 20
    moved = WordVectors(vectors.words, vectors.coordinates * np.float32(1.01))
    making(vectors)
    making(moved)
    assert making.anew


@pytest.mark.parametrize(
    "damage", ["empty", "cut", "moved", "noise", "outside", "folder", "method", "fidelity", "tried"]
)
def test_a_damaged_map_is_made_anew(model: Path, vectors: WordVectors, damage: str) -> None:
    making = Making(model)
    first = making(vectors)
    path = model.with_name("model.safetensors.disc-map")
    data = path.read_bytes()
    if damage == "folder":
        path.unlink()
        path.mkdir()
        with pytest.warns(OutputWarning, match=naming(path)):
            again = making(vectors)
    else:
        path.write_bytes(
            {
                "empty": b"",
                "cut": data[: len(data) // 2],
                "noise": b"\xff" * len(data),
                "moved": data[:-8] + np.float64(0.001).tobytes(),
                "outside": data[:-8] + np.float64(1.5).tobytes(),
                "method": data.replace(b'made_by\\": \\"fitted', b'made_by\\": \\"exact_'),
                "fidelity": data.replace(b'neighbors\\": 0', b'neighbors\\": x'),
                "tried": data.replace(b'tried\\": {', b'tried\\": ['),
            }[damage]
        )
        again = making(vectors)
    assert making.anew
    assert again.places.tobytes() == first.places.tobytes()


def test_a_wrong_method_is_refused_before_anything_is_read(
    model: Path, vectors: WordVectors
) -> None:
    with pytest.raises(OptionError, match=naming("projection", "flat", "fitted")):
        map_beside(model, vectors, method="flat")
    for words in (0, 50_001):
        with pytest.raises(OptionError, match=naming("words", words, 1, "50,000")):
            map_beside(model, vectors, words=words)
    assert not list(model.parent.iterdir())


def test_a_map_of_a_later_version_stays(model: Path, vectors: WordVectors) -> None:
    first = map_beside(model, vectors)
    path = model.with_name("model.safetensors.disc-map")
    for change in ((b"F64", b"F07"), (b"made_by", b"made_in")):
        data = path.read_bytes().replace(b'format\\": 1', b'format\\": 9').replace(*change)
        path.write_bytes(data)
        with pytest.warns(UserWarning, match="has format version 9"):
            again = map_beside(model, vectors)
        assert again.places.tobytes() == first.places.tobytes()
        assert path.read_bytes() == data
