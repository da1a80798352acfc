"""Retrieval quality of a static model, beside the models named on the command line. See README.md."""

import argparse
import collections
import json
import math
import pathlib
import re

import numpy as np

import teachers
from model_file import StaticModel

WINDOW_WORDS = 60
WEIGHTS = (0.3, 0.4, 0.5, 0.6, 0.7)
LANGUAGES = ("en", "de", "ru", "zh", "ar")
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
LEXICAL = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+|[^\W_]+")


def terms(text):
    """Terms of plain BM25: words in lower case, bigrams of Chinese and Japanese."""
    for word in LEXICAL.findall(text.lower()):
        if CJK.match(word):
            yield from (word[at : at + 2] for at in range(max(1, len(word) - 1)))
        else:
            yield word


def bm25(texts, questions, k1=1.2, b=0.75):
    counts = [collections.Counter(terms(text)) for text in texts]
    lengths = np.array([sum(count.values()) for count in counts])
    norm = k1 * (1 - b + b * lengths / lengths.mean())
    postings = collections.defaultdict(list)
    for at, count in enumerate(counts):
        for term, n in count.items():
            postings[term].append((at, n))
    scores = np.zeros((len(questions), len(texts)), np.float32)
    for row, question in enumerate(questions):
        for term in set(terms(question)):
            if found := postings.get(term):
                at, n = np.array(found).T
                idf = math.log(1 + (len(texts) - len(found) + 0.5) / (len(found) + 0.5))
                scores[row, at] += idf * n * (k1 + 1) / (n + norm[at])
    return scores


def windows(texts, headers):
    """Windows of about 60 words (100 characters of Chinese) behind their header, and the text each belongs to."""
    parts, owners = [], []
    for at, (text, header) in enumerate(zip(texts, headers)):
        dense = len(CJK.findall(text)) > len(text) / 3
        units = list(text) if dense else text.split()
        count = max(1, round(len(units) / (100 if dense else WINDOW_WORDS)))
        for part in range(count):
            cut = units[part * len(units) // count : (part + 1) * len(units) // count]
            parts.append((header + "\n" if header else "") + ("" if dense else " ").join(cut))
            owners.append(at)
    return parts, np.array(owners)


def best_windows(similarity, owners, size):
    best = np.full((len(similarity), size), -1, np.float32)
    np.maximum.at(best, (slice(None), owners), similarity)
    return best


def fuse(dense, lexical, weight, depth=100):
    return weight * scaled(dense, depth) + (1 - weight) * scaled(lexical, depth)


def scaled(scores, depth):
    """Scores of the top `depth` of each row, moved to 0..1; the others are 0."""
    depth = min(depth, scores.shape[1])
    floor = np.partition(scores, -depth, axis=1)[:, -depth, None]
    top = scores.max(axis=1, keepdims=True)
    return np.clip((scores - floor) / np.maximum(top - floor, 1e-9), 0, 1)


def hits(scores, right, ranks=(1, 3, 8)):
    order = np.argsort(-scores, axis=1, kind="stable")[:, : max(ranks)]
    found = np.take_along_axis(right, order, axis=1)
    return [found[:, :rank].any(axis=1).mean() for rank in ranks]


def auroc(answerable, unanswerable):
    """AUROC, and the share of unanswerable questions recognised when 5 % of the others are refused."""
    wins = (answerable[:, None] > unanswerable).mean() + (answerable[:, None] == unanswerable).mean() / 2
    return [wins, (unanswerable < np.quantile(answerable, 0.05)).mean()]


def line(name, figures):
    print(f"| {name} | " + " | ".join("/".join(f"{x:.3f}" for x in group) for group in figures) + " |", flush=True)


def table(title, columns):
    print(f"\n{title}\n\n| model | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))


def faq(path, models):
    data = json.loads(pathlib.Path(path).read_text())
    chunks, questions = data["chunks"], data["questions"]
    right = np.zeros((len(questions), len(chunks)), bool)
    for row, q in enumerate(questions):
        for at, c in enumerate(chunks):
            overlap = min(c["to"], q["to"]) - max(c["from"], q["from"])
            shorter = min(c["to"] - c["from"], q["to"] - q["from"])
            right[row, at] = c["doc"] == q["doc"] and overlap > 0 and overlap * 2 >= shorter
    collection = np.array([doc["name"].split("-")[0] for doc in data["docs"]])
    of_chunk, of_question = (collection[[x["doc"] for x in xs]] for xs in (chunks, questions))
    texts = [q["text"] for q in questions]
    lexical = bm25([c["header"] + "\n" + c["text"] for c in chunks], texts)
    parts, owners = windows([c["text"] for c in chunks], [c["header"] for c in chunks])
    own = of_question[:, None] == of_chunk
    scores = {
        name: best_windows(model.embed(texts, "query") @ model.embed(parts, "passage").T, owners, len(chunks))
        for name, model in models.items()
    }
    for half, name_of_half in ((1, "odd questions (tuned on)"), (0, "even questions")):
        rows = np.arange(len(questions)) % 2 == half
        table(
            f"FAQ, {name_of_half}: hit at 1/3/8",
            ["alone", *(f"fused {w}" for w in WEIGHTS), "without the own collection: AUROC/recognised"],
        )
        line("BM25", [hits(lexical[rows], right[rows])] + [[]] * (len(WEIGHTS) + 1))
        for name, found in scores.items():
            unknown = np.where(own, -1, found).max(axis=1)
            line(
                name,
                [hits(found[rows], right[rows])]
                + [hits(fuse(found, lexical, w)[rows], right[rows]) for w in WEIGHTS]
                + [auroc(found.max(axis=1)[rows], unknown[rows])],
            )


def xquad(folder, models):
    sets = {}
    for language in LANGUAGES:
        data = json.loads((pathlib.Path(folder) / f"xquad.{language}.json").read_text())["data"]
        article = [at for at, a in enumerate(data) for _ in a["paragraphs"]]
        paragraphs = [p for a in data for p in a["paragraphs"]]
        asked = [(q["question"], at) for at, p in enumerate(paragraphs) for q in p["qas"]]
        sets[language] = ([p["context"] for p in paragraphs], [q for q, _ in asked], np.array([at for _, at in asked]))
    article = np.array(article)
    lexical = {k: bm25(texts, questions) for k, (texts, questions, _) in sets.items()}
    right = {k: owner[:, None] == np.arange(len(texts)) for k, (texts, _, owner) in sets.items()}
    scores, vectors = {}, {}
    for name, model in models.items():
        for k, (texts, questions, _) in sets.items():
            parts, owners = windows(texts, [""] * len(texts))
            vectors[name, k] = model.embed(questions, "query"), model.embed(parts, "passage"), owners
    def best(name, question_language, language):
        asked, found, owners = vectors[name, question_language][0], *vectors[name, language][1:]
        return best_windows(asked @ found.T, owners, len(sets[language][0]))
    table("XQuAD: hit at 1, alone", LANGUAGES)
    line("BM25", [hits(lexical[k], right[k], (1,)) for k in LANGUAGES])
    for name in models:
        line(name, [hits(best(name, k, k), right[k], (1,)) for k in LANGUAGES])
    table("XQuAD: hit at 1, fused by weight " + "/".join(map(str, (0.2, *WEIGHTS))), LANGUAGES)
    for name in models:
        line(name, [sum((hits(fuse(best(name, k, k), lexical[k], w), right[k], (1,)) for w in (0.2, *WEIGHTS)), []) for k in LANGUAGES])
    table("XQuAD: questions of a language, English paragraphs: hit at 1/8", LANGUAGES[1:])
    for name in models:
        line(name, [hits(best(name, k, "en"), right[k], (1, 8)) for k in LANGUAGES[1:]])
    table("XQuAD without every second article: AUROC/recognised", LANGUAGES)
    kept = article % 2 == 0
    for name in models:
        figures = []
        for k, (_, _, owner) in sets.items():
            top = best(name, k, k)[:, kept].max(axis=1)
            figures.append(auroc(top[kept[owner]], top[~kept[owner]]))
        line(name, figures)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="+", help="a model file, or minilm, e5, wordllama")
    parser.add_argument("--faq")
    parser.add_argument("--xquad")
    options = parser.parse_args()
    models = {name: teachers.load(name) if name in teachers.NAMES else StaticModel.read(name) for name in options.models}
    if options.faq:
        faq(options.faq, models)
    if options.xquad:
        xquad(options.xquad, models)


if __name__ == "__main__":
    main()
