"""A model with a map, and a client of the explorer."""

import numpy as np
import pytest
from api_client import Ask, Client

from hyperskip import WordVectors
from hyperskip.explorer.server.app import make_app
from hyperskip.projection.disc_map import DiscMap
from hyperskip.projection.projecting import make_map


@pytest.fixture(scope="session")
def disc_map(trained: WordVectors) -> DiscMap:
    """A map without the fifty rarest words."""
    return make_map(trained, np.arange(len(trained) - 50))


@pytest.fixture(scope="session")
def client(trained: WordVectors, disc_map: DiscMap) -> Client:
    return Client(make_app(trained, disc_map, name="trained"))


@pytest.fixture
def ask(client: Client) -> Ask:
    return Ask(client)
