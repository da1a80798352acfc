"""Reads and writes the model file. Its format is described in packages/models/src/builtin/static-model.ts."""

import struct

import numpy as np

from tokenizer import Tokenizer

MAGIC = b"CWSE"
VERSION = 1


def quantize(vectors):
    """int8 rows and the scale of each row."""
    scales = np.maximum(np.abs(vectors).max(axis=1), 1e-9).astype(np.float32) / 127
    return np.rint(vectors / scales[:, None]).astype(np.int8), scales


class StaticModel:
    def __init__(self, tokenizer, vectors):
        self.tokenizer = tokenizer
        self.rows, self.scales = quantize(vectors)

    @property
    def vectors(self):
        return self.rows * self.scales[:, None]

    def embed(self, texts, kind="passage"):
        """Unit vectors. A text without known pieces has the zero vector."""
        vectors = self.tokenizer.matrix(texts) @ self.vectors
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)

    def write(self, path):
        pieces = "\n".join(self.tokenizer.pieces).encode()
        pieces += b"\n" * (-len(pieces) % 4)
        count, dimensions = self.rows.shape
        with open(path, "wb") as file:
            file.write(MAGIC + struct.pack("<IIII", VERSION, count, dimensions, len(pieces)))
            file.write(pieces)
            file.write(self.scales.astype("<f4").tobytes())
            file.write(np.array(self.tokenizer.scores, "<i2").tobytes())
            file.write(self.rows.tobytes())

    @classmethod
    def read(cls, path):
        data = open(path, "rb").read()
        version, count, dimensions, size = struct.unpack_from("<IIII", data, 4)
        if data[:4] != MAGIC or version != VERSION:
            raise ValueError(f"{path} is not a model of version {VERSION}")
        at = 20
        pieces = data[at : at + size].decode().rstrip("\n").split("\n")
        at += size
        scales = np.frombuffer(data, "<f4", count, at)
        scores = np.frombuffer(data, "<i2", count, at + 4 * count).tolist()
        rows = np.frombuffer(data, np.int8, count * dimensions, at + 6 * count).reshape(count, dimensions)
        model = cls.__new__(cls)
        model.tokenizer, model.rows, model.scales = Tokenizer(pieces, scores), rows, scales
        return model
