"""The header that identifies the served model."""

import numpy as np
from api_client import Client

from hyperskip import WordVectors
from hyperskip.explorer.server.app import make_app
from hyperskip.projection.disc_map import DiscMap
from hyperskip.projection.projecting import make_map


def identity(vectors: WordVectors, disc_map: DiscMap | None = None) -> str:
    disc_map = disc_map or make_map(vectors, np.arange(len(vectors)))
    client = Client(make_app(vectors, disc_map, name="m"))
    found = {client.get(path).headers["hyperskip-model"] for path in ("/", "/api/model", "/no")}
    assert len(found) == 1
    return found.pop()


def test_different_models_have_different_ids() -> None:
    coordinates = np.random.default_rng(0).normal(size=(9, 2)).astype(np.float32)
    words = list("abcdefghi")
    vectors = WordVectors(words, coordinates)
    own = identity(vectors)
    assert identity(WordVectors(words, coordinates)) == own
    others = [
        identity(WordVectors(words, coordinates * np.float32(1.1))),
        identity(WordVectors([*words[:-1], "z"], coordinates)),
        identity(WordVectors(words, coordinates, counts=np.arange(9))),
        identity(vectors, make_map(vectors, np.arange(5))),
    ]
    assert len({own, *others}) == 5
