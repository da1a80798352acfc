import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { EmbeddingModel } from '../model.port.js';
import { StaticModel } from './static-model.js';

/** docs/retrieval.md says how the file was made. */
const MODEL_FILE = new URL('./static-model.bin', import.meta.url);

const MAX_INPUT_TOKENS = 4_096;

/** Texts between two turns of the event loop: about 5 ms. */
const TEXTS_PER_TURN = 128;

let loading: Promise<EmbeddingModel> | undefined;

/**
 * The embedding model that is part of the product: a table of vectors, without a server. The file is read when
 * this is first called, and the process keeps one copy. A text without a known word has the zero vector.
 */
export function loadBuiltinEmbeddingModel(): Promise<EmbeddingModel> {
  loading ??= readFile(MODEL_FILE).then(builtinEmbeddingModel);
  return loading;
}

/** @throws Error if the bytes are not a model */
export function builtinEmbeddingModel(file: Uint8Array): EmbeddingModel {
  const model = new StaticModel(file);
  const hash = createHash('sha256').update(file).digest('hex').slice(0, 8);
  return {
    fingerprint: `builtin_${model.dimensions}_${hash}`,
    dimensions: model.dimensions,
    account: 'builtin',
    isNeural: false,
    maxInputTokens: MAX_INPUT_TOKENS,
    embed: async (texts, { signal }) => {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        if (vectors.length % TEXTS_PER_TURN === 0) {
          signal.throwIfAborted();
          if (vectors.length > 0) await setImmediate();
        }
        vectors.push(model.embed(text));
      }
      return vectors;
    },
  };
}
