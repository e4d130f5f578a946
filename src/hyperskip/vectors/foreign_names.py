"""Names of gensim, fastText and pandas that word vectors do not have, and our equivalents."""

# Attribute or method of another library: what to write here.
_OURS = {
    "wv": "vectors itself",
    "kv": "vectors itself",
    "index_to_key": "vectors.words",
    "index2word": "vectors.words",
    "index2entity": "vectors.words",
    "vocab": "vectors.words",
    "keys": "vectors.words",
    "get_words": "vectors.words",
    "key_to_index": "vectors.index_of(word)",
    "get_index": "vectors.index_of(word)",
    "get_word_id": "vectors.index_of(word)",
    "has_index_for": "word in vectors",
    "vectors": "vectors.points, vectors.coordinates without the time, or vectors.ball",
    "values": "vectors.points, or vectors.coordinates without the time",
    "to_numpy": "vectors.points, or vectors.coordinates without the time",
    "vector_size": "vectors.dimension",
    "get_dimension": "vectors.dimension",
    "shape": "len(vectors) and vectors.dimension, or vectors.points.shape",
    "get_vector": "vectors[word]",
    "get_word_vector": "vectors[word]",
    "word_vec": "vectors[word]",
    "get_vecattr": "vectors.counts[vectors.index_of(word)]",
    "get_mean_vector": "vectors.centroid(words)",
    "get_sentence_vector": "vectors.centroid(words, skip_unknown=True)",
    "similar_by_word": "vectors.neighbors(word)",
    "similar_by_key": "vectors.neighbors(word)",
    "similar_by_vector": "vectors.neighbors(point)",
    "get_nearest_neighbors": "vectors.neighbors(word)",
    "get_analogies": "vectors.analogy(b, a, c)",  # there, it is a - b + c
    "norm": "vectors.radius(word)",
    "distances": "vectors.space.distance(vectors[words], vectors[word])",
    "vector_distance": "vectors.distance(point, other)",
    "vector_distance_batch": "vectors.space.distance(points, point)",
    "closest_parent": "vectors.ancestors(word, count=1)",
    "closest_child": "vectors.descendants(word, count=1)",
    "difference_in_hierarchy": "vectors.radius(b) - vectors.radius(a), or vectors.is_a(b, a)",
    "rank_by_centrality": "vectors.generality()",
    "most_similar_to_given": "min(words, key=lambda word: vectors.distance(given, word))",
    "n_similarity": "vectors.similarity(vectors.centroid(first), vectors.centroid(second))",
    "evaluate_word_pairs": "hyperskip.evaluate(vectors)",
    "evaluate_word_analogies": "hyperskip.evaluate(vectors)",
    "save_word2vec_format": "hyperskip.export_vectors(vectors, path)",
    "save_model": "vectors.save(path)",
    "train": "hyperskip.train(text, init=vectors) or hyperskip.embed_graph(edges, init=vectors)",
    "to_dataframe": "vectors.to_pandas()",
}


def no_attribute(name: str, owner: object) -> AttributeError:
    """Return the error for an attribute that does not exist; it names ours if there is one."""
    message = f"{type(owner).__name__!r} object has no attribute {name!r}"
    if name in _OURS:
        message += f"; use {_OURS[name]}"
    return AttributeError(message, name=name, obj=owner)
