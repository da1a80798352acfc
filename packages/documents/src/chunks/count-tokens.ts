import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { O200K_TOKEN_SPLIT_REGEX as WORDS } from 'gpt-tokenizer/encodingParams/constants';
import { safeCut } from '../document/safe-cut.js';

type Encoding = typeof import('gpt-tokenizer/encoding/o200k_base');

/** How many tokens a text costs the model that is to read it. */
export type CountTokens = (text: string) => number;

/** Tokenizers are worse than linear in a run without spaces: 20,000 letters take seconds. */
const MAX_RUN_CHARACTERS = 2000;
/** The words of a text are few, and each comes often. */
const MAX_KNOWN_WORDS = 30_000;
/** From 13 on V8 keeps the whole text alive for the word that was cut from it. */
const MAX_KNOWN_CHARACTERS = 12;

const load = createRequire(import.meta.url);
let encoding: Encoding | undefined;
const knownWords = new Map<string, number>();

/**
 * Tokens of a text by OpenAI's `o200k_base`, counted in pieces of at most 2,000 UTF-16 units, so that any text takes
 * linear time; a piece's edge costs at most one token too many. Special tokens are ordinary text: documents may
 * contain them.
 *
 * The encoding's tables cost 70 MB and 0.1 s: they are loaded by the first call, so that a process that parses or
 * reads documents does without.
 */
export const countTokens: CountTokens = (text) => {
  let tokens = 0;
  for (let start = 0; start < text.length;) {
    const end =
      text.length - start <= MAX_RUN_CHARACTERS
        ? text.length
        : safeCut(text, start, start + MAX_RUN_CHARACTERS);
    // The encoding divides a text into these words first, and no token crosses their edges.
    for (const word of text.slice(start, end).match(WORDS) ?? []) {
      tokens += knownWords.get(word) ?? countWord(word);
    }
    start = end;
  }
  return tokens;
};

function countWord(word: string): number {
  const { countTokens: countBpe } = (encoding ??= loadEncoding());
  const tokens = countBpe(word, { disallowedSpecial: new Set() });
  if (word.length > MAX_KNOWN_CHARACTERS) return tokens;
  if (knownWords.size >= MAX_KNOWN_WORDS) knownWords.clear();
  knownWords.set(word, tokens);
  return tokens;
}

function loadEncoding(): Encoding {
  // The ES module by its path: the copy that an `import` elsewhere in the process gets. `require` has no types.
  return load(fileURLToPath(import.meta.resolve('gpt-tokenizer/encoding/o200k_base'))) as Encoding;
}
