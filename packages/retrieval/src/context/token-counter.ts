import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Counts the tokens of a text. */
export type TokenCounter = (text: string) => number;

type Encoding = typeof import('gpt-tokenizer/encoding/o200k_base');

/** Characters per call: the tokenizer needs superlinear time for long runs without spaces. */
const MAX_RUN = 2_000;
/** The text of a document may contain `<|endoftext|>`, which is then text and not a control token. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

const load = createRequire(import.meta.url);
let encoding: Encoding | undefined;

/**
 * Counts tokens of the `o200k_base` encoding: exact for models that use it, an estimate for others. Texts are
 * split every 2,000 characters, and each split can add a token, so the count of a long text is slightly high.
 *
 * The first call loads the tables of the encoding (70 MB, 0.1 s). A process that only searches or indexes
 * does not need them.
 */
export function countTokens(text: string): number {
  const { countTokens: count } = (encoding ??= loadEncoding());
  let tokens = 0;
  for (let start = 0; start < text.length; start += MAX_RUN) {
    tokens += count(text.slice(start, start + MAX_RUN), AS_TEXT);
  }
  return tokens;
}

function loadEncoding(): Encoding {
  // Loads the ES module by its path, so that an `import` elsewhere in the process shares this copy: the
  // `require` condition of the package would load another 70 MB. `require` returns no types, hence the cast.
  return load(fileURLToPath(import.meta.resolve('gpt-tokenizer/encoding/o200k_base'))) as Encoding;
}
