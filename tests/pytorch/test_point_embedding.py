"""Points in PyTorch: the same points, distances and gradients as in NumPy, and as in geoopt."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming

import hyperskip
from hyperskip import GeometryError, InputError, MissingPackageError, OptionError, WordVectors

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # PyTorch loads slowly

ROWS = 40


@pytest.fixture(scope="module")
def torch() -> Any:
    return pytest.importorskip("torch")


def vectors_of(*, factors: int = 1, scale: float = 1.0) -> WordVectors:
    coordinates = scale * np.random.default_rng(0).standard_normal((ROWS, 6))
    words = [f"w{row}" for row in range(ROWS)]
    return WordVectors(words, coordinates.astype(np.float32), factors=factors)


@pytest.mark.parametrize("factors", [1, 3])
@pytest.mark.parametrize("scale", [1e-4, 1.0, 30.0])
def test_points_and_distances_are_ours(torch: Any, factors: int, scale: float) -> None:
    vectors = vectors_of(factors=factors, scale=scale)
    embedding = hyperskip.torch.PointEmbedding.from_vectors(vectors, dtype=torch.float64)
    points = embedding(torch.arange(ROWS))
    np.testing.assert_allclose(points.detach().numpy(), vectors.points, rtol=1e-12)
    found = embedding.distance(points[:, None], points).detach().numpy()
    expected = vectors.space.distance(vectors.points[:, None], vectors.points)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("factors", [1, 2])
def test_gradients(torch: Any, factors: int) -> None:
    embedding = hyperskip.torch.PointEmbedding(5, 4, factors=factors, dtype=torch.float64)
    assert torch.autograd.gradcheck(
        lambda x, y: embedding.distance(embedding.points_above(x), embedding.points_above(y)),
        (torch.randn(5, 4, dtype=torch.float64, requires_grad=True), embedding.weight),
    )


@pytest.mark.parametrize("distance", [0.0, 1e-12, 1e-6, 1e-3])
@pytest.mark.parametrize("radius", [0.0, 1.0, 50.0])
def test_gradients_of_close_points_are_finite(torch: Any, distance: float, radius: float) -> None:
    embedding = hyperskip.torch.PointEmbedding(2, 3)
    with torch.no_grad():
        embedding.weight.copy_(torch.tensor([[radius, 0, 0], [radius, distance, 0]]))
    first, second = embedding(torch.tensor([0, 1]))
    embedding.distance(first, second).backward()
    assert embedding.weight.grad.isfinite().all()
    assert embedding.weight.grad.abs().max() < 10
    if distance == 0:
        assert not embedding.weight.grad.any()


def test_training_moves_points_and_gives_vectors(torch: Any) -> None:
    vectors = vectors_of()
    embedding = hyperskip.torch.PointEmbedding.from_vectors(vectors, padding_idx=2)
    before = vectors.distance("w0", "w1")
    optimizer = torch.optim.Adam(embedding.parameters(), lr=0.05)
    for _ in range(30):
        first, second, padding = embedding(torch.tensor([0, 1, 2]))
        optimizer.zero_grad()
        (embedding.distance(first, second) + embedding.distance(first, padding)).backward()
        optimizer.step()
    after = embedding.to_vectors(vectors.words, vectors.counts)
    assert after.distance("w0", "w1") < before / 2
    np.testing.assert_array_equal(after.coordinates[2:], vectors.coordinates[2:])
    assert after.space.contains(after.points)
    with pytest.raises(InputError, match=naming("`words`", ROWS, "1 words")):
        embedding.to_vectors(["w0"])


def test_the_state_is_that_of_a_plain_embedding(torch: Any) -> None:
    embedding = hyperskip.torch.PointEmbedding.from_vectors(vectors_of(), trainable=False)
    assert list(embedding.state_dict()) == ["weight"]
    assert not embedding.weight.requires_grad
    torch.nn.Embedding(ROWS, 6).load_state_dict(embedding.state_dict())
    other = hyperskip.torch.PointEmbedding(ROWS, 6, padding_idx=-1)
    assert not other.weight[-1].any()
    assert "40, 6, padding_idx=39" in repr(other)
    other.load_state_dict(embedding.state_dict())
    rows = torch.tensor([[0, 3], [5, 5]])
    assert torch.equal(other(rows), embedding(rows))
    assert other(rows).shape == (2, 2, 7)


@pytest.mark.parametrize("k", [1.0, 2.5])
def test_distances_of_geoopt_are_ours(torch: Any, k: float) -> None:
    geoopt = pytest.importorskip("geoopt")
    vectors = vectors_of()
    embedding = hyperskip.torch.PointEmbedding.from_vectors(vectors)
    parameter = embedding.manifold_parameter(k)
    assert isinstance(parameter, geoopt.ManifoldParameter)
    assert isinstance(parameter.manifold, geoopt.Lorentz)
    assert parameter.manifold.check_point_on_manifold(parameter)
    found = parameter.manifold.dist(parameter[:1], parameter[1:]).detach().numpy()
    expected = vectors.space.distance(vectors.points[:1], vectors.points[1:])
    np.testing.assert_allclose(found, np.sqrt(k) * expected, rtol=1e-7)
    back = (parameter.detach()[:, 1:] / np.sqrt(k)).numpy()
    np.testing.assert_allclose(back, vectors.coordinates, rtol=1e-7)
    optimizer = geoopt.optim.RiemannianAdam([parameter], lr=0.01)
    parameter.manifold.dist(parameter[0], parameter[1]).backward()
    optimizer.step()
    assert parameter.manifold.check_point_on_manifold(parameter, atol=1e-5)


def test_wrong_arguments(torch: Any) -> None:
    flat = WordVectors(["a"], [[1.0, 2.0]], geometry="euclidean")
    with pytest.raises(GeometryError, match=naming("torch.nn.Embedding.from_pretrained")):
        hyperskip.torch.PointEmbedding.from_vectors(flat)
    with pytest.raises(OptionError, match=naming("factors", 4, 3)):
        hyperskip.torch.PointEmbedding(2, 4, factors=3)
    with pytest.raises(OptionError, match=naming("padding_idx", 2)):
        hyperskip.torch.PointEmbedding(2, 4, padding_idx=2)
    wrong: list[Any] = [0, "1"]
    for k in wrong:
        with pytest.raises(OptionError, match=naming("`k`", repr(k), "greater than 0", "1, with")):
            hyperskip.torch.PointEmbedding(2, 4).manifold_parameter(k)
    pytest.importorskip("geoopt")
    with pytest.raises(GeometryError, match=naming(2)):
        hyperskip.torch.PointEmbedding(2, 4, factors=2).manifold_parameter()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("count", -1), ("count", 2.0), ("dimension", 0), ("dimension", "4")),
        *(("factors", "2"), ("factors", 0), ("padding_idx", "0"), ("padding_idx", -3)),
    ],
)
def test_a_wrong_number_is_named(torch: Any, name: str, value: object) -> None:
    numbers: dict[str, Any] = {"count": 2, "dimension": 4, name: value}
    with pytest.raises(OptionError, match=naming(f"`{name}`", "whole number", repr(value))):
        hyperskip.torch.PointEmbedding(**numbers)


def test_points_that_are_not_finite_are_named(torch: Any) -> None:
    embedding = hyperskip.torch.PointEmbedding(3, 4)
    with torch.no_grad():
        embedding.weight[1, 2] = float("nan")
    with pytest.raises(InputError, match=naming("row 1", "'b'", "1 of 3", "learning rate")):
        embedding.to_vectors(["a", "b", "c"])


def test_missing_packages(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    embedding = hyperskip.torch.PointEmbedding(2, 4)
    monkeypatch.setitem(sys.modules, "geoopt", None)
    with pytest.raises(MissingPackageError, match=naming("geoopt")):
        embedding.manifold_parameter()


def test_an_exported_state(torch: Any, tmp_path: Path) -> None:
    safetensors = pytest.importorskip("safetensors.torch")
    vectors = vectors_of()
    hyperskip.export_vectors(vectors, tmp_path / "out", tool="torch")
    embedding = hyperskip.torch.PointEmbedding(ROWS, 6)
    embedding.load_state_dict(safetensors.load_file(tmp_path / "out" / "embedding.safetensors"))
    assert embedding.to_vectors(vectors.words).distance("w0", "w1") == vectors.distance("w0", "w1")


def test_without_pytorch_an_error_names_the_extra() -> None:
    script = (
        "import sys; sys.modules['torch'] = None; import hyperskip\n"
        "try: hyperskip.torch.PointEmbedding\n"
        "except hyperskip.MissingPackageError as error: print(error.extra)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "gpu", done.stderr
