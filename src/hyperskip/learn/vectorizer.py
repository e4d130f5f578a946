"""Documents as points: weighted centroids of word vectors, for pipelines of scikit-learn."""

from sklearn.base import BaseEstimator, TransformerMixin


class HyperskipVectorizer(TransformerMixin, BaseEstimator):
    """Convert documents to the weighted centroids of their words."""
