"""The state of an embedding layer in PyTorch: its weight, and the words in order."""

from pathlib import Path

from hyperskip.vectors.exchange.tools.rows import (
    cosine_rows,
    write_rows,
    write_safetensors_header,
    write_words,
)
from hyperskip.vectors.word_vectors import WordVectors

FILES = ("embedding.safetensors", "words.json")


def write(folder: Path, vectors: WordVectors) -> None:
    """Write FILES to a folder.

    torch.nn.Embedding and hyperskip.torch.PointEmbedding have the same state.
    """
    write_words(folder / "words.json", vectors)
    with (folder / "embedding.safetensors").open("wb") as file:
        write_safetensors_header(file, "weight", (len(vectors), vectors.dimension))
        write_rows(file, cosine_rows(vectors))
