"""Writes the pieces and vectors of some texts, with which the TypeScript twin is tested."""

import json
import sys

from model_file import StaticModel

TEXTS = (
    "How do I find the version of mod_ssl? See section 3.1.4, or utf8::upgrade($x).",
    "Rechtsschutzversicherung für Donaudampfschiffe: ſtraße, STRASSE, Straße",
    "Где находится столица страны?",
    "中国经济发展很快，Python的版本是3.11。",
    "データベースのバックアップ ﾊﾞｯｸ",
    "ما هي عاصمة فرنسا؟",
    "데이터베이스를 어떻게 백업합니까?",
    "ΟΔΥΣΣΕΥΣ İstanbul ﬁle № ½ ① 𝕏 𠮷野家 😀 naïve nai\u0308ve",
    "ฐานข้อมูล डेटाबेस",
    "qzxvkjwqzxvkjw" * 20,
    "",
)


def main():
    model = StaticModel.read(sys.argv[1])
    rows = [
        {"text": text, "pieces": model.tokenizer.encode(text), "vector": [round(float(x), 6) for x in vector[:8]]}
        for text, vector in zip(TEXTS, model.embed(TEXTS))
    ]
    with open(sys.argv[2], "w") as out:
        out.write("[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()
