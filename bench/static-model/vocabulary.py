"""Chooses the pieces of the vocabulary and their scores by frequency in many languages. See README.md."""

import argparse
import collections
import json
import math
import pathlib
import unicodedata

import wordfreq

from evaluate import CJK
from teachers import e5_pieces
from tokenizer import WORD_START, Tokenizer, words

LONGEST_PIECE = 16
# Shares of the languages in the counts. English has half of its share from the training text.
SHARES = {"en": 0.45, "de": 0.05, "ru": 0.05, "zh": 0.06, "ar": 0.05, "ja": 0.04, "fr": 0.04, "es": 0.04} | {
    language: 0.02 for language in ("it", "pt", "nl", "pl", "ko", "tr", "uk")
} | {
    language: 0.008
    for language in ("cs", "sv", "da", "nb", "fi", "hu", "ro", "el", "he", "fa", "hi", "id", "vi", "bg", "ca")
}
WORDS_PER_LANGUAGE = 90_000
DAMPING = 0.8
DENSE = ("zh", "ja")


def usable(piece):
    """Pieces of letters and digits, without characters that are two code units in JavaScript."""
    text = piece.removeprefix(WORD_START)
    if len(piece) > LONGEST_PIECE or words(text) != [text] or max(map(ord, text)) > 0xFFFF:
        return False
    return text == piece or not CJK.match(text)


def word_counts(pairs):
    """Damped frequency of each word: frequent words need no more room than others, and rare words tell most.

    Words of Chinese and Japanese have no word start, because they stand in runs.
    """
    counts = collections.Counter()
    technical = collections.Counter()
    with open(pairs) as file:
        for row in map(json.loads, file):
            if row["language"] == "en":
                technical.update(words(row["a"] + " " + row["b"]))
    add(counts, {word: count for word, count in technical.items() if count > 2}, WORD_START, SHARES["en"] / 2)
    for language, share in SHARES.items():
        found = collections.Counter()
        for word, frequency in wordfreq.get_frequency_dict(language, "best").items():
            for part in words(word):
                found[part] += frequency
        start = "" if language in DENSE else WORD_START
        add(counts, dict(found.most_common(WORDS_PER_LANGUAGE)), start, share / (2 if language == "en" else 1))
    return counts


def add(counts, found, start, share):
    damped = {word: frequency**DAMPING for word, frequency in found.items() if len(word) < 40}
    total = sum(damped.values())
    for word, frequency in damped.items():
        counts[start + word] += frequency / total * share


def choose(counts, size):
    """Starts with all words and the pieces of e5. In each round the pieces that are used most stay.

    The most frequent characters, and the pieces inside words that e5 has first, stay always: they make up the
    words that are not in the vocabulary.
    """
    characters = collections.Counter()
    for word, count in counts.items():
        for character in word:
            characters[character] += count
    kept = {c for c, _ in characters.most_common(size // 10)} | {WORD_START}
    of_e5 = [p for p in map(normal, e5_pieces()) if p and usable(p)]
    inner = [p for p in of_e5 if len(p) > 1 and p[0] != WORD_START and not CJK.match(p)]
    kept.update(inner[: size // 8])
    candidates = {p for p in counts if usable(p)} | set(of_e5) | kept
    used = {p: counts.get(p, 0) for p in candidates}
    for limit in (3 * size, 3 * size // 2, size):
        most = sorted(candidates - kept, key=lambda p: (-used[p], p))[: limit - len(kept)]
        candidates = kept | set(most)
        pieces = sorted(candidates, key=lambda p: (-used[p], p))
        tokenizer = Tokenizer(pieces, [score(used[p]) for p in pieces])
        found = collections.Counter()
        for word, count in counts.items():
            ids = [tokenizer.ids[word]] if word in tokenizer.ids else tokenizer.split(word)
            for piece in ids:
                found[pieces[piece]] += count
        used = {p: found[p] for p in pieces}
        print(limit, len(pieces), sum(count for word, count in counts.items() if word in candidates) / counts.total())
    pieces = sorted(pieces, key=lambda p: (-used[p], p))
    return pieces, [score(used[p]) for p in pieces]


def normal(piece):
    return unicodedata.normalize("NFKC", piece).lower()


def score(count):
    """Log probability in hundredths."""
    return round(100 * math.log(max(count, 1e-9)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--size", type=int, default=58_000)
    options = parser.parse_args()
    pieces, scores = choose(word_counts(options.folder / "pairs.jsonl"), options.size)
    (options.folder / f"vocabulary-{options.size}.json").write_text(
        json.dumps({"pieces": pieces, "scores": scores}, ensure_ascii=False)
    )


if __name__ == "__main__":
    main()
