"""A map is made once, saved next to its model, and made again if it does not match."""

from pathlib import Path

import numpy as np
import pytest
from facts import naming

from hyperskip import WordVectors
from hyperskip.errors import OptionError, OutputWarning
from hyperskip.projection.disc_map import DiscMap
from hyperskip.projection.map_events import MapProgress
from hyperskip.projection.map_file import map_beside


@pytest.fixture
def vectors() -> WordVectors:
    coordinates = np.random.default_rng(0).normal(size=(40, 4)).astype(np.float32)
    return WordVectors([f"w{i}" for i in range(40)], coordinates)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tmp_path / "model.safetensors"


class MapMaker:
    """Makes maps, and records whether the last one was computed or read from the file."""

    def __init__(self, model: Path) -> None:
        self._model, self._reports = model, list[MapProgress]()

    def __call__(self, vectors: WordVectors, **options: object) -> DiscMap:
        self._reports.clear()
        return map_beside(self._model, vectors, report=self._reports.append, **options)  # type: ignore[arg-type]

    @property
    def computed(self) -> bool:
        return bool(self._reports)


def test_a_map_is_made_once(model: Path, vectors: WordVectors) -> None:
    maker = MapMaker(model)
    first = maker(vectors)
    assert maker.computed
    again = maker(vectors)
    assert not maker.computed
    assert again.places.tobytes() == first.places.tobytes()
    assert (again.method, again.fidelity, again.tried) == (
        first.method, first.fidelity, first.tried,
    )  # fmt: skip
    assert again.rows.tolist() == first.rows.tolist()


def test_other_options_make_another_map(model: Path, vectors: WordVectors) -> None:
    maker = MapMaker(model)
    maker(vectors)
    for options in ({"words": 20}, {"method": "polar"}, {"seed": 2}):
        maker(vectors, **options)
        assert maker.computed, options
    assert len(maker(vectors, words=20).rows) == 20
    moved = WordVectors(vectors.words, vectors.coordinates * np.float32(1.01))
    maker(vectors)
    maker(moved)
    assert maker.computed


@pytest.mark.parametrize(
    "damage", ["empty", "cut", "moved", "noise", "outside", "folder", "method", "fidelity", "tried"]
)
def test_a_damaged_map_is_made_again(model: Path, vectors: WordVectors, damage: str) -> None:
    maker = MapMaker(model)
    first = maker(vectors)
    path = model.with_name("model.safetensors.disc-map")
    data = path.read_bytes()
    if damage == "folder":
        path.unlink()
        path.mkdir()
        with pytest.warns(OutputWarning, match=naming(path)):
            again = maker(vectors)
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
        again = maker(vectors)
    assert maker.computed
    assert again.places.tobytes() == first.places.tobytes()


def test_a_wrong_method_is_refused_before_anything_is_read(
    model: Path, vectors: WordVectors
) -> None:
    with pytest.raises(OptionError, match=naming("projection", "flat", "fitted")):
        map_beside(model, vectors, method="flat")
    for words in (0, 50_001):
        with pytest.raises(OptionError, match=naming("words", words, 1, 50_000)):
            map_beside(model, vectors, words=words)
    assert not list(model.parent.iterdir())


def test_a_map_of_a_later_version_is_not_replaced(model: Path, vectors: WordVectors) -> None:
    first = map_beside(model, vectors)
    path = model.with_name("model.safetensors.disc-map")
    for change in ((b"F64", b"F07"), (b"made_by", b"made_in")):
        data = path.read_bytes().replace(b'format\\": 2', b'format\\": 9').replace(*change)
        path.write_bytes(data)
        with pytest.warns(UserWarning, match="has format version 9"):
            again = map_beside(model, vectors)
        assert again.places.tobytes() == first.places.tobytes()
        assert path.read_bytes() == data
