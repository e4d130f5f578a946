"""A model with a map, and a client of the explorer."""

import numpy as np
import pytest
from api_client import Ask, Client
from hierarchies import with_hierarchy

from hyperskip import WordVectors, builtin
from hyperskip.explorer.answers.queries import Queries
from hyperskip.explorer.server.app import make_app
from hyperskip.graphs.graph_reading import read_graph
from hyperskip.graphs.word_graph import WordGraph
from hyperskip.projection.disc_map import DiscMap
from hyperskip.projection.projecting import make_map


@pytest.fixture(scope="session")
def disc_map(trained: WordVectors) -> DiscMap:
    """A map without the fifty rarest words."""
    return make_map(trained, np.arange(len(trained) - 50))


@pytest.fixture(scope="session")
def client(trained: WordVectors, disc_map: DiscMap) -> Client:
    return Client(make_app(trained, disc_map, name="trained"))


@pytest.fixture(scope="session")
def word_graph(trained: WordVectors) -> WordGraph:
    """The taxonomy of the built-in corpus, as a transitive closure, and a node that is no word."""
    graph = read_graph([*builtin.hypernym_pairs(), ("nonsuch", "animal")])
    return WordGraph(graph, trained.known_rows(graph.names), trained.words)


@pytest.fixture(scope="session")
def graph_client(trained: WordVectors, disc_map: DiscMap, word_graph: WordGraph) -> Client:
    return Client(make_app(trained, disc_map, name="trained", graph=word_graph))


@pytest.fixture(scope="session")
def hierarchical(trained: WordVectors) -> WordVectors:
    """The model with a hierarchy; nothing is stated about "car"."""
    return with_hierarchy(trained, {"dog": "animal", "cat": "animal", "car": "vehicle"})


@pytest.fixture(scope="session")
def hierarchy_client(
    hierarchical: WordVectors, word_graph: WordGraph, trained: WordVectors, disc_map: DiscMap
) -> Client:
    """A client of a model with a hierarchy, edges and another model, without fifty rare words."""
    own_map = make_map(hierarchical, np.arange(len(hierarchical) - 50))
    other = Queries(trained, disc_map, "other")
    app = make_app(hierarchical, own_map, name="trained", graph=word_graph, compared=other)
    return Client(app)


@pytest.fixture
def ask(client: Client) -> Ask:
    return Ask(client)
