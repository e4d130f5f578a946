"""Training from a corpus to word vectors: options, text, plan, run, result.

With one thread, or in deterministic training, the result is the same in every run on the same kind
of processor, no matter how often training was interrupted. It may differ between processors, whose
vector width determines the order of sums.
"""

from __future__ import annotations  # help() shows Corpus and Report, not what they expand to

import contextlib
import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hyperskip.errors import TrainingWarning, warn
from hyperskip.options import check_progress, check_report, named_arguments
from hyperskip.subwords.scheme import SubwordScheme
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.reading.corpus import Corpus
from hyperskip.text.word_rules import TokenizerFunction
from hyperskip.training.arguments import (
    OPTION_NAMES,
    check_start,
    chosen_options,
    initial_model,
    split_options,
)
from hyperskip.training.checkpoints.resuming import (
    Checkpoints,
    checkpoints_in,
    run_with_checkpoints,
)
from hyperskip.training.hierarchy.stated_relations import StatedRelations
from hyperskip.training.ngram_index import NgramIndex
from hyperskip.training.options import TrainingOptions
from hyperskip.training.plan import TrainingPlan, plan_training
from hyperskip.training.ranking_options import RankingOptions
from hyperskip.training.result import Result, SkipGramResult
from hyperskip.training.run.device import check_can_train, choose_device
from hyperskip.training.run.loop import Run
from hyperskip.training.run.state import InitialState, State
from hyperskip.training.run.training_events import Report, SubwordsFound
from hyperskip.training.run.training_run import TrainingRun
from hyperskip.training.settled_options import settled_options
from hyperskip.training.start.from_model import inherited_tokenizer, parameters_from_model
from hyperskip.training.start.ngrams import check_same_ngrams, initial_ngrams
from hyperskip.training.start.random_positions import random_parameters
from hyperskip.training.subword_options import check_subwords
from hyperskip.training.training_corpus import check_contexts, encoded_corpus
from hyperskip.training.training_text import TrainingText
from hyperskip.vectors.word_vectors import WordVectors

if TYPE_CHECKING:
    from hyperskip.cluster.nodes import Cluster
    from hyperskip.cluster.options import ClusterOptions
    from hyperskip.training.cluster.training_cluster import TrainingCluster


@named_arguments
def train(
    corpus: Corpus | EncodedCorpus,
    *,
    options: TrainingOptions | None = None,
    preset: str = "default",
    init: WordVectors | str | os.PathLike[str] | None = None,
    checkpoints: str | os.PathLike[str] | None = None,
    relations: Any = None,
    report: Report | None = None,
    progress: bool | None = None,
    geometry: str | None = None,
    schedule: str | None = None,
    dimension: int | None = None,
    factors: int | None = None,
    curvature: float | None = None,
    window: int | None = None,
    shrink_window: bool | None = None,
    distance_decay: float | None = None,
    negatives: int | None = None,
    shared_negatives: int | None = None,
    power: float | None = None,
    subsample: float | None = None,
    epochs: int | None = None,
    rate: float | None = None,
    rate_power: float | None = None,
    end_rate: float | None = None,
    burn_in_epochs: int | None = None,
    burn_in_rate: float | None = None,
    theta: float | None = None,
    learn_theta: bool | None = None,
    max_step: float | None = None,
    tied: bool | None = None,
    layer: str | None = None,
    initial_deviation: float | None = None,
    locking: bool | None = None,
    freeze: bool | None = None,
    deterministic: bool | None = None,
    device: str | None = None,
    threads: int | None = None,
    seed: int | None = None,
    subwords: bool | None = None,
    subword_min: int | None = None,
    subword_max: int | None = None,
    buckets: int | None = None,
    bucket_hashes: int | None = None,
    tokenizer: str | TokenizerFunction | None = None,
    lowercase: bool | None = None,
    numbers: str | None = None,
    apostrophes: str | None = None,
    hyphens: str | None = None,
    normalize: str | None = None,
    min_count: int | None = None,
    column: str | None = None,
    delimiter: str | None = None,
    encoding_errors: str | None = None,
    vocabulary_limit: int | None = None,
    phrases: bool | None = None,
    phrase_file: str | None = None,
    phrase_score: str | None = None,
    phrase_threshold: float | None = None,
    phrase_min_count: int | None = None,
    phrase_connectors: str | None = None,
    phrase_passes: int | None = None,
    phrase_limit: int | None = None,
    checkpoint_minutes: float | None = None,
    resume: bool | None = None,
    restart: bool | None = None,
    cluster: str | None = None,
    nodes: int | None = None,
    merge_words: int | None = None,
    hierarchy: bool | None = None,
    hierarchy_dimension: int | None = None,
) -> WordVectors:
    """Learn word vectors from text, and with relations also what is a kind of what.

    An option that is None is not chosen: it has the value of `options`, of the initial model, of
    the preset, or its default, in this order.

    Args:
        corpus: A path, folder, glob or URL of text, CSV, TSV, JSON Lines, Parquet or a Wikipedia
            dump; a list of pathlib.Path or hyperskip.RemotePath; an iterable of documents, each a
            string or a list of tokens (strings or integers); an iterable of records (dicts), or a
            data frame, table or column of pandas, polars, Arrow or Hugging Face datasets; an
            encoded corpus, or its folder or URL. An iterable is read once.
        options: Options of training; keyword arguments override them.
        preset: `default`, or `paper` for the hyperparameters of the paper's appendix A.2.
        init: A model to start from, or its file. Its words are kept; new words of the text are
            added.
        checkpoints: A folder for checkpoints; it is created if necessary. After training it holds
            the final state.
        relations: Learn a hierarchy, too, from relations: what `hyperskip.extract_relations`
            returned; the path of a file of them; or pairs (narrower, broader), with or without a
            count. See `hyperskip.add_hierarchy`.
        report: Called with progress events, from the calling thread.
        progress: Whether to show progress; None: only in a terminal or a notebook, and only if
            `report` is None. True writes lines to standard error if there is neither.
        geometry: Space of the vectors: hyperboloid (hyperbolic, as in the paper) or euclidean
            (plain skip-gram, compared by cosine) (default: hyperboloid).
        schedule: How negative samples are drawn: window shares them between consecutive centers,
            which is fast; pairwise draws them for each pair of center and context, as in the paper
            (default: window).
        dimension: Dimension of the space (between 1 and 4096; default: 100).
        factors: Number of hyperboloids in the product space; must divide the dimension; window
            schedule only (between 1 and 4096; default: 1).
        curvature: Curvature of each hyperboloid: 1 in the paper, nearly flat close to 0 (between
            0.0001 and 10000; default: 0.25, or 7 / dimension if that is less).
        window: Number of context words on each side of a center (between 1 and 1000; default: 7).
        shrink_window: Draw the window of each center at random, up to the full size, as word2vec
            does.
        distance_decay: A context at the distance k counts k^-decay times; 0 counts all contexts of
            a window alike; window schedule only (between 0 and 10; default: 1, or 0 for
            vocabularies of less than 10,000 words, such as items of sessions).
        negatives: Negative samples for each pair of center and context (between 1 and 500; default:
            40 below 50 dimensions, 20 from 50 on; half of that in Euclidean space).
        shared_negatives: Number of negative samples shared by each tile of 16 consecutive centers;
            window schedule only (between 1 and 4096; default: 128).
        power: Negative samples are drawn in proportion to their count to this power (between 0 and
            1; default: 0.45).
        subsample: Drop tokens of words more frequent than this share of the text at random; 0 keeps
            all (between 0 and 1; default: 1e-5 for texts of at least 5 million words, 1e-4 for
            smaller ones, or 0.3 / the size of the vocabulary if that is more).
        epochs: Passes over the text (between 1 and 100000; default: 10).
        rate: Learning rate at the start (greater than 0 and at most 10; default: less the more
            contexts a word has in the text, see docs/model.md; pairwise schedule: 0.05).
        rate_power: Rare words learn faster: the learning rate of a word falls with its number of
            tokens to this power, between 1/4 and 4 times the usual rate; 0: all words have the same
            rate; window schedule only (between 0 and 1; default: 0.2).
        end_rate: Learning rate at the end; the rate falls linearly (between 0 and 10; default: 0).
        burn_in_epochs: Additional passes at the start, at a constant rate and with a tenth of the
            negative samples (between 0 and 100000; default: 0).
        burn_in_rate: Learning rate of the burn-in epochs (greater than 0 and at most 10; default:
            the learning rate).
        theta: Offset added to the Minkowski product, as in the paper; a word scores theta - 1 with
            itself; hyperboloid only (between -100 and 100; default: 1, plus 1 for each doubling of
            the dimension from 5 on; less below 20 dimensions and for small vocabularies, see
            docs/model.md).
        learn_theta: Learn theta too; hyperboloid only.
        max_step: Longest distance that one update may move a word, on each unit hyperboloid
            (greater than 0 and at most 2; default: 1).
        tied: Use one vector for each word, or two: one as a center, one as a context (default: one
            vector on the hyperboloid, two in Euclidean space).
        layer: Which vector of a word is kept if it has two: the center, the context, or their
            centroid (default: centers).
        initial_deviation: Standard deviation of the random start around the base point (greater
            than 0 and at most 1; default: 0.01 on the hyperboloid, less if the space has many
            dimensions or is nearly flat; in Euclidean space, vectors start as in fastText).
        locking: Lock words during an update and skip pairs with a locked word, as in the paper;
            pairwise schedule only.
        freeze: Keep the vectors of the initial model fixed; only new words move.
        deterministic: Learn the same vectors with any number of threads, and on a GPU in every run;
            takes up to twice as long; window schedule only.
        device: Where to train: cpu, cuda (an NVIDIA GPU, window schedule only), or auto (the GPU if
            there is one) (default: auto).
        threads: Threads on the CPU, of each node if there is a cluster; 0 uses all cores (between 0
            and 1024; default: 0).
        seed: Seed of the random number generator (between 0 and 9223372036854775807; default: 1).
        subwords: Learn vectors of character n-grams too, so that words outside the vocabulary have
            vectors; window schedule only (default: True if the initial model has them).
        subword_min: Characters of the shortest n-grams; the marks at the beginning and the end of a
            word count (between 1 and 100; default: 3).
        subword_max: Characters of the longest n-grams (between 1 and 100; default: 6).
        buckets: Number of vectors that n-grams are hashed to; those that no word uses take no
            memory (between 1 and 2147483648; default: 2000000, or 50000 with bucket hashes).
        bucket_hashes: Make a compact table as floret does, which spaCy can load: words have no
            vectors of their own, and words and n-grams have this number of buckets each (between 1
            and 4; default: words have vectors of their own, and n-grams have one bucket each).
        tokenizer: paper: lower-case words of two or more letters or digits that do not start with a
            digit; whitespace: everything between blanks, unchanged, such as item_1 or B00-XYZ1;
            icu: words of any script, also of those without blanks, such as Chinese or Thai; in
            Python also a function that returns the words of a text (default: paper).
        lowercase: Change words to lower case (default: True, except with whitespace).
        numbers: Words that start with a digit, such as 1984, 3rd or 3.14: drop or keep; paper and
            icu only (default: drop).
        apostrophes: Words such as don't or l'homme: split (don, homme) or keep; paper only
            (default: split).
        hyphens: Words such as well-known: split (well, known) or keep; paper only (default: split).
        normalize: Unicode normalization form: none, nfc (one spelling of each accented letter), or
            nfkc (also of full-width letters, ligatures and the like) (default: none).
        min_count: Leave out words that occur less often (between 1 and 1000000000; default: 5).
        column: The column or key that contains the text, for CSV, TSV, JSON Lines, Parquet, data
            frames and records; in a CSV or TSV file without a header, its number, from 1.
        delimiter: The character between the cells of a CSV file, such as ; or tab (default: from
            the name of the file and its first line).
        encoding_errors: Bytes that are not UTF-8: strict stops with an error, replace inserts
            U+FFFD (default: strict).
        vocabulary_limit: Maximum number of distinct words counted at a time, which limits memory: a
            million words take 80 to 100 MB, or 140 MB with 32 letters each, and longer words count
            as several; above the limit, the rarest words are dropped, and this is reported (between
            1000 and 1000000000; default: 20000000).
        phrases: Find phrases, words that often occur next to each other, and join them to one word:
            new_york.
        phrase_file: Join the phrases of a file that hyperskip phrases wrote, instead of finding
            them in this text.
        phrase_score: The score of a phrase: default, which grows with the size of the text, or
            npmi, the normalized pointwise mutual information, between -1 and 1 (default: default).
        phrase_threshold: Join phrases with a higher score; a higher threshold gives fewer phrases
            (between -1 and 1000000000000; default: 10, or 0.5 with npmi).
        phrase_min_count: Leave out phrases that occur less often (between 1 and 1000000000;
            default: 5).
        phrase_connectors: Words that may be inside of a phrase, but not at its ends, as in
            bank_of_america: english (a, of, the and the like), or the words themselves, separated
            by blanks.
        phrase_passes: Number of passes; each can join the phrases of the pass before: new_york_city
            (between 1 and 10; default: 1).
        phrase_limit: Maximum number of different pairs of words counted at a time, which limits
            memory: a million pairs take 22 to 64 MB; above the limit, the rarest pairs are dropped,
            and this is reported (between 1000 and 1000000000; default: 20000000).
        checkpoint_minutes: Minutes between checkpoints, in addition to those after long epochs; 0
            writes none (between 0 and 100000; default: 10).
        resume: Continue from the newest checkpoint, or start from the beginning if there is none.
        restart: Remove existing checkpoints and start again.
        cluster: Work on all nodes of a Ray cluster: auto (the one in RAY_ADDRESS, the one started
            on this machine with ray start without --temp-dir, or else a new one on this machine),
            or the address of its head node, HOST:PORT.
        nodes: Maximum number of nodes that train (at least 1; default: all nodes).
        merge_words: Words that each node trains on between two merges (at least 1000; default:
            about 12 * nodes * sqrt(dimension) merges in all).
        hierarchy: Learn what is a kind of what, from relations that the text states, such as
            'animals such as dogs'; the text needs its punctuation and capital letters.
        hierarchy_dimension: Dimension of the hierarchy, in addition to that of the vectors; with
            relations only (between 2 and 1000; default: 30).

    Returns:
        The vectors, with the options they were trained with and the loss of each epoch.

    Raises:
        OptionError: An option is unknown, out of range, in contradiction to another, or different
            from the training to be resumed.
        CorpusError: The text is missing, unreadable or too small; or `relations` is unreadable.
        GraphError: A relation is malformed, or there are none.
        InputError: No relation has both terms in the vocabulary.
        VectorFileError: The initial model or a checkpoint cannot be read.
        OutputError: There are checkpoints of another training, or checkpoints cannot be written.
        DivergenceError: The numbers are no longer finite, or the loss is far worse than that of
            untrained vectors.
        ClusterError: There is no such cluster, its nodes differ, or all of them were lost.
        MissingPackageError: `cluster` was passed, which requires the extra `cluster`.
    """
    keywords = {name: value for name, value in locals().items() if name in OPTION_NAMES}
    check_report(report)
    check_progress(progress)
    model = initial_model(init)
    chosen = chosen_options(options, keywords, model, preset)
    inherited = {} if model is None else inherited_tokenizer(model, chosen)  # not for encoded text
    groups = split_options(inherited | chosen)
    stated = StatedRelations(relations, groups)
    check_start(model, settled_options(groups.training))
    check_subwords(groups.subwords, groups.training, groups.cluster.cluster)
    check_same_ngrams(model, groups.subwords.scheme)
    folder = checkpoints_in(checkpoints, groups.checkpoints, init)
    if groups.cluster.cluster is None:
        check_can_train(groups.training)
    from hyperskip.progress.automatic import progress_shown

    with contextlib.ExitStack() as stack:
        if folder is not None:
            stack.enter_context(folder.locked())
        saved = None if folder is None else folder.folder
        report = stack.enter_context(progress_shown(progress, report, saved))
        threads = groups.training.threads or 0
        connection, training_cluster = None, None
        if groups.cluster.cluster is not None:
            connection, training_cluster = joined_cluster(groups.cluster, groups.training, stack)
        encoded = stack.enter_context(
            encoded_corpus(
                *(corpus, groups.text, chosen, preset, threads, report, connection),
                watch=stated.watch(report),
            )
        )
        stated.check_words(encoded.vocabulary, model)
        if training_cluster is not None:
            stack.enter_context(training_cluster)
        vectors = train_encoded(
            *(encoded, groups.training, report),
            subwords=groups.subwords.scheme,
            model=model,
            checkpoints=folder,
            cluster=training_cluster,
        )
        return stated.added_to(vectors, report)


def joined_cluster(
    options: ClusterOptions,
    training_options: TrainingOptions | RankingOptions,
    stack: contextlib.ExitStack,
) -> tuple[Cluster, TrainingCluster]:
    """Join a cluster, and choose its device before the text is read.

    Args:
        options: Which cluster, and how to use it.
        training_options: Options of training.
        stack: Leaves the cluster.
    """
    from hyperskip.cluster.connection import connected
    from hyperskip.training.cluster.training_cluster import TrainingCluster

    assert options.cluster is not None
    connection = stack.enter_context(connected(options.cluster))
    connection.check_versions()
    training_cluster = TrainingCluster(connection, options, training_options.threads or 0)
    training_cluster.choose_device(training_options)
    return connection, training_cluster


def train_encoded(
    encoded: TrainingText,
    options: TrainingOptions,
    report: Report | None = None,
    *,
    subwords: SubwordScheme | None = None,
    model: WordVectors | None = None,
    checkpoints: Checkpoints | None = None,
    cluster: TrainingCluster | None = None,
) -> WordVectors:
    """Learn word vectors from an encoded corpus, or from another text of word ids.

    Args:
        encoded: The text.
        options: Options of training.
        report: Called with progress events, from the calling thread.
        subwords: How words are divided into n-grams; None: n-grams are not trained.
        model: A model to start from.
        checkpoints: Where checkpoints go.
        cluster: The cluster to train on; None: this process trains.
    """
    report = report or (lambda _: None)
    device = (choose_device if cluster is None else cluster.choose_device)(options, report)
    if isinstance(encoded, EncodedCorpus):
        check_contexts(encoded)
    plan = plan_training(options, encoded, device, subwords)
    index = None if subwords is None else _ngram_index(plan, encoded, subwords, model, report)
    start, fixed = _initial_state(plan, encoded, model)
    result = SkipGramResult(encoded, plan, model, index)
    run_from = partial(
        Run if cluster is None else cluster.run,
        *(encoded, plan),
        report=report,
        fixed=fixed,
        starts_from_model=model is not None,
    )
    if index is not None:
        ngrams, fixed_ngrams = initial_ngrams(index, plan, model)
        start = InitialState(start.parameters._replace(ngrams=ngrams))
        run_from = partial(run_from, index=index, fixed_ngrams=fixed_ngrams)
    return result.final(trained_state(start, run_from, result, checkpoints, report))


def trained_state(
    start: InitialState,
    run_from: Callable[[InitialState | State], TrainingRun],
    result: Result,
    checkpoints: Checkpoints | None,
    report: Report,
) -> State:
    """Train to the end.

    Args:
        start: Where training starts if there is no checkpoint.
        run_from: Makes a run that starts from a state.
        result: Makes models from states, for checkpoints.
        checkpoints: Where checkpoints go.
        report: Called with progress events.

    Returns:
        The final state.
    """
    if checkpoints is not None:
        return run_with_checkpoints(checkpoints, start, run_from, result, report)
    run = run_from(start)
    while not run.is_done:
        run.continue_epoch()
    return run.state()


def _ngram_index(
    plan: TrainingPlan,
    encoded: TrainingText,
    subwords: SubwordScheme,
    model: WordVectors | None,
    report: Report,
) -> NgramIndex:
    """List the n-grams of all words, and report how many vectors and how much memory they take."""
    index = NgramIndex.of(encoded.vocabulary.words, subwords)
    from_model = model is not None and model.subwords is not None
    size = index.bytes_for(plan.dimension, from_model=from_model)
    report(SubwordsFound(len(encoded.vocabulary), len(index.buckets), size))
    if not len(index.buckets):
        warn(
            f"no word has {subwords.shortest} characters or more, with its marks, so there are no "
            "n-grams. Choose a smaller `subword_min`",
            TrainingWarning,
        )
    return index


def _initial_state(
    plan: TrainingPlan, encoded: TrainingText, model: WordVectors | None
) -> tuple[InitialState, npt.NDArray[np.bool_] | None]:
    """Place all words at random, or where the initial model has them.

    Returns:
        The state, and which words of the text must not move: (words,), or None if all may.
    """
    if model is None:
        return InitialState(random_parameters(len(encoded.vocabulary), plan)), None
    parameters, known = parameters_from_model(model, encoded, plan)
    return InitialState(parameters), known if plan.freeze else None
