"""An embedding layer whose vectors are points of the hyperboloid."""

import os
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from hyperskip.errors import GeometryError, InputError, MissingPackageError, OptionError
from hyperskip.options import Declaration, Range
from hyperskip.vectors.argument_checks import checked_number, checked_words
from hyperskip.vectors.model_file import given_model
from hyperskip.vectors.word_vectors import WordVectors

_DEVIATION = 0.1  # of the coordinates of new points
_FACTORS = "number of hyperboloids in the product space"
_K = Declaration(
    kind=float,
    help="the curvature of the manifold is -1/k",
    default=1.0,
    rule="1, with the distances of hyperskip",
    limits=Range(above=0),
)


class PointEmbedding(torch.nn.Module):  # type: ignore[misc] # the type of PyTorch is not read
    """An embedding layer that looks up points of the hyperboloid, with the time last.

    The parameter `weight` has the spatial coordinates, and the time is derived from them. So every
    optimizer can train it, and a step never leaves the hyperboloid. The state is that of
    torch.nn.Embedding.

    >>> import hyperskip, torch
    >>> vectors = hyperskip.WordVectors(["dog", "cat"], [[1.0, 0.5], [1.1, 0.7]])
    >>> embedding = hyperskip.torch.PointEmbedding.from_vectors(vectors)
    >>> dog, cat = embedding(torch.tensor([0, 1]))
    >>> round(embedding.distance(dog, cat).item(), 3)
    0.172

    Args:
        count: The number of points.
        dimension: The dimension of the space.
        factors: Number of hyperboloids in the product space. It must divide the dimension.
        padding_idx: A row that is not trained. In a new layer it is the base point.
        dtype: The type of the numbers; by default, PyTorch's.
        device: Where the numbers are stored.

    Raises:
        OptionError: A number is not allowed, the factors do not divide the dimension, or there is
            no row `padding_idx`.
    """

    def __init__(
        self,
        count: int,
        dimension: int,
        *,
        factors: int = 1,
        padding_idx: int | None = None,
        dtype: torch.dtype | None = None,
        device: torch.device | str | None = None,
    ) -> None:
        super().__init__()
        count = checked_number("count", count, at_least=0, help="number of points")
        dimension = checked_number(
            "dimension", dimension, at_least=1, help="dimension of the space"
        )
        factors = checked_number("factors", factors, at_least=1, help=_FACTORS)
        if dimension % factors:
            raise OptionError(
                f"`factors` must divide the dimension {dimension}, got {factors}",
                hint=f"`factors`: {_FACTORS}",
            )
        padding_idx = Declaration(
            kind=int,
            help="a row that is not trained",
            limits=Range(at_least=-count, at_most=count - 1),
            optional=True,
        ).checked("padding_idx", padding_idx)
        self.factors = factors
        self.padding_idx = None if padding_idx is None else padding_idx % count
        self.weight = torch.nn.Parameter(
            torch.empty((count, dimension), dtype=dtype, device=device)
        )
        self.reset_parameters()

    @classmethod
    def from_vectors(
        cls,
        vectors: WordVectors | str | os.PathLike[str],
        *,
        trainable: bool = True,
        padding_idx: int | None = None,
        dtype: torch.dtype = torch.float32,
        device: torch.device | str | None = None,
    ) -> Self:
        """Return a layer with the points of word vectors, in the order of vectors.words.

        Args:
            vectors: Word vectors on the hyperboloid, or the path of a model.
            trainable: Whether the weight requires gradients.
            padding_idx: A row that is not trained.
            dtype: The type of the numbers.
            device: Where the numbers are stored.

        Raises:
            GeometryError: The vectors are Euclidean.
        """
        vectors = given_model("vectors", vectors)
        if not vectors.space.is_curved:
            raise GeometryError(
                "Euclidean vectors are not points of the hyperboloid",
                hint="use torch.nn.Embedding.from_pretrained(torch.tensor(vectors.coordinates))",
            )
        layer = cls(
            len(vectors), vectors.dimension,
            factors=vectors.factors, padding_idx=padding_idx, dtype=dtype, device=device,
        )  # fmt: skip
        with torch.no_grad():
            layer.weight.copy_(torch.tensor(vectors.coordinates))
        layer.weight.requires_grad_(trainable)
        return layer

    def reset_parameters(self) -> None:
        """Put all points at random positions around the base point."""
        torch.nn.init.normal_(self.weight, std=_DEVIATION)
        if self.padding_idx is not None:
            with torch.no_grad():
                self.weight[self.padding_idx].zero_()

    def forward(self, rows: Tensor) -> Tensor:
        """Return the points (..., dimension + factors) of rows (...)."""
        return self.points_above(
            torch.nn.functional.embedding(rows, self.weight, padding_idx=self.padding_idx)
        )

    def points_above(self, coordinates: Tensor) -> Tensor:
        """Return the points (..., dimension + factors) with these spatial coordinates."""
        parts = coordinates.unflatten(-1, (self.factors, -1))
        times = torch.sqrt(1 + parts.square().sum(-1, keepdim=True))
        return torch.cat((parts, times), -1).flatten(-2)

    def distance(self, a: Tensor, b: Tensor) -> Tensor:
        """Return the hyperbolic distances (...) of points (..., dimension + factors).

        Gradients are finite everywhere, and 0 if the points coincide.
        """
        distances = _distance(*(points.unflatten(-1, (self.factors, -1)) for points in (a, b)))
        if self.factors == 1:
            return distances.squeeze(-1)
        return _square_root(distances.square().sum(-1))

    def to_vectors(self, words: Sequence[str], counts: npt.ArrayLike | None = None) -> WordVectors:
        """Return the points as word vectors.

        Args:
            words: The word of each row.
            counts: The number of occurrences of each word; zeros if unknown.

        Raises:
            InputError: There is not exactly one word for each row, or the weight is not finite.
        """
        words = checked_words(words)
        if len(words) != len(self.weight):
            raise InputError(
                f"`words` must have a word for each of the {len(self.weight)} rows, got "
                f"{len(words)} words",
                hint="pass the words of the vectors that the layer was made from: vectors.words",
            )
        coordinates = self.weight.detach().to("cpu", torch.float32).numpy().copy()
        damaged = np.flatnonzero(~np.isfinite(coordinates).all(axis=1))
        if len(damaged):
            raise InputError(
                f"{len(damaged)} of {len(words)} rows of the weight are not finite, the first is "
                f"row {damaged[0]} ({words[damaged[0]]!r})",
                hint="training diverged: use a smaller learning rate, or clip the gradients",
            )
        return WordVectors(words, coordinates, counts=counts, factors=self.factors)

    def manifold_parameter(self, k: float = 1.0, *, dtype: torch.dtype = torch.float64) -> Any:
        """Return the points as a parameter of geoopt's Lorentz manifold, with the time first.

        With k = 1, distances are those of hyperskip; otherwise they are √k times as large. The
        spatial coordinates are parameter[:, 1:] / √k.

        Args:
            k: The curvature of the manifold is -1/k.
            dtype: The type of the numbers.

        Raises:
            OptionError: `k` is not a positive number.
            GeometryError: The space is a product of hyperboloids.
            MissingPackageError: geoopt is not installed.
        """
        k = _K.checked("k", k)
        try:
            import geoopt
        except ImportError as error:
            raise MissingPackageError("geoopt", "tools", "manifold_parameter") from error
        if self.factors > 1:
            raise GeometryError(
                f"a product of {self.factors} hyperboloids is not one Lorentz manifold",
                hint="use geoopt.ProductManifold with one parameter for each factor",
            )
        points = self.points_above(self.weight.detach().to(dtype))
        manifold = geoopt.Lorentz(k=torch.tensor(k, dtype=dtype, device=points.device))
        return geoopt.ManifoldParameter(points.roll(1, -1) * k**0.5, manifold=manifold)

    def extra_repr(self) -> str:
        """Return the sizes that the printed layer shows."""
        count, dimension = self.weight.shape
        factors = f", factors={self.factors}" if self.factors > 1 else ""
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{count}, {dimension}{factors}{padding}"


def _distance(p: Tensor, q: Tensor) -> Tensor:
    """Distances (...) of points (..., n + 1), as hyperskip.geometry.distance computes them."""
    x, y = p[..., :-1], q[..., :-1]
    times, product = p[..., -1] * q[..., -1], _dot(x, y)
    difference = x - y
    nearer = torch.where((p[..., -1] <= q[..., -1])[..., None], x, y)
    smallest = torch.finfo(p.dtype).tiny ** 0.5
    share = _dot(difference, nearer) / _dot(nearer, nearer).clamp_min(smallest)
    across = difference - share[..., None] * nearer
    wedge_squared = _dot(nearer, nearer) * _dot(across, across)
    x_squared, y_squared = _dot(x, x), _dot(y, y)
    apart = (x_squared + y_squared + x_squared * y_squared) / (1 + times) - product
    aligned = (_dot(difference, difference) + wedge_squared) / (1 + times + product.abs())
    excess = torch.where(product > 0, aligned, apart)  # cosh(distance) - 1
    return 2 * torch.asinh(_square_root(excess / 2))


def _square_root(squares: Tensor) -> Tensor:
    """Square roots, with a gradient of 0 where the square is 0."""
    positive = squares > 0
    return torch.where(positive, torch.where(positive, squares, 1).sqrt(), 0)


def _dot(u: Tensor, v: Tensor) -> Tensor:
    return (u * v).sum(-1)
