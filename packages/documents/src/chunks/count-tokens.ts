import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { safeCut } from './safe-cut.js';

type Encoding = typeof import('gpt-tokenizer/encoding/o200k_base');

/** How many tokens a text costs the model that is to read it. */
export type CountTokens = (text: string) => number;

/** Tokenizers are worse than linear in a run without spaces: 20,000 letters take seconds. */
const MAX_RUN_CHARACTERS = 2000;

const load = createRequire(import.meta.url);
let encoding: Encoding | undefined;

/**
 * Tokens of a text by OpenAI's `o200k_base`, counted in pieces of at most 2,000 UTF-16 units, so that any text takes
 * linear time; a piece's edge costs at most one token too many. Special tokens are ordinary text: documents may
 * contain them.
 *
 * The encoding's tables cost 70 MB and 0.1 s: they are loaded by the first call, so that a process that parses or
 * reads documents does without.
 */
export const countTokens: CountTokens = (text) => {
  const { countTokens: countBpe } = (encoding ??= loadEncoding());
  let tokens = 0;
  for (let start = 0; start < text.length;) {
    const end =
      text.length - start <= MAX_RUN_CHARACTERS
        ? text.length
        : safeCut(text, start, start + MAX_RUN_CHARACTERS);
    tokens += countBpe(text.slice(start, end), { disallowedSpecial: new Set() });
    start = end;
  }
  return tokens;
};

function loadEncoding(): Encoding {
  // The ES module by its path: the copy that an `import` elsewhere in the process gets. `require` has no types.
  return load(fileURLToPath(import.meta.resolve('gpt-tokenizer/encoding/o200k_base'))) as Encoding;
}
