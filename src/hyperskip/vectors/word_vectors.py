"""Word vectors, as `hyperskip.train` and `hyperskip.load` return them."""

from __future__ import annotations  # help() shows WordOrPoint and Rows, not what they expand to

import copy
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hyperskip.errors import InputError
from hyperskip.geometry.arrays import Rows
from hyperskip.options import named_arguments
from hyperskip.vectors import argument_checks
from hyperskip.vectors.hierarchy import Hierarchy
from hyperskip.vectors.listed_words import Moved
from hyperskip.vectors.search.products import WORTH_COMPACTING
from hyperskip.vectors.search.searcher import Searcher

if TYPE_CHECKING:
    from hyperskip.pictures.picture import Picture
    from hyperskip.vectors.sharing.model_card import Scores


class WordVectors(Hierarchy):
    """Words as points of hyperbolic or Euclidean space. They cannot be changed.

    `hyperskip.train` and `hyperskip.load` return word vectors:

    >>> import hyperskip
    >>> vectors = hyperskip.WordVectors(
    ...     ["animal", "dog", "cat", "car"], [[0.1, 0.2], [1.0, 0.5], [1.1, 0.7], [-1.0, 0.3]]
    ... )
    >>> vectors
    <WordVectors: 4 words, hyperboloid, dimension 2>
    >>> [neighbor.word for neighbor in vectors.neighbors("dog", 2)]
    ['cat', 'animal']
    >>> round(vectors.distance("dog", "cat"), 3)
    0.172
    >>> [item.word for item in vectors.generality()]  # by radius, smallest first
    ['animal', 'car', 'dog', 'cat']
    >>> "dog" in vectors, len(vectors), vectors["dog"].shape, vectors[["dog", "cat"]].shape
    (True, 4, (3,), (2, 3))
    >>> vectors.centroids([["dog", "cat"], ["car"]]).shape  # a point for each document
    (2, 3)

    Methods take words, or points like `vectors["dog"]`. Methods with rows in their name take
    positions in `words`; they are faster for many words at once. If all words of the vocabulary are
    lower-case, a word is found in any case: "Dog" is "dog".

    If the model has subwords, a word outside the vocabulary has a point, too: the mean of its
    n-grams. `word in vectors` is then False, `vectors.find(words).is_composed` says which words are
    composed, and `vectors.without_subwords()` refuses them.

    Args:
        words: Distinct words, most frequent first.
        coordinates: (words, dimension): on the hyperboloid, spatial coordinates without time.
        counts: (words,): number of occurrences of each word; zeros if unknown.
        geometry: "hyperboloid" or "euclidean".
        factors: Number of hyperboloids in the product space. It must divide the dimension.
        options: The training options, as plain values.
        history: One dict of plain values for each epoch.
        hierarchy: Points of the words in a hierarchy, which `hypernyms` and `is_a` use.
        subwords: Vectors of n-grams, which give words outside the vocabulary a point.

    Raises:
        InputError: The arguments have the wrong types or shapes.
        OptionError: There is no such geometry.
    """

    def __repr__(self) -> str:
        space = self.geometry if self.factors == 1 else f"{self.factors} hyperboloids"
        words = "1 word" if len(self) == 1 else f"{len(self)} words"
        hierarchy = ", with hierarchy" if self.has_hierarchy else ""
        subwords = ", with subwords" if self.subwords is not None else ""
        return f"<WordVectors: {words}, {space}, dimension {self.dimension}{hierarchy}{subwords}>"

    # -- the same vectors, searched in another way

    def on(self, device: str, *, questions: int | None = None) -> WordVectors:
        """Return the same vectors, with their neighbors, analogies and similarities on a device.

        Args:
            device: "cpu"; "cuda" for a GPU, which requires PyTorch; "auto" for a GPU if there is
                one.
            questions: The number of searches to expect. With "auto", few searches run on the
                processor, because loading PyTorch would take longer.

        Raises:
            OptionError: There is no such device.
        """
        if questions is not None:
            questions = argument_checks.checked_number(
                "questions", questions, at_least=0, help="number of searches to expect"
            )
        return self._searched_by(self._searcher.on(device, questions=questions))

    def measured_by(self, name: str) -> WordVectors:
        """Return the same vectors, with similarities, neighbors and analogies by another measure.

        Args:
            name: "product", the paper's measure: the Minkowski product, or the cosine for
                Euclidean vectors; "distance": the negative hyperbolic or Euclidean distance;
                "angle": the cosine of the angle at the base point.

        Raises:
            OptionError: This space has no such measure.
        """
        argument_checks.check_string("name", name, "a measure of similarity")
        return self._searched_by(self._searcher.measured_by(name))

    def compacted(self, *, at_least: int = WORTH_COMPACTING) -> WordVectors:
        """Return the same vectors, with a faster search on the processor for many words.

        The answers are the same. The first search takes a moment longer, and the index takes a
        quarter of the memory of the coordinates.

        Args:
            at_least: With fewer coordinates (words × dimension), return the vectors unchanged.
        """
        at_least = argument_checks.checked_number(
            "at_least", at_least, at_least=0, help="number of coordinates (words × dimension)"
        )
        return self._searched_by(self._searcher.compacted(at_least=at_least))

    def without_subwords(self) -> WordVectors:
        """Return the same vectors without n-grams: words outside the vocabulary are unknown."""
        if self.subwords is None:
            return self
        view = copy.copy(self)
        view._subwords = None
        view._leaves_out_subwords = True
        return view

    @named_arguments
    def subset(self, words: Iterable[str] | Rows) -> WordVectors:
        """Return vectors with these words only, in this order, and the same device and measure.

        Args:
            words: Words, or rows (words,).

        Raises:
            UnknownWordError: A word is not in the vocabulary.
            InputError: There is no such row, or a word is given twice.
        """
        rows = self._rows_given(words)
        distinct, counts = np.unique(rows, return_counts=True)
        if len(distinct) < len(rows):
            twice = self._words[int(distinct[counts > 1][0])]
            raise InputError(f"the word {twice!r} is given twice", hint="give each word once")
        chosen = WordVectors(
            [self._words[row] for row in rows.tolist()],
            self.coordinates[rows],
            counts=self.counts[rows],
            geometry=self.geometry,
            factors=self.factors,
            options=self.options,
            history=self.history,
            hierarchy=None if self.hierarchy is None else self.hierarchy.subset(rows),
            subwords=self.subwords,
        )
        measured = chosen.measured_by(self.measure)
        searcher = measured._searcher.on(self.device, questions=None)
        if self._searcher.is_compact:
            searcher = searcher.compacted(at_least=WORTH_COMPACTING)
        return measured._searched_by(searcher)

    # -- another model

    @named_arguments
    def moved_words(
        self, other: WordVectors, count: int = 10, *, words: int = 3000, neighbors: int = 25
    ) -> list[Moved]:
        """Return the words that moved most between this model and another one.

        The models may have any dimensions and geometries, and no alignment is needed. A word moved
        if its neighbors in one model are still near each other in the other model, but the word is
        not near them there. The change is the mean cosine of these neighbors with each other minus
        their mean cosine with the word, averaged over both models. If this is above 0 in the model
        of the neighbors already, that is subtracted.

        Args:
            other: The other model, such as one of a later text.
            count: The largest number of words.
            words: Number of words that are compared: the most frequent that both models have.
            neighbors: Number of nearest words of each word, among the words that both models have.

        Returns:
            Words, the one that moved most first.

        Raises:
            InputError: The models have fewer than three words in common.
        """
        from hyperskip.vectors.comparison import moved_words

        if not isinstance(other, WordVectors):
            raise InputError(
                f"`other` must be word vectors, got {type(other).__name__}",
                hint="load a model with hyperskip.load(path)",
            )
        return moved_words(self, other, count, words=words, neighbors=neighbors)

    # -- files and pictures

    @named_arguments
    def save(self, path: str | os.PathLike[str], *, compact: bool = False) -> None:
        """Write the vectors to one model file. An error leaves an existing file unchanged.

        Args:
            path: The file.
            compact: Whether to write coordinates with 16 bits instead of 32. The file is about
                half as large. A coordinate changes by at most 0.05 %, or by at most 3e-8 if it is
                close to 0.

        Raises:
            InputError: A coordinate is too large for 16 bits.
            OutputError: The file cannot be written.
        """
        from hyperskip.vectors.model_file import save

        argument_checks.check_flag("compact", compact, "whether to write coordinates with 16 bits")
        save(self, path, compact=compact)

    @named_arguments
    def save_pretrained(
        self,
        folder: str | os.PathLike[str],
        *,
        scores: Scores | None = None,
        license: str | None = None,  # noqa: A002 - as the Hub calls it
        replace_card: bool = False,
        compact: bool = False,
    ) -> None:
        """Write the model, a small config.json and a model card to a folder.

        `hyperskip.from_pretrained` reads it. Other files in the folder stay as they are.

        Args:
            folder: The folder, which is created if necessary.
            scores: What `hyperskip.evaluate` returned, for the card.
            license: Of the vectors, for the card: an SPDX identifier such as CC-BY-SA-4.0.
            replace_card: Whether to replace a README.md that is already there.
            compact: Whether to write coordinates with 16 bits; see `save`.

        Raises:
            InputError: `license` is not an identifier.
            OutputError: The folder cannot be written.
        """
        from hyperskip.vectors.sharing.pretrained import save_pretrained

        argument_checks.check_flag("compact", compact, "whether to write coordinates with 16 bits")
        save_pretrained(
            self,
            folder,
            scores=scores,
            license=license,
            replace_card=replace_card,
            compact=compact,
        )

    @named_arguments
    def push_to_hub(
        self,
        repository: str,
        *,
        token: str | bool | None = None,
        private: bool | None = None,
        revision: str | None = None,
        message: str = "Upload word vectors",
        scores: Scores | None = None,
        replace_card: bool = False,
    ) -> str:
        """Upload the files of `save_pretrained` to the Hugging Face Hub, in one commit.

        Args:
            repository: The name of the repository, such as "user/name". It is created if necessary.
            token: An access token; by default, the one that was saved.
            private: Whether a new repository is private.
            revision: A branch; by default, the main one.
            message: The message of the commit.
            scores: What `hyperskip.evaluate` returned, for the card.
            replace_card: Whether to replace a README.md that is already there.

        Returns:
            The address of the repository.

        Raises:
            OutputError: The repository cannot be written or reached.
            MissingPackageError: The extra `hub` is not installed.
        """
        from hyperskip.vectors.sharing.pretrained import push_to_hub

        return push_to_hub(
            self, repository, token=token, private=private, revision=revision, message=message,
            scores=scores, replace_card=replace_card,
        )  # fmt: skip

    @staticmethod
    def from_pretrained(
        name: str | os.PathLike[str],
        *,
        revision: str | None = None,
        token: str | bool | None = None,
    ) -> WordVectors:
        """Load a model from a folder or the Hugging Face Hub; see `hyperskip.from_pretrained`."""
        from hyperskip.vectors.sharing.pretrained import from_pretrained

        return from_pretrained(name, revision=revision, token=token)

    @named_arguments
    def plot(
        self,
        words: Iterable[str] | None = None,
        *,
        near: str | Iterable[str] | None = None,
        analogy: Iterable[str] | None = None,
        categories: Mapping[str, str] | str | os.PathLike[str] | None = None,
        edges: Any = None,
        columns: str | None = None,
        delimiter: str | None = None,
        order: str | None = None,
        directed: bool | None = None,
        color: str | None = None,
        center: str | None = None,
        count: int | None = None,
        title: str = "",
        projection: str = "auto",
        dark: bool = False,
        text_size: float = 1.0,
        path: str | os.PathLike[str] | None = None,
        format: str | None = None,  # noqa: A002
    ) -> Picture:
        """Draw words on the Poincaré disc; by default, the most frequent ones.

        Args:
            words: Draw these words.
            near: Draw this word, or each of these words, and the words nearest to it.
            analogy: Three words a, b and c: draw them and the words nearest to the two answers
                of a : b = c : ?.
            categories: Color words by category: a dict from words to categories, the path of a
                file with lines `word<TAB>category` or `word<TAB>category<TAB>parent`, or
                "builtin" for the built-in taxonomy.
            edges: Draw the nodes and edges of a graph or taxonomy: anything that
                `hyperskip.embed_graph` accepts, such as pairs (child, parent) or the path of a
                file, or a tree that `vectors.tree()` returned. Edges that follow from others are
                left out.
            columns: Columns of the edges in a table or in records, such as "child,parent".
            delimiter: The character between the cells of a table of edges.
            order: "child-parent" (default) or "parent-child".
            directed: Whether the direction of edges has a meaning (default: yes, if they are not
                an undirected graph).
            color: "radius" (in the hierarchy, if there is one: how general a word is); or, with
                edges, "depth" (number of steps from a root) or "branch" (the largest subtrees).
                Default: branch with edges, otherwise radius.
            center: The word in the middle of the disc. Default: the root of the edges, otherwise
                the most general words of a hierarchy or the centroid of all words.
            count: The number of frequent words (default 150), neighbors of each word (20),
                answers by each route (8), words with a category (all) or nodes (2,000).
            title: A line above the picture.
            projection: The method that maps points to the disc; "auto" tries several, or puts
                general words in the middle if there is a hierarchy.
            dark: Whether images have a dark background.
            text_size: The size of labels and dots in images, relative to the usual one: 0.5 to 3.
            path: A file to write.
            format: "png", "svg" or "html", for the file and for notebooks. By default the file's
                suffix decides, and a notebook shows the interactive picture.

        Returns:
            The picture. A notebook displays it; it can also be saved.

        Raises:
            OptionError: The arguments contradict each other, or choose fewer than two words.
            UnknownWordError: A word is not in the vocabulary.
            GeometryError: The projection is not possible for these vectors.
            OutputError: The file cannot be written.
        """
        from hyperskip.pictures.picture import draw
        from hyperskip.pictures.request.request import PictureRequest

        request = PictureRequest(
            words=words, near=near, analogy=analogy, categories=categories, edges=edges,
            columns=columns, delimiter=delimiter, order=order, directed=directed, color=color,
            center=center, count=count, title=title, projection=projection, dark=dark,
            text_size=text_size, path=path, format=format,
        )  # fmt: skip
        return draw(self, request)

    def export_explorer(
        self,
        path: str | os.PathLike[str],
        *,
        words: int = 50_000,
        neighbors: int = 25,
        edges: Any = None,
        projection: str = "auto",
        name: str = "words",
        force: bool = False,
    ) -> None:
        """Write the explorer, with its map, search and lists, to files that need no server.

        Analogies, paths, other measures and words that are not on the map need the model, so they
        are left out. On the command line, it is `hyperskip explore MODEL --export PATH`.

        Args:
            path: A file that ends in .html opens from disk, and can be sent by mail. Any other path
                is a folder for a web server.
            words: Number of words; the most frequent are used.
            neighbors: Number of neighbors of each word, by `measure`.
            edges: Edges of a graph or taxonomy: anything that `hyperskip.read_graph` accepts.
            projection: The method that maps points to the disc; see `plot`.
            name: Name of the model in the page.
            force: Whether to replace a folder that was exported before.

        Raises:
            OptionError: An argument is out of range.
            GraphError: The edges cannot be read, or connect no words.
            OutputError: The file or folder cannot be written, or there is another folder.
        """
        from hyperskip.explorer.export.exporting import export_with_new_map

        export_with_new_map(
            self, path, words=words, neighbors=neighbors, edges=edges, projection=projection,
            name=name, force=force,
        )  # fmt: skip

    # -- details

    def _searched_by(self, searcher: Searcher) -> WordVectors:
        """Return the same vectors with another searcher; they share all arrays."""
        if searcher is self._searcher:
            return self
        view = copy.copy(self)
        view._searcher = searcher
        return view

    def _rows_given(self, words: Iterable[str] | Rows) -> Rows:
        """Return the rows of words that are given as words or as rows."""
        if isinstance(words, np.ndarray) and words.dtype.kind in "iu":
            return argument_checks.checked_rows(words, len(self))
        if isinstance(words, str | bytes):
            return self.rows_of(words)  # refuses a single word
        listed = argument_checks.listed_items("words", words)
        if any(isinstance(item, str | bytes) for item in listed):
            return self.rows_of(listed)
        return argument_checks.checked_rows(listed, len(self))
