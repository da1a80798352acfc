import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Counts the tokens of a text. */
export type TokenCounter = (text: string) => number;

type Encoding = typeof import('gpt-tokenizer/encoding/o200k_base');

/** Tokenizers are worse than linear on long runs without spaces, so they see no more than this at once. */
const MAX_RUN = 2_000;
/** Text of documents may spell `<|endoftext|>`: it is text here, not a control token. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

const load = createRequire(import.meta.url);
let encoding: Encoding | undefined;

/**
 * Tokens of the `o200k_base` encoding: exact for the models that use it, a fair estimate for others. Every cut
 * between runs of 2,000 characters can add a token, so a long text is counted a little high.
 *
 * The encoding's tables cost 70 MB and 0.1 s: they are loaded by the first call, so that a process that only
 * searches or indexes does without.
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
  // By the path of the ES module, so that it is the copy that an `import` elsewhere in the process gets; the
  // package's own `require` condition is another 70 MB. `require` has no types.
  return load(fileURLToPath(import.meta.resolve('gpt-tokenizer/encoding/o200k_base'))) as Encoding;
}
