"""When words and n-grams learn from each other: some times in each epoch, between two blocks."""

from collections.abc import Iterator, Sequence

from hyperskip.training.backend import SubwordBackend
from hyperskip.training.blocks import Block
from hyperskip.training.objective.subwords import FITS, LAST_FIT, fit_at
from hyperskip.training.plan import TrainingPlan


class SubwordTraining:
    """Divides the blocks of an epoch into parts, and fits n-grams after each.

    A backend whose blocks are larger than such a part fits n-grams by itself.

    Args:
        backend: Holds words and n-grams.
        plan: The plan of the training, with subwords.
        token_count: Number of tokens of the text.
        keeps_center: Whether to keep the mean of the words at the base point. Training lets words
            drift, which changes no distance, but unknown words would not drift along.
    """

    def __init__(
        self, backend: SubwordBackend, plan: TrainingPlan, token_count: int, *, keeps_center: bool
    ) -> None:
        self._backend = backend
        self._plan = plan
        self._token_count = token_count
        self._keeps_center = keeps_center

    def parts(self, blocks: Sequence[Block]) -> Iterator[Sequence[Block]]:
        """The blocks up to each fit; there is always one after the last block of an epoch."""
        begin = 0
        for i, block in enumerate(blocks):
            is_last = block.end == self._token_count
            if is_last or (self._fits_in(block) and not self._backend.fits_in_blocks):
                yield blocks[begin : i + 1]
                begin = i + 1

    def end_part(self, epoch: int, block: Block) -> None:
        """Fit n-grams and words after a block, the last one of a part."""
        if not self._backend.fits_in_blocks:
            rate = self._plan.rate_at(epoch, block.end / self._token_count)
            strength = self._plan.strength_at(rate)
            fit = fit_at(
                *(strength, self._plan.dimension),
                own_vectors=self._plan.has_word_rows,
                fits=self._fits_in(block),
            )
            self._backend.fit_subwords(fit)
        if block.end < self._token_count:
            return
        if self._plan.has_word_rows and epoch == self._plan.epochs - 1:
            self._backend.fit_subwords(LAST_FIT)
        if self._keeps_center:
            self._backend.center_words()

    def _fits_in(self, block: Block) -> int:
        """The number of fits that are due at the end of a block."""
        before, after = (FITS * edge // self._token_count for edge in (block.begin, block.end))
        return after - before
