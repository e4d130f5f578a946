"""Both schedules, slow and literal: the reference that every kernel is tested against.

Points are float64, one (n+1)-vector for each factor of the space with time last, and each step is a
call into `geometry`. The random draws are those of the kernels, so that results can be compared
number by number. Euclidean space uses the same code with the flat version of each step.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hyperskip.geometry import hyperboloid
from hyperskip.geometry.arrays import Floats
from hyperskip.training.objective.draws import below, draws
from hyperskip.training.objective.loss import derivative, hyperbolic_score, log_likelihood

_64_BITS = 2**64 - 1


@dataclass
class ReferenceModel:
    """Both layers; the same array twice if each word has one vector."""

    centers: Floats  # (words, factors, dimension + 1), or (words, 1, dimension) in Euclidean space
    contexts: Floats
    theta: float
    hyperbolic: bool
    fixed: frozenset[int] = frozenset()  # words that must not move as centers
    curvature: float = 1.0

    @property
    def tied(self) -> bool:
        """Whether each word has one vector."""
        return self.centers is self.contexts

    def score(self, u: Floats, v: Floats) -> float:
        """The score of two points, from the sum of products over factors."""
        if not self.hyperbolic:
            return float(np.sum(u * v))
        product = np.sum(hyperboloid.minkowski_dot(u, v))
        return float(
            hyperbolic_score(product, self.theta, factors=len(u), curvature=self.curvature)
        )

    def move(
        self, points: Floats, word: int, gradient: Floats, rate: float, max_step: float
    ) -> None:
        """Move a word in one of the layers, unless it is fixed there."""
        if points is not self.centers or word not in self.fixed:
            points[word] = self.moved(points[word], gradient, rate, max_step)

    def moved(self, point: Floats, gradient: Floats, rate: float, max_step: float) -> Floats:
        """Riemannian gradient ascent, equation (riemannian_sgd), the step clipped (appendix A.4).

        `gradient` is the gradient in the ambient space; it is projected onto the tangent space.
        Each factor of the space takes its own step. On a hyperboloid of curvature -c, points and
        gradients are 1/sqrt(c) times those of the unit hyperboloid, where steps are the same.
        """
        if not self.hyperbolic:
            return point + _clipped(rate * gradient, np.linalg.norm(rate * gradient), max_step)
        tangent = rate * hyperboloid.project_to_tangent(point, gradient)
        lengths = hyperboloid.norm(tangent, at=point)
        return hyperboloid.exponential(point, _clipped(tangent, lengths, max_step))


def _clipped(step: Floats, length: npt.ArrayLike, max_step: float) -> Floats:
    return step * np.minimum(1.0, max_step / np.maximum(length, max_step))[..., None]


def train_pair(
    model: ReferenceModel, center: int, targets: list[int], rate: float, max_step: float
) -> tuple[float, float]:
    """Train on a pair of center and true context (targets[0]) with its negative samples (the rest).

    Returns:
        The pair's negative log-likelihood, and the derivative of the log-likelihood by theta.
    """
    u = model.centers[center].copy()
    gradient = np.zeros_like(u)
    loss, theta_gradient = 0.0, 0.0
    for i, target in enumerate(targets):
        label = 1.0 if i == 0 else 0.0
        v = model.contexts[target].copy()
        score = model.score(u, v)
        loss -= float(log_likelihood(score, label))
        difference = float(derivative(score, label))
        theta_gradient += difference
        gradient += difference * v  # (gradient_alpha)
        model.move(model.contexts, target, difference * u, rate, max_step)  # (gradient_gamma)
    model.move(model.centers, center, gradient, rate, max_step)
    return loss, theta_gradient


@dataclass(frozen=True)
class ReferenceSettings:
    """Settings for a block."""

    keep: npt.NDArray[np.uint32]  # the tables of sampling.py
    noise: npt.NDArray[np.uint32]
    window: int
    shrink_window: bool
    negatives: int
    shared_negatives: int
    max_step: float
    learn_theta: bool
    distance_weights: Floats  # (window + 1,): of pairs, in the `window` schedule
    word_rates: Floats  # (words,): factors of the learning rate, in the `window` schedule
    loads: Floats | None = None  # of words (sampling.py); with them, rounds are damped


def train_pairs(
    sentences: list[list[int]],
    model: ReferenceModel,
    settings: ReferenceSettings,
    start_rate: float,
    end_rate: float,
    seed: int,
) -> tuple[int, float]:
    """The `pairwise` schedule on a block of sentences; returns pairs and their loss."""
    random = draws(seed)
    total = sum(len(sentence) for sentence in sentences)
    begin, pairs, loss = 0, 0, 0.0
    for sentence in sentences:
        kept = [word for word in sentence if next(random) >> 32 <= settings.keep[word]]
        for c, center in enumerate(kept):
            done = (begin + len(sentence) * (c / len(kept))) / total
            rate = start_rate + (end_rate - start_rate) * done
            reach = settings.window
            if settings.shrink_window:
                reach = 1 + below(next(random), settings.window)
            theta_gradients = []
            for o in range(max(0, c - reach), min(len(kept), c + reach + 1)):
                context = kept[o]
                if o == c or (model.tied and context == center):
                    continue
                drawn = [_negative(next(random), settings.noise) for _ in range(settings.negatives)]
                excluded = (context, center) if model.tied else (context,)
                targets = [context, *(word for word in drawn if word not in excluded)]
                pair_loss, theta_gradient = train_pair(
                    model, center, targets, rate, settings.max_step
                )
                pairs += 1
                loss += pair_loss
                theta_gradients.append(theta_gradient)
            if settings.learn_theta and theta_gradients:
                model.theta += rate * float(np.mean(theta_gradients))
        begin += len(sentence)
    return pairs, loss


@dataclass(frozen=True)
class _Center:
    """A token that subsampling kept, and its window among the kept tokens."""

    word: int
    first: int
    last: int


def train_tiles(
    sentences: list[list[int]],
    model: ReferenceModel,
    settings: ReferenceSettings,
    start_rate: float,
    end_rate: float,
    seed: int,
    tile_size: int,
    round_tiles: int = 1,
) -> tuple[int, float]:
    """The `window` schedule on a block of sentences; returns pairs and their loss.

    Words move when all tiles of a round are computed.
    """
    random = draws(seed)
    centers: list[_Center] = []
    for sentence in sentences:
        drawn = [(word, next(random)) for word in sentence]
        kept = [(word, bits) for word, bits in drawn if bits >> 32 <= settings.keep[word]]
        begin, end = len(centers), len(centers) + len(kept)
        for place, (word, bits) in enumerate(kept, start=begin):
            reach = settings.window
            if settings.shrink_window:  # from the lower half of the bits
                reach = 1 + below(bits << 32 & _64_BITS, settings.window)
            centers.append(_Center(word, max(begin, place - reach), min(end - 1, place + reach)))
    pairs, weight, loss = 0, 0.0, 0.0
    begins = range(0, len(centers), tile_size)
    negatives = [
        [_negative(next(random), settings.noise) for _ in range(settings.shared_negatives)]
        for _ in begins
    ]
    rounds = -(-len(begins) // round_tiles)
    pushes = float(
        np.mean(
            [
                sum(_contexts(centers, place, model, settings).values())
                for place in range(len(centers))
            ]
        )
    ) * (1 + settings.negatives)  # by a center, on average
    loads = None if settings.loads is None else settings.loads * pushes
    for number in range(rounds):
        rate = start_rate + (end_rate - start_rate) * number / rounds
        computed = []
        for i in range(number, len(begins), rounds):
            tile = range(begins[i], min(begins[i] + tile_size, len(centers)))
            computed.append(_compute_tile(centers, tile, negatives[i], model, settings))
        for layer, gradients in (
            (model.centers, [row for tile in computed for row in tile.of_centers]),
            (model.contexts, [row for tile in computed for row in tile.of_contexts]),
        ):
            _move_words(model, layer, gradients, rate, settings, loads)
        if settings.learn_theta:
            model.theta += rate * sum(tile.of_theta for tile in computed) / len(computed)
        pairs += sum(tile.pairs for tile in computed)
        weight += sum(tile.weight for tile in computed)
        loss += sum(tile.loss for tile in computed)
    return pairs, pairs * loss / weight if pairs else 0.0


def _contexts(
    centers: list[_Center], place: int, model: ReferenceModel, settings: ReferenceSettings
) -> dict[int, float]:
    """The places of the contexts of a center, and the weights of these pairs."""
    center = centers[place]
    return {
        other: float(settings.distance_weights[abs(other - place)])
        for other in range(center.first, center.last + 1)
        if other != place and not (model.tied and centers[other].word == center.word)
    }


@dataclass(frozen=True)
class _Tile:
    """The gradients of a tile; a word may have several rows."""

    of_centers: list[tuple[int, Floats]]
    of_contexts: list[tuple[int, Floats]]
    of_theta: float
    pairs: int
    weight: float  # of the pairs
    loss: float


def _compute_tile(
    centers: list[_Center],
    tile: range,
    drawn: list[int],
    model: ReferenceModel,
    settings: ReferenceSettings,
) -> _Tile:
    """Compute all gradients at the current positions."""
    begin = max(0, tile.start - settings.window)
    end = min(len(centers), tile.stop + settings.window)
    words = [center.word for center in centers[begin:end]] + drawn
    span = end - begin
    then = model.contexts[words]
    gradients = np.zeros_like(then)
    pairs, weight, loss, theta_gradient = 0, 0.0, 0.0, 0.0
    tile_words = [centers[place].word for place in tile]
    tile_then = model.centers[tile_words]
    tile_gradients = np.zeros_like(tile_then)

    for c, place in enumerate(tile):
        center = centers[place]
        contexts = _contexts(centers, place, model, settings)
        of_contexts = sum(contexts.values())
        of_negative = of_contexts * settings.negatives / settings.shared_negatives
        others = [
            row for row in range(span, len(words)) if not (model.tied and words[row] == center.word)
        ]
        for row, label, share in [(other - begin, 1.0, own) for other, own in contexts.items()] + [
            (row, 0.0, of_negative) for row in others
        ]:
            score = model.score(tile_then[c], then[row])
            pull = share * float(derivative(score, label))
            loss -= share * float(log_likelihood(score, label))
            gradients[row] += pull * tile_then[c]
            tile_gradients[c] += pull * then[row]
            theta_gradient += pull / of_contexts if contexts else 0.0
        pairs += len(contexts)
        weight += of_contexts

    of_centers = list(zip(tile_words, tile_gradients, strict=True))
    of_rows = list(zip(words, gradients, strict=True))
    if model.tied:  # one vector for each word: its gradients add up
        of_centers, of_rows = [], of_rows + of_centers
    return _Tile(of_centers, of_rows, theta_gradient, pairs, weight, loss)


def _move_words(
    model: ReferenceModel,
    points: Floats,
    gradients: list[tuple[int, Floats]],
    rate: float,
    settings: ReferenceSettings,
    loads: Floats | None,
) -> None:
    """Move each word once, by the sum of its gradients."""
    sums: dict[int, Floats] = {}
    for word, gradient in gradients:
        sums[word] = sums[word] + gradient if word in sums else gradient
    for word, gradient in sums.items():
        own_rate = rate * settings.word_rates[word]
        load = 0.0 if loads is None else own_rate * loads[word]
        damping = -np.expm1(-load) / load if load else 1.0
        model.move(points, word, gradient, own_rate * damping, settings.max_step)


def _negative(bits: int, noise: npt.NDArray[np.uint32]) -> int:
    row = below(bits, len(noise))
    accept, alias = noise[row]
    return row if bits & 0xFFFFFFFF <= accept else int(alias)
