"""The options of subwords: which n-grams of words get vectors."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hyperskip.errors import OptionError
from hyperskip.options import Options, option
from hyperskip.subwords.hashes import MOST_BUCKETS, MOST_HASHES
from hyperskip.subwords.ngrams import LONGEST_NGRAM
from hyperskip.training.options import CENTERS, PAIRWISE, TrainingOptions

if TYPE_CHECKING:
    from hyperskip.subwords.scheme import SubwordScheme  # imports NumPy

_SHORTEST, _LONGEST = 3, 6
_BUCKETS, _SHARED_BUCKETS = 2_000_000, 50_000
# An initial model may be the reason for subwords, and the command line cannot switch them off.
_WITHOUT = "leave out `subwords` and initial models with n-grams"


@dataclass(frozen=True, kw_only=True)
class SubwordOptions(Options):
    """Options of subwords. `hyperskip.train` describes each field."""

    subwords: bool | None = option(
        None,
        bool,
        "learn vectors of character n-grams too, so that words outside the vocabulary have "
        "vectors; window schedule only",
        rule="True if the initial model has them",
        optional=True,
    )
    subword_min: int | None = option(
        None,
        int,
        "characters of the shortest n-grams; the marks at the beginning and the end of a word "
        "count",
        rule=f"{_SHORTEST}",
        optional=True,
        at_least=1,
        at_most=LONGEST_NGRAM,
    )
    subword_max: int | None = option(
        None,
        int,
        "characters of the longest n-grams",
        rule=f"{_LONGEST}",
        optional=True,
        at_least=1,
        at_most=LONGEST_NGRAM,
    )
    buckets: int | None = option(
        None,
        int,
        "number of vectors that n-grams are hashed to; those that no word uses take no memory",
        rule=f"{_BUCKETS}, or {_SHARED_BUCKETS} with bucket hashes",
        optional=True,
        at_least=1,
        at_most=MOST_BUCKETS,
    )
    bucket_hashes: int | None = option(
        None,
        int,
        "make a compact table as floret does, which spaCy can load: words have no vectors of their "
        "own, and words and n-grams have this number of buckets each",
        rule="words have vectors of their own, and n-grams have one bucket each",
        optional=True,
        at_least=1,
        at_most=MOST_HASHES,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.subwords:
            for name in ("subword_min", "subword_max", "buckets", "bucket_hashes"):
                if getattr(self, name) is not None:
                    raise OptionError(
                        f"`{name}` requires `subwords=True`",
                        hint=f"pass `subwords=True`, or leave out `{name}`",
                    )
        if self._shortest > self._longest:
            raise OptionError(
                f"`subword_min` is {self._shortest}, above `subword_max`, which is {self._longest}",
                hint="choose a `subword_max` of at least `subword_min`",
            )
        if self.bucket_hashes is not None and self._shortest == 1:
            raise OptionError(
                "`subword_min=1` cannot be used with `bucket_hashes`",
                hint="choose a `subword_min` of at least 2: programs that read the table disagree "
                "about n-grams of one character",
            )

    @property
    def _shortest(self) -> int:
        return _SHORTEST if self.subword_min is None else self.subword_min

    @property
    def _longest(self) -> int:
        return _LONGEST if self.subword_max is None else self.subword_max

    @property
    def scheme(self) -> "SubwordScheme | None":
        """How words are divided into n-grams; None without subwords."""
        if not self.subwords:
            return None
        from hyperskip.subwords.scheme import SubwordScheme

        usual = _BUCKETS if self.bucket_hashes is None else _SHARED_BUCKETS
        return SubwordScheme(
            shortest=self._shortest,
            longest=self._longest,
            buckets=self.buckets or usual,
            hashes=self.bucket_hashes or 0,
        )


def scheme_options(scheme: "SubwordScheme | None") -> dict[str, Any]:
    """The options that make this scheme, as they are stored with the vectors; none without one."""
    if scheme is None:
        return {}
    return {
        "subwords": True,
        "subword_min": scheme.shortest,
        "subword_max": scheme.longest,
        "buckets": scheme.buckets,
        "bucket_hashes": scheme.hashes or None,
    }


def check_subwords(options: SubwordOptions, training: TrainingOptions, cluster: str | None) -> None:
    """Check that subwords can be learned with the other options.

    Raises:
        OptionError: They cannot.
    """
    if not options.subwords:
        return
    if training.schedule == PAIRWISE:
        raise OptionError(
            f"`subwords=True` needs `schedule='window'`, and `schedule` is '{PAIRWISE}'",
            hint=f"leave out `schedule`, or {_WITHOUT}",
        )
    if training.layer not in (None, CENTERS):
        raise OptionError(
            f"`layer` is {training.layer!r}, but n-grams belong to the centers",
            hint=f"leave out `layer`, or {_WITHOUT}",
        )
    if cluster is not None:
        raise OptionError(
            "`subwords=True` cannot be used with `cluster`",
            hint=f"train on one machine, or {_WITHOUT}",
        )
