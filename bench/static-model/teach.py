"""Writes the teachers' vectors of the pieces and of English text. Goes on where a stopped run ended. See README.md."""

import argparse
import collections
import json
import pathlib
import random
import re

import numpy as np

import teachers
from tokenizer import WORD_START

LATIN_WORD = re.compile(WORD_START + r"[a-z0-9]+$")
BATCH = 500
# How many English texts of each kind MiniLM embeds.
TEXTS = {"pairs": 14_000, "gloss": 15_000, "page": 22_000, "message": 14_000, "word": 45_000}


def embed(path, model, texts, kind):
    """Writes the vectors of the texts to `path`, in parts."""
    path.mkdir(exist_ok=True)
    for at in range(0, len(texts), BATCH):
        part = path / f"{at:06}.npy"
        if not part.exists():
            np.save(part, model.embed(texts[at : at + BATCH], kind).astype(np.float16))


def parts(path):
    return np.concatenate([np.load(part) for part in sorted(path.glob("*.npy"))]).astype(np.float32)


def sample(folder):
    """English texts of each kind, and for each its translations as (language, text)."""
    rng = random.Random(2)
    pairs = [row for row in map(json.loads, (folder / "pairs.jsonl").open()) if row["language"] == "en"]
    rows = rng.sample(pairs, min(len(pairs), TEXTS["pairs"]))
    found = {"pairs": {row[side]: [] for row in rows for side in "ab"}}
    translations = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in map(json.loads, (folder / "parallel.jsonl").open()):
        if row["kind"] == "gloss":
            translations["gloss"][f"{row['a']}: {row['b']}"] = []
        elif row["language"] != "en":
            translations[row["kind"]][row["a"]].append((row["language"], row["b"]))
    for kind, texts in translations.items():
        # Texts with many translations come first: one vector of the teacher serves them all.
        order = sorted(texts, key=lambda text: -min(4, len(texts[text])) + rng.random())
        found[kind] = {text: texts[text] for text in order[: TEXTS[kind]]}
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--vocabulary", default="vocabulary-58000.json")
    options = parser.parse_args()
    folder = options.folder
    pieces = json.loads((folder / options.vocabulary).read_text())["pieces"]
    e5, minilm = teachers.load("e5"), teachers.load("minilm")
    text = {piece: piece.removeprefix(WORD_START) or " " for piece in pieces}
    embed(folder / "pieces-minilm", minilm, [text[p] for p in pieces if LATIN_WORD.match(p)], "query")
    embed(folder / "pieces-e5", e5, [text[p] for p in pieces], "query")
    found = sample(folder)
    (folder / "texts.json").write_text(json.dumps(found, ensure_ascii=False))
    for kind, texts in found.items():
        embed(folder / f"texts-{kind}", minilm, list(texts), "passage")


if __name__ == "__main__":
    main()
