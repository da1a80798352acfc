"""Reads unpacked Debian packages and writes the training text: pairs.jsonl and parallel.jsonl. See README.md."""

import collections
import gettext
import gzip
import html
import itertools
import json
import pathlib
import random
import re
import sys

# The evaluated questions and answers, and the lists of contents that repeat them.
EXCLUDED = re.compile(r"faq|octave|genindex|searchindex|contents\.|perltoc|/index\.html|_sources|-book\.html", re.I)
DROPPED = re.compile(r"<(script|style|header|aside|nav|footer|info|svg)\b.*?</\1>|<!--.*?-->", re.I | re.S)
HEADING = re.compile(r"<(h[1-6]|dt|title)\b[^>]*>(.*?)</\1>", re.I | re.S)
BLOCK = re.compile(r"</?(p|div|li|ul|ol|dl|dd|td|th|tr|table|pre|section|br|item|note|steps)\b[^>]*>", re.I)
TAG = re.compile(r"<[^>]*>")
LANGUAGES = "ar cs da de el en es fa fi fr he hi hu id it ja ko nb nl pl pt ro ru sv th tr uk vi zh".split()
DICTIONARIES = {
    "ara": "ar", "deu": "de", "rus": "ru", "spa": "es", "fra": "fr", "ita": "it", "jpn": "ja", "nld": "nl",
    "pol": "pl", "por": "pt", "tur": "tr",
}  # fmt: skip
WINDOW_WORDS = 60
MAX_WINDOWS = 4
DENSE = ("ja", "zh", "th")


def clean(text):
    return " ".join(html.unescape(TAG.sub("", text)).replace("¶", " ").split())


def blocks_of_html(source):
    """The blocks of a page in order. A heading begins with '# '."""
    source = HEADING.sub(lambda m: f"\n# {clean(m[2])}\n" if clean(m[2]) else "\n", DROPPED.sub(" ", source))
    pages = re.split(r"\n(# [^\n]*)\n", source)
    for at, part in enumerate(pages):
        if at % 2:
            yield part
        else:
            yield from filter(None, map(clean, re.split(r"\n\s*\n", BLOCK.sub("\n\n", part))))


def blocks_of_pod(source):
    for part in re.split(r"\n\s*\n", source):
        if match := re.match(r"=(head\d|item)\s+(.*)", part, re.S):
            part = "# " + match[2]
        elif part.startswith("="):
            continue
        yield " ".join(re.sub(r"[A-Z]<+([^<>|]*\|)?([^<>]*)>+", r"\2", part).split())


def blocks_of_manual(source):
    """A page of `man`: its short description becomes the heading of the text below it."""
    source = re.sub(r"\\f.|\\[%&|]|\\\*\(..", "", source).replace("\\-", "-")
    parts = re.split(r'\n\.S[HS] +"?([^\n"]*)"?\n', source)[1:]
    for at in range(0, len(parts) - 1, 2):
        text = " ".join(re.sub(r"^[.'][A-Za-z]*", "", row) for row in parts[at + 1].split("\n") if row[:2] != '.\\').split()
        if at == 0:
            yield "# " + " ".join(text).split(" - ")[-1]
        elif len(text) > 20:
            yield " ".join(text)


def language_of(path):
    """The language that a folder or the file's name tells; English otherwise. None if it is none of ours."""
    folder = re.search(r"/([a-z]{2}(?:[-_.@]\w+)*|C)/(?!.*/[a-z]{2}/)", str(path))
    file = re.search(r"(?:\.html\.|[./-](?=[\w-]*\.html))([a-z]{2})(?:-(?:cn|br|pt|tw))?(?:\.[\w-]+)*$", path.name)
    name = (folder or file or [None, "en"])[1][:2].lower()
    return "en" if name == "c" else name if name in LANGUAGES else "en" if not folder else None


def read(path):
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    named = re.search(rb"charset=[\"']?([\w-]+)", data[:2000])
    try:
        return data.decode(named[1].decode() if named else "utf-8")
    except (LookupError, UnicodeDecodeError):
        return None


def documents(root):
    """Yields path and blocks of each document."""
    for path in sorted(root.rglob("*")):
        if EXCLUDED.search(str(path.relative_to(root))) or not path.is_file() or path.is_symlink():
            continue
        page = re.search(r"\.html?(\.[\w.-]+)?(\.gz)?$|\.page$", path.name)
        pod = path.suffix == ".pod"
        manual = re.search(r"\.\d\w*\.gz$", path.name) and "/man" in str(path.parent)
        if page or pod or manual:
            source = read(path)
            if source:
                yield path, list((blocks_of_html if page else blocks_of_pod if pod else blocks_of_manual)(source))


def windows(text, language):
    units = text if language in DENSE else text.split()
    size = 2 * WINDOW_WORDS if language in DENSE else WINDOW_WORDS
    join = "" if language in DENSE else " "
    cuts = [join.join(units[at : at + size]) for at in range(0, len(units), size)]
    return [cut for cut in cuts if len(cut) > 60]


def sections(blocks, language):
    """Yields heading, title of the document, and windows of the text below the heading."""
    title = heading = None
    text = []
    for block in [*blocks, "# "]:
        if block.startswith("# "):
            if heading and (cuts := windows(" ".join(text), language)):
                yield heading, title, cuts[:MAX_WINDOWS]
            heading, text = block[2:][:200], []
            title = title or heading
        else:
            text.append(block)


def runs(text):
    """The runs of 12 consecutive words of a text, as hashes."""
    words = re.findall(r"\w+", text.lower())
    return {hash(" ".join(words[at : at + 12])) for at in range(len(words) - 11)}


def write_pairs(documents, evaluated, out):
    """`a` is a heading, `b` a window of the text below it. A heading that repeats is preceded by its title.

    Windows that repeat a run of evaluated text are left out.
    """
    found = []
    for path, blocks in documents:
        if language := language_of(path):
            found.extend((language, *section) for section in sections(blocks, language))
    common = collections.Counter((language, heading) for language, heading, _, _ in found)
    seen = set()
    for language, heading, title, cuts in found:
        if common[language, heading] > 3:
            if title == heading:
                continue
            heading = f"{title} {heading}"
        for cut in cuts:
            if cut not in seen and not (language == "en" and runs(cut) & evaluated):
                seen.add(cut)
                out.write(json.dumps({"language": language, "a": heading, "b": cut}, ensure_ascii=False) + "\n")


def translated_pages(root):
    """Blocks of the same page in English and in another language."""
    for pattern, english in (("usr/share/libreoffice/help/*/text", "en-US"), ("usr/share/help/*/gnome-help", "C")):
        for folder in sorted(root.glob(pattern)):
            language = folder.parent.name[:2].lower()
            if folder.parent.name == english or language not in LANGUAGES:
                continue
            original = pathlib.Path(str(folder).replace(f"/{folder.parent.name}/", f"/{english}/"))
            for path in sorted(folder.rglob("*.*")):
                other = original / path.relative_to(folder)
                if path.suffix in (".html", ".page") and other.exists() and (source := read(path)):
                    a, b = list(blocks_of_html(read(other))), list(blocks_of_html(source))
                    if len(a) == len(b):
                        yield from ((language, x.removeprefix("# "), y.removeprefix("# ")) for x, y in zip(a, b))


def translated_messages(root):
    """English messages of programs and their translations."""
    for path in sorted(root.rglob("*.mo")):
        language = next((p[:2] for p in reversed(path.parts) if re.fullmatch(r"[a-z]{2}(_[A-Z]{2})?", p)), None)
        if language not in LANGUAGES:
            continue
        with path.open("rb") as file:
            try:
                catalog = gettext.GNUTranslations(file)._catalog
            except (UnicodeDecodeError, OSError, ValueError):
                continue
        for key, value in catalog.items():
            if isinstance(key, str) and key and value:
                key = key.rsplit("\x04", 1)[-1]
                yield language, *(re.sub(r"[_~&](?=\w)|%\w|<[^>]*>", "", text).strip() for text in (key, value))


def dictionary_entries(root):
    """Words and their translations, from the dictionaries of FreeDict."""
    digits = {c: at for at, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}
    number = lambda text: sum(digits[c] * 64**at for at, c in enumerate(reversed(text)))  # noqa: E731
    for index in sorted(root.rglob("freedict-*.index")):
        source, target = index.stem.split("-")[1:]
        data = gzip.decompress(index.with_suffix(".dict.dz").read_bytes())
        for row in index.read_text().splitlines():
            word, start, size = row.split("\t")[:3]
            if word.startswith("00"):
                continue
            lines = data[number(start) : number(start) + number(size)].decode().split("\n")[1:]
            lines = [re.sub(r"<[^>]*>|\[[^\]]*\]|^\d+\.|/[^/]*/", "", text).strip() for text in lines if not text.startswith(" ")]
            meaning = next(filter(None, lines), "")
            if meaning and source == "eng":
                yield DICTIONARIES[target], word, meaning
            elif meaning:
                yield DICTIONARIES[source], meaning, word


def glosses(root):
    """Words of WordNet and their definitions."""
    for path in sorted(root.rglob("wordnet/data.*")):
        for row in path.read_text().splitlines():
            if not row.startswith("  "):
                fields, gloss = row.split(" | ", 1)
                fields = fields.split()
                names = [fields[4 + 2 * at].replace("_", " ") for at in range(int(fields[3], 16))]
                yield "en", ", ".join(names), gloss.strip()


def write_parallel(kind, entries, out, most=60_000):
    """`a` is English, `b` its translation. At most `most` of each language and kind."""
    by_language = collections.defaultdict(dict)
    for language, a, b in entries:
        if 2 < len(a) < 600 and 0 < len(b) < 600 and a != b:
            by_language[language].setdefault((a, b))
    for language, found in by_language.items():
        rows = random.Random(1).sample(list(found), min(most, len(found)))
        for a, b in rows:
            out.write(json.dumps({"kind": kind, "language": language, "a": a, "b": b}, ensure_ascii=False) + "\n")
        print(kind, language, len(found), len(rows), file=sys.stderr)


def main():
    faq, target, *roots = map(pathlib.Path, sys.argv[1:])
    evaluated = set().union(*(runs(chunk["text"]) for chunk in json.loads(faq.read_text())["chunks"]))
    with (target / "pairs.jsonl").open("w") as out:
        write_pairs((item for root in roots for item in documents(root)), evaluated, out)
    groups = {
        "page": translated_pages, "message": translated_messages, "word": dictionary_entries, "gloss": glosses,
    }  # fmt: skip
    with (target / "parallel.jsonl").open("w") as out:
        for kind, read_from in groups.items():
            write_parallel(kind, itertools.chain.from_iterable(map(read_from, roots)), out)


if __name__ == "__main__":
    main()
