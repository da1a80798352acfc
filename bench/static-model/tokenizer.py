"""Splits text into the pieces of the vocabulary. Twin of packages/models/src/builtin/piece-tokenizer.ts."""

import unicodedata
from array import array

import numpy as np
import regex
from scipy.sparse import csr_matrix

WORD_START = "▁"
MAX_CHARACTERS = 16_384
UNKNOWN_SCORE = -5_000
PILED_MARKS = regex.compile(r"(\p{M}{30})\p{M}+")
WORDS = regex.compile(r"[\p{L}\p{M}\p{N}]+")


def words(text):
    """The words of a text: runs of letters, marks and digits, in lower case after NFKC."""
    bounded = PILED_MARKS.sub(r"\1", text[:MAX_CHARACTERS])
    return WORDS.findall(unicodedata.normalize("NFKC", bounded).lower())


class Tokenizer:
    def __init__(self, pieces, scores):
        """`scores` are log probabilities in hundredths, as integers: sums are exact in every language."""
        self.pieces = pieces
        self.scores = scores
        self.ids = {piece: at for at, piece in enumerate(pieces)}
        self.longest = max(map(len, pieces))
        self.known = {}

    def word(self, word):
        """The pieces of one word: the word itself, or else the best path (Viterbi). Unknown characters have none."""
        found = self.known.get(word)
        if found is None:
            whole = self.ids.get(WORD_START + word)
            found = self.known[word] = [whole] if whole is not None else self.split(WORD_START + word)
        return found

    def split(self, text):
        best = [0] + [None] * len(text)
        back = [None] * (len(text) + 1)
        for start in range(len(text)):
            for end in range(start + 1, min(len(text), start + self.longest) + 1):
                piece = self.ids.get(text[start:end])
                if piece is None and end > start + 1:
                    continue
                score = best[start] + (UNKNOWN_SCORE if piece is None else self.scores[piece])
                if best[end] is None or score > best[end]:
                    best[end] = score
                    back[end] = (start, piece)
        pieces, at = [], len(text)
        while at:
            at, piece = back[at]
            if piece is not None:
                pieces.append(piece)
        return pieces[::-1]

    def encode(self, text):
        return [piece for word in words(text) for piece in self.word(word)]

    def matrix(self, texts):
        """One row per text: how often it has each piece."""
        indices, ends = array("i"), [0]
        for text in texts:
            indices.extend(self.encode(text))
            ends.append(len(indices))
        ones = np.ones(len(indices), np.float32)
        rows = csr_matrix((ones, np.array(indices), np.array(ends)), shape=(len(texts), len(self.pieces)))
        rows.sum_duplicates()
        return rows
