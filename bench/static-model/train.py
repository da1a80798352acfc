"""Trains the vectors of the pieces, and writes the model. See README.md."""

import argparse
import collections
import json
import pathlib
import random
import re

import numpy as np
import wordfreq
from scipy.sparse import vstack

from model_file import StaticModel
from teach import LATIN_WORD, TEXTS, parts
from tokenizer import WORD_START, Tokenizer

SMOOTHING = 3e-4
# Share of random vectors in the first vectors of pieces that are not English: words stay apart from each other.
RANDOM_SHARE = 0.5
# First weight of the pieces inside words of alphabets, beside words.
INNER_WEIGHT = 0.3
TEMPERATURE = 0.1
BATCH = 512
# How often the batches of English text are of each kind, and those of the other languages of each language.
KINDS = {"pairs": 2, "gloss": 1.5, "page": 1, "message": 0.4, "word": 1}
LANGUAGES = collections.defaultdict(lambda: 1, de=2, ru=2, zh=2, ar=3, fr=1.5, es=1.5, ja=1.5)
SHARE_OF_LANGUAGES = 0.4
# The written vectors are a mean of the trained and the first ones, because rare pieces are seen in few texts.
SHARE_OF_TRAINED = 0.6
# 0 leaves the components of texts as they are, 1 makes all equally strong.
WHITENING = 0.6
SCRIPTS = ("a-z", "\u0370-\u03ff", "\u0400-\u04ff", "\u0590-\u05ff", "\u0600-\u06ff", "\u3040-\u30ff", "\u3400-\u9fff", "\uac00-\ud7af")  # fmt: skip
RIVALS = ("de", "fr", "es", "it", "pt", "nl", "pl", "tr", "da", "sv")


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6)


def softmax(logits):
    values = np.exp(logits - logits.max(axis=1, keepdims=True))
    return values / values.sum(axis=1, keepdims=True)


def is_english(piece):
    """Whether a piece is a word that is more frequent in English than elsewhere."""
    frequency = wordfreq.word_frequency(piece[1:], "en") if LATIN_WORD.match(piece) else 0
    return frequency > 0 and all(frequency >= wordfreq.word_frequency(piece[1:], other) for other in RIVALS)


def script(piece):
    text = piece.removeprefix(WORD_START)
    return next((at for at, letters in enumerate(SCRIPTS) if re.match(f"[{letters}]", text)), len(SCRIPTS))


def initial(folder, tokenizer, axes, rng):
    """The first vectors. English words have MiniLM's; the others have e5's, moved to MiniLM's space by the words
    that both have. Frequent pieces are shorter (smooth inverse frequency)."""
    pieces = tokenizer.pieces
    latin = [at for at, piece in enumerate(pieces) if LATIN_WORD.match(piece)]
    minilm = np.zeros((len(pieces), 384), np.float32)
    minilm[latin] = unit(parts(folder / "pieces-minilm"))
    minilm[latin] -= minilm[latin].mean(axis=0)
    e5 = unit(parts(folder / "pieces-e5"))
    scripts = np.array([script(piece) for piece in pieces])
    for one in set(scripts):
        e5[scripts == one] -= e5[scripts == one].mean(axis=0)
    english = np.array([is_english(piece) for piece in pieces])
    known = e5[english]
    moved = e5 @ np.linalg.solve(known.T @ known + 0.1 * np.eye(e5.shape[1]), known.T @ minilm[english])
    noise = unit(rng.normal(size=(len(pieces), axes.shape[1])))
    vectors = unit(unit(moved @ axes) + RANDOM_SHARE * noise)
    vectors[english] = unit(minilm[english] @ axes)
    vectors[[piece[0] != WORD_START and ord(piece[0]) < 0x3040 for piece in pieces]] *= INNER_WEIGHT
    frequency = np.exp(np.array(tokenizer.scores) / 100)
    vectors *= (SMOOTHING / (SMOOTHING + frequency))[:, None]
    vectors[tokenizer.ids[WORD_START]] = 0
    return (vectors / (2 * np.linalg.norm(vectors, axis=1).mean())).astype(np.float32)


def main_axes(vectors, dimensions, rng):
    sample = vectors[rng.permutation(len(vectors))[:15_000]]
    return np.linalg.svd(sample, full_matrices=False)[2][:dimensions].T.astype(np.float32)


def read_texts(folder, tokenizer):
    """The texts of each kind and language: a row of piece counts for each, and which English text it translates."""
    for kind, texts in json.loads((folder / "texts.json").read_text()).items():
        rows = collections.defaultdict(list, en=list(enumerate(texts)))
        for at, translations in enumerate(texts.values()):
            for language, text in translations:
                rows[language].append((at, text))
        for language, found in rows.items():
            if len(found) > 200:
                yield (kind, language), (tokenizer.matrix([text for _, text in found]), np.array([at for at, _ in found]))


class Trainer:
    """Adam on the rows that a batch uses."""

    def __init__(self, vectors, rate):
        self.vectors, self.rate = vectors, rate
        self.first, self.second = np.zeros_like(vectors), np.zeros_like(vectors)
        self.steps = np.zeros(len(vectors), np.int32)

    def step(self, counts, taught, slowdown):
        """Moves each text's vector to have the similarities to the taught vectors of the batch that its own one has."""
        used = np.unique(counts.indices)
        counts = counts[:, used]
        sums = counts @ self.vectors[used]
        lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
        texts = sums / lengths
        target = softmax(taught @ taught.T / TEMPERATURE)
        found = softmax(texts @ taught.T / TEMPERATURE)
        slope = (found - target) @ taught / (TEMPERATURE * len(texts))
        slope = (slope - texts * (slope * texts).sum(axis=1, keepdims=True)) / lengths
        self.update(used, counts.T @ slope, self.rate * slowdown)
        return (target * np.log((target + 1e-9) / (found + 1e-9))).sum(axis=1).mean()

    def update(self, used, slope, rate):
        self.steps[used] += 1
        n = self.steps[used, None]
        first = self.first[used] = 0.9 * self.first[used] + 0.1 * slope
        second = self.second[used] = 0.99 * self.second[used] + 0.01 * slope**2
        self.vectors[used] -= rate * first / (1 - 0.9**n) / (np.sqrt(second / (1 - 0.99**n)) + 1e-8)


def train(trainer, texts, taught, steps, rng):
    choices = random.Random(5)
    english = [key for key in texts if key[1] == "en"]
    others = [key for key in texts if key[1] != "en"]
    losses = {}
    for step in range(1, steps + 1):
        if choices.random() < SHARE_OF_LANGUAGES:
            key = choices.choices(others, [len(texts[k][1]) ** 0.5 * LANGUAGES[k[1]] for k in others])[0]
        else:
            key = choices.choices(english, [KINDS[k[0]] for k in english])[0]
        counts, at = texts[key]
        rows = rng.integers(0, len(at), BATCH)
        loss = trainer.step(counts[rows], taught[key[0]][at[rows]], 1 - step / (steps + 1))
        name = key[0] if key[1] == "en" else "other"
        losses[name] = 0.97 * losses.get(name, loss) + 0.03 * loss
        if step % 500 == 0:
            print(step, {name: round(float(value), 3) for name, value in losses.items()}, flush=True)


def whiten(vectors, counts):
    """Weakens the components in which texts differ most. The components are in order of their strength."""
    values, axes = np.linalg.eigh(np.cov(unit(counts @ vectors).T))
    strength = np.maximum(values / values.max(), 1e-3)
    return (vectors @ (axes * strength ** (-WHITENING / 2))[:, ::-1]).astype(np.float32)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("out")
    parser.add_argument("--vocabulary", default="vocabulary-58000.json")
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--steps", type=int, default=4_000)
    parser.add_argument("--rate", type=float, default=0.0015)
    options = parser.parse_args()
    rng = np.random.default_rng(5)
    vocabulary = json.loads((options.folder / options.vocabulary).read_text())
    tokenizer = Tokenizer(vocabulary["pieces"], vocabulary["scores"])
    taught = {kind: parts(options.folder / f"texts-{kind}") for kind in TEXTS}
    texts_without_words = np.concatenate([vectors for kind, vectors in taught.items() if kind != "word"])
    center = texts_without_words.mean(axis=0)
    axes = main_axes(texts_without_words - center, options.dimensions, rng)
    taught = {kind: unit((vectors - center) @ axes) for kind, vectors in taught.items()}
    vectors = initial(options.folder, tokenizer, axes, rng)
    first = vectors.copy()
    texts = dict(read_texts(options.folder, tokenizer))
    train(Trainer(vectors, options.rate), texts, taught, options.steps, rng)
    mean = SHARE_OF_TRAINED * vectors + (1 - SHARE_OF_TRAINED) * first
    english = vstack([texts[kind, "en"][0][:6_000] for kind in ("pairs", "gloss", "page")])
    StaticModel(tokenizer, whiten(mean, english)).write(options.out)


if __name__ == "__main__":
    main()
