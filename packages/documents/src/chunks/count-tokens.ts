import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { O200K_TOKEN_SPLIT_REGEX as WORDS } from 'gpt-tokenizer/encodingParams/constants';
import { safeCut } from '../document/safe-cut.js';

type Encoding = typeof import('gpt-tokenizer/encoding/o200k_base');

/** Returns the number of tokens of a text for some model. */
export type CountTokens = (text: string) => number;

/** BPE takes more than linear time in a run without spaces: 20,000 letters take seconds. */
const MAX_RUN_CHARACTERS = 2000;
/** Size of the cache. A text repeats few distinct words. */
const MAX_CACHED_WORDS = 30_000;
/** V8 represents substrings of 13 and more characters as slices, which keep the whole text in memory. */
const MAX_CACHED_CHARACTERS = 12;

const load = createRequire(import.meta.url);
let encoding: Encoding | undefined;
const cachedCounts = new Map<string, number>();

/**
 * Counts the tokens of OpenAI's `o200k_base` encoding. The text is counted in pieces of at most 2,000 UTF-16
 * code units, so that any text takes linear time. Each boundary between pieces adds at most one token.
 * Special tokens count as ordinary text, because documents may contain them.
 *
 * The first call loads the encoding's tables (70 MB, 0.1 s), so that a process that only parses documents
 * does not load them.
 */
export const countTokens: CountTokens = (text) => {
  let tokens = 0;
  for (let start = 0; start < text.length;) {
    const end =
      text.length - start <= MAX_RUN_CHARACTERS
        ? text.length
        : safeCut(text, start, start + MAX_RUN_CHARACTERS);
    // The encoding first splits a text by this pattern. No token spans two of the matches.
    for (const word of text.slice(start, end).match(WORDS) ?? []) {
      tokens += cachedCounts.get(word) ?? countWord(word);
    }
    start = end;
  }
  return tokens;
};

function countWord(word: string): number {
  const { countTokens: countBpe } = (encoding ??= loadEncoding());
  const tokens = countBpe(word, { disallowedSpecial: new Set() });
  if (word.length > MAX_CACHED_CHARACTERS) return tokens;
  if (cachedCounts.size >= MAX_CACHED_WORDS) cachedCounts.clear();
  cachedCounts.set(word, tokens);
  return tokens;
}

function loadEncoding(): Encoding {
  // By path, to share the ES module instance with an `import` elsewhere in the process. `require` has no
  // types.
  return load(fileURLToPath(import.meta.resolve('gpt-tokenizer/encoding/o200k_base'))) as Encoding;
}
